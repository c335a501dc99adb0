import {
  RequestBody20$outboundSchema,
  RequestBody21$outboundSchema,
} from '@vercel/sdk/models/updatefirewallconfigop.js';
import * as z from 'zod/v3';
import { kinds } from '../support/world.ts';
import { anyName, anyText, type Hints } from './arbitrary-of.ts';
import {
  anywhere,
  type Body,
  type Filling,
  inProjects,
  listOf,
  named,
  oneOf,
  projects,
} from './filling-parts.ts';
import { plainKinds } from './plain-sdk.ts';
import { afterProjects, beforeProjects, fitPolicy, projectWide } from './team-fillings.ts';

const regions = oneOf('fra1', 'iad1', 'sfo1');
const address = oneOf('192.0.2.1', '198.51.100.0/24', '2001:db8::1');
const host = oneOf('a.example.net', 'b.example.net');
const url = oneOf('https://one.example.com/hook', 'https://two.example.com');

const envVar: Hints = {
  key: oneOf('ALPHA', 'BETA', 'GAMMA'),
  value: anyText,
  target: listOf('production', 'preview', 'development'),
  gitBranch: oneOf('main', 'next'),
  customEnvironmentIds: oneOf(['@customEnvironment0']),
  type: oneOf('plain', 'encrypted', 'sensitive'),
  comment: anyText,
  projectId: listOf(...projects),
};

/** What a variable cannot have together. */
export function fitEnvVar({ customEnvironmentIds: _, ...body }: Body): Body {
  const given = [body.target ?? []].flat() as string[];
  const target = given.filter((one) => body.type !== 'sensitive' || one !== 'development');
  const whole = { ...body, target: target.length > 0 ? target : ['preview'] };
  return body.gitBranch ? { ...whole, target: ['preview'] } : whole;
}

export const ofRecord: Record<string, Body> = {
  A: { value: '192.0.2.1' },
  AAAA: { value: '2001:db8::1' },
  ALIAS: { value: 'a.example.net' },
  CAA: { value: '0 issue "letsencrypt.org"' },
  CNAME: { value: 'a.example.net' },
  HTTPS: {},
  MX: { value: 'mx.example.net' },
  NS: { value: 'ns.example.net' },
  SRV: {},
  TXT: {},
};

type Condition = Body & { type?: string; op?: string; key?: string; value?: unknown };

/** A condition of the firewall with the value that its operator takes. */
function fitCondition({ value, key, ...rest }: Condition): Condition {
  const needsKey = ['header', 'query', 'cookie'].includes(rest.type!);
  const fitting =
    rest.op === 'ex' || rest.op === 'nex'
      ? ''
      : rest.op === 'inc' || rest.op === 'ninc'
        ? [String(value), 'other']
        : Array.isArray(value) || value === undefined
          ? 'text'
          : value;
  return { ...rest, ...(needsKey ? { key: key ?? 'x' } : key === undefined ? {} : { key }), value: fitting };
}

interface Rule extends Body {
  conditionGroup: { conditions: Condition[] }[];
  action: { mitigate?: Body };
}

export function fitRule({ id: _, valid: __, validationErrors: ___, ...rule }: Rule): Body {
  const mitigate = rule.action.mitigate ?? { action: 'log' };
  return {
    ...rule,
    conditionGroup: rule.conditionGroup.map(({ conditions }) => ({
      conditions: conditions.map(fitCondition),
    })),
    action: {
      mitigate: {
        ...mitigate,
        ...(mitigate.action === 'rate_limit' && !mitigate.rateLimit
          ? { rateLimit: { algo: 'fixed_window', window: 60, limit: 5, keys: ['ip'] } }
          : {}),
        ...(mitigate.action === 'redirect' && !mitigate.redirect
          ? { redirect: { location: '/x', permanent: true } }
          : {}),
      },
    },
  };
}

