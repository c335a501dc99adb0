import { type DocumentedLimit, day, hour, minute, paid } from './limit.ts';

/** The limits of projects, deployments, aliases, checks and artifacts. */
// biome-ignore format: one limit per line
export const projectLimits: readonly DocumentedLimit[] = [
  { name: 'project-domain-read', what: 'project domain reads', allowed: 500, window: minute, scope: 'user', operations: ['getProjectDomains', 'getProjectDomain'] },
  { name: 'project-domain-verify', what: 'project domain verifications', allowed: 100, window: minute, scope: 'user', operations: ['verifyProjectDomain'] },
  { name: 'project-domain-write', what: 'project domain writes', allowed: 100, window: minute, scope: 'owner', operations: ['addProjectDomain', 'updateProjectDomain', 'removeProjectDomain'], weakOperations: ['moveProjectDomain'] },
  { name: 'project-protection-bypass-write', what: 'protection bypass writes', allowed: 100, window: minute, scope: 'owner', operations: ['updateProjectProtectionBypass'] },
  { name: 'project-env-read', what: 'variable reads', allowed: 500, window: minute, scope: 'owner', operations: ['filterProjectEnvs', 'getProjectEnv'] },
  { name: 'project-env-create', what: 'variable creations', allowed: 120, window: minute, scope: 'owner', operations: ['createProjectEnv'] },
  { name: 'project-env-update', what: 'variable updates', allowed: 120, window: minute, scope: 'owner', operations: ['editProjectEnv'] },
  { name: 'api-projects-environment-variable-delete', what: 'variable deletions', allowed: 60, window: minute, scope: 'owner', operations: ['removeProjectEnv'], source: 'also phasehq/console#679: name and number in an answer of November 2025' },
  { name: 'project-env-batch-delete', what: 'variable batch deletions', allowed: 60, window: minute, scope: 'owner', operations: ['batchRemoveProjectEnv'] },
  { name: 'rolling-release-write', what: 'release configuration updates', allowed: 100, window: minute, scope: 'owner', operations: ['updateRollingReleaseConfig'], weakOperations: ['deleteRollingReleaseConfig'] },
  { name: 'web-analytics-write', what: 'Web Analytics updates', allowed: 10, window: 10 * minute, scope: 'owner', operations: [], weakOperations: ['createWebInsightsToggle'] },
  { name: 'deployment-suffix-hour', what: 'deployment suffix changes', allowed: 5, window: hour, scope: 'owner', operations: [], weakOperations: ['patchTeam', 'updateProject'], bodyMember: 'previewDeploymentSuffix' },
  { name: 'preview-suffix-minutes', what: 'preview suffix updates', allowed: 10, window: 10 * minute, scope: 'owner', operations: [], weakOperations: ['patchTeam', 'updateProject'], bodyMember: 'previewDeploymentSuffix' },
  { name: 'preview-suffix-day', what: 'preview suffix updates', allowed: 10, window: day, scope: 'owner', operations: [], weakOperations: ['patchTeam', 'updateProject'], bodyMember: 'previewDeploymentSuffix' },

  { name: 'deployment-read', what: 'deployment reads', allowed: 500, window: minute, scope: 'user', operations: ['getDeployment'], plans: ['hobby', 'pro'] },
  { name: 'deployment-read', what: 'deployment reads', allowed: 2000, window: minute, scope: 'user', operations: ['getDeployment'], plans: ['enterprise'] },
  { name: 'deployment-list', what: 'deployment lists', allowed: 1000, window: minute, scope: 'user', operations: ['getDeployments'] },
  { name: 'deployment-create-minutes', what: 'deployments', allowed: 60, window: 5 * minute, scope: 'owner', operations: ['createDeployment'], plans: ['hobby'] },
  { name: 'deployment-create-minutes', what: 'deployments', allowed: 120, window: 5 * minute, scope: 'owner', operations: ['createDeployment'], plans: ['pro'] },
  { name: 'deployment-create-minutes', what: 'deployments', allowed: 300, window: 5 * minute, scope: 'owner', operations: ['createDeployment'], plans: ['enterprise'] },
  { name: 'deployment-create-hour', what: 'deployments', allowed: 100, window: hour, scope: 'owner', operations: ['createDeployment'], plans: ['hobby'] },
  { name: 'deployment-create-hour', what: 'deployments', allowed: 450, window: hour, scope: 'owner', operations: ['createDeployment'], plans: ['pro'] },
  { name: 'deployment-create-hour', what: 'deployments', allowed: 1800, window: hour, scope: 'owner', operations: ['createDeployment'], plans: ['enterprise'] },
  { name: 'deployment-create-day', what: 'deployments', allowed: 100, window: day, scope: 'owner', operations: ['createDeployment'], plans: ['hobby'] },
  { name: 'deployment-create-day', what: 'deployments', allowed: 6000, window: day, scope: 'owner', operations: ['createDeployment'], plans: ['pro'] },
  { name: 'deployment-create-day', what: 'deployments', allowed: 24_000, window: day, scope: 'owner', operations: ['createDeployment'], plans: ['enterprise'] },
  { name: 'deployment-delete', what: 'deployment deletions', allowed: 200, window: 10 * minute, scope: 'owner', operations: ['deleteDeployment'] },
  { name: 'file-upload', what: 'file uploads', allowed: 5000, window: day, scope: 'owner', operations: ['uploadFile'], plans: ['hobby'] },
  { name: 'file-upload', what: 'file uploads', allowed: 40_000, window: day, scope: 'owner', operations: ['uploadFile'], plans: ['pro'] },
  { name: 'file-upload', what: 'file uploads', allowed: 80_000, window: day, scope: 'owner', operations: ['uploadFile'], plans: ['enterprise'] },
  { name: 'runtime-log-read', what: 'runtime log reads', allowed: 100, window: minute, scope: 'user', operations: ['getRuntimeLogs'] },

  { name: 'alias-read', what: 'alias reads', allowed: 300, window: 10 * minute, scope: 'user', operations: ['getAlias'] },
  { name: 'alias-create', what: 'alias creations', allowed: 120, window: 10 * minute, scope: 'owner', operations: ['assignAlias'] },
  { name: 'alias-list', what: 'alias lists', allowed: 500, window: minute, scope: 'user', operations: ['listAliases'], weakOperations: ['listDeploymentAliases'] },
  { name: 'alias-delete', what: 'alias deletions', allowed: 100, window: minute, scope: 'owner', operations: ['deleteAlias'] },

  { name: 'check-read', what: 'check reads', allowed: 300, window: minute, scope: 'owner', operations: ['listProjectChecks', 'getProjectCheck'] },
  { name: 'check-run-read', what: 'check run reads', allowed: 500, window: minute, scope: 'owner', operations: ['listCheckRuns', 'listDeploymentCheckRuns', 'getDeploymentCheckRun'] },
  { name: 'artifact', what: 'artifact requests', allowed: 100, window: minute, scope: 'owner', operations: ['recordEvents', 'status', 'downloadArtifact', 'uploadArtifact', 'artifactExists', 'artifactQuery'], plans: ['hobby'] },
  { name: 'artifact', what: 'artifact requests', allowed: 10_000, window: minute, scope: 'owner', operations: ['recordEvents', 'status', 'downloadArtifact', 'uploadArtifact', 'artifactExists', 'artifactQuery'], plans: paid },
];
