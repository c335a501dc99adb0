import { join } from 'node:path';
import { expect } from 'vitest';
import { takenTypes } from '../../providers/hosting/foreign/index.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { accountWith, textIn } from './account.ts';
import { moreResources } from './more-resources.ts';
import { stateOf } from './state.ts';

const story = oneStoryIn(4);

const yaml = `stack: acme
platform: { team: acme }
$allow: [cost, remove-access]
secrets: { header: {} }
projects:
  web:
    framework: nextjs
    gitRepository: { type: github, repo: acme/web }
    ssoProtection: { deploymentType: all_except_custom_domains }
    optionsAllowlist: { paths: [{ value: /api }] }
    gitComments: { onCommit: true, onPullRequest: false }
    gitProviderOptions: { createDeployments: disabled, disableRepositoryDispatchEvents: true, gitCommitStatus: true, requireVerifiedCommits: true, consolidatedGitCommitStatus: { enabled: true, propagateFailures: false } }
    oidcTokenConfig: { issuerMode: global }
    resourceConfig: { functionDefaultMemoryType: performance, functionDefaultTimeout: 60, elasticConcurrencyEnabled: true }
    skewProtectionMaxAge: 14400
    protectedSourcemaps: true
    deployHooks: { nightly: { ref: main, $secretTo: discard } }
    serverlessFunctionRegion: fra1
    customEnvironments: { qa: { description: testers, branchMatcher: { type: startsWith, pattern: qa/ } } }
    env: { MODE: { value: qa, customEnvironmentIds: [qa] }, TOKEN: { value: x, type: sensitive, target: [production] } }
    domains: { qa.example.com: { customEnvironmentId: qa }, www.example.com: { gitBranch: next } }
    rollingRelease: { advancementType: manual-approval, stages: [{ targetPercentage: 20 }, { targetPercentage: 100 }] }
    attackMode: { attackModeEnabled: true }
    firewallBypasses: [{ domain: '*', sourceIp: 192.0.2.7 }]
    featureFlags:
      fast:
        kind: boolean
        description: quick
        variants: [{ id: "off", value: false, label: "Off" }, { id: "on", value: true }]
        environments:
          production: &paused
            { active: false, pausedOutcome: &off { type: variant, variantId: "off" }, fallthrough: *off }
          preview: { <<: *paused, active: true }
          development: { <<: *paused, active: true }
    firewall:
      firewallEnabled: true
      managedRules: { owasp: { active: true }, bot_protection: { active: true, action: challenge } }
      crs: { sqli: { active: true, action: deny } }
      ips: [{ hostname: www.example.com, ip: 192.0.2.0/24, action: deny, notes: crawler }]
      rules:
        - name: admin
          description: not for you
          active: true
          action: { mitigate: { action: deny } }
          conditionGroup: [{ conditions: [{ type: path, op: pre, value: /admin }, { type: header, key: x-a, op: ex, neg: true }] }]
        - name: limit
          active: false
          action: { mitigate: { action: rate_limit, actionDuration: 5m, rateLimit: { algo: fixed_window, window: 60, limit: 9, keys: [ip], action: deny } } }
          conditionGroup: [{ conditions: [{ type: header, key: authorization, op: inc, value: [a, b] }] }]
  docs: { passwordProtection: { deploymentType: preview, password: canary-password } }
sharedEnv: { SENTRY: { value: x, projectId: [web], target: [production] } }
domains: { example.com: { records: [
  { type: MX, name: "@", value: mail.example.com, mxPriority: 10 },
  { type: SRV, name: _sip._tcp, srv: { priority: 1, weight: 1, port: 5060, target: sip.example.com } } ] } }
globalConfigs:
  shop:
    schema: { definition: { type: object, properties: { banner: { type: string } } } }
    items: { banner: Sale, limits: { value: { perUser: 5 } } }
    tokens: { web: { $secretTo: discard } }
accessGroups: { Frontend: { projects: { web: { role: PROJECT_DEVELOPER } } } }
drains:
  logs:
    projectIds: [web]
    schemas: { log: {} }
    sampling: [{ type: head_sampling, rate: 0.5, env: production }]
    delivery: { type: http, endpoint: https://logs.example.com, encoding: ndjson, headers: { x-key: "\${secret.header}" } }
  builds:
    schemas: { log: {} }
    filter: { version: v2, filter: { type: basic, log: { sources: [build, lambda] }, deployment: { environments: [production] } } }
    sampling: [{ type: head_sampling, rate: 0.2 }]
    delivery: { type: http, endpoint: https://builds.example.com, encoding: json }
microfrontends: { shop: { defaultApp: web, projects: { web: { isDefaultApp: true }, docs: { defaultRoute: /docs } } } }
blobStores: { uploads: { region: fra1, access: private } }
`;

