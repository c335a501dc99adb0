import type { z } from 'zod';
import type { FieldSchemas, Kind } from '../../src/kind/kind.ts';
import { innerOf, shapeOf, traitsOf } from '../../src/kind/traits.ts';

export type Block = Record<string, unknown>;

/**
 * What a kind looks like in use: a place for a block, the least block, and two values for every leaf of its fields.
 * `LABEL`, in names and values alike, is replaced by a name of the case's own, so that any number of cases share an account.
 */
export interface Sample {
  place(block: Block): Block;
  base: Block;
  /** By path: one value, another one, and what the leaf needs beside it. */
  leaves: Record<string, [one: unknown, other: unknown, beside?: Block]>;
  /** Leaves that say which object is meant: another value means another object. */
  identity?: string[];
}

const condition = (value: string) => [{ conditions: [{ type: 'path', op: 'pre', value }] }];
const inProject = (blocks: Block) => ({ projects: { LABEL: blocks } });
const inFirewall = (blocks: Block) => inProject({ firewall: blocks });
const flag: [boolean, boolean] = [true, false];
const unset: [boolean, boolean] = [false, true];
const text: [string, string] = ['one', 'two'];
const mx = { type: 'MX', value: 'mx.example.net', mxPriority: 5 };
const srv = {
  type: 'SRV',
  name: '_a._tcp',
  value: undefined,
  srv: { priority: 1, weight: 1, port: 1, target: 'a.example.net' },
};
const https = { type: 'HTTPS', value: undefined, https: { priority: 1, target: 'a.example.net' } };

/** People of the team, who can be in access groups. */
const members = [{ uid: 'user_1', email: 'grace@example.com' }];
/** What an account must have beside the samples. */
export const sampleSeed = { team: { members } };

// Later than any clock of a test, and the same in every run.
const soon = Date.UTC(2100, 0, 1);
const stagesOf = (...percentages: number[]) => percentages.map((targetPercentage) => ({ targetPercentage }));
const bypassOf = (name: string) => name + 'x'.repeat(32 - name.length);
const bucket = {
  type: 's3',
  endpoint: 'https://bucket.example.com',
  encoding: 'json',
  compression: 'none',
  fileStructure: 'hive',
  roleArn: 'arn:aws:iam::1:role/a',
  region: 'us-east-1',
};

const answer = (variantId: string) => ({ type: 'variant', variantId });
const userId = { type: 'entity', kind: 'user', attribute: 'id' };
const inEnvironment = { active: true, pausedOutcome: answer('off'), fallthrough: answer('on') };
const people = (...emails: string[]) => emails.map((value) => ({ value }));
const plan = { type: 'entity', kind: 'user', attribute: 'plan' };

