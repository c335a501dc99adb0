import { accessGroupListQueries } from './access-group-lists.ts';
import { accessGroupProjectQueries } from './access-group-projects.ts';
import { aiGatewayBudgetDefaultQueries } from './ai-gateway-budget-defaults.ts';
import { aiGatewayBudgetQueries } from './ai-gateway-budgets.ts';
import { aiGatewayRuleQueries } from './ai-gateway-rules.ts';
import { bulkRedirectQueries } from './bulk-redirects.ts';
import type { Queries } from './call.ts';
import { dnsQueries } from './dns-records.ts';
import { domainQueries } from './domains.ts';
import { drainQueries } from './drains.ts';
import { envQueries } from './env.ts';
import { featureFlagQueries } from './feature-flags.ts';
import { firewallQueries } from './firewall.ts';
import { flagListQueries } from './flag-lists.ts';
import { flagSegmentQueries } from './flag-segments.ts';
import { flagSettingsQueries } from './flag-settings.ts';
import { globalConfigSchemaQueries } from './global-config-schema.ts';
import { projectDomainQueries } from './project-domains.ts';
import { projectQueries } from './projects.ts';
import { routeQueries } from './routes.ts';
import { sharedEnvQueries } from './shared-env.ts';
import { teamMemberQueries } from './team-members.ts';
import { userAndTeamQueries } from './user-and-team.ts';
import { webhookQueries } from './webhooks.ts';

/** The query parameters that the twin's handlers read, by the catalog's operationId. */
export const queries: Queries = {
  ...userAndTeamQueries,
  ...teamMemberQueries,
  ...accessGroupListQueries,
  ...accessGroupProjectQueries,
  ...projectQueries,
  ...envQueries,
  ...projectDomainQueries,
  ...domainQueries,
  ...dnsQueries,
  ...firewallQueries,
  ...featureFlagQueries,
  ...flagListQueries,
  ...flagSegmentQueries,
  ...flagSettingsQueries,
  ...bulkRedirectQueries,
  ...routeQueries,
  ...aiGatewayBudgetDefaultQueries,
  ...aiGatewayBudgetQueries,
  ...aiGatewayRuleQueries,
  ...drainQueries,
  ...globalConfigSchemaQueries,
  ...sharedEnvQueries,
  ...webhookQueries,
};
