import type { Block } from '../support/samples.ts';
import type { Scenario } from './crash.ts';

/** What one scene of a rename has: the object under a name, and what happens to it in the same change. */
interface Scene {
  name: string;
  /** `$was`, in the change. */
  meta: Block;
  /** It is edited as well. */
  edited: boolean;
  /** Something below it, or a part of it, goes. */
  without: boolean;
  /** What refers to it changes, too. */
  referred: boolean;
}

interface Renamed {
  kind: string;
  body(scene: Scene): Block;
  /** Nothing refers to one, or is below it. */
  never?: ('edited' | 'without' | 'referred')[];
  /** As it stands in the address, if not as the name does. */
  was?: string;
}

const inWeb = (blocks: Block): Block => ({ projects: { web: blocks } });
const inFirewall = (blocks: Block): Block => inWeb({ firewall: { firewallEnabled: true, ...blocks } });
const text = (edited: boolean) => (edited ? 'two' : 'one');
const variable = (name: string, target: string[]): Block => ({ [name]: { value: 'inside', target } });
const rule = (name: string, path: string, more: Block = {}): Block => ({
  name,
  active: true,
  conditionGroup: [{ conditions: [{ type: 'path', op: 'pre', value: path }] }],
  action: { mitigate: { action: 'deny' } },
  ...more,
});
const route = (name: string, status: number, more: Block = {}): Block => ({
  name,
  srcSyntax: 'equals',
  route: { src: `/${name.slice(0, 1)}`, status },
  ...more,
});
const drain = (endpoint: string, more: Block): Block => ({
  schemas: { log: {} },
  delivery: { type: 'http', endpoint, encoding: 'json', headers: {} },
  ...more,
});

const builtInAlert = { type: 'built-in', ruleScope: { type: 'all' }, triggers: { mode: 'all' } };

