import { aiGatewayBudgetHandlers } from './ai/budget.ts';
import { aiGatewayBudgetDefaultHandlers } from './ai/budget-default.ts';
import { aiGatewayRuleHandlers } from './ai/rule.ts';
import type { Handlers } from './call.ts';
import { globalConfigHandlers } from './config/global-config.ts';
import { globalConfigItemHandlers } from './config/item.ts';
import { globalConfigSchemaHandlers } from './config/schema.ts';
import { globalConfigTokenHandlers } from './config/token.ts';
import { drainHandlers } from './delivery/drain.ts';
import { webhookHandlers } from './delivery/webhook.ts';
import { dnsHandlers } from './domains/dns-record.ts';
import { domainHandlers } from './domains/domain.ts';
import { envHandlers } from './env/env-var.ts';
import { sharedEnvHandlers } from './env/shared-env-var.ts';
import { featureFlagHandlers } from './flags/feature-flag.ts';
import { flagListHandlers } from './flags/flag-lists.ts';
import { flagSdkKeyHandlers } from './flags/sdk-key.ts';
import { flagSegmentHandlers } from './flags/segment.ts';
import { flagSettingsHandlers } from './flags/settings.ts';
import { bulkRedirectHandlers } from './projects/bulk-redirects.ts';
import { customEnvironmentHandlers } from './projects/custom-environment.ts';
import { projectHandlers } from './projects/project.ts';
import { projectDomainHandlers } from './projects/project-domain.ts';
import { protectionBypassHandlers } from './projects/protection-bypass.ts';
import { rollingReleaseHandlers } from './projects/rolling-release.ts';
import { routeHandlers } from './projects/route.ts';
import { attackModeHandlers } from './security/attack-mode.ts';
import { firewallHandlers } from './security/firewall.ts';
import { accessGroupHandlers } from './team/access-group.ts';
import { accessGroupListHandlers } from './team/access-group-lists.ts';
import { accessGroupProjectHandlers } from './team/access-group-project.ts';
import { userAndTeamHandlers } from './team/team.ts';
import { teamMemberHandlers } from './team/team-member.ts';

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
