type Operation = `${string} /${string}`;

const listed = 'the list has all of it';
const unversioned = 'the same operation, with its version in the path; the public client calls it so';
const inPath = 'the same, with its slug in the path';

/**
 * Operations that no kind sends, because another operation does the same. `unversioned` is read from the public `@vercel/sdk`. The SDK
 * has both paths under one name.
 */
export const instead: Readonly<Record<Operation, { use: Operation; why: string }>> = {
  'GET /ai-gateway/rules': { use: 'GET /v1/ai-gateway/rules', why: unversioned },
  'POST /ai-gateway/rules': { use: 'POST /v1/ai-gateway/rules', why: unversioned },
  'PATCH /ai-gateway/rules': { use: 'PATCH /v1/ai-gateway/rules', why: unversioned },
  'DELETE /ai-gateway/rules': { use: 'DELETE /v1/ai-gateway/rules', why: unversioned },
  'GET /ai-gateway/virtual-model-configs': { use: 'GET /ai-gateway/virtual-model-configs/list', why: listed },
  'PATCH /ai-gateway/virtual-model-configs': {
    use: 'PATCH /ai-gateway/virtual-model-configs/{vmcSlug}',
    why: inPath,
  },
  'DELETE /ai-gateway/virtual-model-configs': {
    use: 'DELETE /ai-gateway/virtual-model-configs/{vmcSlug}',
    why: inPath,
  },
  'GET /v2/sandboxes/{name}': {
    use: 'GET /v2/sandboxes',
    why: 'the list has all of it, and cannot start a stopped sandbox',
  },
  'POST /v4/sandboxes': {
    use: 'POST /v3/sandboxes',
    why: 'a later version of it, whose body no public source has',
  },
  'GET /v2/connect/projects/{projectId}/connectors': {
    use: 'GET /v2/connect/connectors/{connector}/projects',
    why: 'each connector tells its projects',
  },
  'GET /v2/deployments/{id}/aliases': { use: 'GET /v4/aliases', why: listed },
  'GET /v1/global-config/{edgeConfigId}/token/{token}': {
    use: 'GET /v1/global-config/{edgeConfigId}/tokens',
    why: listed,
  },
  'GET /v1/projects/{projectIdOrName}/feature-flags/flags': {
    use: 'GET /v2/projects/{projectIdOrName}/feature-flags/flags',
    why: 'a later version, with the archived flags',
  },
  'HEAD /v1/installations/{integrationConfigurationId}/resources/{resourceId}/experimentation/global-config':
    {
      use: 'GET /v1/installations/{integrationConfigurationId}/resources/{resourceId}/experimentation/global-config',
      why: 'the answer has the headers as well',
    },
  'PATCH /v1/env/{id}/unlink/{projectId}': {
    use: 'PATCH /v1/env',
    why: 'the projects of a variable are among its fields',
  },
  'PUT /v1/projects/{projectId}/routes': {
    use: 'POST /v1/projects/{projectId}/routes',
    why: 'routes are written one by one: undeclared routes stay',
  },
  'PUT /domains/{domain}/records': {
    use: 'POST /v2/domains/{domain}/records',
    why: 'records are written one by one: undeclared records stay',
  },
  'DELETE /v1/vcr/repository/{idOrName}/permissions/all': {
    use: 'DELETE /v1/vcr/repository/{idOrName}/permissions',
    why: 'permissions are taken away one by one: undeclared permissions stay',
  },
};