const renamed: Renamed[] = [
  {
    kind: 'project',
    body: ({ name, meta, edited, without, referred }) => {
      const names = referred ? [name] : [name, 'other'];
      return {
        projects: {
          [name]: {
            ...meta,
            framework: edited ? 'astro' : 'nextjs',
            customEnvironments: { qa: {} },
            ...(without ? {} : { env: variable('A', ['production']) }),
          },
          other: {},
        },
        sharedEnv: { S: { value: 'shared', projectId: names, target: ['production'] } },
        drains: { d: drain('https://d.example.com', { projectIds: names }) },
        webhooks: {
          h: {
            url: 'https://h.example.com',
            events: ['domain.created'],
            projectIds: names,
            $secretTo: 'discard',
            $replace: 'allow',
          },
        },
        accessGroups: { G: { projects: { [name]: { role: referred ? 'PROJECT_VIEWER' : 'ADMIN' } } } },
      };
    },
  },
  {
    kind: 'customEnvironment',
    body: ({ name, meta, edited, without, referred }) =>
      inWeb({
        customEnvironments: { [name]: { ...meta, description: text(edited) }, qa: {} },
        env: {
          A: { value: 'inside', customEnvironmentIds: referred ? [name, 'qa'] : [name] },
          ...(without ? {} : { B: { value: 'inside too', customEnvironmentIds: [name] } }),
        },
      }),
  },
  {
    kind: 'projectEnvVar',
    never: ['referred'],
    body: ({ name, meta, edited, without }) =>
      inWeb({
        env: {
          [name]: {
            ...meta,
            value: text(edited),
            target: without ? ['production'] : ['production', 'preview'],
          },
        },
      }),
  },
  {
    kind: 'projectEnvVar that is sensitive',
    never: ['referred'],
    body: ({ name, meta, edited, without }) =>
      inWeb({
        customEnvironments: { qa: {} },
        env: {
          [name]: {
            ...meta,
            value: text(edited),
            type: 'sensitive',
            target: ['production'],
            ...(without ? {} : { customEnvironmentIds: ['qa'] }),
          },
        },
      }),
  },
  {
    kind: 'sharedEnvVar',
    body: ({ name, meta, edited, without, referred }) => ({
      projects: { web: {}, other: {} },
      sharedEnv: {
        [name]: {
          ...meta,
          value: text(edited),
          target: without ? ['production'] : ['production', 'preview'],
          projectId: referred ? ['web'] : ['web', 'other'],
        },
      },
    }),
  },
  {
    kind: 'dnsRecord',
    never: ['referred'],
    was: 'old/A',
    body: ({ name, meta, edited, without }) => ({
      domains: {
        'zone.example': {
          records: [
            { type: 'A', name, value: edited ? '192.0.2.9' : '192.0.2.1', ...meta },
            ...(without ? [] : [{ type: 'A', name, value: '192.0.2.2', ...meta }]),
          ],
        },
      },
    }),
  },
  {
    kind: 'alertRule',
    never: ['referred', 'without'],
    body: ({ name, meta, edited }) => ({
      alertRules: {
        [name]: { ...builtInAlert, ...meta, matchMinimumSeverityLevel: edited ? 'high' : 'low' },
      },
    }),
  },
  {
    kind: 'alertNotification',
    never: ['referred', 'without'],
    body: ({ name, meta, edited }) => ({
      webhooks: {
        h: { url: 'https://h.example.com', events: ['alerts.triggered'], $secretTo: 'discard' },
      },
      alertRules: {
        rule: {
          ...{ ...builtInAlert, matchMinimumSeverityLevel: 'low' },
          notifications: {
            [name]: {
              ...{ type: 'webhook', webhookId: '$' + '{webhooks.h.id}', ...meta },
              ...(edited ? { minimumSeverityLevel: 'critical' } : {}),
            },
          },
        },
      },
    }),
  },
  {
    kind: 'oauthApp',
    never: ['referred'],
    body: ({ name, meta, edited, without }) => ({
      oauthApps: {
        [name]: {
          ...{ ...meta, name: text(edited) },
          clientSecrets: without ? {} : { a: { $secretTo: 'discard' } },
        },
      },
    }),
  },
  {
    kind: 'oauthClientSecret',
    never: ['referred', 'without', 'edited'],
    body: ({ name, meta }) => ({
      oauthApps: { app: { name: 'App', clientSecrets: { [name]: { ...meta, $secretTo: 'discard' } } } },
    }),
  },
  {
    kind: 'globalConfig',
    never: ['referred'],
    body: ({ name, meta, edited, without }) => ({
      projects: { web: {} },
      globalConfigs: {
        [name]: { ...meta, items: { one: text(edited), ...(without ? {} : { two: 'inside' }) } },
      },
    }),
  },
  {
    kind: 'accessGroup',
    never: ['referred'],
    body: ({ name, meta, edited, without }) => ({
      projects: { web: {}, other: {} },
      accessGroups: {
        [name]: {
          ...meta,
          projects: {
            web: { role: edited ? 'PROJECT_VIEWER' : 'ADMIN' },
            ...(without ? {} : { other: { role: 'ADMIN' } }),
          },
        },
      },
    }),
  },
  {
    kind: 'drain',
    never: ['referred'],
    body: ({ name, meta, edited, without }) => ({
      projects: { web: {}, other: {} },
      drains: {
        [name]: drain(`https://${text(edited)}.example.com`, {
          ...meta,
          projectIds: without ? ['web'] : ['web', 'other'],
        }),
      },
    }),
  },
  {
    kind: 'webhook',
    never: ['without', 'referred'],
    body: ({ name, meta, edited }) => ({
      projects: { web: {} },
      webhooks: {
        [name]: {
          ...meta,
          url: `https://${text(edited)}.example.com`,
          events: ['domain.created'],
          $secretTo: 'discard',
          $replace: 'allow',
        },
      },
    }),
  },
  {
    kind: 'oidcPolicy',
    never: ['without', 'referred'],
    body: ({ name, meta, edited }) => ({
      projects: { web: {} },
      oidcPolicies: {
        [name]: {
          ...meta,
          clientId: 'cl_4Yk2bNqLr8sVtXw9',
          issuerUrl: 'https://token.example.com',
          claims: [{ name: 'owner', values: [{ value: text(edited) }] }],
          permissions: ['*'],
        },
      },
    }),
  },
  {
    kind: 'firewallRule',
    never: ['referred'],
    body: ({ name, meta, edited, without }) =>
      inFirewall({
        rules: [
          rule('first', '/f'),
          rule(name, edited ? '/b' : '/a', meta),
          ...(without ? [] : [rule('last', '/l')]),
        ],
      }),
  },
  {
    kind: 'firewallIp',
    never: ['without', 'referred'],
    was: 'old.example.com/192.0.2.1',
    body: ({ name, meta, edited }) =>
      inFirewall({
        ips: [
          {
            hostname: `${name}.example.com`,
            ip: '192.0.2.1',
            action: edited ? 'challenge' : 'deny',
            ...meta,
          },
        ],
      }),
  },
  {
    kind: 'protectionBypass',
    never: ['without', 'referred'],
    body: ({ name, meta, edited }) =>
      inWeb({
        protectionBypass: {
          [name]: {
            ...meta,
            secret: `${text(edited)}bypass`.padEnd(32, 'x'),
            isEnvVar: true,
            $replace: 'allow',
          },
        },
      }),
  },
  {
    kind: 'aiGatewayRule',
    never: ['without', 'referred'],
    body: ({ name, meta, edited }) => ({
      projects: { web: {} },
      aiGatewayRules: {
        [name]: {
          ...meta,
          type: 'rewrite',
          match: { model: 'example/model' },
          action: { rewriteModel: 'example/other' },
          description: text(edited),
        },
      },
    }),
  },
  {
    kind: 'globalConfigItem',
    never: ['without', 'referred'],
    body: ({ name, meta, edited }) => ({
      projects: { web: {} },
      globalConfigs: { shop: { items: { [name]: { ...meta, value: text(edited) } } } },
    }),
  },
  {
    kind: 'check',
    never: ['without', 'referred'],
    body: ({ name, meta, edited }) =>
      inWeb({ checks: { [name]: { ...meta, requires: 'build-ready', timeout: edited ? 600 : 60 } } }),
  },
  {
    kind: 'network',
    never: ['edited', 'without', 'referred'],
    body: ({ name, meta }) => ({ networks: { [name]: { ...meta, region: 'iad1', cidr: '10.0.0.0/16' } } }),
  },
  {
    kind: 'privateLink',
    never: ['without', 'referred'],
    body: ({ name, meta, edited }) =>
      inWeb({
        privateLinks: {
          [name]: {
            ...meta,
            vercelRegion: 'iad1',
            awsServiceName: 'com.amazonaws.vpce.us-east-1.vpce-svc-1',
            enablePrivateDns: edited,
          },
        },
      }),
  },
  {
    kind: 'kmsIssuer',
    never: ['referred'],
    body: ({ name, meta, edited, without }) => ({
      projects: { web: {} },
      kmsIssuers: {
        [name]: {
          ...meta,
          claimsSchema: edited ? { type: 'object', required: ['sub'] } : { type: 'object' },
          policies: without ? {} : { web: { environments: ['production'] } },
        },
      },
    }),
  },
  {
    kind: 'microfrontendsGroup',
    never: ['without', 'referred'],
    body: ({ name, meta, edited }) => ({
      projects: { web: {} },
      microfrontends: {
        [name]: {
          ...meta,
          defaultApp: 'web',
          fallbackEnvironment: edited ? 'PRODUCTION' : 'SAME_ENV',
          projects: { web: { isDefaultApp: true } },
        },
      },
    }),
  },
  {
    kind: 'team',
    never: ['without', 'referred'],
    body: ({ name, meta, edited }) => ({ teams: { [name]: { ...meta, description: text(edited) } } }),
  },
  {
    kind: 'certificate',
    never: ['edited', 'without', 'referred'],
    body: ({ name, meta }) => ({
      domains: { 'zone.example': {} },
      certificates: { [name]: { ...meta, cns: ['zone.example'] } },
    }),
  },
  {
    kind: 'connector',
    never: ['without', 'referred'],
    body: ({ name, meta, edited }) => ({
      connectors: { [name]: { ...meta, name: text(edited), type: 'snowflake-wif' } },
    }),
  },
  {
    kind: 'projectRoute',
    never: ['referred'],
    body: ({ name, meta, edited, without }) =>
      inWeb({
        routes: [
          route(name, edited ? 410 : 404, {
            ...meta,
            route: { src: '/renamed', status: edited ? 410 : 404 },
          }),
          ...(without ? [route('c', 404)] : [route('b', 404), route('c', 404)]),
        ],
      }),
  },
];

