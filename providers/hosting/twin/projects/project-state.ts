import { type Account, makeId, type Owner, type Project, tick } from '../account.ts';
import type { Call } from '../call.ts';
import { badRequest, notFound } from '../errors.ts';
import { noFeatureFlags } from '../flags/flag-state.ts';
import { noFirewall } from '../security/firewall-config.ts';

const regions = { functionDefaultRegions: ['iad1'] };

/** Fields that a new project has before anybody sets them. */
const defaults = {
  autoAssignCustomDomains: true,
  autoExposeSystemEnvs: true,
  buildCommand: null,
  commandForIgnoringBuildStep: null,
  customerSupportCodeVisibility: false,
  devCommand: null,
  directoryListing: false,
  enablePreviewFeedback: null,
  enableProductionFeedback: null,
  framework: null,
  gitForkProtection: true,
  gitLFS: false,
  installCommand: null,
  nodeVersion: '24.x',
  oidcTokenConfig: { enabled: true, issuerMode: 'team' },
  outputDirectory: null,
  passwordProtection: null,
  previewDeploymentSuffix: null,
  previewDeploymentsDisabled: false,
  publicSource: null,
  rootDirectory: null,
  serverlessFunctionRegion: 'iad1',
  sourceFilesOutsideRootDirectory: true,
  ssoProtection: { deploymentType: 'all_except_custom_domains' },
  trustedIps: null,
};

/** What is below a project with nothing in it: of a new one, and of one that was saved before it had all of these. */
export const emptyParts = () => ({
  env: [],
  domains: [],
  customEnvironments: [],
  firewall: noFirewall(),
  featureFlags: noFeatureFlags(),
  attackMode: null,
  bulkRedirects: [],
  routes: [],
});

/** A new project of an owner, added to the account. */
export function addProject(account: Account, owner: Owner, name: string, now: () => number): Project {
  const at = tick(account, now);
  const project: Project = {
    ...structuredClone(defaults),
    resourceConfig: { ...structuredClone(regions), buildMachineType: 'standard', fluid: true },
    id: makeId(account, 'prj_', 28),
    name,
    accountId: owner.id,
    createdAt: at,
    updatedAt: at,
    ...emptyParts(),
  };
  account.projects.push(project);
  return project;
}

function projectOf(account: Account, ownerId: string, idOrName: string): Project | undefined {
  const own = account.projects.filter((project) => project.accountId === ownerId);
  return own.find((project) => project.id === idOrName) ?? own.find((project) => project.name === idOrName);
}

/** The owner's project that the path names, by id or name. */
export function findProject(call: Call, idOrName = call.params.idOrName!): Project {
  const found = projectOf(call.account, call.owner.id, idOrName);
  if (found === undefined) throw notFound('Project');
  return found;
}

/** As `findProject`, for a read: who names no team means the user's default one, the first, as well. */
export function findProjectToRead(call: Call): Project {
  const { account, owner, params, switches } = call;
  const team = owner.team === undefined && switches.projectInDefaultTeam ? account.teams[0] : undefined;
  const idOrName = params.idOrName!;
  const found = projectOf(account, owner.id, idOrName) ?? (team && projectOf(account, team.id, idOrName));
  if (found === undefined) throw notFound('Project');
  return found;
}

/** The rule for project names, or the platform's 400. */
export function checkProjectName(name: string): void {
  if (name.length > 0 && name.length <= 100 && /^[a-z0-9._-]+$/.test(name) && !name.includes('---')) return;
  throw badRequest(
    "Project names can be up to 100 characters long and must be lowercase. They can include letters, digits, and the following characters: '.', '_', '-'. However, they cannot contain the sequence '---'.",
  );
}

const asIs = new Set(['name', 'environmentVariables', 'gitRepository', 'skipGitConnectDuringLink']);

/** Writes the fields of a POST or PATCH body into a project, as reads will show them. */
export function setProjectFields(
  project: Project,
  fields: Record<string, unknown>,
  { time: now, switches }: Pick<Call, 'time' | 'switches'>,
): void {
  const [region] =
    (fields.resourceConfig as { functionDefaultRegions?: string[] } | undefined)?.functionDefaultRegions ??
    [];
  if (region !== undefined && switches.regionMirrored) project.serverlessFunctionRegion = region;
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined || asIs.has(field)) continue;
    if (field === 'resourceConfig') {
      project[field] = { ...(project[field] as object), ...machine(value as Record<string, unknown>) };
    } else if (field === 'oidcTokenConfig' || field === 'sandbox') {
      project[field] = { ...(project[field] as object | undefined), ...(value as object) };
    } else if (field === 'staticIps') {
      project[field] = { builds: false, regions: [], ...(value as object) };
    } else if (field === 'ssoProtection' && value !== null) {
      project[field] = { deploymentType: 'preview', ...(value as object) };
    } else if (field === 'passport' && value !== null) {
      project[field] = { deploymentType: 'all', ...(value as object) };
    } else if (field === 'connectConfigurations' && value !== null) {
      const at = now();
      project[field] = (value as object[]).map((one) => ({ ...one, createdAt: at, updatedAt: at }));
    } else {
      project[field] = value;
    }
  }
}

// "elastic" is asked for as a machine type, and read as a selection with a concrete machine (Terraform provider).
function machine(config: Record<string, unknown>): Record<string, unknown> {
  if (config.buildMachineType !== 'elastic') return config;
  return { ...config, buildMachineType: 'standard', buildMachineSelection: 'elastic' };
}

/** The link that POST makes of `gitRepository`. */
export function gitLink(repository: { type: string; repo: string }, at: number): Record<string, unknown> {
  const [org = '', repo = ''] = repository.repo.split('/');
  const names =
    repository.type === 'gitlab'
      ? {
          projectNamespace: org,
          projectName: repo,
          projectNameWithNamespace: repository.repo,
          projectUrl: '',
        }
      : repository.type === 'bitbucket'
        ? { owner: org, slug: repo, name: repo, workspaceUuid: '', uuid: '' }
        : { org, repo, repoId: 1, repoOwnerId: 1 };
  return {
    type: repository.type,
    ...names,
    productionBranch: 'main',
    gitCredentialId: '',
    deployHooks: [],
    sourceless: false,
    createdAt: at,
    updatedAt: at,
  };
}
