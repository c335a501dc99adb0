import type { Seed, Switches } from '../../providers/hosting/twin/index.ts';
import type { PlanOptions } from '../../src/plan/input.ts';
import { World } from '../support/world.ts';

export type SeedVariable = NonNullable<NonNullable<Seed['projects']>[number]['env']>[number];

interface Options {
  env?: SeedVariable[];
  switches?: Partial<Switches>;
  /** The team takes only sensitive variables outside development. */
  strict?: boolean;
}

/** A project `web` with the custom environments `staging` and `qa`, and its variables in short form. */
export class Account {
  readonly world: World;

  private constructor(world: World) {
    this.world = world;
  }

  static async start({ env = [], switches = {}, strict = false }: Options = {}): Promise<Account> {
    const customEnvironments = [{ slug: 'staging' }, { slug: 'qa' }];
    const team = { slug: 'acme', sensitiveEnvironmentVariablePolicy: strict ? 'on' : 'default' } as const;
    const seed = { team, projects: [{ name: 'web', env, customEnvironments }] };
    return new Account(await World.start({ seed, switches }));
  }

  get project() {
    return this.world.twin.account.projects[0]!;
  }

  row(key: string) {
    return this.project.env.find((row) => row.key === key)!;
  }

  /** The YAML for these lines of `env:`. */
  yaml(env: string, rest = ''): string {
    const lines = env
      .trim()
      .split('\n')
      .map((line) => `      ${line.trim()}`)
      .join('\n');
    return `
secrets: { database: { env: DATABASE } }
projects:
  web:
    ${rest || 'customEnvironments: { staging: {}, qa: {} }'}
    env:
${lines}
`;
  }

  plan = (env: string, options?: PlanOptions) => this.world.plan(this.yaml(env), options);
  converge = (env: string, options?: PlanOptions) => this.world.converge(this.yaml(env), options);

  /** Codes of the plan's diagnostics. */
  async codes(env: string, options?: PlanOptions): Promise<string[]> {
    return (await this.plan(env, options)).plan.diagnostics.map(({ code }) => code);
  }

  /** All rows: `A=1 encrypted production preview custom:staging # comment`. */
  rows(): string[] {
    const slug = (id: string) => this.project.customEnvironments.find((one) => one.id === id)?.slug;
    return this.project.env
      .map((row) => {
        const places = [
          ...row.target.map((target) => (row.gitBranch ? `${target}:${row.gitBranch}` : target)),
          ...row.customEnvironmentIds.map((id) => `custom:${slug(id)}`),
        ];
        return `${row.key}=${row.value} ${row.type} ${places.join(' ')}${row.comment ? ` # ${row.comment}` : ''}`;
      })
      .sort();
  }

  /** The writes since the last call: `PATCH target value`, `POST 2`, `DELETE 1`. */
  sent(): string[] {
    const writes = this.world.twin.requests.filter(
      ({ method, path }) => method !== 'GET' && /\/env\b/.test(path),
    );
    this.world.twin.clearRequests();
    return writes.map(({ method, body }) => {
      if (Array.isArray(body)) return `${method} ${body.length}`;
      if (method === 'DELETE') return `DELETE ${(body as { ids: string[] } | undefined)?.ids.length ?? 1}`;
      return `${method} ${Object.keys(body as object)
        .sort()
        .join(' ')}`;
    });
  }
}
