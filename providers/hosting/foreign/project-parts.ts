import type { StateReading } from '#kind';
import { type Attributes, present } from './attributes.ts';
import { inProject } from './project.ts';

/** Settings of a project that are a resource of their own there: fields of the project, and nothing else of it. */
const partOf = (attributes: Attributes, fields: Record<string, unknown>): StateReading => {
  const { id } = inProject(attributes);
  return attributes.reading([{ kind: 'project', object: { id, ...fields }, isPart: true }]);
};

const memoryTypes = new Map(Object.entries({ basic: 'standard_legacy' }));

/**
 * Converts a `vercel_project_function_cpu` of a Terraform state to objects of the account, for `trueup from terraform`. It becomes a
 * setting of the project.
 */
export function functionCpu(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id');
  const cpu = attributes.text('cpu');
  if (cpu === undefined) return attributes.reading([]);
  return partOf(attributes, { resourceConfig: { functionDefaultMemoryType: memoryTypes.get(cpu) ?? cpu } });
}

/**
 * Converts a `vercel_project_function_max_duration` of a Terraform state to objects of the account, for `trueup from terraform`. It becomes
 * a setting of the project.
 */
export function functionMaxDuration(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id');
  const seconds = attributes.take('max_duration');
  return partOf(attributes, { resourceConfig: present({ functionDefaultTimeout: seconds }) });
}

/** Converts a `vercel_project_deployment_check` of a Terraform state to objects of the account, for `trueup from terraform`. */
export function deploymentCheck(attributes: Attributes): StateReading {
  attributes.skip('team_id', 'created_at', 'updated_at');
  const source = attributes.inner('source');
  source?.skip(
    'integration_configuration_id',
    'integration_id',
    'job_name',
    'origin',
    'resource_id',
    'sub_kind',
  );
  const declared = source?.renamed({
    external_check_name: 'externalCheckName',
    external_resource_id: 'externalResourceId',
    kind: 'kind',
    provider: 'provider',
    webhook_id: 'webhookId',
  });
  const object = present({
    ...attributes.renamed({
      blocks: 'blocks',
      id: 'id',
      is_rerequestable: 'isRerequestable',
      name: 'name',
      requires: 'requires',
      targets: 'targets',
      timeout: 'timeout',
    }),
    // A check of the platform itself has this source, and no write can set it.
    source: declared?.kind === 'vercel' ? undefined : declared,
  });
  return attributes.reading([{ kind: 'check', in: inProject(attributes), object }]);
}

/**
 * Converts a `vercel_custom_environment` (an environment beside the three built-in ones) of a Terraform state to
 * objects of the account, for `trueup from terraform`.
 */
export function customEnvironment(attributes: Attributes): StateReading {
  attributes.skip('team_id');
  const branchMatcher = attributes.inner('branch_tracking')?.renamed({ pattern: 'pattern', type: 'type' });
  const object = present({
    ...attributes.renamed({ description: 'description', id: 'id', name: 'slug' }),
    branchMatcher,
  });
  return attributes.reading([{ kind: 'customEnvironment', in: inProject(attributes), object }]);
}

/** Converts a `vercel_project_crons` of a Terraform state to objects of the account, for `trueup from terraform`. */
export function crons(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id');
  const object = attributes.renamed({ enabled: 'enabled' });
  return attributes.reading([{ kind: 'crons', in: inProject(attributes), object }]);
}

/** Converts a `vercel_project_deployment_retention` of a Terraform state to objects of the account, for `trueup from terraform`. */
export function deploymentRetention(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id');
  const object = attributes.renamed({
    expiration_canceled: 'expirationCanceled',
    expiration_errored: 'expirationErrored',
    expiration_preview: 'expiration',
    expiration_production: 'expirationProduction',
  });
  // Without any limit there is nothing to declare.
  const isLimited = Object.values(object).some((duration) => duration !== 'unlimited');
  return attributes.reading(
    isLimited ? [{ kind: 'deploymentRetention', in: inProject(attributes), object }] : [],
  );
}