const outcomes = oneOf(
  { type: 'variant', variantId: 'on' },
  {
    type: 'split',
    base: { type: 'entity', kind: 'user', attribute: 'id' },
    weights: { on: 1, off: 2 },
    defaultVariantId: 'off',
  },
);
const lhs = oneOf({ type: 'entity', kind: 'user', attribute: 'plan' });
const ofRules: Hints = {
  lhs,
  cmp: oneOf('eq', '!eq', 'startsWith'),
  rhs: anyText,
  note: anyText,
  value: anyText,
  id: oneOf('r1', 'r2', 'r3'),
  label: anyText,
};
const ofPeople = (path: string): Hints => ({
  [`${path}{}`]: oneOf('user', 'team'),
  [`${path}.*{}`]: oneOf('id', 'email'),
});
const flag: Hints = {
  ...ofRules,
  'environments{}': oneOf('production'),
  'environments.*.targets{}': oneOf('on', 'off'),
  ...ofPeople('environments.*.targets.*'),
  outcome: outcomes,
  fallthrough: outcomes,
  variantId: oneOf('on', 'off'),
  'environments.*.pausedOutcome.type': oneOf('variant'),
  'environments.*.reuse.environment': oneOf('preview'),
  kind: oneOf('boolean'),
  // Their values are free, and have to fit the kind.
  variants: oneOf(
    [
      { id: 'off', value: false },
      { id: 'on', value: true, label: 'On' },
    ],
    [
      { id: 'on', value: true, description: '' },
      { id: 'off', value: false, label: '' },
    ],
  ),
  maintainerIds: listOf('user_1', 'user_2'),
  tags: listOf('a', 'b'),
};
const segment: Hints = {
  ...ofRules,
  ...ofPeople('data.include'),
  ...ofPeople('data.exclude'),
  outcome: oneOf(
    { type: 'all' },
    { type: 'split', base: { type: 'entity', kind: 'user', attribute: 'id' }, passPromille: 500 },
  ),
};

const distinct = (rules: unknown) =>
  (rules as Body[] | undefined)?.map((rule, index) => ({ ...rule, id: `r${index}` }));

function fitFlag(body: Body, index: number): Body {
  const [one] = Object.values(body.environments as Record<string, Body>);
  const pausedOutcome = { ...(one!.pausedOutcome as Body), type: 'variant' };
  const environment = { ...one, pausedOutcome, rules: distinct(one!.rules) };
  const { reuse: _, ...plain } = environment as Body;
  const variants = body.variants ?? [
    { id: 'off', value: false },
    { id: 'on', value: true },
  ];
  return {
    ...body,
    variants,
    slug: `flag-${index}`,
    environments: { production: environment, preview: plain, development: plain },
  };
}

const routeConditions = oneOf(
  [{ type: 'host', value: 'a.example.com' }],
  [{ type: 'header', key: 'x' }],
  [
    { type: 'cookie', key: 'x', value: '' },
    { type: 'query', key: 'y', value: 'z' },
  ],
);

/** Of a ruleset that the platform maintains: itself, or its groups. */
const rulesetChange = z.union([
  RequestBody20$outboundSchema as z.ZodTypeAny,
  RequestBody21$outboundSchema as z.ZodTypeAny,
]);

/** The platform refuses it since June 2026, although the SDK still lists it. */
const withoutRetired = ({ publicSource: _, ...body }: Body): Body => body;

