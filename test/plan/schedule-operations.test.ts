import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address } from '../../src/model/address.ts';
import type { Operation, Plan } from '../../src/model/plan.ts';
import { newWorld } from '../support/scene.ts';
import { oneStoryIn, runs } from '../support/sweep.ts';
import { boxOf, type Tinies, tinyPlan } from '../support/tiny.ts';
import { ownDomains } from '../twin/client.ts';

const story = oneStoryIn(3);

const item = (n: number): Address => `boxes/${n % 2 === 0 ? 'a' : 'b'}/items/i${n}`;

/** Items that use only earlier ones, some of them with an explicit `$dependsOn`, too. */
const some = (size: number): fc.Arbitrary<Tinies> =>
  fc
    .array(
      fc.record({
        is: fc.boolean(),
        uses: fc.array(fc.nat(size - 1), { maxLength: 3 }),
        after: fc.option(fc.nat(size - 1), { nil: undefined }),
        colour: fc.constantFrom('red', 'blue'),
      }),
      { minLength: size, maxLength: size },
    )
    .map((all) => {
      const is = (n: number) => all[n]!.is;
      const earlier = (n: number, others: number[]) =>
        [...new Set(others)].filter((other) => other < n && is(other)).map(item);
      const items = all.flatMap(({ uses, after, colour }, n): [Address, Tinies[string]][] =>
        is(n)
          ? [
              [
                item(n),
                {
                  colour,
                  uses: earlier(n, uses),
                  ...(after === undefined ? {} : { meta: { dependsOn: earlier(n, [after]) } }),
                },
              ],
            ]
          : [],
      );
      return Object.fromEntries(
        [...new Set(items.flatMap(([address]) => boxOf(address)))]
          .map((box) => [box, {}])
          .concat(items as never),
      );
    });

/** Runs the operations in an order that their dependencies allow, the one that `pick` prefers, and checks each step. */
function play(plan: Plan, live: Tinies, pick: (choices: number) => number): Set<Address> {
  const exists = new Set(Object.keys(live));
  const uses = new Map(Object.entries(live).map(([address, tiny]) => [address, tiny.uses ?? []]));
  const done = new Set<string>();
  const waiting = [...plan.operations];
  while (waiting.length > 0) {
    const ready = waiting.filter(({ dependsOn }) => dependsOn.every((id) => done.has(id)));
    expect(ready.length, 'some operation can always go on').toBeGreaterThan(0);
    const operation = ready[pick(ready.length)]!;
    waiting.splice(waiting.indexOf(operation), 1);
    for (const address of operation.changes) check(operation, address);
    done.add(operation.id);
  }
  return exists;

  function check({ requests }: Operation, address: Address) {
    const after = plan.changes.find((change) => change.address === address)?.after;
    const wanted = ((after?.fields.uses ?? []) as { $ref: Address }[]).map(({ $ref }) => $ref);
    if (requests[0]!.endpoint.startsWith('DELETE')) {
      // What was let go is not ours to change any more, whatever it uses.
      const isOurs = (other: Address) =>
        plan.changes.every((change) => change.address !== other || change.action !== 'release');
      const users = [...uses].filter(
        ([other, used]) => exists.has(other) && isOurs(other) && used.includes(address),
      );
      expect(users, `${address} is deleted while it is used`).toEqual([]);
      exists.delete(address);
      return;
    }
    for (const needed of [...wanted, ...boxOf(address)])
      expect(exists, `${address} needs ${needed}`).toContain(needed);
    exists.add(address);
    uses.set(address, wanted);
  }
}

/** What is deleted although an object that is let go uses it. */
function usedByWhatStays({ changes }: Plan): Address[] {
  const left = changes.filter(({ action }) => action === 'release');
  const uses = new Set(
    left.flatMap(({ before }) =>
      ((before?.fields.uses ?? []) as { $ref: Address }[]).map(({ $ref }) => $ref),
    ),
  );
  return changes
    .filter(({ action, address }) => action === 'delete' && uses.has(address))
    .map(({ address }) => address)
    .sort();
}

