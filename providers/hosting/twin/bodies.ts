import { accessGroupProjectBodies } from './access-group-projects.ts';
import { accessGroupBodies } from './access-groups.ts';
import { aiGatewayBudgetDefaultBodies } from './ai-gateway-budget-defaults.ts';
import { aiGatewayBudgetBodies } from './ai-gateway-budgets.ts';
import { aiGatewayRuleBodies } from './ai-gateway-rules.ts';
import { attackModeBodies } from './attack-mode.ts';
import { bulkRedirectBodies } from './bulk-redirects.ts';
import type { Bodies } from './call.ts';
import { customEnvironmentBodies } from './custom-environments.ts';
import { dnsBodies } from './dns-records.ts';
import { domainBodies } from './domains.ts';
import { drainBodies } from './drains.ts';
import { envBodies } from './env.ts';
import { featureFlagBodies } from './feature-flags.ts';
import { firewallBodies } from './firewall.ts';
import { flagSdkKeyBodies } from './flag-sdk-keys.ts';
import { flagSegmentBodies } from './flag-segments.ts';
import { flagSettingsBodies } from './flag-settings.ts';
import { globalConfigItemBodies } from './global-config-items.ts';
import { globalConfigSchemaBodies } from './global-config-schema.ts';
import { globalConfigTokenBodies } from './global-config-tokens.ts';
import { globalConfigBodies } from './global-configs.ts';
import { projectDomainBodies } from './project-domains.ts';
import { projectBodies } from './projects.ts';
import { protectionBypassBodies } from './protection-bypass.ts';
import { rollingReleaseBodies } from './rolling-release.ts';
import { routeBodies } from './routes.ts';
import { sharedEnvBodies } from './shared-env.ts';
import { webhookBodies } from './webhooks.ts';

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