const byHand: Filling[] = [
  {
    operation: 'createProject',
    at: anywhere(2),
    hints: {
      serverlessFunctionRegion: regions,
      functionDefaultRegions: listOf('fra1', 'iad1'),
      failoverRegions: listOf('fra1', 'iad1'),
      gitRepository: oneOf({ type: 'github', repo: 'acme/web' }),
      environmentVariables: oneOf(undefined),
    },
    fitted: (body, index) => withoutRetired(named('name', 'web', 'docs')(body, index)),
  },
  {
    operation: 'createCustomEnvironment',
    at: inProjects('idOrName', 3),
    hints: { copyEnvVarsFrom: oneOf('production'), pattern: anyName },
    fitted: named('slug', 'staging', 'staging', 'qa'),
  },
  {
    operation: 'updateProject',
    at: inProjects('idOrName', 4),
    fitted: (body) => fitPolicy(withoutRetired(body)),
    hints: {
      ...projectWide,
      name: oneOf(undefined),
      serverlessFunctionRegion: regions,
      functionDefaultRegions: listOf('fra1', 'iad1'),
      failoverRegions: listOf('fra1', 'iad1'),
      skewProtectionAllowedDomains: listOf('a.example.com', 'b.example.com'),
      'trustedIps.addresses[].value': address,
      'optionsAllowlist.paths[].value': oneOf('/a', '/b'),
    },
  },
  {
    operation: 'createProjectEnv',
    at: inProjects('idOrName', 9),
    hints: envVar,
    fitted: (body, index) =>
      index === 8
        ? { key: 'EMPTY', value: '', type: 'encrypted', target: ['production'] }
        : Array.isArray(body)
          ? (body.map(fitEnvVar) as never)
          : fitEnvVar(body),
  },
  {
    operation: 'createSharedEnvVariable',
    at: anywhere(4),
    hints: {
      ...envVar,
      type: oneOf('encrypted', 'sensitive'),
      'evs[].key': oneOf('SHARED_A', 'SHARED_B', 'SHARED_C'),
    },
    fitted: (body, index) =>
      index === 3
        ? { evs: [{ key: 'SHARED_EMPTY', value: '' }], type: 'encrypted', target: ['production'] }
        : fitEnvVar(body),
  },
  {
    operation: 'createOrTransferDomain',
    at: anywhere(2),
    hints: { method: oneOf('add') },
    fitted: ({ token: _, ...body }, index) => ({ ...body, name: ['example.com', 'example.org'][index] }),
  },
  {
    operation: 'patchDomain',
    at: [{ domain: 'example.com' }],
    hints: { op: oneOf('update') },
    fitted: ({ customNameservers: _, destination: __, ...body }) => body,
  },
  {
    operation: 'createRecord',
    at: Array.from({ length: 14 }, () => ({ domain: 'example.com' })),
    hints: {
      name: oneOf('', 'www', '_a._tcp', '*'),
      value: anyText,
      ttl: oneOf(60, 120, 3600),
      comment: anyText,
      'srv.target': host,
      'https.target': host,
      params: oneOf('alpn=h2', ''),
    },
    fitted: (body, index) => {
      const type = Object.keys(ofRecord)[index % 10]!;
      const { srv, https, mxPriority, ...rest } = body;
      const name = type === 'CNAME' ? 'alias' : type === 'TXT' ? '_txt' : (rest.name ?? '');
      const whole = {
        comment: rest.comment,
        ttl: rest.ttl,
        name,
        type,
        value: rest.value ?? 'text',
        ...ofRecord[type],
      };
      const numbers = { priority: 1, weight: 2, port: 3, target: 'a.example.net' };
      const { value: _, ...bare } = whole;
      const made =
        type === 'SRV'
          ? { ...bare, srv: srv ?? numbers }
          : type === 'HTTPS'
            ? { ...bare, https: https ?? { priority: 1, target: '.' } }
            : type === 'MX'
              ? { ...whole, mxPriority: mxPriority ?? 10 }
              : whole;
      return JSON.parse(JSON.stringify(made));
    },
  },
  {
    operation: 'addProjectDomain',
    at: inProjects('idOrName', 5),
    hints: {
      gitBranch: oneOf('dev', 'next'),
      redirect: oneOf('www.example.net'),
      customEnvironmentId: oneOf('@customEnvironment0'),
    },
    fitted: (body, index) => {
      const name = ['www.example.net', 'www.example.com', 'a.example.net', 'b.example.com', 'c.example.net'][
        index
      ];
      const { gitBranch, redirect, redirectStatusCode, customEnvironmentId, ...rest } = body;
      if (index === 0) return { ...rest, name, customEnvironmentId: '@customEnvironment0' };
      if (index < 2 || index % 2 === 1 || redirect == null)
        return {
          ...rest,
          name,
          ...(gitBranch
            ? { gitBranch }
            : customEnvironmentId && index % 2 === 0
              ? { customEnvironmentId }
              : {}),
        };
      return { ...rest, name, redirect, ...(redirectStatusCode === undefined ? {} : { redirectStatusCode }) };
    },
  },
  {
    operation: 'putFirewallConfig',
    at: inProjects('projectId', 2),
    hints: {
      name: anyName,
      'ips[].ip': address,
      'ips[].hostname': oneOf('*', 'a.example.com'),
      logHeaders: oneOf('*', ['user-agent']),
      keys: listOf('ip', 'ja4'),
      window: oneOf(10, 60),
      actionDuration: oneOf('1m', '1h'),
      rateLimit: oneOf(
        null,
        ...[10, 60].map((window) => ({
          algo: 'token_bucket',
          window,
          limit: 3,
          keys: ['ja4'],
          action: 'deny',
        })),
      ),
      redirect: oneOf(null, { location: 'https://x.example.com', permanent: false }),
      id: oneOf(undefined),
    },
    fitted: (body) => ({
      ...body,
      ...(body.rules ? { rules: (body.rules as Rule[]).map(fitRule) } : {}),
      ...(body.ips ? { ips: (body.ips as Body[]).map(({ id: __, ...ip }) => ip) } : {}),
    }),
  },
  {
    operation: 'updateFirewallConfig',
    at: inProjects('projectId', 4),
    schema: rulesetChange,
    hints: { action: oneOf('log', 'challenge', 'deny'), 'value{}': oneOf('sqli', 'xss', 'rce') },
    fitted: ({ id, value }) => ({
      action: 'active' in (value as Body) ? 'managedRules.update' : 'managedRuleGroup.update',
      id,
      value,
    }),
  },
  {
    operation: 'updateAttackChallengeMode',
    at: anywhere(1),
    hints: { projectId: oneOf('@project0') },
    fitted: (body) => ({
      ...body,
      ...(body.attackModeActiveUntil === undefined ? {} : { attackModeActiveUntil: Date.now() + 86_400_000 }),
    }),
  },
  {
    operation: 'updateProjectProtectionBypass',
    at: inProjects('idOrName', 3),
    hints: {
      revoke: oneOf(undefined),
      update: oneOf(undefined),
      secret: oneOf(...['a', 'b', 'c'].map((one) => one.repeat(32))),
      note: anyText,
    },
    fitted: (body) => ({ generate: body.generate ?? {} }),
  },
  {
    operation: 'addBypassIp',
    at: inProjects('projectId', 2),
    hints: { sourceIp: address, note: anyText },
    fitted: ({ sourceIp = '192.0.2.1', note }) => ({
      projectScope: true,
      sourceIp,
      ...(note ? { note } : {}),
    }),
  },
  {
    operation: 'updateStaticIps',
    at: inProjects('idOrName', 2),
    hints: { regions: listOf('fra1', 'iad1') },
  },
  {
    operation: 'updateObservabilityConfigurationProject',
    at: inProjects('projectIdOrName', 2),
    hints: {},
    fitted: (body, index) => (index === 0 ? { disabled: true } : body),
  },
  {
    operation: 'createRepository',
    at: anywhere(2),
    hints: {},
    fitted: (_, index) => ({ projectId: projects[index], name: 'api' }),
  },
  {
    operation: 'addRepositoryPermission',
    at: inProjects('projectId', 2, { idOrName: 'api' }),
    hints: {},
    fitted: () => ({ teamId: 'team_other' }),
  },
  {
    operation: 'createSdkKey',
    at: inProjects('projectIdOrName', 2),
    hints: { environment: oneOf('production', 'preview'), label: anyText },
  },
  {
    operation: 'stageRedirects',
    at: anywhere(1),
    hints: {
      projectId: oneOf('@project0'),
      teamId: oneOf('@team'),
      source: oneOf('/a', '/b', '/c', '/d'),
      destination: oneOf('/x', 'https://x.example.com'),
      statusCode: oneOf(301, 302, 307, 308),
      overwrite: oneOf(true),
    },
    fitted: (body) => ({ redirects: [{ source: '/a', destination: '/b' }], ...body }),
  },
  {
    operation: 'updateVersion',
    at: inProjects('projectId', 1),
    hints: { id: oneOf('@redirects'), action: oneOf('promote') },
  },
  {
    operation: 'addRoute',
    at: inProjects('projectId', 6),
    hints: {
      name: anyName,
      src: oneOf('/a', '/b/:id', '/c'),
      dest: oneOf('https://x.example.com', '/x'),
      status: oneOf(404, 410),
      position: oneOf(undefined),
      args: anyText,
      key: anyText,
      // Their members are lost in the SDK's schema.
      transforms: oneOf(undefined),
      has: routeConditions,
      missing: routeConditions,
    },
  },
  {
    operation: 'updateRouteVersions',
    at: inProjects('projectId', 2),
    hints: { id: oneOf('@routes'), action: oneOf('promote') },
  },
  {
    operation: 'updateFlagSettings',
    at: inProjects('projectIdOrName', 2),
    hints: {
      environments: oneOf(['production', 'preview', 'development']),
      type: oneOf('string'),
      kind: oneOf('user', 'team'),
      key: oneOf('id', 'plan'),
    },
    fitted: (body, index) => (index === 0 ? { ...body, enabled: true } : body),
  },
  {
    operation: 'createFlagSegment',
    at: inProjects('projectIdOrName', 2),
    hints: segment,
    fitted: (body) => {
      const data = body.data as Body;
      return {
        ...body,
        slug: 'segment',
        data: { ...data, ...(data.rules ? { rules: distinct(data.rules) } : {}) },
      };
    },
  },
  { operation: 'createFlag', at: inProjects('projectIdOrName', 3), hints: flag, fitted: fitFlag },
  {
    operation: 'createWebhook',
    at: anywhere(2),
    hints: {
      url,
      projectIds: listOf(...projects),
      events: listOf('deployment.created', 'project.created', 'domain.created'),
    },
  },
  {
    operation: 'createDrain',
    at: anywhere(4),
    hints: {
      projects: oneOf('some', 'all'),
      projectIds: listOf(...projects),
      version: oneOf('v2'),
      'schemas.*.version': oneOf('v1'),
      'schemas{}': oneOf('log', 'trace', 'analytics'),
      'delivery.type': oneOf('http'),
      'delivery.endpoint': url,
      'delivery.encoding': oneOf('json', 'ndjson'),
      'delivery.compression': oneOf('none', 'gzip'),
      'delivery.headers{}': oneOf('authorization', 'x-a'),
      'delivery.secret': oneOf('s'.repeat(40), 't'.repeat(40)),
      status: oneOf('enabled', 'disabled'),
      'filter.filter': oneOf(
        { type: 'odata', text: "x eq 'y'" },
        { type: 'basic', log: { sources: ['edge', 'static'] } },
        { type: 'basic', project: {} },
      ),
      'sampling[].type': oneOf('head_sampling'),
      'sampling[].rate': oneOf(0, 0.5, 1),
      source: oneOf({ kind: 'self-served' }),
    },
    fitted: (body, index) => {
      const { type, ...rest } = { type: 'http', ...(body.delivery as Body | undefined) } as Body;
      const http = { type, encoding: 'json', endpoint: 'https://example.com', headers: {}, ...rest };
      const {
        fileStructure: _,
        roleArn: __,
        region: ___,
        serverSideEncryption: ____,
        objectAcl: _____,
        ...delivery
      } = http as Body;
      const { projectIds, ...whole } = body;
      return {
        ...whole,
        name: `drain-${index}`,
        delivery: index === 3 ? { ...delivery, headers: { authorization: '' } } : delivery,
        ...(body.projects === 'some' ? { projectIds: projectIds ?? ['@project0'] } : {}),
      };
    },
  },
  {
    operation: 'createEdgeConfig',
    at: anywhere(2),
    hints: { 'items{}': oneOf('first', 'second', 'third') },
    fitted: (body, index) => ({
      ...body,
      slug: ['store', 'other'][index],
      items: { ...(body.items as Body | undefined), ...(index === 0 ? { always: 'there' } : {}) },
    }),
  },
  {
    operation: 'patchEdgeConfigSchema',
    at: [{ edgeConfigId: '@globalConfig1' }],
    hints: { definition: oneOf({ type: 'object' }, { properties: { a: { type: 'string' } } }) },
    fitted: (body) => ({ definition: {}, ...body }),
  },
  {
    operation: 'createEdgeConfigToken',
    at: [{ edgeConfigId: '@globalConfig0' }],
    hints: { label: oneOf('web', 'a b') },
  },
  {
    operation: 'createAccessGroup',
    at: anywhere(2),
    hints: { projectId: oneOf(...projects), membersToAdd: oneOf(['user_1']) },
    fitted: (body, index) => ({
      ...body,
      name: ['crew', 'guests'][index],
      ...(index === 0
        ? { membersToAdd: ['user_1'], projects: [{ projectId: '@project0', role: 'ADMIN' }] }
        : {}),
    }),
  },
];

/** By what they need: each may name what those before it have made. Those of plain kinds follow from their samples. */
export const fillings: Filling[] = [
  ...beforeProjects,
  ...byHand,
  ...afterProjects,
  ...plainKinds.map(({ kind, create, project, hints = {} }): Filling => {
    const [key] = kinds.get(kind)!.key;
    return {
      operation: create,
      at: inProjects(project, 4),
      hints: Object.fromEntries(Object.entries(hints).map(([path, values]) => [path, oneOf(...values)])),
      fitted: (body, index) =>
        hints[key!]
          ? { ...body, [key!]: hints[key!]![index % 2] }
          : named(key!, 'one', 'one', 'two', 'two')(body, index),
    };
  }),
];