/** One sample for each kind; the contract test proves that no kind and no leaf is missing. */
export const samples: Record<string, Sample> = {
  project: {
    place: (block) => inProject(block),
    base: {},
    leaves: {
      framework: ['nextjs', 'astro'],
      rootDirectory: text,
      buildCommand: text,
      installCommand: text,
      devCommand: text,
      outputDirectory: text,
      commandForIgnoringBuildStep: text,
      nodeVersion: ['22.x', '20.x'],
      gitRepository: [
        { type: 'github', repo: 'acme/web' },
        { type: 'gitlab', repo: 'acme/web' },
      ],
      skipGitConnectDuringLink: flag,
      publicSource: flag,
      previewDeploymentSuffix: text,
      previewDeploymentsDisabled: flag,
      serverlessFunctionRegion: ['fra1', 'sfo1'],
      serverlessFunctionZeroConfigFailover: flag,
      enablePreviewFeedback: flag,
      enableProductionFeedback: flag,
      enableAffectedProjectsDeployments: flag,
      'ssoProtection.deploymentType': ['all', 'preview'],
      'oidcTokenConfig.enabled': unset,
      'oidcTokenConfig.issuerMode': ['global', 'team'],
      'sandbox.region': ['fra1', 'sfo1'],
      'sandbox.failoverRegions': [['fra1'], ['sfo1', 'fra1']],
      'resourceConfig.fluid': unset,
      'resourceConfig.functionDefaultRegions': [['fra1', 'cdg1'], ['sfo1']],
      'resourceConfig.functionDefaultTimeout': [60, 120],
      'resourceConfig.functionDefaultMemoryType': ['performance', 'standard_legacy'],
      'resourceConfig.functionZeroConfigFailover': flag,
      'resourceConfig.elasticConcurrencyEnabled': flag,
      'resourceConfig.buildMachineType': ['elastic', 'turbo'],
      'resourceConfig.buildQueue.configuration': ['SKIP_NAMESPACE_QUEUE', 'WAIT_FOR_NAMESPACE_QUEUE'],
      'resourceConfig.isNSNBDisabled': flag,
      'resourceConfig.enableFunctionsBeta': flag,
      autoExposeSystemEnvs: unset,
      autoAssignCustomDomains: unset,
      customerSupportCodeVisibility: flag,
      directoryListing: flag,
      gitForkProtection: unset,
      gitLFS: flag,
      protectedSourcemaps: flag,
      sourceFilesOutsideRootDirectory: unset,
      enableExternalRewriteCaching: flag,
      skewProtectionBoundaryAt: [1, 2],
      skewProtectionMaxAge: [60, 120],
      skewProtectionAllowedDomains: [['a.example.com'], ['b.example.com']],
      'staticIps.enabled': flag,
      'passwordProtection.deploymentType': ['all', 'preview'],
      'passwordProtection.password': ['first', 'second', { passwordProtection: { deploymentType: 'all' } }],
      optionsAllowlist: [{ paths: [{ value: '/api' }] }, { paths: [{ value: '/a' }, { value: '/b' }] }],
      productionDeploymentsFastLane: flag,
      gitComments: [
        { onCommit: true, onPullRequest: false },
        { onCommit: false, onPullRequest: true },
      ],
      gitProviderOptions: [
        { createDeployments: 'disabled', gitCommitStatus: false },
        {
          createDeployments: 'enabled',
          consolidatedGitCommitStatus: { enabled: true, propagateFailures: false },
        },
      ],
      trustedIps: [
        {
          deploymentType: 'all',
          protectionMode: 'exclusive',
          addresses: [{ value: '192.0.2.1', note: 'a' }],
        },
        { deploymentType: 'production', protectionMode: 'additional', addresses: [{ value: '192.0.2.2' }] },
      ],
    },
  },
  customEnvironment: {
    place: (block) => inProject({ customEnvironments: { staging: block } }),
    base: {},
    leaves: {
      description: text,
      branchMatcher: [
        { type: 'equals', pattern: 'main' },
        { type: 'startsWith', pattern: 'release/' },
      ],
      copyEnvVarsFrom: ['production', 'preview'],
    },
  },
  projectEnvVar: {
    place: (block) => inProject({ customEnvironments: { qa: {}, staging: {} }, env: { NAME: block } }),
    base: { value: 'text' },
    leaves: {
      value: ['one', 'two'],
      type: ['plain', 'encrypted'],
      target: [['production', 'preview'], ['development']],
      gitBranch: ['one', 'two', { target: ['preview'] }],
      customEnvironmentIds: [['staging'], ['qa']],
      comment: text,
      visibility: ['config', 'secret'],
    },
    identity: ['target', 'gitBranch', 'customEnvironmentIds'],
  },
  sharedEnvVar: {
    place: (block) => ({ projects: { LABEL: {}, 'LABEL-2': {} }, sharedEnv: { LABEL: block } }),
    base: { value: 'text' },
    leaves: {
      value: ['one', 'two'],
      type: ['encrypted', 'sensitive', { target: ['production', 'preview'] }],
      target: [['production', 'preview'], ['development']],
      projectId: [['LABEL'], ['LABEL-2', 'LABEL']],
      comment: text,
      applyToAllCustomEnvironments: flag,
    },
    // A type has one other value only, and that one is the default.
    identity: ['target', 'type'],
  },
  projectDomain: {
    place: (block) => ({
      projects: {
        LABEL: {
          customEnvironments: { qa: {}, staging: {} },
          domains: {
            'LABEL.example.org': block,
            'one.LABEL.example.org': {},
            'two.LABEL.example.org': {},
          },
        },
      },
    }),
    base: {},
    leaves: {
      gitBranch: text,
      customEnvironmentId: ['staging', 'qa'],
      redirect: ['one.LABEL.example.org', 'two.LABEL.example.org'],
      redirectStatusCode: [301, 308, { redirect: 'one.LABEL.example.org' }],
    },
  },
  domain: {
    place: (block) => ({ domains: { 'LABEL.example': block } }),
    base: {},
    leaves: { zone: unset, cdnEnabled: flag, echMode: ['auto', 'disabled'] },
  },
  dnsRecord: {
    place: (block) => ({ domains: { 'LABEL.example': { records: [block] } } }),
    base: { type: 'A', name: 'www', value: '192.0.2.1' },
    leaves: {
      value: ['192.0.2.2', '192.0.2.3'],
      ttl: [120, 300],
      comment: text,
      mxPriority: [10, 20, mx],
      'srv.priority': [10, 20, srv],
      'srv.weight': [10, 20, srv],
      'srv.port': [10, 20, srv],
      'srv.target': ['b.example.net', 'c.example.net', srv],
      'https.priority': [10, 20, https],
      'https.target': ['b.example.net', '.', https],
      'https.params': ['alpn=h2', 'alpn=h2,h3', https],
    },
    identity: ['https.params'],
  },
  firewall: {
    place: (block) => inFirewall(block),
    base: {},
    leaves: {
      firewallEnabled: flag,
      botIdEnabled: flag,
      logHeaders: ['*', ['user-agent', 'accept']],
    },
  },
  firewallRule: {
    place: (block) => inFirewall({ rules: [block] }),
    base: {
      name: 'rule',
      active: true,
      conditionGroup: condition('/a'),
      action: { mitigate: { action: 'deny' } },
    },
    leaves: {
      description: text,
      active: unset,
      conditionGroup: [condition('/b'), [{ conditions: [{ type: 'header', key: 'x', op: 'nex' }] }]],
      action: [
        {
          mitigate: {
            action: 'rate_limit',
            rateLimit: { algo: 'fixed_window', window: 60, limit: 10, keys: ['ip'], action: 'challenge' },
            actionDuration: '1h',
          },
        },
        { mitigate: { action: 'redirect', redirect: { location: '/elsewhere', permanent: false } } },
      ],
    },
  },
  firewallIp: {
    place: (block) => inFirewall({ ips: [block] }),
    base: { hostname: 'LABEL.example.com', ip: '192.0.2.0/24', action: 'deny' },
    leaves: { action: ['challenge', 'log'], notes: text },
  },
  managedRuleset: {
    place: (block) => inFirewall({ managedRules: { owasp: block } }),
    base: {},
    leaves: {
      active: flag,
      action: ['challenge', 'deny', { active: true }],
      'groups.sqli.active': [true, false, { active: true }],
      'groups.sqli.action': ['challenge', 'deny', { groups: { sqli: { active: true } } }],
    },
  },
  coreRuleset: {
    place: (block) => inFirewall({ crs: { sqli: block } }),
    base: {},
    leaves: { active: flag, action: ['deny', 'log', { active: true }] },
  },
  attackMode: {
    place: (block) => inProject({ attackMode: block }),
    base: { attackModeEnabled: true, attackModeActiveUntil: soon },
    leaves: {
      // One does not go without the other.
      attackModeEnabled: [true, true],
      attackModeActiveUntil: [soon + 3_600_000, soon + 7_200_000],
    },
  },
  rollingRelease: {
    place: (block) => inProject({ rollingRelease: block }),
    base: { advancementType: 'manual-approval', stages: stagesOf(5, 100) },
    leaves: {
      // Only with durations is anything automatic.
      advancementType: ['manual-approval', 'manual-approval'],
      stages: [
        [{ targetPercentage: 10, duration: 5 }, { targetPercentage: 100 }],
        [
          { targetPercentage: 10, duration: 9 },
          { targetPercentage: 50, duration: 5 },
          { targetPercentage: 100 },
        ],
        {
          advancementType: 'automatic',
          stages: [{ targetPercentage: 5, duration: 5 }, { targetPercentage: 100 }],
        },
      ],
    },
  },
  protectionBypass: {
    place: (block) =>
      inProject({
        protectionBypass: {
          first: { secret: bypassOf('first'), isEnvVar: true, note: 'first' },
          e2e: block,
        },
      }),
    base: { note: 'e2e' },
    leaves: {
      secret: [bypassOf('one'), bypassOf('two')],
      note: text,
      isEnvVar: [false, false, { secret: bypassOf('three') }],
    },
    identity: ['secret', 'isEnvVar'],
  },
  bulkRedirects: {
    place: (block) => inProject({ bulkRedirects: { '/old': block } }),
    base: { destination: '/new' },
    leaves: {
      destination: ['/one', '/two'],
      statusCode: [301, 308],
      caseSensitive: flag,
      query: flag,
      preserveQueryParams: flag,
    },
  },
  projectRoute: {
    place: (block) => inProject({ routes: [block] }),
    base: { name: 'route', srcSyntax: 'equals', route: { src: '/a' } },
    leaves: {
      description: text,
      enabled: unset,
      srcSyntax: ['path-to-regexp', 'regex'],
      'route.src': ['/b', '/c'],
      'route.dest': ['https://one.example.com', 'https://two.example.com'],
      'route.status': [404, 410],
      'route.headers': [{ 'x-a': 'one', 'x-b': 'two' }, { 'x-b': 'two' }],
      'route.caseSensitive': flag,
      'route.has': [[{ type: 'header', key: 'x' }], [{ type: 'host', value: 'a.example.com' }]],
      'route.missing': [[{ type: 'cookie', key: 'x' }], [{ type: 'query', key: 'y', value: 'z' }]],
      'route.transforms': [
        [{ type: 'request.headers', op: 'set', target: { key: 'x-b' }, args: 'one' }],
        [{ type: 'request.query', op: 'delete', target: { key: 'y' } }],
      ],
      'route.respectOriginCacheControl': flag,
      'route.continue': flag,
      'route.check': flag,
    },
  },
  featureFlagSettings: {
    place: (block) => inProject({ featureFlagSettings: block }),
    base: {},
    leaves: {
      enabled: flag,
      entities: [
        [{ kind: 'user', label: 'User', attributes: [{ key: 'id', type: 'string' }] }],
        [
          { kind: 'team', label: 'Team', attributes: [] },
          {
            kind: 'user',
            label: 'User',
            attributes: [{ key: 'plan', type: 'string', labels: [{ label: 'Pro', value: 'pro' }] }],
          },
        ],
      ],
      environments: [
        ['production', 'preview'],
        ['production', 'preview', 'development', 'staging'],
      ],
    },
  },
  segment: {
    place: (block) =>
      inProject({ segments: { mine: block, other: { label: 'Other', hint: 'Others', data: {} } } }),
    base: { label: 'Mine', hint: 'Mine', data: {} },
    leaves: {
      label: text,
      hint: text,
      description: text,
      'data.rules': [
        [
          {
            id: 'r1',
            conditions: [{ lhs: { type: 'segment' }, cmp: 'eq', rhs: '${projects.LABEL.segments.other.id}' }],
            outcome: { type: 'all' },
          },
        ],
        [
          {
            id: 'r1',
            conditions: [
              { lhs: plan, cmp: 'regex', rhs: { type: 'regex', pattern: '^pro', flags: 'i' } },
              { lhs: plan, cmp: 'ex', cmpOptions: { ignoreCase: true } },
            ],
            outcome: { type: 'split', base: userId, passPromille: 50_000 },
          },
        ],
      ],
      'data.include.user.email': [
        people('a@example.com', 'b@example.com'),
        [{ value: 'b@example.com', note: 'b' }],
      ],
      'data.exclude.user.email': [people('a@example.com'), []],
    },
  },
  featureFlag: {
    place: (block) =>
      inProject({
        segments: { beta: { label: 'Beta', hint: 'Testers', data: {} } },
        featureFlags: { banner: block },
      }),
    base: {
      kind: 'boolean',
      variants: [
        { id: 'off', value: false },
        { id: 'on', value: true },
      ],
      environments: { production: inEnvironment, preview: inEnvironment, development: inEnvironment },
    },
    leaves: {
      // Another kind is another flag.
      kind: ['boolean', 'boolean'],
      description: text,
      state: ['archived', 'active'],
      variants: [
        [
          { id: 'on', value: true, label: 'On', description: 'It is there' },
          { id: 'off', value: false },
        ],
        [
          { id: 'on', value: true },
          { id: 'off', value: false, label: 'Off' },
        ],
      ],
      'environments.production.active': unset,
      'environments.production.reuse': [
        { active: true, environment: 'preview' },
        { active: false, environment: 'preview' },
      ],
      'environments.production.targets.on.user.id': [people('u1', 'u2'), people('u2')],
      'environments.production.pausedOutcome': [answer('on'), answer('off')],
      'environments.production.rules': [
        [
          {
            id: 'r1',
            conditions: [{ lhs: { type: 'segment' }, cmp: 'eq', rhs: '${projects.LABEL.segments.beta.id}' }],
            outcome: answer('on'),
          },
        ],
        [
          {
            id: 'r1',
            conditions: [
              {
                lhs: { type: 'segment' },
                cmp: 'oneOf',
                rhs: { type: 'list', items: [{ value: '${projects.LABEL.segments.beta.id}', note: 'n' }] },
              },
              {
                lhs: plan,
                cmp: 'oneOf',
                rhs: { type: 'list/inline', items: [{ value: 'pro' }, { value: 7 }] },
              },
              { lhs: plan, cmp: 'eq', rhs: 10 },
              { lhs: plan, cmp: '!eq', rhs: false },
            ],
            outcome: { type: 'split', base: userId, weights: { on: 10, off: 90 }, defaultVariantId: 'off' },
          },
          { id: 'r2', conditions: [], outcome: answer('on') },
        ],
      ],
      'environments.production.fallthrough': [
        { type: 'split', base: userId, weights: { on: 1 }, defaultVariantId: 'off' },
        {
          type: 'rollout',
          base: userId,
          startTimestamp: 1_800_000_000_000,
          rollFromVariantId: 'off',
          rollToVariantId: 'on',
          defaultVariantId: 'off',
          slots: [{ promille: 10_000, durationMs: 3_600_000 }],
        },
      ],
      seed: [1, 2],
      permanent: flag,
      tags: [['ui', 'shop'], ['shop']],
      maintainerIds: [['user_1'], ['user_2', 'user_1']],
    },
  },
  webhook: {
    place: (block) => ({ projects: { LABEL: {}, 'LABEL-2': {} }, webhooks: { LABEL: block } }),
    base: {
      url: 'https://LABEL.example.com',
      events: ['domain.created'],
      $secretTo: 'discard',
      $replace: 'allow',
    },
    leaves: {
      url: ['https://LABEL-1.example.com', 'https://LABEL-2.example.com'],
      events: [['domain.created', 'project.created'], ['project.created']],
      projectIds: [['LABEL'], ['LABEL-2', 'LABEL']],
    },
    identity: ['projectIds'],
  },
  drain: {
    place: (block) => ({ projects: { LABEL: {}, 'LABEL-2': {} }, drains: { LABEL: block } }),
    base: {
      schemas: { log: {} },
      delivery: { type: 'http', endpoint: 'https://LABEL.example.com', encoding: 'json' },
    },
    leaves: {
      projectIds: [['LABEL'], ['LABEL-2', 'LABEL']],
      schemas: [{ log: {}, trace: {} }, { trace: { version: 'v1' } }],
      filter: [
        { version: 'v2', filter: { type: 'basic', log: { sources: ['build'] } } },
        { version: 'v2', filter: { type: 'odata', text: "a eq 'b'" } },
      ],
      'delivery.type': ['http', 'http'],
      'delivery.endpoint': ['https://one.example.com', 'https://two.example.com'],
      'delivery.encoding': ['ndjson', 'json'],
      'delivery.compression': ['gzip', 'none'],
      'delivery.headers': [{ 'x-a': 'one', 'x-b': 'b' }, { 'x-a': 'two' }],
      'delivery.secret': ['1'.repeat(32), '2'.repeat(32)],
      'delivery.fileStructure': ['hive', 'hive', { delivery: bucket }],
      'delivery.roleArn': ['arn:aws:iam::1:role/b', 'arn:aws:iam::1:role/c', { delivery: bucket }],
      'delivery.region': ['eu-central-1', 'us-west-1', { delivery: bucket }],
      'delivery.serverSideEncryption': ['aws:kms', 'AES256', { delivery: bucket }],
      'delivery.objectAcl': ['bucket-owner-read', 'private', { delivery: bucket }],
      sampling: [
        [{ type: 'head_sampling', rate: 0.5 }],
        [{ type: 'head_sampling', rate: 1, env: 'preview' }],
      ],
      transforms: [[{ id: 'a' }], [{ id: 'b' }]],
      status: ['disabled', 'enabled'],
    },
  },
  globalConfig: { place: (block) => ({ globalConfigs: { LABEL: block } }), base: {}, leaves: {} },
  globalConfigSchema: {
    place: (block) => ({ globalConfigs: { LABEL: { schema: block } } }),
    base: { definition: { type: 'object' } },
    leaves: {
      definition: [
        { type: 'object', properties: { a: { type: 'string' } } },
        { type: 'object', required: [] },
      ],
    },
  },
  globalConfigItem: {
    place: (block) => ({ globalConfigs: { LABEL: { items: { key: block } } } }),
    base: { value: 1 },
    leaves: { value: [{ a: [null, false, 0, ''] }, false], description: text },
  },
  globalConfigToken: {
    place: (block) => ({ globalConfigs: { LABEL: { tokens: { web: block } } } }),
    base: { $secretTo: 'discard' },
    leaves: {},
  },
  accessGroup: { place: (block) => ({ accessGroups: { LABEL: block } }), base: {}, leaves: {} },
  accessGroupMember: {
    place: (block) => ({ accessGroups: { LABEL: { members: { [members[0]!.uid]: block } } } }),
    base: {},
    leaves: {},
  },
  accessGroupProject: {
    place: (block) => ({ projects: { LABEL: {} }, accessGroups: { LABEL: { projects: { LABEL: block } } } }),
    base: { role: 'ADMIN' },
    leaves: { role: ['PROJECT_VIEWER', 'PROJECT_DEVELOPER'] },
  },
  aiGatewayRule: {
    place: (block) => ({ aiGatewayRules: { LABEL: block } }),
    base: { type: 'rewrite', match: { model: 'example/LABEL' }, action: { rewriteModel: 'example/other' } },
    leaves: {
      type: ['deny', 'rewrite'],
      'match.model': ['example/LABEL-1', 'example/LABEL-2'],
      action: [{ rewriteModel: 'example/one', reason: 'r' }, { rewriteModel: 'example/two' }],
      description: text,
      enabled: unset,
    },
  },
  aiGatewayBudget: {
    place: (block) => ({
      projects: { LABEL: {} },
      aiGatewayBudgets: { project: [block] },
    }),
    base: { projectId: 'LABEL', limitAmount: 10 },
    leaves: {
      projectId: ['LABEL', 'LABEL'],
      limitAmount: [20, 30],
      refreshPeriod: ['daily', 'weekly'],
      includeByokInQuota: flag,
    },
  },
};

