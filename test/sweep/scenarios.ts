import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import type { Kind } from '../../src/kind/kind.ts';
import { bodyOf, casesOf, withoutKind } from '../support/field-cases.ts';
import type { Block } from '../support/samples.ts';
import type { Scenario } from './crash.ts';

/** For each kind: that objects of it come, change and go. */
export const scenarios: Scenario[] = allKinds.flatMap((kind: Kind) => {
  const cases = casesOf(kind).slice(0, 4);
  const body = (step: number) => bodyOf(kind, cases, step);
  return [
    { name: `${kind.name} comes`, next: body(0) },
    { name: `${kind.name} changes`, first: body(0), next: body(1) },
    { name: `${kind.name} goes`, first: body(0), next: withoutKind(body(0), kind) },
  ];
});

const rule = (name: string, action: string) => ({
  name,
  active: true,
  conditionGroup: [{ conditions: [{ type: 'path', op: 'pre', value: `/${name}` }] }],
  action: { mitigate: { action } },
});

/** A document that is written whole where its container is new. */
export const documentScenarios: Scenario[] = [
  {
    name: 'a firewall comes with its project',
    next: {
      projects: {
        fresh: {
          firewall: {
            firewallEnabled: true,
            botIdEnabled: true,
            managedRules: { owasp: { active: true, action: 'deny' } },
            crs: { sqli: { active: true, action: 'deny' } },
            ips: [{ hostname: 'www.example.com', ip: '192.0.2.0/24', action: 'deny' }],
            rules: [rule('health', 'bypass'), rule('admin', 'deny')],
          },
        },
      },
    },
  },
];

/** A token with a variable for its secret. Without `$replace`, another `value` would be refused. */
const tokenInVariable = (value: string) => ({
  projects: { app: {} },
  globalConfigs: {
    fresh: {
      tokens: { web: { $secretTo: { variable: 'projects/app/env/EDGE', value }, $replace: 'allow' } },
    },
  },
});

const [edge, other] = ['https://edge.example/${id}?token=${secret}', 'https://other.example?token=${secret}'];

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}-${at}`);
const blocks = (all: string[], block: (name: string) => Block): Block =>
  Object.fromEntries(all.map((name) => [name, block(name)]));

/** Projects with one of each list, as the large account of the benchmark has many of. */
const manyLists = (version: string): Block => ({
  projects: blocks(names('site', 3), () => ({
    env: { VERSION: { value: version, type: 'plain', target: ['production'] } },
    firewall: { rules: [rule('admin', version === '1' ? 'deny' : 'log')] },
    bulkRedirects: { '/old': { destination: `/new/${version}` }, [`/old/${version}`]: { destination: '/' } },
    routes: [{ name: 'docs', route: { src: '/docs', dest: `/docs/${version}` } }],
  })),
  domains: { 'lists.example': { records: [{ type: 'A', name: 'www', value: `192.0.2.${version}` }] } },
});

/** Webhooks whose secrets are delivered, as the other large account of the benchmark has many of. */
const manySecrets: Block = {
  webhooks: blocks(names('hook', 4), (name) => ({
    url: `https://hooks.example.com/${name}`,
    events: ['deployment.error'],
    $secretTo: { file: `secrets/${name}` },
  })),
};

/** The accounts of the benchmark, small. */
export const benchScenarios: Scenario[] = [
  { name: 'projects with all kinds of lists come', next: manyLists('1') },
  { name: 'projects with all kinds of lists change', first: manyLists('1'), next: manyLists('2') },
  { name: 'webhooks come with their secrets', next: manySecrets },
];

/** Secrets that are shown once, or that the platform generates, and the variables that they are written to. */
export const secretVariableScenarios: Scenario[] = [
  { name: 'a token and its variable come', next: tokenInVariable(edge) },
  {
    name: 'a token is replaced for its variable',
    first: tokenInVariable(edge),
    next: tokenInVariable(other),
  },
  {
    name: 'a token and its variable go',
    first: tokenInVariable(edge),
    next: { projects: { app: {} }, globalConfigs: { fresh: {} } },
  },
  {
    name: 'a webhook and its shared variable come',
    next: {
      webhooks: {
        fresh: {
          url: 'https://hooks.example.com/fresh',
          events: ['deployment.error'],
          $secretTo: { variable: 'sharedEnv/HOOK', target: ['production'] },
        },
      },
    },
  },
  {
    name: 'a generated secret goes into a variable',
    next: {
      projects: {
        fresh: {
          protectionBypass: { e2e: { note: 'End-to-end tests' } },
          env: {
            BYPASS: {
              value: 'token=${projects.fresh.protectionBypass.e2e.secret}',
              type: 'sensitive',
              target: ['production'],
            },
          },
        },
      },
    },
  },
];