const names: Record<string, [old: string, now: string]> = {
  projectEnvVar: ['OLD', 'NEW'],
  'projectEnvVar that is sensitive': ['OLD', 'NEW'],
  sharedEnvVar: ['OLD', 'NEW'],
};

const ways: [what: string, Pick<Scene, 'edited' | 'without' | 'referred'>][] = [
  ['is renamed', { edited: false, without: false, referred: false }],
  ['is renamed and edited', { edited: true, without: false, referred: false }],
  ['is renamed, and a part of it goes', { edited: false, without: true, referred: false }],
  ['is renamed, and what refers to it changes', { edited: false, without: false, referred: true }],
  ['is renamed with all of that', { edited: true, without: true, referred: true }],
];

/** `$was` for each kind that can be renamed: alone, with an edit, with a removal below, with a change of what refers to it. */
export const renameScenarios: Scenario[] = renamed.flatMap(({ kind, body, never = [], was }) => {
  const [old, now] = names[kind] ?? ['old', 'new'];
  const first = body({ name: old, meta: {}, edited: false, without: false, referred: false });
  return ways
    .filter(([what, way]) => what.endsWith('all of that') || !never.some((one) => way[one]))
    .map(([what, way]) => ({
      name: `${kind} ${what}`,
      first,
      next: body({ name: now, meta: { $was: was ?? old }, ...way }),
    }));
});