/** A sample's body with one block in its place, under a name of its own. */
export function placed({ place }: Sample, label: string, block: Block): Block {
  return JSON.parse(JSON.stringify(place(block)).replaceAll('LABEL', label));
}

/** A block with the value at `path` set. */
export function withLeaf(block: Block, path: string, value: unknown): Block {
  const [name, ...rest] = path.split('.') as [string, ...string[]];
  const inner = rest.length === 0 ? value : withLeaf((block[name] ?? {}) as Block, rest.join('.'), value);
  return { ...block, [name]: inner };
}

/** Bodies of configurations as one; lists under one name are joined. */
export function merged(...bodies: Block[]): Block {
  const result: Block = {};
  for (const [name, value] of bodies.flatMap((body) => Object.entries(body))) {
    const known = result[name];
    if (known === undefined) result[name] = value;
    else if (Array.isArray(known)) result[name] = [...known, ...(value as unknown[])];
    else result[name] = merged(known as Block, value as Block);
  }
  return result;
}

/** A leaf of a kind's schemas; a map's members are `*`. `resets`: the path where null means something, if any. */
export interface SchemaLeaf {
  path: string;
  schema: z.ZodType;
  resets?: string;
}

/** All leaves that can be written in a block, as they are compared: objects by member, atomic ones whole. */
export function schemaLeaves(fields: FieldSchemas): SchemaLeaf[] {
  return Object.entries(fields).flatMap(([name, schema]) => leavesIn(name, schema, undefined));
}

