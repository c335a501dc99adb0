import { expect, it } from 'vitest';
import type { Seed } from '../../providers/hosting/twin/index.ts';
import type { Plan } from '../../src/model/plan.ts';
import { codes, newWorld } from '../support/scene.ts';
import { oneRowIn } from '../support/sweep.ts';
import { type Tinies, tinyPlan } from '../support/tiny.ts';

/** Which operation reserves for which, and for what; `(self)` for itself. */
const reservations = ({ operations }: Plan) => {
  const reservedIn = new Map(
    operations.map(({ id, requests }) => [
      id,
      requests
        .flatMap(({ endpoint, reserved }) => (reserved === id ? endpoint.split(' ')[0]! : []))
        .join(', '),
    ]),
  );
  return operations.flatMap(({ id, reserves = [] }) =>
    reserves.map((other) => `${id}: ${reservedIn.get(other)} of ${other === id ? '(self)' : other}`),
  );
};
/** Every mark, whether or not somebody reserves for it. */
const marks = ({ operations }: Plan) =>
  operations.flatMap(({ requests }) => requests.flatMap(({ reserved }) => reserved ?? []));

const zone = (...records: string[]) =>
  `domains: { example.com: { $existing: true, $exclusive: [records], records: [${records}] } }`;
const env = (entry: string) => `projects: { web: { env: { A: ${entry} } } }`;
const records = 'domains/example.com/records/a';

oneRowIn(5)<[string, string, string, string[]]>([
  [
    'a name that gets another type',
    zone('{ type: A, name: a, value: 192.0.2.1 }', '{ type: A, name: a, value: 192.0.2.2 }'),
    zone('{ type: CNAME, name: a, value: two.example.org }'),
    [`delete ${records}/A: DELETE of (self)`, `delete ${records}/A: POST of create ${records}/CNAME`],
  ],
  [
    'types that may stand beside each other: the new one is made first',
    zone('{ type: A, name: a, value: 192.0.2.1 }'),
    zone('{ type: AAAA, name: a, value: "2001:db8::1" }'),
    [],
  ],
  [
    'a set that loses one and gains two: made first',
    zone('{ type: TXT, name: a, value: one }'),
    zone('{ type: TXT, name: a, value: two }', '{ type: TXT, name: a, value: three }'),
    [],
  ],
  [
    'a variable that is deleted, and made again in a form that can be read',
    env('{ value: a, target: [production], type: sensitive }'),
    env('{ value: a, target: [production], type: encrypted, $replace: allow }'),
    ['replace projects/web/env/A@production: POST of replace projects/web/env/A@production (2)'],
  ],
  [
    'a place that leaves its row',
    env('{ value: a, target: [production, preview] }'),
    env('[{ value: a, target: [production] }, { value: b, target: [preview] }]'),
    ['update projects/web/env/A@preview: POST of update projects/web/env/A@preview (2)'],
  ],
  [
    'what a kind makes one after the other',
    'projects: { web: {} }',
    'projects: { web: { protectionBypass: { one: { note: one }, two: { note: two } } } }',
    [],
  ],
  [
    'what a kind deletes one after the other',
    'projects: { web: { protectionBypass: { one: { note: one }, two: { note: two } } } }',
    'projects: { web: { protectionBypass: {} } }',
    [],
  ],
  ['what goes for good', env('a'), 'projects: { web: { env: {} } }', []],
  ['what only changes', env('a'), env('b'), []],
])('%s', async (_, before, after, expected) => {
  const world = await newWorld({ seed: { domains: [{ name: 'example.com' }] } });
  await world.converge(before);
  const { plan } = await world.plan(after, { maxDeletions: 10 });
  expect(codes(plan)).toEqual([]);
  expect(plan.operations).not.toEqual([]);
  expect(reservations(plan)).toEqual(expected);
  expect(marks(plan)).toHaveLength(expected.length);
});

it('a deletion and a creation in one operation: the creation, with what is sent before it', async () => {
  const found = (value: string) => ({ type: 'CNAME', name: 'a', value });
  const seed = { domains: [{ name: 'example.com', records: [found('one.example.org')] }] } as Seed;
  const world = await newWorld({ seed });
  const { plan } = await world.plan(zone('{ type: CNAME, name: a, value: two.example.org }'));
  expect(reservations(plan)).toEqual([`update ${records}/CNAME: POST of (self)`]);
});

it('an object that cannot be changed, and nothing of those that need it', () => {
  const at = (shape: string): Tinies => ({
    'boxes/a': {},
    'boxes/a/items/i': { shape, meta: { replace: 'allow' } },
    'boxes/a/items/j': { uses: ['boxes/a/items/i'] },
  });
  const plan = tinyPlan({
    desired: { ...at('round'), 'boxes/a/items/k': {} },
    live: at('flat'),
    known: at('flat'),
  });
  expect(reservations(plan)).toEqual(['delete boxes/a/items/i: POST of create boxes/a/items/i']);
  expect(marks(plan)).toEqual(['create boxes/a/items/i']);
});

it('what is staged is seen by nobody yet, and needs no room', async () => {
  const world = await newWorld({ seed: { projects: [{ name: 'web' }] } });
  const routes = (...names: string[]) =>
    `projects: { web: { routes: [${names.map((name) => `{ name: ${name}, route: { src: /${name}, dest: /x } }`)}] } }`;
  await world.converge(routes('a', 'b', 'c'));
  const { plan } = await world.plan(routes('c', 'a', 'b'));
  expect(plan.operations).toHaveLength(1);
  expect(marks(plan)).toEqual([]);
});
