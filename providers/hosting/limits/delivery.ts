import { type DocumentedLimit, day, minute, paid } from './limit.ts';

/** The limits of global config, redirects, routes, the firewall, drains and webhooks. */
// biome-ignore format: one limit per line
export const deliveryLimits: readonly DocumentedLimit[] = [
  { name: 'global-config-write', what: 'global config writes', allowed: 480, window: day, scope: 'owner', operations: ['patchEdgeConfigItems'], weakOperations: ['createEdgeConfig', 'updateEdgeConfig', 'restoreEdgeConfigBackup'], plans: paid },
  { name: 'global-config-write', what: 'global config writes', allowed: 250, window: 30 * day, scope: 'owner', operations: ['patchEdgeConfigItems'], weakOperations: ['createEdgeConfig', 'updateEdgeConfig', 'restoreEdgeConfigBackup'], plans: ['hobby'] },
  { name: 'global-config-list', what: 'global config lists', allowed: 500, window: minute, scope: 'owner', operations: ['getEdgeConfigs'] },
  { name: 'global-config-read', what: 'global config reads', allowed: 500, window: minute, scope: 'owner', operations: ['getEdgeConfig'] },
  { name: 'global-config-item-read', what: 'global config item reads', allowed: 20, window: minute, scope: 'owner', operations: ['getEdgeConfigItems'], weakOperations: ['getEdgeConfigItem'] },
  { name: 'global-config-delete', what: 'global config deletions', allowed: 60, window: 5 * minute, scope: 'owner', operations: ['deleteEdgeConfig'] },
  { name: 'global-config-token-write', what: 'global config token changes', allowed: 500, window: day, scope: 'owner', operations: ['createEdgeConfigToken', 'deleteEdgeConfigTokens'] },
  { name: 'global-config-schema-read', what: 'global config schema reads', allowed: 500, window: minute, scope: 'owner', operations: ['getEdgeConfigSchema'] },
  { name: 'global-config-schema-write', what: 'global config schema updates', allowed: 60, window: minute, scope: 'owner', operations: ['patchEdgeConfigSchema', 'deleteEdgeConfigSchema'] },
  { name: 'global-config-backup-list', what: 'global config backup lists', allowed: 100, window: minute, scope: 'owner', operations: ['getEdgeConfigBackups'] },
  { name: 'global-config-backup-read', what: 'global config backup reads', allowed: 60, window: minute, scope: 'owner', operations: ['getEdgeConfigBackup'] },

  { name: 'redirect-read', what: 'bulk redirect reads', allowed: 200, window: minute, scope: 'owner', operations: ['getRedirects'] },
  { name: 'redirect-write', what: 'bulk redirect writes', allowed: 30, window: minute, scope: 'owner', operations: ['stageRedirects', 'editRedirect', 'deleteRedirects', 'restoreRedirects'] },
  { name: 'redirect-version-read', what: 'bulk redirect version reads', allowed: 500, window: minute, scope: 'owner', operations: ['getVersions'] },
  { name: 'redirect-version-write', what: 'bulk redirect version writes', allowed: 20, window: minute, scope: 'owner', operations: ['updateVersion'] },
  { name: 'route-read', what: 'route reads', allowed: 200, window: minute, scope: 'owner', operations: ['getRoutes'] },
  { name: 'route-write', what: 'route writes', allowed: 60, window: minute, scope: 'owner', operations: ['addRoute', 'stageRoutes', 'editRoute', 'deleteRoutes'] },
  { name: 'route-version-read', what: 'route version reads', allowed: 500, window: minute, scope: 'owner', operations: ['getRouteVersions'] },
  { name: 'route-version-write', what: 'route version writes', allowed: 20, window: minute, scope: 'owner', operations: ['updateRouteVersions'] },
  { name: 'route-generate', what: 'route generations', allowed: 60, window: minute, scope: 'owner', operations: ['generateRoute'] },

  { name: 'firewall-bypass-read', what: 'firewall bypass reads', allowed: 100, window: minute, scope: 'user', operations: ['getBypassIp'] },
  { name: 'firewall-bypass-write', what: 'firewall bypass writes', allowed: 30, window: minute, scope: 'user', operations: ['addBypassIp', 'removeBypassIp'] },
  { name: 'attack-status-read', what: 'attack status reads', allowed: 20, window: minute, scope: 'user', operations: ['getActiveAttackStatus'] },
  { name: 'drain-create', what: 'drain creations', allowed: 30, window: minute, scope: 'user', operations: ['createDrain'] },
  { name: 'drain-update', what: 'drain updates', allowed: 30, window: minute, scope: 'user', operations: ['updateDrain'] },
  { name: 'drain-delete', what: 'drain deletions', allowed: 30, window: minute, scope: 'user', operations: ['deleteDrain'] },
  { name: 'drain-test', what: 'drain tests', allowed: 30, window: minute, scope: 'user', operations: ['testDrain'] },
  { name: 'drain-read', what: 'drain reads', allowed: 100, window: minute, scope: 'user', operations: ['getDrains', 'getDrain'] },
  { name: 'webhook-read', what: 'webhook reads', allowed: 100, window: minute, scope: 'user', operations: ['getWebhooks', 'getWebhook'] },
  { name: 'webhook-create', what: 'webhook creations', allowed: 20, window: minute, scope: 'user', operations: ['createWebhook'] },
  { name: 'webhook-delete', what: 'webhook deletions', allowed: 60, window: minute, scope: 'user', operations: ['deleteWebhook'] },
];