describe('operations of random graphs', () => {
  story(
    'whatever order their dependencies allow, nothing is made before what it needs or deleted while it is used',
    () => {
      fc.assert(
        fc.property(some(7), some(7), fc.infiniteStream(fc.nat(100)), (desired, live, choices) => {
          fc.pre(Object.keys(desired).length > 0);
          const plan = tinyPlan({ desired, live, known: live });
          const used = usedByWhatStays(plan);
          const refused = plan.diagnostics.flatMap(({ code, address }) =>
            code === 'plan/still-named' || code === 'plan/named-elsewhere' ? [address!] : [],
          );
          expect([...new Set(refused)].sort()).toEqual(used);
          const others = [
            'was/suspected',
            'was/proposed',
            'removed/released',
            'plan/still-named',
            'plan/named-elsewhere',
          ];
          expect(plan.diagnostics.filter(({ code }) => !others.includes(code))).toEqual([]);
          fc.pre(used.length === 0);
          const boxes = Object.keys(live).filter((address) => !address.includes('/items/'));
          const stay = boxes.flatMap((box) =>
            box in desired
              ? []
              : [box, ...Object.keys(live).filter((address) => address.startsWith(`${box}/`))],
          );
          const left = play(plan, live, (count) => choices.next().value! % count);
          expect([...left].sort()).toEqual([...new Set([...Object.keys(desired), ...stay])].sort());
        }),
        { numRuns: runs(300, 5) },
      );
    },
  );

  it('a stack ends in the opposite order, also when only the ledger knows it', () => {
    fc.assert(
      fc.property(some(7), (live) => {
        // The platform shows nothing of `$dependsOn`, nor here of what is used.
        const bare = Object.fromEntries(Object.keys(live).map((address) => [address, {}]));
        const plan = tinyPlan({ desired: {}, live: bare, known: live }, { destroy: true });
        const at = new Map(
          plan.operations.flatMap(({ changes }, index) => changes.map((address) => [address, index])),
        );
        for (const [address, { uses = [], meta }] of Object.entries(live))
          for (const needed of [...uses, ...(meta?.dependsOn ?? [])])
            expect(at.get(address), `${address} before ${needed}`).toBeLessThan(at.get(needed)!);
      }),
      { numRuns: runs(100, 5) },
    );
  });

  it('operations stand after those that they depend on, and depend on nothing else', () => {
    fc.assert(
      fc.property(some(6), some(6), (desired, live) => {
        const { operations } = tinyPlan({ desired, live, known: live });
        operations.forEach(({ dependsOn }, index) => {
          const before = operations.slice(0, index).map(({ id }) => id);
          for (const id of dependsOn) expect(before).toContain(id);
        });
        expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
      }),
      { numRuns: runs(100, 5) },
    );
  });
});

it('what is not related runs side by side', () => {
  const { operations } = tinyPlan({
    desired: { 'boxes/a': {}, 'boxes/b': {}, [item(0)]: {}, [item(2)]: {} },
    live: {},
  });
  const width = operations.filter(({ dependsOn }) => dependsOn.length === 0).length;
  expect(width).toBe(2);
  expect(operations.filter(({ dependsOn }) => dependsOn.length === 1)).toHaveLength(2);
});

it('what uses a replaced one is changed when that is there again', () => {
  const live = {
    'boxes/a': {},
    [item(0)]: { shape: 'round' },
    [item(2)]: { uses: [item(0)], colour: 'red' },
  };
  const desired = {
    'boxes/a': {},
    [item(0)]: { shape: 'square', meta: { replace: 'allow' as const } },
    [item(2)]: { uses: [item(0)], colour: 'blue' },
  };
  const plan = tinyPlan({ desired, live, known: live });
  expect(plan.diagnostics).toEqual([]);
  expect(plan.operations.map(({ requests }) => requests[0]!.endpoint.split(' ')[0])).toContain('PATCH');
});

it('changes that need each other are an error that names them', () => {
  const uses = (n: number, other: number) => ({ [item(n)]: { uses: [item(other)] } });
  const plan = tinyPlan({ desired: { 'boxes/a': {}, ...uses(0, 2), ...uses(2, 0) }, live: {} });
  expect(plan.diagnostics.map(({ code }) => code)).toEqual(['plan/cycle']);
  expect(plan.diagnostics[0]!.message).toContain(item(0));
  expect(plan.operations).toEqual([]);
});

describe('on the twin', () => {
  story('the target of a redirect comes first and goes last', async () => {
    const world = await newWorld();
    const domains = (list: string) => `projects: { web: { domains: { ${list} } } }`;
    const three =
      'a.example.com: { redirect: b.example.com, redirectStatusCode: 308 }, b.example.com: {}, c.example.com: { redirect: b.example.com, redirectStatusCode: 308 }';
    await world.converge(domains(three));
    const made = world.writes().map((line) => line.split(' ')[0]);
    expect(made).toEqual(['POST', 'POST', 'POST', 'POST']);
    const names = () => ownDomains(world.twin.account.projects[0]!).map(({ name }) => name);
    expect(names()[0]).toBe('b.example.com');
    // One lets go by an update, one by going itself.
    const since = world.twin.requests.length;
    await world.converge(domains('a.example.com: { redirect: null }'));
    expect(world.writes(since).at(-1)).toMatch(/^DELETE .*\/b\.example\.com$/);
  });

  it('a lane runs one at a time, other things beside it', async () => {
    const world = await newWorld();
    await world.converge('projects: { web: {} }');
    const { plan } = await world.plan(`
projects:
  docs:
    env: { A: { value: a, comment: alone } }
  web:
    firewall:
      firewallEnabled: true
      managedRules: { owasp: { active: true, action: deny } }
      ips: [{ hostname: example.com, ip: 192.0.2.1, action: deny }, { hostname: example.com, ip: 192.0.2.2, action: deny }]
`);
    const lane = plan.operations.filter(({ changes }) =>
      changes.some((address) => address.includes('/firewall')),
    );
    for (const [index, { dependsOn }] of lane.slice(1).entries())
      expect(dependsOn).toContain(lane[index]!.id);
    // Opening the gate comes last.
    expect(lane.at(-1)!.changes).toEqual(['projects/web/firewall']);
    const env = plan.operations.find(({ changes }) => changes.some((address) => address.includes('/env/')))!;
    expect(env.dependsOn).toEqual(['create projects/docs']);
  });
});
