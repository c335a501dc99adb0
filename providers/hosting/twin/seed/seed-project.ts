import type { Owner, Project } from '../account.ts';
import { checkEnvVar, conflicting } from '../env/env-rules.ts';
import { checkSlug } from '../projects/custom-environment.ts';
import { checkProjectDomain, newProjectDomain } from '../projects/project-domain-state.ts';
import { addProject, checkProjectName, gitLink, setProjectFields } from '../projects/project-state.ts';
import { applyPut } from '../security/firewall-changes.ts';
import { activate, emptyConfig } from '../security/firewall-versions.ts';
import type { SeedFirewall, SeedProject } from './seed.ts';
import { loadFeatureFlags } from './seed-feature-flags.ts';
import { attempt, type Loading, making, ownerOf } from './seed-loading.ts';
import { loadTraffic, takeTraffic } from './seed-traffic.ts';

function customEnvironmentId(project: Project, slug: string): string {
  const found = project.customEnvironments.find((one) => one.slug === slug);
  if (found === undefined) throw new Error(`There is no custom environment "${slug}" in this project.`);
  return found.id;
}

function loadFirewall(loading: Loading, project: Project, owner: Owner, seed: SeedFirewall) {
  const config = structuredClone(project.firewall.active ?? emptyConfig(project));
  applyPut(making(loading, owner), config, { firewallEnabled: true, ...seed }, false);
  return config;
}

/** Adds a seed's project with everything below it. */
export function loadProject(loading: Loading, seed: SeedProject, place: string): void {
  const { account, now } = loading;
  const { traffic, rest } = takeTraffic(seed);
  const {
    id,
    name,
    owner: ownerName,
    env,
    domains,
    customEnvironments,
    firewall,
    featureFlags,
    gitRepository,
    ...fields
  } = rest;
  checkProjectName(name);
  const owner = ownerOf(loading, ownerName);
  if (account.projects.some((one) => one.accountId === owner.id && one.name === name)) {
    throw new Error(`There are two projects "${name}".`);
  }
  const project = addProject(account, owner, name, now);
  if (id !== undefined) project.id = id;
  const make = making(loading, owner);
  setProjectFields(project, fields, make);
  if (gitRepository !== undefined) project.link = gitLink(gitRepository, project.createdAt);

  for (const [i, one] of (customEnvironments ?? []).entries()) {
    attempt(loading, `${place}.customEnvironments[${i}]`, () => {
      checkSlug(project, one.slug);
      const at = make.time();
      const id = one.id ?? make.id('env_', 28);
      project.customEnvironments.push({ ...one, id, type: 'preview', createdAt: at, updatedAt: at });
    });
  }
  for (const [i, one] of (env ?? []).entries()) {
    attempt(loading, `${place}.env[${i}]`, () => {
      const { customEnvironments: slugs = [], gitBranch, type = 'encrypted', ...rest } = one;
      const everywhere = slugs.length > 0 ? [] : gitBranch ? ['preview'] : ['production', 'preview'];
      // Like the shorthand of the YAML: without targets a variable is for all that its type allows.
      const all =
        type === 'sensitive' || gitBranch || slugs.length > 0 ? everywhere : [...everywhere, 'development'];
      const row = {
        ...rest,
        type,
        target: one.target ?? all,
        customEnvironmentIds: slugs.map((slug) => customEnvironmentId(project, slug)),
        ...(gitBranch ? { gitBranch } : {}),
      };
      // The team's policy is not applied: it may be younger than the variables.
      checkEnvVar({ owner: { id: owner.id } }, project, row);
      if (conflicting(project, row).length > 0) throw new Error(`${one.key} is there twice for one target.`);
      const at = make.time();
      const by = account.user.id;
      project.env.push({
        ...row,
        id: make.id('', 16),
        createdAt: at,
        updatedAt: at,
        createdBy: by,
        updatedBy: null,
      });
    });
  }
  // Redirect targets may come later in the list.
  const added = (domains ?? []).map((one) => {
    const { name, customEnvironment, verified, ...rest } = one;
    const settings = {
      redirect: rest.redirect ?? null,
      redirectStatusCode: rest.redirectStatusCode ?? null,
      gitBranch: rest.gitBranch ?? null,
      customEnvironmentId: null as string | null,
    };
    const domain = newProjectDomain(make, project, name.toLowerCase(), settings);
    domain.verified = verified ?? true;
    project.domains.push(domain);
    return { domain, customEnvironment };
  });
  for (const [i, { domain, customEnvironment }] of added.entries()) {
    attempt(loading, `${place}.domains[${i}]`, () => {
      if (customEnvironment) domain.customEnvironmentId = customEnvironmentId(project, customEnvironment);
      checkProjectDomain(project, domain.name, domain);
    });
  }
  if (featureFlags) loadFeatureFlags(loading, project, featureFlags, `${place}.featureFlags`);
  loadTraffic(loading, make, project, traffic, place);
  if (firewall !== undefined) {
    const { draft, ...live } = firewall;
    activate(project.firewall, loadFirewall(loading, project, owner, live), make.time());
    if (draft !== undefined) project.firewall.draft = loadFirewall(loading, project, owner, draft);
  }
}
