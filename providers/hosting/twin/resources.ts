import { apiKey } from './ai/api-key.ts';
import { aiGatewayBudget } from './ai/budget.ts';
import { aiGatewayBudgetDefault } from './ai/budget-default.ts';
import { aiGatewayRule } from './ai/rule.ts';
import { aiGatewayVirtualModel } from './ai/virtual-model.ts';
import { alertRule } from './alerts/alert-rule.ts';
import { globalConfig } from './config/global-config.ts';
import { globalConfigItem } from './config/item.ts';
import { globalConfigSchema } from './config/schema.ts';
import { globalConfigToken } from './config/token.ts';
import { connector } from './connect/connector.ts';
import { connectorProject } from './connect/connector-project.ts';
import { triggerDestinations } from './connect/trigger-destinations.ts';
import { drain } from './delivery/drain.ts';
import { webhook } from './delivery/webhook.ts';
import { alias } from './deployments/alias.ts';
import { aliasBypass } from './deployments/alias-bypass.ts';
import { cache } from './deployments/cache.ts';
import { deployment } from './deployments/deployment.ts';
import { rollout } from './deployments/rollout.ts';
import { traffic } from './deployments/traffic.ts';
import { certificate } from './domains/certificate.ts';
import { dnsRecord } from './domains/dns-record.ts';
import { domain } from './domains/domain.ts';
import { registrar } from './domains/registrar.ts';
import { envVar } from './env/env-var.ts';
import { sharedEnvVar } from './env/shared-env-var.ts';
import { featureFlag } from './flags/feature-flag.ts';
import { flagLists } from './flags/flag-lists.ts';
import { flagSdkKey } from './flags/sdk-key.ts';
import { flagSegment } from './flags/segment.ts';
import { flagSettings } from './flags/settings.ts';
import { kmsIssuer } from './kms/issuer.ts';
import { kmsIssuerPolicy } from './kms/policy.ts';
import { kmsSigningKey } from './kms/signing-key.ts';
import { experimentationConfig } from './marketplace/experimentation-config.ts';
import { experimentationItem } from './marketplace/experimentation-item.ts';
import { installation } from './marketplace/installation.ts';
import { integrationAccess } from './marketplace/integration-access.ts';
import { marketplaceResource } from './marketplace/marketplace-resource.ts';
import { microfrontendsGroup } from './microfrontends/group.ts';
import { microfrontendsMembership } from './microfrontends/membership.ts';
import { network } from './network/network.ts';
import { privateLink } from './network/private-link.ts';
import { avatar } from './projects/avatar.ts';
import { bulkRedirects } from './projects/bulk-redirects.ts';
import { check } from './projects/check.ts';
import { checkRun } from './projects/check-run.ts';
import { ciAttempt } from './projects/ci-attempt.ts';
import { customEnvironment } from './projects/custom-environment.ts';
import { deployHook } from './projects/deploy-hook.ts';
import { deploymentRetention } from './projects/deployment-retention.ts';
import { observability } from './projects/observability.ts';
import { project } from './projects/project.ts';
import { projectDomain } from './projects/project-domain.ts';
import { projectLink } from './projects/project-link.ts';
import { projectMember } from './projects/project-member.ts';
import { projectMembers } from './projects/project-members.ts';
import { protectionBypass } from './projects/protection-bypass.ts';
import { rollingRelease } from './projects/rolling-release.ts';
import { projectRoute } from './projects/route.ts';
import { speedInsights } from './projects/speed-insights.ts';
import { staticIps } from './projects/static-ips.ts';
import { tracingConfig } from './projects/tracing-config.ts';
import { webAnalytics } from './projects/web-analytics.ts';
import { registryRepository } from './registry/repository.ts';
import type { Resource } from './resource.ts';
import { sandboxDrive } from './sandboxes/drive.ts';
import { sandbox } from './sandboxes/sandbox.ts';
import { attackMode } from './security/attack-mode.ts';
import { firewall } from './security/firewall.ts';
import { firewallBypass } from './security/firewall-bypass.ts';
import { store } from './storage/store.ts';
import { storeConnection } from './storage/store-connection.ts';
import { accessGroup } from './team/access-group.ts';
import { accessGroupLists } from './team/access-group-lists.ts';
import { accessGroupProject } from './team/access-group-project.ts';
import { authToken } from './team/auth-token.ts';
import { directoryGroup } from './team/directory-group.ts';
import { oauthApp } from './team/oauth-app.ts';
import { oidcPolicy } from './team/oidc-policy.ts';
import { userAndTeam } from './team/team.ts';
import { teamInvite } from './team/team-invite.ts';
import { teamMember } from './team/team-member.ts';
import { userEvent } from './team/user-event.ts';

/** Everything that the twin serves. Generated: the build finds what the folders declare (build/lists.mjs). */
export const resources: Resource[] = [
  apiKey,
  aiGatewayBudget,
  aiGatewayBudgetDefault,
  aiGatewayRule,
  aiGatewayVirtualModel,
  alertRule,
  globalConfig,
  globalConfigItem,
  globalConfigSchema,
  globalConfigToken,
  connector,
  connectorProject,
  triggerDestinations,
  drain,
  webhook,
  alias,
  aliasBypass,
  cache,
  deployment,
  rollout,
  traffic,
  certificate,
  dnsRecord,
  domain,
  registrar,
  envVar,
  sharedEnvVar,
  featureFlag,
  flagLists,
  flagSdkKey,
  flagSegment,
  flagSettings,
  kmsIssuer,
  kmsIssuerPolicy,
  kmsSigningKey,
  experimentationConfig,
  experimentationItem,
  installation,
  integrationAccess,
  marketplaceResource,
  microfrontendsGroup,
  microfrontendsMembership,
  network,
  privateLink,
  avatar,
  bulkRedirects,
  check,
  checkRun,
  ciAttempt,
  customEnvironment,
  deployHook,
  deploymentRetention,
  observability,
  project,
  projectDomain,
  projectLink,
  projectMember,
  projectMembers,
  protectionBypass,
  rollingRelease,
  projectRoute,
  speedInsights,
  staticIps,
  tracingConfig,
  webAnalytics,
  registryRepository,
  sandboxDrive,
  sandbox,
  attackMode,
  firewall,
  firewallBypass,
  store,
  storeConnection,
  accessGroup,
  accessGroupLists,
  accessGroupProject,
  authToken,
  directoryGroup,
  oauthApp,
  oidcPolicy,
  userAndTeam,
  teamInvite,
  teamMember,
  userEvent,
];
