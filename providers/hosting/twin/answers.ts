/**
 * What operations answer that is not the rule, by the catalog's operationId. The rule is 200 on success, and 400, 401
 * and 403 on failure, also 404 where the path or a required query parameter names something. Statuses of success here
 * stand in place of 200.
 */
export const statuses: Readonly<Record<string, readonly number[]>> = {
  // Projects.
  createProject: [200, 409],
  updateProject: [200, 409],
  deleteProject: [204],
  createProjectEnv: [201, 409],
  editProjectEnv: [200, 409],
  addProjectDomain: [200, 409],
  removeProjectDomain: [200, 409],
  createCustomEnvironment: [201],
  updateProjectProtectionBypass: [200, 409],
  // Domains. Moving them in or out is not implemented.
  createOrTransferDomain: [200, 409, 501],
  patchDomain: [200, 501],
  deleteDomain: [200, 409],
  updateDomainAutoRenew: [204],
  updateDomainNameservers: [204],
  createRecord: [200, 409],
  updateRecord: [200, 409],
  // Traffic.
  updateAttackChallengeMode: [200, 404],
  stageRedirects: [200, 404],
  deleteSecurityFirewallConfigByConfigVersion: [204],
  // Feature flags. 412 is HTTP's own answer to If-Match, 409 the documented one.
  createFlag: [201, 409],
  getFlag: [200, 304],
  updateFlag: [200, 304, 409, 412],
  deleteFlag: [204, 409, 412],
  createFlagSegment: [201, 409],
  deleteFlagSegment: [204, 409],
  updateFlagSettings: [200, 201],
  deleteSdkKey: [204],
  // Of the whole team.
  createAiGatewayRule: [201, 409],
  updateAiGatewayRule: [200, 404],
  deleteAiGatewayRule: [204],
  'DELETE /ai-gateway/budgets': [204],
  'DELETE /ai-gateway/budgets/defaults': [204],
  deleteDrain: [204],
  deleteWebhook: [204],
  createSharedEnvVariable: [201, 409],
  updateSharedEnvVariable: [200, 409],
  createEdgeConfig: [201, 409],
  updateEdgeConfig: [200, 409],
  deleteEdgeConfig: [204, 409],
  getEdgeConfigItem: [200, 204],
  patchEdgeConfigItems: [200, 409],
  getEdgeConfigSchema: [200, 204],
  patchEdgeConfigSchema: [200, 409],
  deleteEdgeConfigSchema: [204, 409],
  createEdgeConfigToken: [201, 409],
  deleteEdgeConfigTokens: [204, 409],
};

/** The type of a successful answer where it is not an object; `none`: there is no body, although the status is 200. */
export const answerTypes: Readonly<Record<string, 'none' | string | readonly string[]>> = {
  deleteAccessGroup: 'none',
  deleteAccessGroupProject: 'none',
  getWebhooks: 'array',
  getEdgeConfigs: 'array',
  getEdgeConfigItems: 'array',
  getEdgeConfigTokens: 'array',
  // A JSON Schema.
  getEdgeConfigSchema: ['object', 'boolean'],
  patchEdgeConfigSchema: ['object', 'boolean'],
};

/** Operations that answer 200 whatever their path names. */
export const alwaysFound: ReadonlySet<string> = new Set(['getDomainConfig', 'getDomainProjectDomains']);