const typed = (type: string | undefined, value: string): Block =>
  inWeb({ env: { A: { value, ...(type ? { type } : {}), target: ['production', 'preview'] } } });
const typeChanges: [from: string | undefined, to: string | undefined][] = [
  ['plain', 'encrypted'],
  ['plain', 'sensitive'],
  ['plain', undefined],
  ['encrypted', 'plain'],
  ['encrypted', 'sensitive'],
  ['encrypted', undefined],
  [undefined, 'plain'],
];

/** A variable gets another type, or drops it, and a new value at once. */
export const typeScenarios: Scenario[] = [
  ...typeChanges.map(([from, to]) => ({
    name: `projectEnvVar goes from ${from ?? 'no type'} to ${to ?? 'no type'} with a new value`,
    first: typed(from, 'one'),
    next: typed(to, 'two'),
  })),
  {
    name: 'sharedEnvVar becomes sensitive with a new value',
    first: { sharedEnv: { A: { value: 'one', target: ['production'] } } },
    next: { sharedEnv: { A: { value: 'two', type: 'sensitive', target: ['production'] } } },
  },
];

const redirects = (all: Block): Block => inWeb({ bulkRedirects: all });
const routes = (...all: Block[]): Block => inWeb({ routes: all });

/** Every shape of a staged change: what comes, changes, goes and moves, together in one version. */
export const stagedScenarios: Scenario[] = [
  {
    name: 'bulkRedirects come, change and go at once',
    first: redirects({ '/a': '/1', '/b': '/2', '/c': '/3' }),
    next: redirects({ '/b': '/9', '/c': '/8', '/d': '/4' }),
  },
  {
    name: 'projectRoute comes, changes, moves and goes at once',
    first: routes(route('a', 404), route('b', 404), route('c', 404), route('d', 404)),
    next: routes(route('d', 404), route('b', 410), route('e', 404), route('a', 404)),
  },
];

