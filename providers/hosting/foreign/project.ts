import type { ForeignObject, StateReading } from '#kind';
import { type Attributes, present } from './attributes.ts';
import { variable } from './variables.ts';

/** Attributes that the platform has under another name, and in the same form. */
const sharedNames = {
  auto_assign_custom_domains: 'autoAssignCustomDomains',
  automatically_expose_system_environment_variables: 'autoExposeSystemEnvs',
  build_command: 'buildCommand',
  customer_success_code_visibility: 'customerSupportCodeVisibility',
  dev_command: 'devCommand',
  directory_listing: 'directoryListing',
  enable_affected_projects_deployments: 'enableAffectedProjectsDeployments',
  enable_preview_feedback: 'enablePreviewFeedback',
  enable_production_feedback: 'enableProductionFeedback',
  framework: 'framework',
  function_failover: 'serverlessFunctionZeroConfigFailover',
  git_fork_protection: 'gitForkProtection',
  git_lfs: 'gitLFS',
  id: 'id',
  ignore_command: 'commandForIgnoringBuildStep',
  install_command: 'installCommand',
  name: 'name',
  node_version: 'nodeVersion',
  output_directory: 'outputDirectory',
  preview_deployment_suffix: 'previewDeploymentSuffix',
  preview_deployments_disabled: 'previewDeploymentsDisabled',
  prioritise_production_builds: 'productionDeploymentsFastLane',
  protected_sourcemaps: 'protectedSourcemaps',
  root_directory: 'rootDirectory',
  serverless_function_region: 'serverlessFunctionRegion',
};

const protectedDeployments = new Map(
  Object.entries({
    standard_protection: 'prod_deployment_urls_and_all_previews',
    standard_protection_new: 'all_except_custom_domains',
    all_deployments: 'all',
    only_preview_deployments: 'preview',
    only_production_deployments: 'production',
  }),
);
const deploymentType = (name: string | undefined) => protectedDeployments.get(name ?? '') ?? name;

const skewSeconds = new Map(
  Object.entries({
    '30 minutes': 1_800,
    '4 hours': 14_400,
    '12 hours': 43_200,
    '1 day': 86_400,
    '7 days': 604_800,
  }),
);

/**
 * Converts a `vercel_project` of a Terraform state to objects of the account, for `trueup from terraform`, with the variables that are
 * written into it.
 */
export function project(attributes: Attributes): StateReading {
  const id = attributes.text('id')!;
  attributes.skip('team_id');
  const { preview_comments, ...settings } = attributes.renamed({
    ...sharedNames,
    preview_comments: 'preview_comments',
  });
  const git = attributes.inner('git_repository');
  const hooks = (git?.items('deploy_hooks') ?? []).map((hook) => deployHook(hook, id));
  const variables = attributes.items('environment').map((attributes) => variable(attributes, id));
  if (attributes.take('protection_bypass_for_automation') === true)
    attributes.leave(
      'the bypass for automation is a secret: declare it under `protectionBypass`, or leave it as it is',
    );
  attributes.secret('protection_bypass_for_automation_secret');
  if (attributes.take('public_source') !== undefined)
    attributes.leave('`public_source` is left out: the platform retired it in June 2026 and refuses it');
  const object = present({
    enablePreviewFeedback: preview_comments,
    ...settings,
    link: repository(git),
    gitComments: attributes
      .inner('git_comments')
      ?.renamed({ on_commit: 'onCommit', on_pull_request: 'onPullRequest' }),
    gitProviderOptions: gitProviderOptions(attributes),
    oidcTokenConfig: attributes
      .inner('oidc_token_config')
      ?.renamed({ enabled: 'enabled', issuer_mode: 'issuerMode' }),
    resourceConfig: resourceConfig(attributes),
    ...protection(attributes),
    skewProtectionMaxAge: skew(attributes),
  });
  return attributes.reading([{ kind: 'project', object }, ...hooks, ...variables]);
}

/** Returns the Git repository of a project in the form of an API answer. */
const repository = (git: Attributes | undefined): Record<string, unknown> | undefined =>
  git?.renamed({ type: 'type', repo: 'repo', production_branch: 'productionBranch' });

/**
 * Converts a deploy hook in a `vercel_project` of a Terraform state to an object of the account. Its URL is a secret, because anyone who
 * has it can deploy.
 */
