const noKey =
  'the key was shown once and keeps working; create a new one or revoke this one in the dashboard';
/** Advice on resources that have no kind here, in a sentence each. */
export const reasons: ReadonlyMap<string, string> = new Map(
  Object.entries({
    vercel_ai_gateway_api_key: noKey,
    vercel_alert_rule_notification:
      'later provider versions have a resource for each type of notification: upgrade the provider first, or add it under `notifications` of the rule',
    vercel_alias:
      'an alias is declared in its project, which the state does not name: add it under `aliases` of the project, or leave it as it is',
    vercel_api_key: noKey,
    vercel_blob_object: 'a file in a store is data, not configuration: upload it from a build or a script',
    vercel_deployment: 'a deployment is created by a build and stays as it is; pushes keep creating new ones',
    vercel_hosted_zone_association:
      'hosted zones of a network cannot be declared here: keep it in Terraform, which also knows the zone in AWS',
    vercel_kms_certificate:
      'such a certificate is only in the state: keep a copy, or issue another one when needed',
    vercel_oauth_app_client_secret:
      'the secret was shown once and keeps working; create a new one under `clientSecrets` of the app, then delete this one in the dashboard',
    vercel_project_delegated_protection:
      'protection by another OIDC provider cannot be declared here: it stays as it is; change it in the settings of the project',
    vercel_shareable_link:
      'the link is a secret of the platform: it works until it expires or is revoked in the dashboard',
  }),
);