story('every resource that is taken over plans to nothing', async () => {
  const { id, beside } = await accountWith(yaml, { TRUEUP_SECRET_header: 'canary-of-a-header' });
  const [web, docs] = [id('projects/web'), id('projects/docs')];
  const [qa, store] = [id('projects/web/customEnvironments/qa'), id('globalConfigs/shop')];
  const of = (type: string, attributes: object, name = 'it') => ({
    type: `vercel_${type}`,
    name,
    attributes: { team_id: 'team_acme', ...attributes },
  });
  const text = stateOf([
    of('project', {
      id: web,
      name: 'web',
      framework: 'nextjs',
      git_repository: {
        type: 'github',
        repo: 'acme/web',
        production_branch: 'main',
        deploy_hooks: [
          {
            id: id('projects/web/deployHooks/nightly'),
            name: 'nightly',
            ref: 'main',
            url: 'https://api.vercel.com/canary-hook',
          },
        ],
      },
      vercel_authentication: { deployment_type: 'standard_protection_new' },
      options_allowlist: { paths: [{ value: '/api' }] },
      git_comments: { on_commit: true, on_pull_request: false },
      git_provider_options: {
        create_deployments: false,
        repository_dispatch_events: false,
        git_commit_status: true,
        require_verified_commits: true,
        consolidated_git_commit_status: { enabled: true, propagate_failures: false },
      },
      oidc_token_config: { enabled: true, issuer_mode: 'global' },
      resource_config: { function_default_cpu_type: 'performance', function_default_timeout: 60 },
      on_demand_concurrent_builds: true,
      skew_protection: '4 hours',
      protected_sourcemaps: true,
      serverless_function_region: 'fra1',
      protection_bypass_for_automation: true,
      protection_bypass_for_automation_secret: 'canary-bypass',
      environment: [
        {
          id: id('projects/web/env/MODE@custom:qa'),
          key: 'MODE',
          value: 'canary-mode',
          target: [],
          custom_environment_ids: [qa],
          sensitive: false,
        },
        {
          id: id('projects/web/env/TOKEN@production'),
          key: 'TOKEN',
          value: 'canary-token',
          target: ['production'],
          sensitive: true,
        },
      ],
    }),
    of(
      'project',
      {
        id: docs,
        name: 'docs',
        password_protection: { deployment_type: 'only_preview_deployments', password: 'canary-password' },
      },
      'docs',
    ),
    of('custom_environment', {
      id: qa,
      project_id: web,
      name: 'qa',
      description: 'testers',
      branch_tracking: { type: 'startsWith', pattern: 'qa/' },
    }),
    of(
      'project_domain',
      { id: 'x', project_id: web, domain: 'qa.example.com', custom_environment_id: qa },
      'qa',
    ),
    of('project_domain', { id: 'y', project_id: web, domain: 'www.example.com', git_branch: 'next' }, 'www'),
    of('project_rolling_release', {
      project_id: web,
      advancement_type: 'manual-approval',
      stages: [
        { target_percentage: 20, duration: null },
        { target_percentage: 100, duration: null },
      ],
    }),
    of('attack_challenge_mode', { id: web, project_id: web, enabled: true }),
    of('firewall_bypass', {
      id: id('projects/web/firewallBypasses/%2A/192.0.2.7'),
      project_id: web,
      domain: '*',
      source_ip: '192.0.2.7',
    }),
    of('feature_flag', {
      id: id('projects/web/featureFlags/fast'),
      project_id: web,
      key: 'fast',
      kind: 'boolean',
      description: 'quick',
      archived: false,
      variant: [
        { id: 'off', label: 'Off', value_bool: false },
        { id: 'on', value_bool: true },
      ],
      production: { enabled: false, default_variant_id: 'off', disabled_variant_id: 'off' },
      preview: { enabled: true, default_variant_id: 'off', disabled_variant_id: 'off' },
      development: { enabled: true, default_variant_id: 'off', disabled_variant_id: 'off' },
    }),
    of('firewall_config', {
      project_id: web,
      enabled: true,
      managed_rulesets: {
        bot_protection: { action: 'challenge', active: true },
        owasp: { sqli: { action: 'deny', active: true }, xss: null },
      },
      ip_rules: {
        rule: [
          {
            id: id('projects/web/firewall/ips/www.example.com/192.0.2.0%2F24'),
            action: 'deny',
            hostname: 'www.example.com',
            ip: '192.0.2.0/24',
            notes: 'crawler',
          },
        ],
      },
      rules: {
        rule: [
          {
            id: id('projects/web/firewall/rules/admin'),
            name: 'admin',
            description: 'not for you',
            active: true,
            action: { action: 'deny', action_duration: null, rate_limit: null, redirect: null },
            condition_group: [
              {
                conditions: [
                  { type: 'path', op: 'pre', value: '/admin', key: null, neg: null, values: null },
                  { type: 'header', op: 'ex', key: 'x-a', neg: true },
                ],
              },
            ],
          },
          {
            id: id('projects/web/firewall/rules/limit'),
            name: 'limit',
            active: false,
            action: {
              action: 'rate_limit',
              action_duration: '5m',
              rate_limit: { algo: 'fixed_window', window: 60, limit: 9, keys: ['ip'], action: 'deny' },
            },
            condition_group: [
              { conditions: [{ type: 'header', op: 'inc', key: 'authorization', values: ['a', 'b'] }] },
            ],
          },
        ],
      },
    }),
    of('shared_environment_variable', {
      id: id('sharedEnv/SENTRY@production'),
      key: 'SENTRY',
      value: 'canary-shared',
      target: ['production'],
      project_ids: [web],
      sensitive: false,
    }),
    of('domain', { id: 'd', name: 'example.com', zone: true, nameservers: ['ns1'], verified: true }),
    of(
      'dns_record',
      {
        id: 'rec_1',
        domain: 'example.com',
        name: '',
        type: 'MX',
        value: 'mail.example.com.',
        mx_priority: 10,
        ttl: 60,
      },
      'mx',
    ),
    of(
      'dns_record',
      {
        id: 'rec_2',
        domain: 'example.com',
        name: '_sip._tcp',
        type: 'SRV',
        srv: { priority: 1, weight: 1, port: 5060, target: 'sip.example.com.' },
        ttl: 60,
      },
      'srv',
    ),
    of('edge_config', { id: store, name: 'shop' }),
    of('edge_config_schema', {
      id: store,
      definition: '{"type":"object","properties":{"banner":{"type":"string"}}}',
    }),
    of('edge_config_item', {
      id: `${store}/banner`,
      edge_config_id: store,
      key: 'banner',
      value: 'Sale',
      value_json: null,
    }),
    of(
      'edge_config_item',
      {
        id: `${store}/limits`,
        edge_config_id: store,
        key: 'limits',
        value: null,
        value_json: { value: { perUser: 5 }, type: ['object', { perUser: 'number' }] },
      },
      'limits',
    ),
    of('edge_config_token', {
      id: id('globalConfigs/shop/tokens/web'),
      edge_config_id: store,
      label: 'web',
      token: 'canary-edge',
      connection_string: 'https://edge/canary-edge',
    }),
    of('access_group', { id: id('accessGroups/Frontend'), name: 'Frontend' }),
    of('access_group_project', {
      id: 'a/p',
      access_group_id: id('accessGroups/Frontend'),
      project_id: web,
      role: 'PROJECT_DEVELOPER',
    }),
    of('drain', {
      id: id('drains/logs'),
      name: 'logs',
      projects: 'some',
      project_ids: [web],
      status: 'enabled',
      schemas: { log: { version: 'v1' } },
      sampling: [{ type: 'head_sampling', rate: 0.5, environment: 'production', request_path: null }],
      delivery: {
        type: 'http',
        endpoint: { url: 'https://logs.example.com', traces: null },
        encoding: 'ndjson',
        compression: null,
        headers: { 'x-key': 'canary-of-a-header' },
        secret: 'canary-drain',
      },
    }),
    of('log_drain', {
      ...{ id: id('drains/builds'), name: 'builds', delivery_format: 'json', sampling_rate: 0.2 },
      ...{ environments: ['production'], sources: ['build', 'lambda'], project_ids: [], headers: null },
      ...{ endpoint: 'https://builds.example.com', secret: 'canary-log-drain' },
    }),
    of('microfrontend_group', {
      id: id('microfrontends/shop'),
      name: 'shop',
      slug: 'shop',
      default_app: { id: 'i', project_id: web, default_route: null },
    }),
    of(
      'microfrontend_group_membership',
      { id: 'n', project_id: web, microfrontend_group_id: id('microfrontends/shop') },
      'first',
    ),
    of('microfrontend_group_membership', {
      id: 'm',
      project_id: docs,
      microfrontend_group_id: id('microfrontends/shop'),
      default_route: '/docs',
    }),
    of('blob_store', { id: id('blobStores/uploads'), name: 'uploads', region: 'fra1', access: 'private' }),
  ]);
  const shell = await beside().write({ 'state.json': text });
  const ran = await shell.run(['from', 'terraform', 'state.json', '--team', 'acme', '--out-dir', 'out']);
  expect(ran.status, ran.all).toBe(0);
  expect(ran.stderr).toContain('Verified: its plan sends nothing. 36 objects are in the account already');
  await expect(
    `${textIn(join(shell.folder, 'out'))}\n--- told\n${ran.stderr}`.replaceAll(
      /\b(prj|ecfg|mfe|store|dpl|hook|ag)_\w+/g,
      '$1_ID',
    ),
  ).toMatchFileSnapshot('golden/many-kinds.txt');
  expect(textIn(join(shell.folder, 'out')) + ran.all).not.toContain('canary');
  const more = moreResources(() => '').map(({ type }) => type);
  const types = new Set([...JSON.parse(text).resources.map(({ type }: { type: string }) => type), ...more]);
  // These are in `terraform.test.ts`.
  const elsewhere = ['project_environment_variable', 'project_environment_variables'];
  expect(takenTypes.filter((type) => !types.has(type))).toEqual(elsewhere.map((type) => `vercel_${type}`));
});
