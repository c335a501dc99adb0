import type { ForeignFiles, StateReading, StateResource } from '#kind';
import { alertRule, alertSlackChannel, alertWebhook } from './alerts.ts';
import { Attributes } from './attributes.ts';
import { auditLogDrain, drain, logDrain, traceDrain, webhook } from './delivery.ts';
import { customCertificate, dnsRecord, domain, projectDomain, zoneOf } from './domains.ts';
import { edgeConfig, edgeConfigItem, edgeConfigSchema, edgeConfigToken } from './edge-config.ts';
import {
  featureFlag,
  featureFlagConfig,
  featureFlagDefinition,
  flagSdkKey,
  segment,
} from './feature-flag.ts';
import { attackMode, firewall, firewallBypass } from './firewall.ts';
import { kmsGrant, kmsIssuer, kmsSigningKey } from './kms.ts';
import { microfrontendGroup, microfrontendMembership } from './microfrontends.ts';
import { network } from './network.ts';
import { namedProject, project } from './project.ts';
import {
  crons,
  customEnvironment,
  deploymentCheck,
  deploymentRetention,
  functionCpu,
  functionMaxDuration,
  integrationAccess,
  networksOfProject,
  protectionBypass,
  protectionException,
  rollingRelease,
  tracing,
} from './project-parts.ts';
import { reasons } from './reasons.ts';
import { blobConnection, blobStore, registryPermission, registryRepository } from './stores.ts';
import {
  accessGroup,
  accessGroupMember,
  accessGroupProject,
  oauthApp,
  oauthAppPermissions,
  oidcPolicy,
  projectMembers,
  team,
  teamMember,
  userToken,
} from './team.ts';
import { bulkRedirects, projectRoute, routesInOrder } from './traffic.ts';
import { oneVariable, severalVariables, sharedLink, sharedVariable } from './variables.ts';
import { record } from './zone-record.ts';

/** The resources of the platform's public provider that have a kind here. */
const readers = {
  vercel_access_group: accessGroup,
  vercel_access_group_member: accessGroupMember,
  vercel_access_group_project: accessGroupProject,
  vercel_alert_rule: alertRule,
  vercel_alert_rule_slack_notification: alertSlackChannel,
  vercel_alert_rule_webhook_notification: alertWebhook,
  vercel_attack_challenge_mode: attackMode,
  vercel_audit_log_drain: auditLogDrain,
  vercel_blob_project_connection: blobConnection,
  vercel_blob_store: blobStore,
  vercel_bulk_redirects: bulkRedirects,
  vercel_custom_alert_rule: alertRule,
  vercel_custom_certificate: customCertificate,
  vercel_custom_environment: customEnvironment,
  vercel_deployment_protection_exception: protectionException,
  vercel_dns_record: dnsRecord,
  vercel_domain: domain,
  vercel_drain: drain,
  vercel_edge_config: edgeConfig,
  vercel_edge_config_item: edgeConfigItem,
  vercel_edge_config_schema: edgeConfigSchema,
  vercel_edge_config_token: edgeConfigToken,
  vercel_feature_flag: featureFlag,
  vercel_feature_flag_config: featureFlagConfig,
  vercel_feature_flag_definition: featureFlagDefinition,
  vercel_feature_flag_sdk_key: flagSdkKey,
  vercel_feature_flag_segment: segment,
  vercel_firewall_bypass: firewallBypass,
  vercel_firewall_config: firewall,
  vercel_integration_project_access: integrationAccess,
  vercel_kms_issuer: kmsIssuer,
  vercel_kms_issuer_policy: kmsGrant,
  vercel_kms_project_grant: kmsGrant,
  vercel_kms_signing_key: kmsSigningKey,
  vercel_log_drain: logDrain,
  vercel_microfrontend_group: microfrontendGroup,
  vercel_microfrontend_group_membership: microfrontendMembership,
  vercel_network: network,
  vercel_oauth_app: oauthApp,
  vercel_oauth_app_permissions: oauthAppPermissions,
  vercel_oidc_federation_policy: oidcPolicy,
  vercel_project: project,
  vercel_project_crons: crons,
  vercel_project_deployment_check: deploymentCheck,
  vercel_project_deployment_retention: deploymentRetention,
  vercel_project_domain: projectDomain,
  vercel_project_environment_variable: oneVariable,
  vercel_project_environment_variables: severalVariables,
  vercel_project_function_cpu: functionCpu,
  vercel_project_function_max_duration: functionMaxDuration,
  vercel_project_members: projectMembers,
  vercel_project_protection_bypass: protectionBypass,
  vercel_project_rolling_release: rollingRelease,
  vercel_project_route: projectRoute,
  vercel_project_secure_compute_networks: networksOfProject,
  vercel_project_tracing: tracing,
  vercel_shared_environment_variable: sharedVariable,
  vercel_shared_environment_variable_project_link: sharedLink,
  vercel_team_config: team,
  vercel_team_member: teamMember,
  vercel_trace_drain: traceDrain,
  vercel_user_token: userToken,
  vercel_vcr_repository: registryRepository,
  vercel_vcr_repository_permission: registryPermission,
  vercel_webhook: webhook,
} satisfies Record<string, (attributes: Attributes) => StateReading>;

const isReadable = (type: string): type is keyof typeof readers => Object.hasOwn(readers, type);

/** Data sources that contain other objects and so have to exist before them. */
const containers: readonly string[] = [
  'vercel_access_group',
  'vercel_custom_environment',
  'vercel_edge_config',
  'vercel_kms_issuer',
  'vercel_microfrontend_group',
  'vercel_vcr_repository',
];

/**
 * Returns the result of reading a data source with only the first object, marked as named only: others may refer to it, but it is not
 * declared.
 */
const onlyNamed = ({ objects: [first] }: StateReading): StateReading => ({
  objects: first === undefined ? [] : [{ ...first, isOnlyNamed: true }],
  secrets: [],
  omissions: [],
});

/** The types of resources that are taken over, in order: what the guide is checked against. */
export const takenTypes: readonly string[] = Object.keys(readers);

/** The state of the platform's Terraform provider, and records of zones, as objects of an account. */
export const foreignFiles: ForeignFiles = {
  isOwnProvider: (source) => /(^|\/)vercel\/vercel$/.test(source),
  teamOf: ({ type, attributes }: StateResource) => {
    const id = type === 'vercel_team_config' ? attributes.id : attributes.team_id;
    return typeof id === 'string' && id !== '' ? id : undefined;
  },
  slugOf({ type, attributes: { id, slug } }) {
    const isTold =
      type === 'vercel_team_config' && typeof id === 'string' && typeof slug === 'string' && slug !== '';
    return isTold ? { id, slug } : undefined;
  },
  inOrder: routesInOrder,
  read(resource) {
    if (resource.isData && resource.type === 'vercel_project') return namedProject(Attributes.of(resource));
    if (resource.isData && isReadable(resource.type) && containers.includes(resource.type))
      return onlyNamed(readers[resource.type](Attributes.of(resource)));
    if (resource.isData || !isReadable(resource.type))
      return {
        why:
          reasons.get(resource.type) ??
          'there is no kind for it: keep it in Terraform, or manage it in the dashboard',
      };
    return readers[resource.type](Attributes.of(resource));
  },
  zone: zoneOf,
  record,
};
