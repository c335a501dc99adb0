import type { Kind } from '#kind';
import { aiGatewayBudget } from './ai/ai-gateway-budget.ts';
import { aiGatewayBudgetDefault } from './ai/ai-gateway-budget-default.ts';
import { aiGatewayRule } from './ai/ai-gateway-rule.ts';
import { aiGatewayVirtualModel } from './ai/ai-gateway-virtual-model.ts';
import { alertNotification } from './alerts/alert-notification.ts';
import { alertRule } from './alerts/alert-rule.ts';
import { globalConfig } from './config/global-config.ts';
import { globalConfigItem } from './config/global-config-item.ts';
import { globalConfigSchema } from './config/global-config-schema.ts';
import { globalConfigToken } from './config/global-config-token.ts';
import { connector } from './connect/connector.ts';
import { connectorProject } from './connect/connector-project.ts';
import { triggerDestinations } from './connect/trigger-destinations.ts';
import { drain } from './delivery/drain.ts';
import { webhook } from './delivery/webhook.ts';
import { alias } from './deployments/alias.ts';
import { aliasBypass } from './deployments/alias-bypass.ts';
import { deployment } from './deployments/deployment.ts';
import { certificate } from './domains/certificate.ts';
import { dnsRecord } from './domains/dns-record.ts';
import { domain } from './domains/domain.ts';
import { domainAutoRenew } from './domains/domain-auto-renew.ts';
import { domainNameservers } from './domains/domain-nameservers.ts';
import { sharedEnvLink } from './env/shared-env-link.ts';
import { sharedEnvVar } from './env/shared-env-var.ts';
import { featureFlag } from './flags/feature-flag.ts';
import { featureFlagSettings } from './flags/feature-flag-settings.ts';
import { flagSdkKey } from './flags/flag-sdk-key.ts';
import { segment } from './flags/segment.ts';
import { kmsIssuer } from './kms/kms-issuer.ts';
import { kmsIssuerPolicy } from './kms/kms-issuer-policy.ts';
import { kmsSigningKey } from './kms/kms-signing-key.ts';
import { experimentationConfig } from './marketplace/experimentation-config.ts';
import { experimentationItem } from './marketplace/experimentation-item.ts';
import { marketplaceInstallation } from './marketplace/marketplace-installation.ts';
import { marketplaceResource } from './marketplace/marketplace-resource.ts';
import { resourceSecret } from './marketplace/resource-secret.ts';
import { microfrontendsGroup } from './microfrontends/microfrontends-group.ts';
import { microfrontendsProject } from './microfrontends/microfrontends-project.ts';
import { network } from './network/network.ts';
import { privateLink } from './network/private-link.ts';
import { avatar } from './projects/avatar.ts';
import { bulkRedirects } from './projects/bulk-redirects.ts';
import { check } from './projects/check.ts';
import { connectConfigurations } from './projects/connect-configurations.ts';
import { crons } from './projects/crons.ts';
import { customEnvironment } from './projects/custom-environment.ts';
import { deployHook } from './projects/deploy-hook.ts';
import { deploymentPolicy } from './projects/deployment-policy.ts';
import { deploymentRetention } from './projects/deployment-retention.ts';
import { integrationAccess } from './projects/integration-access.ts';
import { observability } from './projects/observability.ts';
import { project } from './projects/project.ts';
import { projectDomain } from './projects/project-domain.ts';
import { projectEnvVar } from './projects/project-env-var.ts';
import { projectMember } from './projects/project-member.ts';
import { projectRoute } from './projects/project-route.ts';
import { protectionBypass } from './projects/protection-bypass.ts';
import { rollingRelease } from './projects/rolling-release.ts';
import { speedInsights } from './projects/speed-insights.ts';
import { staticIpSettings } from './projects/static-ip-settings.ts';
import { tracingConfig } from './projects/tracing-config.ts';
import { webAnalytics } from './projects/web-analytics.ts';
import { registryPermission } from './registry/registry-permission.ts';
import { registryRepository } from './registry/registry-repository.ts';
import { sandbox } from './sandboxes/sandbox.ts';
import { sandboxDrive } from './sandboxes/sandbox-drive.ts';
import { attackMode } from './security/attack-mode.ts';
import { coreRuleset } from './security/core-ruleset.ts';
import { firewall } from './security/firewall.ts';
import { firewallBypass } from './security/firewall-bypass.ts';
import { firewallIp } from './security/firewall-ip.ts';
import { firewallRule } from './security/firewall-rule.ts';
import { managedRuleset } from './security/managed-ruleset.ts';
import { blobConnection } from './storage/blob-connection.ts';
import { blobStore } from './storage/blob-store.ts';
import { integrationConnection } from './storage/integration-connection.ts';
import { integrationStore } from './storage/integration-store.ts';
import { accessGroup } from './team/access-group.ts';
import { accessGroupMember } from './team/access-group-member.ts';
import { accessGroupProject } from './team/access-group-project.ts';
import { authToken } from './team/auth-token.ts';
import { directoryRole } from './team/directory-role.ts';
import { oauthApp } from './team/oauth-app.ts';
import { oauthClientSecret } from './team/oauth-client-secret.ts';
import { oidcPolicy } from './team/oidc-policy.ts';
import { team } from './team/team.ts';
import { teamMember } from './team/team-member.ts';

/** Every kind of the platform; within a lane their changes are made in this order. */
export const kinds: Kind[] = [
  project,
  customEnvironment,
  projectEnvVar,
  sharedEnvVar,
  sharedEnvLink,
  domain,
  domainAutoRenew,
  domainNameservers,
  dnsRecord,
  projectDomain,
  certificate,
  firewall,
  managedRuleset,
  coreRuleset,
  firewallIp,
  firewallRule,
  attackMode,
  firewallBypass,
  protectionBypass,
  bulkRedirects,
  projectRoute,
  rollingRelease,
  avatar,
  check,
  projectMember,
  staticIpSettings,
  speedInsights,
  webAnalytics,
  observability,
  crons,
  tracingConfig,
  deploymentPolicy,
  deploymentRetention,
  deployHook,
  integrationAccess,
  microfrontendsGroup,
  microfrontendsProject,
  registryRepository,
  registryPermission,
  featureFlagSettings,
  segment,
  featureFlag,
  flagSdkKey,
  team,
  teamMember,
  deployment,
  alias,
  aliasBypass,
  accessGroup,
  accessGroupProject,
  accessGroupMember,
  directoryRole,
  globalConfig,
  globalConfigSchema,
  globalConfigItem,
  globalConfigToken,
  network,
  connectConfigurations,
  privateLink,
  sandboxDrive,
  sandbox,
  authToken,
  kmsIssuer,
  kmsSigningKey,
  kmsIssuerPolicy,
  webhook,
  alertRule,
  alertNotification,
  drain,
  connector,
  connectorProject,
  triggerDestinations,
  aiGatewayVirtualModel,
  aiGatewayRule,
  aiGatewayBudget,
  aiGatewayBudgetDefault,
  marketplaceInstallation,
  marketplaceResource,
  resourceSecret,
  experimentationItem,
  experimentationConfig,
  integrationStore,
  integrationConnection,
  blobStore,
  blobConnection,
  oidcPolicy,
  oauthApp,
  oauthClientSecret,
];