/** Converts a `vercel_integration_project_access` of a Terraform state to objects of the account, for `trueup from terraform`. */
export function integrationAccess(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id');
  const object = attributes.renamed({ integration_id: 'configurationId' });
  return attributes.reading([{ kind: 'integrationAccess', in: inProject(attributes), object }]);
}

/**
 * Converts a `vercel_project_secure_compute_networks` (the private networks of a project) of a Terraform state to
 * objects of the account, for `trueup from terraform`.
 */
export function networksOfProject(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id');
  const networks = attributes.items('secure_compute_networks').map((network) =>
    network.renamed({
      builds_enabled: 'buildsEnabled',
      environment: 'envId',
      network_id: 'connectConfigurationId',
      passive: 'passive',
    }),
  );
  return attributes.reading([
    { kind: 'connectConfigurations', in: inProject(attributes), object: { networks } },
  ]);
}

/** Converts a `vercel_project_tracing` of a Terraform state to objects of the account, for `trueup from terraform`. */
export function tracing(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id');
  const sampling = attributes.items('sampling_rules').map((rule) => ({
    type: 'head_sampling',
    ...rule.renamed({ environment: 'env', rate: 'rate', request_path: 'requestPath' }),
  }));
  const enabled = attributes.take('enabled') === true;
  return attributes.reading([
    { kind: 'tracingConfig', in: inProject(attributes), object: { enabled, sampling } },
  ]);
}

/** Converts a `vercel_project_rolling_release` of a Terraform state to objects of the account, for `trueup from terraform`. */
export function rollingRelease(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id');
  const isManual = attributes.text('advancement_type') === 'manual-approval';
  const stages = attributes.items('stages').map((stage) => ({
    ...stage.renamed({ duration: 'duration', target_percentage: 'targetPercentage' }),
    requireApproval: isManual,
  }));
  stages.forEach((stage) => {
    // A manual stage waits for a person's approval, except the last one, at 100 percent.
    if ((stage as { targetPercentage?: number }).targetPercentage === 100) stage.requireApproval = false;
  });
  return attributes.reading([{ kind: 'rollingRelease', in: inProject(attributes), object: { stages } }]);
}

/**
 * Converts a `vercel_project_protection_bypass` of a Terraform state to objects of the account, for `trueup from terraform`. It is
 * identified only by its secret. No file contains the secret, so the bypass is found by its note here.
 */
export function protectionBypass(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id', 'created_at', 'created_by', 'scope');
  attributes.secret('secret');
  const project = inProject(attributes);
  const note = attributes.text('note');
  const isDefault = attributes.take('is_env_var');
  if (note === undefined || note === '') {
    attributes.leave(
      'it has no note, so only its secret identifies it: give it a note, or declare it under `protectionBypass` with `secret: ${secret.NAME}`',
    );
    return attributes.reading([]);
  }
  if (isDefault === true)
    attributes.leave('`is_env_var` stays as it is: only one that is declared with its `secret` can say so');
  const object = present({
    secret: `${project.id} ${note}`,
    note,
    isEnvVar: isDefault === true ? undefined : isDefault,
  });
  return attributes.reading([{ kind: 'protectionBypass', in: project, object, hasMadeUpId: true }]);
}

/**
 * Converts a `vercel_deployment_protection_exception` (an alias that everybody may see) of a Terraform state to objects of the account, for
 * `trueup from terraform`. The alias has to exist; only the exception is declared.
 */
export function protectionException(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id', 'created_at', 'created_by', 'scope');
  const project = inProject(attributes);
  const alias = attributes.text('alias')!;
  return attributes.reading([
    { kind: 'alias', in: project, object: { uid: alias, alias }, isOnlyNamed: true },
    { kind: 'aliasBypass', in: { kind: 'alias', id: alias }, object: { who: '*' } },
  ]);
}
