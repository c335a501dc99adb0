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
    },
    identity: ['target', 'gitBranch', 'customEnvironmentIds'],
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
