import type { Project } from '../account.ts';
import { type Call, type Making, times } from '../call.ts';
import { latestDeployments, servedTargets } from '../deployments/served-targets.ts';
import { readEnvVar } from '../env/env-row.ts';
import { badRequest } from '../errors.ts';
import { assignKnown, shownOf } from '../outside.ts';
import { readAttackMode } from '../security/attack-mode.ts';
import { firewallInProject } from '../security/firewall-config.ts';
import { readCustomEnvironment } from './custom-environment.ts';
import { readRetention } from './deployment-retention.ts';
import { readableFields } from './project-body.ts';
import { addPlatformDomain } from './project-domain-state.ts';
import { readBypasses } from './protection-bypass.ts';

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
  // PF24: it reads `false` where it was never set.
  enableAffectedProjectsDeployments: false,
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
  rootDirectory: null,
  serverlessFunctionRegion: 'iad1',
  sourceFilesOutsideRootDirectory: true,
  ssoProtection: { deploymentType: 'all_except_custom_domains' },
  trustedIps: null,
};

/** Adds a new project of an owner to the account. */
export function addProject(making: Making, name: string): Project {
  const project: Project = {
    ...structuredClone(defaults),
    // Recorded answers about new projects (public, of 2025) have no machine type, and the Terraform provider's test reads none.
    resourceConfig: { ...structuredClone(regions), fluid: true },
    id: making.id('prj_', 28),
    name,
    accountId: making.owner.id,
    ...times(making),
    ...making.emptyProject(),
  };
  addPlatformDomain(making, project);
  making.account.projects.push(project);
  making.taken?.addProject(project);
  return project;
}

/** Throws the platform's 400 for a name that a project cannot have. */
export function checkProjectName(name: string): void {
  if (name.length > 0 && name.length <= 100 && /^[a-z0-9._-]+$/.test(name) && !name.includes('---')) return;
  throw badRequest(
    "Project names can be up to 100 characters long and must be lowercase. They can include letters, digits, and the following characters: '.', '_', '-'. However, they cannot contain the sequence '---'.",
  );
}

const asIs = new Set(['name', 'environmentVariables', 'gitRepository', 'skipGitConnectDuringLink']);
// Answers never have null for them.
const removable = new Set(['gitComments', 'gitProviderOptions']);
const settableFields = new Set([...readableFields, 'passwordProtection']);

/** Writes the fields of a POST or PATCH body into a project, as reads will show them. */
export function setProjectFields(
  project: Project,
  fields: Record<string, unknown>,
  { time: now, switches }: Making,
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
    } else if (removable.has(field) && value === null) {
      delete project[field];
    } else if (field === 'staticIps') {
      project[field] = { builds: false, regions: [], ...(project[field] as object), ...(value as object) };
    } else if (field === 'ssoProtection' && value !== null) {
      project[field] = { deploymentType: 'preview', ...(value as object) };
    } else if (field === 'passport' && value !== null) {
      project[field] = { deploymentType: 'all', ...(value as object) };
    } else if (field === 'connectConfigurations' && value !== null) {
      const timestamp = now();
      project[field] = (value as object[]).map((configuration) => ({
        ...configuration,
        createdAt: timestamp,
        updatedAt: timestamp,
      }));
    } else {
      assignKnown(project, { [field]: value }, (name) => settableFields.has(name));
    }
  }
}

/** Returns the machine settings as reads show them: the type `elastic` becomes a selection with a concrete machine (Terraform provider). */
function machine(config: Record<string, unknown>): Record<string, unknown> {
  if (config.buildMachineType !== 'elastic') return config;
  return { ...config, buildMachineType: 'standard', buildMachineSelection: 'elastic' };
}

/** Returns the Git link that the platform creates for a repository, in the form of its provider. */
export function gitLink(
  repository: { type: string; repo: string },
  timestamp: number,
): Record<string, unknown> {
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
    sourceless: false,
    createdAt: timestamp,
    updatedAt: timestamp,
  };
}

// Missing in the SDK's read schema, although the Terraform provider decodes some of them.
const incomplete = ['previewDeploymentSuffix', 'previewDeploymentsDisabled', 'serverlessFunctionRegion'];

/**
 * Returns a project as GET, POST, PATCH and the list answer it: its own readable fields, and the objects below it that are named here.
 * Everything else that resources store in a project is not shown.
 */
export function readProject(call: Call, project: Project): Record<string, unknown> {
  const { protectionBypass, rollingRelease, env, customEnvironments, speedInsights, webAnalytics } = project;
  const { microfrontends, avatar, link, deployHooks } = project;
  const passwordProtection = project.passwordProtection as { deploymentType: string } | null | undefined;
  const security = { ...readAttackMode(call, project), ...firewallInProject(project) };
  const read: Record<string, unknown> = {
    ...shownOf(project, readableFields),
    ...(protectionBypass === undefined ? {} : { protectionBypass: readBypasses(call, protectionBypass) }),
    ...(rollingRelease === undefined ? {} : { rollingRelease }),
    ...(link ? { link: { ...link, deployHooks } } : {}),
    ...(avatar && { avatar }),
    ...(speedInsights && { speedInsights }),
    ...(webAnalytics && { webAnalytics }),
    ...(microfrontends && { microfrontends }),
    alias: [],
    defaultResourceConfig: { functionDefaultRegions: ['iad1'] },
    ...readRetention(call, project),
    latestDeployments: latestDeployments(call, project),
    ...(project.lastAliasRequest && { lastAliasRequest: project.lastAliasRequest }),
    targets: servedTargets(call, project),
    live: project.live ?? false,
    // The password never comes back.
    passwordProtection: passwordProtection ? { deploymentType: passwordProtection.deploymentType } : null,
    env: env.map((variable) => readEnvVar(call, variable, false)),
    customEnvironments: customEnvironments.map((customEnvironment) =>
      readCustomEnvironment(project, customEnvironment),
    ),
    ...(Object.keys(security).length > 0 && { security }),
  };
  if (call.switches.projectReadIncomplete) for (const field of incomplete) delete read[field];
  return read;
}
