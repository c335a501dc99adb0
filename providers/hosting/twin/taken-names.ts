import type { Account, Project } from './account.ts';

type Domain = Account['domains'][number];

/**
 * The names of projects and domains, while a seed is loaded. Looking through all projects for each new one would take minutes for
 * thousands. A request looks through the account instead, where names change.
 */
export class TakenNames {
  readonly #projects = new Set<string>();
  readonly #hosts = new Set<string>();
  readonly #domains = new Map<string, { domain: Domain; position: number }>();

  constructor({ projects, domains }: Pick<Account, 'projects' | 'domains'>) {
    for (const domain of domains) this.addDomain(domain);
    for (const project of projects) {
      this.addProject(project);
      for (const { name } of project.domains) this.addHost(name);
    }
  }

  hasProject(ownerId: string, name: string): boolean {
    return this.#projects.has(JSON.stringify([ownerId, name]));
  }

  addProject({ accountId, name }: Pick<Project, 'accountId' | 'name'>): void {
    this.#projects.add(JSON.stringify([accountId, name]));
  }

  /** True if a project has the domain. */
  hasHost(name: string): boolean {
    return this.#hosts.has(name);
  }

  addHost(name: string): void {
    this.#hosts.add(name);
  }

  addDomain(domain: Domain): void {
    if (!this.#domains.has(domain.name))
      this.#domains.set(domain.name, { domain, position: this.#domains.size });
  }

  /** Returns the domain of the account that is first among those that a host is or lies in. */
  domainAbove(host: string): Domain | undefined {
    const labels = host.split('.');
    const above = labels.flatMap((_, index) => this.#domains.get(labels.slice(index).join('.')) ?? []);
    return above.sort((a, b) => a.position - b.position)[0]?.domain;
  }

  hasDomain(name: string): boolean {
    return this.#domains.has(name);
  }
}
