import { aiGatewayBudgetQueries } from './ai/budget.ts';
import { aiGatewayBudgetDefaultQueries } from './ai/budget-default.ts';
import { aiGatewayRuleQueries } from './ai/rule.ts';
import type { Queries } from './call.ts';
import { globalConfigSchemaQueries } from './config/schema.ts';
import { drainQueries } from './delivery/drain.ts';
import { webhookQueries } from './delivery/webhook.ts';
import { dnsQueries } from './domains/dns-record.ts';
import { domainQueries } from './domains/domain.ts';
import { envQueries } from './env/env-var.ts';
import { sharedEnvQueries } from './env/shared-env-var.ts';
import { featureFlagQueries } from './flags/feature-flag.ts';
import { flagListQueries } from './flags/flag-lists.ts';
import { flagSegmentQueries } from './flags/segment.ts';
import { flagSettingsQueries } from './flags/settings.ts';
import { bulkRedirectQueries } from './projects/bulk-redirects.ts';
import { projectQueries } from './projects/project.ts';
import { projectDomainQueries } from './projects/project-domain.ts';
import { routeQueries } from './projects/route.ts';
import { firewallQueries } from './security/firewall.ts';
import { accessGroupListQueries } from './team/access-group-lists.ts';
import { accessGroupProjectQueries } from './team/access-group-project.ts';
import { userAndTeamQueries } from './team/team.ts';
import { teamMemberQueries } from './team/team-member.ts';

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
