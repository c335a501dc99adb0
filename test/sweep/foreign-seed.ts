import type { Seed } from '../../providers/hosting/twin/index.ts';

const secret = 'canary-literal-foreign';
const condition = [{ conditions: [{ type: 'path' as const, op: 'pre' as const, value: '/theirs' }] }];

/** Somebody of the team whom no configuration names. */
export const foreignMember = { uid: 'user_9', email: 'joan@example.com' };

/** What others have in an account: in projects and domains of their own, and in those that a configuration may name. */
export const foreignSeed: Omit<Seed, 'user' | 'team' | 'teams'> = {
  projects: ['a', 'b', 'theirs'].map((name) => ({
    name,
    outputDirectory: 'theirs',
    customEnvironments: [{ slug: 'foreign', description: 'theirs' }],
    env: [
      { key: 'FOREIGN', value: secret, target: ['production', 'preview'] },
      { key: 'FOREIGN', value: secret, target: ['preview'], gitBranch: 'theirs' },
      { key: 'SENSITIVE', value: secret, type: 'sensitive', target: ['production'] },
      { key: 'SYSTEM', value: 'x', type: 'system', system: true, target: ['production'] },
      { key: 'INTEGRATION', value: secret, configurationId: 'icfg_1', target: ['production'] },
    ],
    domains: [{ name: `${name}.foreign.example.org` }],
    deployments: [{ target: 'production' }],
    observability: { disabled: true },
    speedInsights: { enabled: true },
    webAnalytics: { enabled: true },
    tracingConfig: { enabled: true, sampling: [{ type: 'head_sampling' as const, rate: 0.5 }] },
    avatar: '5'.repeat(40),
    aliases: [{ alias: `${name}-foreign.vercel.app` }],
    firewall: {
      firewallEnabled: true,
      rules: [1, 2].map((number) => ({
        name: `theirs ${number}`,
        active: true,
        conditionGroup: condition,
        action: { mitigate: { action: 'deny' as const } },
      })),
      ips: [{ hostname: 'foreign.example.com', ip: '203.0.113.7', action: 'deny' as const }],
    },
    bulkRedirects: [{ source: '/theirs', destination: '/elsewhere' }],
    routes: [1, 2].map((number) => ({
      name: `theirs ${number}`,
      route: { src: `/theirs/${number}`, status: 410 },
    })),
    protectionBypasses: [{ secret: 'canaryliteralforeign'.padEnd(32, 'y'), note: 'theirs' }],
    featureFlags: {
      segments: [{ slug: 'foreign' }],
      flags: [{ slug: 'foreign' }],
      sdkKeys: [{ environment: 'production', type: 'server', label: 'theirs' }],
    },
  })),
  domains: ['a.example', 'b.example', 'theirs.example'].map((name) => ({
    name,
    records: [
      { type: 'A', name: 'foreign', value: '203.0.113.8' },
      { type: 'TXT', name: 'www', value: 'theirs' },
      { type: 'MX', name: '', value: 'mx.example.net', mxPriority: 10 },
    ],
  })),
  accessGroups: [
    { name: 'a', members: [foreignMember.uid], projects: [{ project: 'theirs', role: 'PROJECT_VIEWER' }] },
    { name: 'theirs', members: [foreignMember.uid], projects: [{ project: 'a', role: 'ADMIN' }] },
  ],
  certificates: [{ cns: ['www.theirs.example'] }],
  webhooks: [{ url: 'https://foreign.example.com', events: ['domain.created'], projects: ['a', 'theirs'] }],
  drains: [
    {
      name: 'theirs',
      projects: ['a'],
      delivery: {
        type: 'http',
        endpoint: 'https://foreign.example.com',
        encoding: 'json',
        headers: { x: secret },
      },
    },
  ],
  globalConfigs: ['a', 'theirs'].map((slug) => ({
    slug,
    items: { foreign: 'theirs' },
    descriptions: { foreign: 'theirs' },
    tokens: ['foreign'],
  })),
  alertRules: [
    {
      ...{ name: 'theirs', type: 'built-in', ruleScope: { type: 'all' } },
      ...{ triggers: { mode: 'all' }, matchMinimumSeverityLevel: 'low' },
    } as never,
  ],
  oauthApps: [{ name: 'theirs', slug: 'theirs' }],
  oidcPolicies: [
    {
      ...{ name: 'theirs', clientId: 'cl_theirs', issuerUrl: 'https://foreign.example.com' },
      ...{ claims: [{ name: 'aud', values: [{ value: 'theirs' }] }], permissions: ['*'] },
    },
  ],
  blobStores: [{ name: 'theirs' }],
  integrationStores: [
    {
      ...{ name: 'theirs', integrationConfigurationId: 'icfg_a', integrationProductIdOrSlug: 'one' },
      connections: [{ project: 'theirs' }],
    },
  ],
  microfrontendsGroups: [{ name: 'theirs', projects: ['theirs'] }],
  networks: [{ name: 'theirs', region: 'iad1', cidr: '10.0.0.0/16' }],
  kmsIssuers: [
    { name: 'theirs', importKeyId: 'theirs', policies: [{ project: 'a', environments: ['preview'] }] },
  ],
  authTokens: [{ name: 'theirs' }],
  aiGatewayRules: [{ type: 'deny', match: { model: 'example/foreign' } }],
  aiGatewayBudgets: [{ project: 'theirs', limitAmount: 5 }],
  sharedEnv: [{ key: 'FOREIGN', value: secret, projects: ['a', 'theirs'] }],
};
