import type { ApiEntry } from '#kind';

const cacheProtocol = 'used by build tools to talk to the remote cache';
const registryProtocol = 'used by container tools to talk to the registry';
const integration = 'called by integrations with their own token';
const stream = 'returns a stream of lines, which `trueup api` prints as they arrive';
const content = 'transfers file content, which `trueup api` sends and writes';
const unknownForm = 'its response is not documented';
const earlier = 'an earlier version of an operation that an action calls';
const earlierRead = 'an earlier version of an operation that a lookup reads';

const registry = '/v2/{teamSlug}/{projectSlug}/{repositoryName}';
const installation = '/v1/installations/{integrationConfigurationId}';
const ci = '/v1/platform-ci/invocations/{invocationId}';
const attempt = `${ci}/attempts/{attempt}`;
const job = `${attempt}/job-definitions/{jobDefinitionId}`;
const jobRun = `${job}/runs/{runAttempt}`;

const reasons: Record<string, string[]> = {
  [cacheProtocol]: [
    'POST /v8/artifacts/events',
    'POST /v8/artifacts',
    ...['GET', 'PUT', 'HEAD'].map((method) => `${method} /v8/artifacts/{hash}`),
  ],
  [registryProtocol]: [
    'GET /v2/',
    ...['GET', 'DELETE', 'HEAD'].map((method) => `${method} ${registry}/blobs/{digest}`),
    ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} ${registry}/blobs/uploads/{uuid}`),
    `POST ${registry}/blobs/uploads/`,
    ...['GET', 'PUT', 'DELETE', 'HEAD'].map((method) => `${method} ${registry}/manifests/{reference}`),
    `GET ${registry}/tags/list`,
  ],
  [integration]: [
    'PATCH /v2/deployments/{deploymentId}/check-runs/{checkRunId}',
    'PATCH /v1/deployments/{deploymentId}/integrations/{integrationConfigurationId}/resources/{resourceId}/actions/{action}',
    `GET ${installation}/account`,
    `GET ${installation}/member/{memberId}`,
    `POST ${installation}/events`,
    `POST ${installation}/billing`,
    `POST ${installation}/billing/invoices`,
    `POST ${installation}/billing/finalize`,
    `GET ${installation}/billing/invoices/{invoiceId}`,
    `POST ${installation}/billing/invoices/{invoiceId}/actions`,
    `POST ${installation}/billing/balance`,
    'POST /v1/integrations/sso/token',
    'POST /v1/connect/token/{connector}/import',
  ],
  [stream]: [
    'GET /v1/billing/charges',
    'GET /v1/billing/contract-commitments',
    'GET /v3/deployments/{idOrUrl}/events',
    'GET /v1/projects/{projectId}/deployments/{deploymentId}/runtime-logs',
    'GET /v2/sandboxes/sessions/{sessionId}/cmd/{cmdId}/logs',
  ],
  [content]: [
    'POST /v2/files',
    'GET /v8/deployments/{id}/files/{fileId}',
    'POST /v2/sandboxes/sessions/{sessionId}/fs/read',
    'POST /v2/sandboxes/sessions/{sessionId}/fs/write',
    'POST /v2/sandboxes/sessions/{sessionId}/fs/mkdir',
  ],
  [unknownForm]: [
    'GET /v1/security/firewall/events/summary',
    'GET /v2/platform-ci/invocations',
    'GET /v2/platform-ci/branches',
    'GET /v1/platform-ci/log-search',
    ...[`${ci}/attempts`, `${ci}/tree`, `${attempt}/job-definitions`, job, `${job}/runs`, jobRun].map(
      (path) => `GET ${path}`,
    ),
    ...[`${jobRun}/task-definitions`, `${jobRun}/task-runs`, `${attempt}/logs`, `${attempt}/task-logs`].map(
      (path) => `GET ${path}`,
    ),
    `GET ${jobRun}/logs`,
    `GET ${jobRun}/task-definitions/{taskDefinitionId}/runs/{taskRunAttempt}/logs`,
  ],
  [earlier]: ['POST /v2/sandboxes/{name}/fork', 'POST /v2/sandboxes/sessions/{sessionId}/snapshot'],
  [earlierRead]: ['GET /v1/teams/{teamId}/feature-flags/flags'],
};

/** Operations that only `trueup api` calls, because they are meant for programs or because their answers are not documented. */
export const byApi: readonly ApiEntry[] = Object.entries(reasons).flatMap(([why, operations]) =>
  operations.map((operation) => ({ operation, why })),
);
