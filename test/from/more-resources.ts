import type { Account } from './account.ts';
import { type Resource, resourceOf } from './state.ts';

const certificate = `-----BEGIN CERTIFICATE-----
MIIBwTCCAWagAwIBAgIUS33g0yQIeHIiZYHn91kmzc13zvowCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQc2hvcC5leGFtcGxlLmNvbTAgFw0yNjExMjMyMzM1MDJaGA8y
MTI2MTAzMDIzMzUwMlowGzEZMBcGA1UEAwwQc2hvcC5leGFtcGxlLmNvbTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABLS/8itCwO9LGlpLg/1LehusVdW5DQPuoQb2
vR+MzOl2R6njJ1Qsb0nMY8Xc+gSHABYeTIicWyTQr1+yCcsTXwqjgYUwgYIwHQYD
VR0OBBYEFBo14XnFimbWoVa8qzd14qCIkLj+MB8GA1UdIwQYMBaAFBo14XnFimbW
oVa8qzd14qCIkLj+MA8GA1UdEwEB/wQFMAMBAf8wLwYDVR0RBCgwJoIQc2hvcC5l
eGFtcGxlLmNvbYISKi5zaG9wLmV4YW1wbGUuY29tMAoGCCqGSM49BAMCA0kAMEYC
IQC7xyIYvxlz3D9Z3nuJ91Ft/JtkqF7IJ2kzr3O0OFfB+gIhAOtRiKjkKp/ifThJ
r2ZvU5PagdXoVJ3ae/VxXazsCIwo
-----END CERTIFICATE-----`;

/** All anomalies of alert rules, so that only the filters tell their list from a rule about all anomalies. */
export const filteredAnomalies = [
  ...['usage', 'error', 'botId', 'botTraffic', 'firewallSystemRule', 'firewallCustomRule'],
  ...['testAlert', 'buildTime'],
].map((name) => ({ type: `${name}_anomaly`, filter: 'statusGroup:5xx' }));

