/*
 * A finding that a plan predicts is there after its apply, and nothing else: random configurations with faults in the YAML, applied to an empty account.
 * Otherwise the harm would show only once it is done, or a finding would get another address, so that a rule under `findings:` no longer fits it.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { meaning } from '../../providers/hosting/meaning/index.ts';
import { findInPlan, toViewedChanges } from '../../src/meaning/find.ts';
import { viewsOfPlan } from '../../src/meaning/view.ts';
import { oneStoryIn, runs } from '../support/sweep.ts';
import { kinds, type Planned, World } from '../support/world.ts';

const story = oneStoryIn(4);

/** Returns the findings about the account after a plan, as texts. Left out are those about the change itself. */
async function findingsAfter({
  configuration: { desired },
  live,
  plan: { changes },
}: Planned): Promise<string[]> {
  const views = viewsOfPlan(live, changes, { desired, kinds });
  const { shown } = await findInPlan(meaning, views, {
    changes: toViewedChanges(changes),
    actions: [],
    desired,
  });
  return shown
    .filter(({ code }) => code !== 'deployment/needed')
    .map(({ severity, code, address, message }) => `${severity} ${code} ${address}: ${message}`)
    .sort();
}

/** Faults of a project, and of its zone, each as a block of its section. */
const faults = {
  env: [
    'NEXT_PUBLIC_STRIPE: sk_live_abcdefghijklmnopqrstuvwx',
    'VERCEL_URL: x',
    'SHARED: own',
    'Level: a',
    'LEVEL: b',
    'NEXT_PUBLIC_PASSWORD: hunter',
    '{ key: NEXT_PUBLIC_GITHUB, value: ghp_abcdefghijklmnopqrstuvwxyz0123456789, target: [preview, development] }',
  ],
  rules: [
    '{ name: all, active: true, conditionGroup: [{ conditions: [{ type: path, op: pre, value: / }] }], action: { mitigate: { action: deny } } }',
    '{ name: health, active: true, conditionGroup: [{ conditions: [{ type: path, op: eq, value: /health }] }], action: { mitigate: { action: bypass } } }',
    '{ name: none, active: true, conditionGroup: [{ conditions: [{ type: path, op: pre, value: x }] }], action: { mitigate: { action: deny } } }',
  ],
  domains: [
    'www.example.com: {}',
    'old.example.com: { redirect: shop.example.com, redirectStatusCode: 308 }',
  ],
  records: [
    '{ type: CNAME, name: old, value: gone.example.com }',
    '{ type: CNAME, name: ring, value: circle.example.com }',
    '{ type: CNAME, name: free, value: cname.vercel-dns.com }',
    '{ type: TXT, name: "@", value: "v=spf1 include:_spf.example.net +all" }',
    '{ type: TXT, name: "@", value: "v=spf1 -all" }',
    '{ type: TXT, name: "*", value: hello }',
  ],
  settings: ['protectedSourcemaps: false', 'directoryListing: true'],
} as const;

const shuffled = <T>(items: readonly T[]) => fc.shuffledSubarray([...items]);
const faulty = fc.record({
  env: shuffled(faults.env),
  rules: shuffled(faults.rules),
  domains: shuffled(faults.domains),
  records: shuffled(faults.records),
  settings: shuffled(faults.settings),
  targets: shuffled(['production', 'preview', 'development']),
  isOn: fc.constantFrom(true, false, undefined),
});

/** Returns the variables of a project in YAML: one text with a key becomes a block of its own. */
function variablesIn(env: readonly string[], targets: readonly string[]): string {
  const target = targets.length === 0 ? '' : `, target: [${targets.join(', ')}]`;
  return env
    .map((variable) => {
      const [, key, rest] = /^\{ key: (\w+), (.*) \}$/.exec(variable) ?? [];
      if (key !== undefined) return `      ${key}: { ${rest} }\n`;
      const [name, value] = variable.split(': ');
      return `      ${name}: { value: ${value}${target} }\n`;
    })
    .join('');
}

const listOf = (entries: readonly string[], indent: string) =>
  entries.length === 0 ? ' []\n' : `\n${entries.map((entry) => `${indent}- ${entry}\n`).join('')}`;

function yamlOf({
  env,
  rules,
  domains,
  records,
  settings,
  targets,
  isOn,
}: typeof faulty extends fc.Arbitrary<infer T> ? T : never): string {
  const enabled = isOn === undefined ? '' : `      firewallEnabled: ${isOn}\n`;
  return `sharedEnv: { SHARED: { value: all, projectId: ["\${projects.web.id}"] } }
projects:
  web:
    framework: nextjs
${settings.map((setting) => `    ${setting}\n`).join('')}    env:
      PLAIN: x
${variablesIn(env, targets)}    firewall:
${enabled}      rules:${listOf(rules, '        ')}    domains:
      shop.example.com: {}
${domains.map((domain) => `      ${domain}\n`).join('')}domains:
  example.com:
    records:${listOf(records, '      ')}`;
}

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

story('what a plan predicts is there after its apply, and nothing else', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(faulty, async (drawn) => {
      world.clear();
      const yaml = yamlOf(drawn);
      const first = await world.plan(yaml);
      const predicted = await findingsAfter(first);
      const { outcome } = await world.apply(first);
      expect(outcome.failed.map(({ error }) => error)).toEqual([]);
      const second = await world.plan(yaml, {}, ({ name }) => name === 'project');
      expect(await findingsAfter(second)).toEqual(predicted);
      found += predicted.length;
    }),
    { numRuns: runs(300) },
  );
  expect(found).toBeGreaterThan(0);
});
