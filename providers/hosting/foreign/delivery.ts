import type { StateReading } from '#kind';
import { type Attributes, present } from './attributes.ts';

/**
 * Converts a `vercel_webhook` of a Terraform state to objects of the account, for `trueup from terraform`. The platform shows its secret
 * only at the creation.
 */
export function webhook(attributes: Attributes): StateReading {
  attributes.skip('team_id');
  const shown = attributes.shown({ secret: '${secret}' });
  const object = attributes.renamed({
    id: 'id',
    endpoint: 'url',
    events: 'events',
    project_ids: 'projectIds',
  });
  return attributes.reading([{ kind: 'webhook', object, shown }]);
}

/**
 * Converts a `vercel_drain` of a Terraform state to objects of the account, for `trueup from terraform`. Headers often contain credentials,
 * so they count as secrets even if the provider does not mark them.
 */
export function drain(attributes: Attributes): StateReading {
  attributes.skip('team_id', 'status', 'projects');
  const delivery = attributes.inner('delivery');
  if (delivery) keepSecrets(delivery);
  const endpoint = delivery?.inner('endpoint');
  const traces = endpoint?.text('traces');
  const url = endpoint?.text('url');
  const schemas = Object.entries((attributes.take('schemas') ?? {}) as Record<string, { version?: string }>);
  const sampling = attributes
    .items('sampling')
    .map((attributes) =>
      attributes.renamed({ environment: 'env', rate: 'rate', request_path: 'requestPath', type: 'type' }),
    );
  const transforms = attributes.items('transforms').map((attributes) => attributes.renamed({ id: 'id' }));
  const object = present({
    ...attributes.renamed({ id: 'id', name: 'name', project_ids: 'projectIds' }),
    schemas: Object.fromEntries(schemas.map(([name, { version }]) => [name, { version }])),
    sampling: sampling.length > 0 ? sampling : undefined,
    transforms: transforms.length > 0 ? transforms : undefined,
    delivery: present({
      ...delivery?.renamed({ compression: 'compression', encoding: 'encoding', type: 'type' }),
      endpoint: traces === undefined ? url : { traces },
    }),
  });
  return attributes.reading([{ kind: 'drain', object }]);
}

/**
 * Converts a `vercel_log_drain` (since version 4 of the provider, a drain for logs with a filter) of a Terraform state
 * to objects of the account, for `trueup from terraform`. Source: `client/log_drain.go` of the provider.
 */
export function logDrain(attributes: Attributes): StateReading {
  attributes.skip('team_id');
  keepSecrets(attributes);
  const rate = attributes.take('sampling_rate');
  const log = { sources: attributes.texts('sources') };
  const deployment = { environments: attributes.texts('environments') };
  const object = present({
    ...attributes.renamed({ id: 'id', name: 'name', project_ids: 'projectIds' }),
    schemas: { log: {} },
    filterV2: { version: 'v2', filter: { type: 'basic', log, deployment } },
    sampling: rate === undefined ? undefined : [{ type: 'head_sampling', rate }],
    delivery: {
      type: 'http',
      ...attributes.renamed({ delivery_format: 'encoding', endpoint: 'endpoint' }),
    },
  });
  return attributes.reading([{ kind: 'drain', object }]);
}

/** Headers and the secret of a delivery, which stay where they are. */
function keepSecrets(attributes: Attributes): void {
  attributes.secret('secret');
  attributes.secret('headers');
}

/**
 * Converts a `vercel_trace_drain` of a Terraform state to objects of the account, for `trueup from terraform`. It
 * becomes a drain for traces.
 */
export function traceDrain(attributes: Attributes): StateReading {
  attributes.skip('team_id');
  keepSecrets(attributes);
  const sampling = attributes.items('sampling_rules').map((attributes) => ({
    type: 'head_sampling',
    ...attributes.renamed({ environment: 'env', rate: 'rate', request_path: 'requestPath' }),
  }));
  const object = present({
    ...attributes.renamed({ id: 'id', name: 'name', project_ids: 'projectIds' }),
    schemas: { trace: {} },
    sampling: sampling.length > 0 ? sampling : undefined,
    delivery: {
      type: 'otlphttp',
      endpoint: { traces: attributes.text('endpoint') },
      encoding: attributes.text('delivery_format'),
    },
  });
  return attributes.reading([{ kind: 'drain', object }]);
}

/**
 * Converts a `vercel_audit_log_drain` of a Terraform state to objects of the account, for `trueup from terraform`. For S3 the platform
 * knows one compression and one layout of files, so the state has neither.
 */
export function auditLogDrain(attributes: Attributes): StateReading {
  attributes.skip('team_id');
  const http = attributes.inner('http');
  if (http) keepSecrets(http);
  const sharedNames = { encoding: 'encoding', endpoint: 'endpoint' };
  const s3 = attributes.inner('s3')?.renamed({
    ...sharedNames,
    object_acl: 'objectAcl',
    region: 'region',
    role_arn: 'roleArn',
    server_side_encryption: 'serverSideEncryption',
  });
  const delivery = s3
    ? { type: 's3', compression: 'none', fileStructure: 'hive', ...s3 }
    : { type: 'http', ...http?.renamed({ ...sharedNames, compression: 'compression' }) };
  const object = { ...attributes.renamed({ id: 'id', name: 'name' }), schemas: { audit_log: {} }, delivery };
  return attributes.reading([{ kind: 'drain', object }]);
}