/** All that is not in \`many-kinds.test.ts\`. */
export const moreResources = (id: Account['id']): Resource[] => {
  const web = id('projects/web');
  const named = id('projects/named');
  const route = (name: string) => id(`projects/web/routes/${name}`);
  const issuer = (name: string) => id(`kmsIssuers/${name}`);
  const variants = [
    { id: 'control', value_string: 'control' },
    { id: 'treatment', value_string: 'treatment' },
  ];
  const on = { enabled: true, default_variant_id: 'treatment', disabled_variant_id: 'control' };
  return [
    resourceOf('team_config', {
      team_id: undefined,
      id: 'team_acme',
      name: 'Acme',
      slug: 'acme',
      description: 'widgets',
      remote_caching: { enabled: true },
      hide_ip_addresses: true,
      invite_code: 'canary-invite',
    }),
    resourceOf('team_member', {
      email: 'grace@example.com',
      user_id: 'user_grace',
      role: 'MEMBER',
      confirmed: true,
      access_groups: [id('accessGroups/Frontend')],
    }),
    resourceOf('access_group', { id: id('accessGroups/Frontend'), name: 'Frontend' }),
    resourceOf('access_group_member', {
      id: 'x',
      access_group_id: id('accessGroups/Frontend'),
      user_id: 'user_grace',
    }),
    resourceOf('project_members', {
      project_id: web,
      members: [
        { user_id: 'user_grace', role: 'PROJECT_DEVELOPER' },
        { email: 'alan@example.com', role: 'PROJECT_VIEWER' },
      ],
    }),
    resourceOf('project_tracing', {
      ...{ id: web, project_id: web, enabled: true },
      sampling_rules: [{ rate: 0.2, environment: 'production', request_path: '/api' }],
    }),
    resourceOf('project_secure_compute_networks', {
      project_id: web,
      secure_compute_networks: [
        {
          environment: 'production',
          network_id: id('networks/backend'),
          passive: false,
          builds_enabled: true,
        },
      ],
    }),
    resourceOf('project_deployment_retention', {
      ...{ project_id: web, expiration_preview: '3m', expiration_errored: 'unlimited' },
    }),
    resourceOf('integration_project_access', { project_id: web, integration_id: 'icfg_one' }),
    resourceOf('shared_environment_variable_project_link', {
      ...{ id: 'x', shared_environment_variable_id: 'env_elsewhere', project_id: web },
    }),
    resourceOf('blob_store', { id: id('blobStores/files'), name: 'files', region: 'iad1', access: 'public' }),
    resourceOf('blob_project_connection', {
      ...{ id: 'spc_x', blob_store_id: id('blobStores/files'), project_id: named },
      ...{ env_var_prefix: 'FILES', environments: ['production'] },
      read_write_token_env_var_name: 'FILES_READ_WRITE_TOKEN',
    }),
    resourceOf('oidc_federation_policy', {
      ...{
        id: id('oidcPolicies/ci'),
        name: 'ci',
        client_id: 'cl_one',
        issuer_url: 'https://issuer.example.com',
      },
      claims: [{ name: 'aud', values: [{ value: 'web', wildcards: false }] }],
      ...{ permissions: ['*'], resources: { project_ids: ['*'] } },
    }),
    resourceOf('alert_rule', {
      ...{ id: id('alertRules/errors'), type: 'built-in', name: 'errors', is_default: false },
      rule_scope: { type: 'include', project_id: null, project_ids: [web] },
      triggers: filteredAnomalies,
      match_minimum_severity_level: 'high',
      notification_settings: { enable_team_owner_notifications: true, incident_io_routing_key: null },
    }),
    resourceOf('custom_alert_rule', {
      ...{
        id: id('alertRules/checkout'),
        name: 'checkout',
        project_id: web,
        severity: 'low',
        tags: ['shop'],
      },
      evaluation: {
        window: '5m',
        query: {
          metrics: {
            failed_ones: {
              metric: 'vercel.request.count',
              aggregation: 'count',
              filter: 'httpStatus >= 500',
              per: null,
            },
          },
          ...{ outputs: ['failed_ones'], group_by: ['route'], formulas: null },
        },
      },
      trigger: {
        type: 'anomaly',
        output: 'failed_ones',
        standard_deviations: 3,
        threshold: null,
        minimum: null,
      },
    }),
    resourceOf('webhook', {
      ...{ id: id('webhooks/pager'), endpoint: 'https://pager.example.com', events: ['alerts.triggered'] },
      project_ids: null,
    }),
    resourceOf('alert_rule_webhook_notification', {
      ...{ alert_rule_id: id('alertRules/errors'), webhook_id: id('webhooks/pager') },
      minimum_severity_level: 'critical',
    }),
    resourceOf('alert_rule_slack_notification', {
      ...{
        alert_rule_id: id('alertRules/errors'),
        slack_installation_id: 'icfg_one',
        slack_channel_id: 'C01',
      },
    }),
    resourceOf('oauth_app', {
      ...{ id: id('oauthApps/shop'), name: 'Shop', slug: 'shop', scopes: ['openid', 'email'] },
      ...{ redirect_uris: ['https://shop.example.com/callback'], home_page_uri: 'https://shop.example.com' },
    }),
    resourceOf('oauth_app_permissions', {
      ...{ oauth_app_id: id('oauthApps/shop'), permissions: ['read:project'] },
    }),
    resourceOf('oauth_app_client_secret', {
      ...{ oauth_app_id: id('oauthApps/shop'), client_secret: 'canary-of-an-app', last_four_chars: '-app' },
    }),
    resourceOf('project_crons', { id: web, project_id: web, enabled: false }),
    resourceOf('project', {
      id: web,
      name: 'web',
      framework: 'nextjs',
      trusted_ips: {
        deployment_type: 'all_deployments',
        protection_mode: 'trusted_ip_required',
        addresses: [{ value: 'canary-192.0.2.1', note: 'office' }],
      },
    }),
    resourceOf('project_function_cpu', { id: web, project_id: web, cpu: 'basic' }),
    resourceOf('project_function_max_duration', { id: web, project_id: web, max_duration: 100 }),
    // The state only reads this project: of it nothing is taken over but the one field.
    { mode: 'data', ...resourceOf('project', { id: named, name: 'named', framework: 'astro' }, 'named') },
    resourceOf('project_function_max_duration', { id: named, project_id: named, max_duration: 30 }, 'named'),
    resourceOf(
      'project_function_max_duration',
      { id: 'prj_x', project_id: 'prj_x', max_duration: 30 },
      'other',
    ),
    resourceOf(
      'project_route',
      {
        id: route('promo'),
        project_id: web,
        name: 'promo',
        description: 'campaign',
        src_syntax: 'equals',
        route_type: 'rewrite',
        position: { placement: 'after', reference_route_id: route('docs') },
        route: {
          src: '/promo',
          dest: '/campaigns/eu',
          has: [{ type: 'header', key: 'x-region', value: 'eu' }],
          missing: [{ type: 'cookie', key: 'preview', value: '1' }],
          transforms: [
            { type: 'response.headers', op: 'set', target: '{"key":"x-promo"}', args: '"eu"', env: null },
          ],
        },
      },
      'campaign',
    ),
    resourceOf(
      'project_route',
      {
        id: route('last'),
        project_id: web,
        name: 'last',
        enabled: false,
        src_syntax: 'equals',
        position: { placement: 'end' },
        route: { src: '/old', status: 410 },
      },
      'gone',
    ),
    resourceOf(
      'project_route',
      {
        id: route('docs'),
        project_id: web,
        name: 'docs',
        enabled: true,
        src_syntax: 'path-to-regexp',
        position: { placement: 'start', reference_route_id: null },
        route: { src: '/docs/:path*', dest: '/guides/:path*', status: 308, headers: null },
      },
      'zebra',
    ),
    resourceOf('bulk_redirects', {
      id: web,
      project_id: web,
      version_id: 'v',
      redirects: [
        {
          source: '/old-path',
          destination: '/new-path',
          status_code: 307,
          case_sensitive: false,
          query: false,
        },
        {
          source: '/blog',
          destination: 'https://example.com/blog',
          status_code: 308,
          case_sensitive: true,
          query: true,
        },
      ],
    }),
    resourceOf('project_deployment_check', {
      id: id('projects/web/checks/e2e'),
      project_id: web,
      name: 'e2e',
      requires: 'deployment-url',
      blocks: 'deployment-alias',
      targets: ['production'],
      timeout: 300,
      is_rerequestable: false,
      source: { kind: 'git-provider', provider: 'github', external_check_name: 'e2e', webhook_id: null },
    }),
    ...['ci pipeline', 'preview QA', ''].map((note, index) =>
      resourceOf(
        'project_protection_bypass',
        {
          id: `bypass-${index}`,
          project_id: web,
          note,
          is_env_var: index === 0,
          secret: 'canary-bypass',
          scope: 'automation-bypass',
        },
        `bypass${index}`,
      ),
    ),
    // The state only reads this store; one of its items is ours.
    {
      mode: 'data',
      ...resourceOf('edge_config', { id: id('globalConfigs/texts'), name: 'texts' }, 'texts'),
    },
    resourceOf('edge_config_item', {
      id: 'x',
      edge_config_id: id('globalConfigs/texts'),
      key: 'banner',
      value: 'Sale',
    }),
    resourceOf('deployment_protection_exception', {
      id: 'x',
      project_id: web,
      alias: 'demo.vercel.app',
      scope: 'alias-protection-override',
    }),
    resourceOf('feature_flag_definition', {
      id: id('projects/web/featureFlags/checkout'),
      project_id: web,
      key: 'checkout',
      kind: 'string',
      archived: false,
      variant: variants,
    }),
    resourceOf('feature_flag_config', {
      id: id('projects/web/featureFlags/checkout'),
      flag_id: id('projects/web/featureFlags/checkout'),
      project_id: web,
      production: on,
      preview: on,
      development: { ...on, enabled: false },
    }),
    // Its answers are somebody else's.
    resourceOf(
      'feature_flag_definition',
      {
        id: id('projects/web/featureFlags/contract'),
        project_id: web,
        key: 'contract',
        kind: 'number',
        variant: [{ id: 'low', value_number: 1 }],
      },
      'contract',
    ),
    resourceOf('feature_flag_segment', {
      id: id('projects/web/segments/staff'),
      project_id: web,
      slug: 'staff',
      name: 'Staff',
      hint: '',
      include: [{ entity: 'user', attribute: 'email', values: ['ada@example.com', 'bob@example.com'] }],
      exclude: [{ entity: 'user', attribute: 'id', values: ['c-1'] }],
    }),
    resourceOf('feature_flag_sdk_key', {
      id: id('projects/web/featureFlagSdkKeys/production/server/backend'),
      project_id: web,
      environment: 'production',
      type: 'server',
      label: 'backend',
      sdk_key: 'canary-sdk',
      connection_string: 'canary-connection',
    }),
    resourceOf('vcr_repository', {
      id: id('projects/web/registryRepositories/api'),
      project_id: web,
      name: 'api',
      public: false,
      url: 'vcr.vercel.com/acme/web/api',
    }),
    resourceOf('vcr_repository_permission', {
      id: 'p',
      project_id: web,
      repository: 'api',
      repository_id: id('projects/web/registryRepositories/api'),
      granted_team_id: 'team_other',
    }),
    resourceOf('network', {
      id: id('networks/backend'),
      name: 'backend',
      region: 'iad1',
      cidr: '10.0.0.0/16',
      aws_region: 'us-east-1',
      egress_ip_addresses: ['192.0.2.9'],
      status: 'ready',
      vpc_id: 'vpc-1',
    }),
    resourceOf('kms_issuer', {
      id: issuer('sessions'),
      name: 'sessions',
      algorithm: 'ES256',
      origin: 'external',
      import_key: 'canary-pem',
      key_id: '2027-01',
    }),
    resourceOf(
      'kms_issuer',
      { id: issuer('plain'), name: 'plain', algorithm: 'RS512', origin: 'vercel' },
      'plain',
    ),
    resourceOf('kms_signing_key', {
      id: 'k',
      issuer_id: issuer('sessions'),
      key_id: '2027-01',
      import_key: 'canary-pem',
      status: 'active',
    }),
    resourceOf(
      'kms_signing_key',
      { id: 'l', issuer_id: issuer('plain'), keepers: { at: '2026' }, status: 'active' },
      'rotated',
    ),
    resourceOf('kms_issuer_policy', {
      id: 'a',
      issuer_id: issuer('sessions'),
      project_id: web,
      environments: ['production'],
      token_claims: '{"aud":"shop"}',
    }),
    resourceOf('kms_project_grant', {
      id: 'b',
      issuer_id: issuer('plain'),
      project_id: named,
      environments: ['preview'],
    }),
    resourceOf('trace_drain', {
      id: id('drains/traces'),
      name: 'traces',
      project_ids: [web],
      delivery_format: 'proto',
      endpoint: 'https://otel.example.com/v1/traces',
      headers: { 'x-key': 'canary-header' },
      secret: 'canary-drain',
      sampling_rules: [{ rate: 0.8, environment: 'production', request_path: '/api' }],
    }),
    resourceOf('audit_log_drain', {
      id: id('drains/audit'),
      name: 'audit',
      http: {
        endpoint: 'https://siem.example.com',
        encoding: 'ndjson',
        compression: 'gzip',
        headers: null,
        secret: 'canary-audit',
      },
    }),
    resourceOf(
      'audit_log_drain',
      {
        id: id('drains/audit-s3'),
        name: 'audit-s3',
        s3: {
          endpoint: 's3://audit/acme',
          encoding: 'ndjson',
          role_arn: 'arn:aws:iam::1:role/x',
          region: 'eu-central-1',
        },
      },
      's3',
    ),
    resourceOf('user_token', {
      id: id('authTokens/deploys'),
      name: 'deploys',
      bearer_token: 'canary-token',
      origin: 'manual',
    }),
    resourceOf('custom_certificate', {
      id: 'cert_1',
      certificate,
      private_key: 'canary-private',
      certificate_authority_certificate: 'x',
    }),
  ];
};