function deployHook(attributes: Attributes, project: string): ForeignObject {
  const url = attributes.sealed('url', `the deploy hook ${attributes.text('name')}`);
  return {
    kind: 'deployHook',
    in: { kind: 'project', id: project },
    object: attributes.renamed({ id: 'id', name: 'name', ref: 'ref' }),
    shown: url && [{ text: url, value: '${secret}' }],
  };
}

/**
 * Converts the settings of a project for its Git provider, from a Terraform state to the form of the platform's answers; undefined if the
 * state has none.
 */
function gitProviderOptions(attributes: Attributes): Record<string, unknown> | undefined {
  const options = attributes.inner('git_provider_options');
  if (!options) return undefined;
  const { created, events, ...rest } = options.renamed({
    create_deployments: 'created',
    git_commit_status: 'gitCommitStatus',
    repository_dispatch_events: 'events',
    require_verified_commits: 'requireVerifiedCommits',
  });
  const commitStatus = options
    .inner('consolidated_git_commit_status')
    ?.renamed({ enabled: 'enabled', propagate_failures: 'propagateFailures' });
  return present({
    ...rest,
    createDeployments: created === undefined ? undefined : created === true ? 'enabled' : 'disabled',
    disableRepositoryDispatchEvents: events === undefined ? undefined : events === false,
    consolidatedGitCommitStatus: commitStatus,
  });
}

/**
 * Converts the settings of a project for the machines of its builds and functions, from a Terraform state to the form of the platform's
 * answers; undefined if the state has none.
 */
function resourceConfig(attributes: Attributes): Record<string, unknown> | undefined {
  const config = {
    ...attributes.inner('resource_config')?.renamed({
      fluid: 'fluid',
      function_default_cpu_type: 'functionDefaultMemoryType',
      function_default_regions: 'functionDefaultRegions',
      function_default_timeout: 'functionDefaultTimeout',
    }),
    ...attributes.renamed({
      build_machine_type: 'buildMachineType',
      on_demand_concurrent_builds: 'elasticConcurrencyEnabled',
    }),
  };
  return Object.keys(config).length === 0 ? undefined : config;
}

/**
 * Converts the settings that protect a project's deployments from a Terraform state to the form of the platform's answers. Passwords and
 * trusted addresses are secrets of the state: they are left out, and stay in the account.
 */
function protection(attributes: Attributes): Record<string, unknown> {
  const sso = attributes.inner('vercel_authentication')?.text('deployment_type');
  const password = attributes.inner('password_protection');
  password?.secret('password');
  const paths = attributes.inner('options_allowlist')?.items('paths');
  const trusted = attributes.inner('trusted_ips');
  if (trusted) {
    trusted.skip('deployment_type', 'protection_mode', 'addresses');
    attributes.leave(
      'the addresses of `trusted_ips` are secret in the state and stay in the account: to manage them here, declare `trustedIps` with all of them, as `trueup export` shows them',
    );
  }
  return present({
    ssoProtection:
      sso === undefined ? undefined : sso === 'none' ? null : { deploymentType: deploymentType(sso) },
    passwordProtection: password && { deploymentType: deploymentType(password.text('deployment_type')) },
    optionsAllowlist: paths && { paths: paths.map((attributes) => ({ value: attributes.take('value') })) },
  });
}

/**
 * Returns the maximum age of skew protection in seconds; undefined, after a note for the user, for an unknown
 * duration.
 */
function skew(attributes: Attributes): number | undefined {
  const age = attributes.text('skew_protection');
  const seconds = skewSeconds.get(age ?? '');
  if (age !== undefined && seconds === undefined)
    attributes.leave(`\`skew_protection\` is ${JSON.stringify(age)}, which is not a known duration`);
  return seconds;
}

/**
 * Converts a data source `vercel_project` of a Terraform state to objects of the account, for `trueup from terraform`.
 * Others may refer to the project, but it is not declared.
 */
export const namedProject = (attributes: Attributes): StateReading => ({
  objects: [
    {
      kind: 'project',
      object: { id: attributes.text('id'), name: attributes.text('name') },
      isOnlyNamed: true,
    },
  ],
  secrets: [],
  omissions: [],
});

/** The content of a project. */
export const inProject = (attributes: Attributes): NonNullable<ForeignObject['in']> => ({
  kind: 'project',
  id: attributes.text('project_id')!,
});
