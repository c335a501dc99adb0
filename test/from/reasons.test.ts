import { expect, it } from 'vitest';
import { takenTypes } from '../../providers/hosting/foreign/index.ts';
import { reasons } from '../../providers/hosting/foreign/reasons.ts';

/** The resources that the documentation of the provider has, or had: `vercel_` and these. */
const documented = `
access_group access_group_member access_group_project ai_gateway_api_key alert_rule alert_rule_notification
alert_rule_slack_notification alert_rule_webhook_notification alias api_key attack_challenge_mode audit_log_drain blob_object
blob_project_connection blob_store bulk_redirects custom_alert_rule custom_certificate custom_environment deployment
deployment_protection_exception dns_record domain drain edge_config edge_config_item edge_config_schema edge_config_token feature_flag
feature_flag_config feature_flag_definition feature_flag_sdk_key feature_flag_segment firewall_bypass firewall_config
hosted_zone_association integration_project_access kms_certificate kms_issuer kms_issuer_policy kms_project_grant kms_signing_key
log_drain microfrontend_group microfrontend_group_membership network oauth_app oauth_app_client_secret oauth_app_permissions
oidc_federation_policy project project_crons project_delegated_protection project_deployment_check project_deployment_retention
project_domain project_environment_variable project_environment_variables project_function_cpu project_function_max_duration
project_members project_protection_bypass project_rolling_release project_route project_secure_compute_networks project_tracing
shareable_link shared_environment_variable shared_environment_variable_project_link team_config team_member trace_drain user_token
vcr_repository vcr_repository_permission webhook`;

it('every resource of the provider is taken over, or says in a sentence of its own what to do about it', () => {
  const types = documented
    .trim()
    .split(/\s+/)
    .map((name) => `vercel_${name}`);
  expect([...takenTypes, ...reasons.keys()].sort()).toEqual(types);
});
