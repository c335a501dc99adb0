import { aiGatewayBudgetBodies } from './ai/budget.ts';
import { aiGatewayBudgetDefaultBodies } from './ai/budget-default.ts';
import { aiGatewayRuleBodies } from './ai/rule.ts';
import type { Bodies } from './call.ts';
import { globalConfigBodies } from './config/global-config.ts';
import { globalConfigItemBodies } from './config/item.ts';
import { globalConfigSchemaBodies } from './config/schema.ts';
import { globalConfigTokenBodies } from './config/token.ts';
import { drainBodies } from './delivery/drain.ts';
import { webhookBodies } from './delivery/webhook.ts';
import { dnsBodies } from './domains/dns-record.ts';
import { domainBodies } from './domains/domain.ts';
import { envBodies } from './env/env-var.ts';
import { sharedEnvBodies } from './env/shared-env-var.ts';
import { featureFlagBodies } from './flags/feature-flag.ts';
import { flagSdkKeyBodies } from './flags/sdk-key.ts';
import { flagSegmentBodies } from './flags/segment.ts';
import { flagSettingsBodies } from './flags/settings.ts';
import { bulkRedirectBodies } from './projects/bulk-redirects.ts';
import { customEnvironmentBodies } from './projects/custom-environment.ts';
import { projectBodies } from './projects/project.ts';
import { projectDomainBodies } from './projects/project-domain.ts';
import { protectionBypassBodies } from './projects/protection-bypass.ts';
import { rollingReleaseBodies } from './projects/rolling-release.ts';
import { routeBodies } from './projects/route.ts';
import { attackModeBodies } from './security/attack-mode.ts';
import { firewallBodies } from './security/firewall.ts';
import { accessGroupBodies } from './team/access-group.ts';
import { accessGroupProjectBodies } from './team/access-group-project.ts';

/** The schema of every request body that the twin checks, by the catalog's operationId. */
export const bodies: Bodies = {
  ...accessGroupBodies,
  ...accessGroupProjectBodies,
  ...projectBodies,
  ...envBodies,
  ...projectDomainBodies,
  ...customEnvironmentBodies,
  ...domainBodies,
  ...dnsBodies,
  ...firewallBodies,
  ...featureFlagBodies,
  ...flagSegmentBodies,
  ...flagSettingsBodies,
  ...flagSdkKeyBodies,
  ...attackModeBodies,
  ...bulkRedirectBodies,
  ...protectionBypassBodies,
  ...rollingReleaseBodies,
  ...routeBodies,
  ...aiGatewayBudgetDefaultBodies,
  ...aiGatewayBudgetBodies,
  ...aiGatewayRuleBodies,
  ...drainBodies,
  ...globalConfigItemBodies,
  ...globalConfigSchemaBodies,
  ...globalConfigTokenBodies,
  ...globalConfigBodies,
  ...sharedEnvBodies,
  ...webhookBodies,
};