function leavesIn(path: string, schema: z.ZodType, above: string | undefined): SchemaLeaf[] {
  const resets = schema.safeParse(null).success ? path : above;
  const shape = traitsOf(schema).atomic ? undefined : shapeOf(schema);
  if (shape)
    return Object.entries(shape).flatMap(([name, inner]) => leavesIn(`${path}.${name}`, inner, resets));
  const members = traitsOf(schema).atomic ? undefined : mapMembers(schema);
  if (members) return leavesIn(`${path}.*`, members, resets);
  return [{ path, schema, ...(resets === undefined ? {} : { resets }) }];
}

function mapMembers(schema: z.ZodType): z.ZodType | undefined {
  const def = schema.def as { type: string; valueType?: z.ZodType };
  if (def.type === 'record') return def.valueType;
  const inner = innerOf(schema);
  return inner && mapMembers(inner);
}

/** The leaves of a kind that a block may name: without the parts of its key that the place says. */
export const writableLeaves = (kind: Kind): SchemaLeaf[] =>
  schemaLeaves(kind.fields).filter(({ path }) => !kind.key.includes(path));

/** Whether a sample's leaf is the one of the schema; `*` stands for any member of a map. */
export const isLeaf = (sample: string, schema: string): boolean => {
  const [a, b] = [sample.split('.'), schema.split('.')];
  return a.length === b.length && b.every((part, index) => part === '*' || part === a[index]);
};
