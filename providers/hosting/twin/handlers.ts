import { accessGroupListHandlers } from './access-group-lists.ts';
import { accessGroupProjectHandlers } from './access-group-projects.ts';
import { accessGroupHandlers } from './access-groups.ts';
import { aiGatewayBudgetDefaultHandlers } from './ai-gateway-budget-defaults.ts';
import { aiGatewayBudgetHandlers } from './ai-gateway-budgets.ts';
import { aiGatewayRuleHandlers } from './ai-gateway-rules.ts';
import { attackModeHandlers } from './attack-mode.ts';
import { bulkRedirectHandlers } from './bulk-redirects.ts';
import type { Handlers } from './call.ts';
import { customEnvironmentHandlers } from './custom-environments.ts';
import { dnsHandlers } from './dns-records.ts';
import { domainHandlers } from './domains.ts';
import { drainHandlers } from './drains.ts';
import { envHandlers } from './env.ts';
import { featureFlagHandlers } from './feature-flags.ts';
import { firewallHandlers } from './firewall.ts';
import { flagListHandlers } from './flag-lists.ts';
import { flagSdkKeyHandlers } from './flag-sdk-keys.ts';
import { flagSegmentHandlers } from './flag-segments.ts';
import { flagSettingsHandlers } from './flag-settings.ts';
import { globalConfigItemHandlers } from './global-config-items.ts';
import { globalConfigSchemaHandlers } from './global-config-schema.ts';
import { globalConfigTokenHandlers } from './global-config-tokens.ts';
import { globalConfigHandlers } from './global-configs.ts';
import { projectDomainHandlers } from './project-domains.ts';
import { projectHandlers } from './projects.ts';
import { protectionBypassHandlers } from './protection-bypass.ts';
import { rollingReleaseHandlers } from './rolling-release.ts';
import { routeHandlers } from './routes.ts';
import { sharedEnvHandlers } from './shared-env.ts';
import { teamMemberHandlers } from './team-members.ts';
import { userAndTeamHandlers } from './user-and-team.ts';
import { webhookHandlers } from './webhooks.ts';

/** All handlers, by the catalog's operationId. */
export const handlers: Handlers = {
  ...userAndTeamHandlers,
  ...teamMemberHandlers,
  ...accessGroupHandlers,
  ...accessGroupListHandlers,
  ...accessGroupProjectHandlers,
  ...projectHandlers,
  ...envHandlers,
  ...projectDomainHandlers,
  ...customEnvironmentHandlers,
  ...domainHandlers,
  ...dnsHandlers,
  ...firewallHandlers,
  ...featureFlagHandlers,
  ...flagListHandlers,
  ...flagSegmentHandlers,
  ...flagSettingsHandlers,
  ...flagSdkKeyHandlers,
  ...attackModeHandlers,
  ...protectionBypassHandlers,
  ...rollingReleaseHandlers,
  ...bulkRedirectHandlers,
  ...routeHandlers,
  ...aiGatewayBudgetDefaultHandlers,
  ...aiGatewayBudgetHandlers,
  ...aiGatewayRuleHandlers,
  ...drainHandlers,
  ...globalConfigItemHandlers,
  ...globalConfigSchemaHandlers,
  ...globalConfigTokenHandlers,
  ...globalConfigHandlers,
  ...sharedEnvHandlers,
  ...webhookHandlers,
};

/** The operations that the twin serves, by the catalog's operationId. */
export const servedOperations: readonly string[] = Object.keys(handlers);