const domainsOf = (web: Block | undefined, shop: Block | undefined): Block => ({
  projects: {
    ...(web ? { web: { domains: web } } : {}),
    ...(shop ? { shop: { domains: shop } } : {}),
    other: {},
  },
});
const redirect = { redirect: 'www.example.com', redirectStatusCode: 308 };

/** A domain goes from one project to another. */
export const transferScenarios: Scenario[] = [
  {
    name: 'projectDomain moves to another project',
    first: domainsOf({ 'www.example.com': {}, 'docs.example.com': {} }, {}),
    next: domainsOf({ 'docs.example.com': {} }, { 'www.example.com': {} }),
  },
  {
    name: 'projectDomain moves to a new project, and is edited',
    first: domainsOf({ 'www.example.com': {} }, undefined),
    next: domainsOf({}, { 'www.example.com': { gitBranch: 'next' } }),
  },
  {
    name: 'projectDomain moves out of a project that is renamed, into one that is, too',
    first: { projects: { web: { domains: { 'www.example.com': {} } }, shop: {} } },
    next: {
      projects: { site: { $was: 'web' }, store: { $was: 'shop', domains: { 'www.example.com': {} } } },
    },
  },
  {
    name: 'projectDomain moves out of a project that goes',
    first: {
      projects: {
        web: { domains: { 'www.example.com': {}, 'docs.example.com': {} } },
        shop: {},
      },
    },
    next: {
      projects: { shop: { domains: { 'www.example.com': {} } } },
      removed: [{ at: 'projects/web', delete: true }],
    },
  },
  {
    name: 'projectDomain moves as another one comes the other way',
    first: domainsOf({ 'www.example.com': {} }, { 'shop.example.com': {} }),
    next: domainsOf({ 'shop.example.com': {} }, { 'www.example.com': {} }),
  },
  {
    name: 'projectDomain moves with what redirects to it',
    first: domainsOf({ 'www.example.com': {}, 'example.com': redirect }, {}),
    next: domainsOf(
      {},
      {
        'www.example.com': {},
        'example.com': { ...redirect, redirectStatusCode: 307 },
        'a.example.com': redirect,
      },
    ),
  },
];

const slackChannel = { type: 'slack', configId: 'icfg_cuwj0AdCdH3BwWT4LPijCC7t', channelId: 'C1' };
const alerting = (name: string, rule: Block): Block => ({
  projects: { web: {} },
  alertRules: { [name]: { $replace: 'allow', notifications: { team: slackChannel }, ...rule } },
});

/** An object that cannot be updated gets another name as well, so its old name is gone before its new one is there. */
export const renamedReplacements: Scenario[] = [
  {
    name: 'alertRule gets another type and another name, with a notification',
    first: alerting('slow', {
      type: 'built-in',
      ruleScope: { type: 'all' },
      triggers: { mode: 'all' },
      matchMinimumSeverityLevel: 'low',
    }),
    next: alerting('errors', {
      $was: 'slow',
      type: 'custom',
      ruleScope: { type: 'project', projectId: '${projects.web.id}' },
      severity: 'low',
      evaluation: {
        window: '5m',
        query: {
          metrics: { errors: { metric: 'vercel.request.count', aggregation: 'count' } },
          outputs: ['errors'],
        },
      },
      trigger: { type: 'threshold', output: 'errors', operator: 'gt', threshold: 20 },
    }),
  },
];

export const togetherScenarios: Scenario[] = [
  ...renameScenarios,
  ...typeScenarios,
  ...stagedScenarios,
  ...transferScenarios,
  ...renamedReplacements,
];
