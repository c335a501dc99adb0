import fc from 'fast-check';
import { expect, it } from 'vitest';
import { noteCounts } from '../support/cost.ts';
import { actions } from '../support/scene.ts';
import { Stacks } from '../support/stacks.ts';
import { runs } from '../support/sweep.ts';
import type { Planned } from '../support/world.ts';
import { bodyOf, type Configuration, formerName, nameOf, sorts, type Thing } from './things.ts';

const counts = { stories: 0, applied: 0, handedOver: 0, refused: 0, stopped: 0, renamed: 0, removed: 0 };
noteCounts('stacks', () => counts);

/** Some stacks on one account, and what each of them declares. */
class Company {
  readonly stacks: Stacks;
  readonly names: string[];
  readonly configurations: Map<string, Configuration>;
  #made = 0;

  constructor(stacks: Stacks, names: string[]) {
    this.stacks = stacks;
    this.names = names;
    this.configurations = new Map(names.map((name) => [name, new Map()]));
  }

  of = (stack: string) => this.configurations.get(stack)!;
  body = (stack: string) => bodyOf([...this.of(stack).values()], { ownsSite: stack === this.names[0] });
  newName = (sort: Thing['sort']) => nameOf(sort, this.#made++);

  /** `isWorkspace`: the configurations of all stacks are in one checkout. */
  async plan(stack: string, isWorkspace = false): Promise<Planned> {
    return this.stacks.plan(stack, this.body(stack), {
      maxDeletions: 100,
      ...(isWorkspace ? { siblings: await this.siblingsOf(stack) } : {}),
    });
  }

  siblingsOf = async (stack: string) => {
    const others = this.names.filter((name) => name !== stack);
    const siblings = [];
    for (const name of others) siblings.push(await this.stacks.sibling(name, this.body(name)));
    return siblings;
  };

  /** Applies; with `stopAt`, once more after the machine was gone at that write. Then nobody else has anything to do. */
  async apply(stack: string, stopAt?: number, isWorkspace = false): Promise<void> {
    for (const stop of stopAt === undefined ? [undefined] : [stopAt, undefined]) {
      const planned = await this.plan(stack, isWorkspace);
      expect(planned.plan.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      let left = stop ?? Number.POSITIVE_INFINITY;
      const { send } = this.stacks.world.connection;
      await this.stacks.carryOut(stack, planned, {
        send: async (request) => {
          if (!request.endpoint.startsWith('GET') && left-- <= 0) {
            counts.stopped++;
            throw new Error('the machine is gone');
          }
          return send(request);
        },
      });
      counts.applied++;
    }
    // The mark of an object that was taken over goes by itself.
    expect(pendingIn((await this.plan(stack)).plan), stack).toEqual([]);
  }

  /** Nothing that others own was touched: none of them has anything to do. `but`: those that are in the middle of something. */
  async expectPeace(...but: string[]): Promise<void> {
    for (const name of this.names) {
      if (but.includes(name)) continue;
      const { plan } = await this.plan(name);
      expect([name, ...pendingIn(plan)]).toEqual([name]);
      expect(plan.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    }
  }
}

/** What a plan would do for a person to approve. */
const pendingIn = (plan: Planned['plan']): string[] =>
  actions({ ...plan, changes: plan.changes.filter(({ changesLedgerOnly }) => !changesLedgerOnly) });

const step = fc.record({
  what: fc.constantFrom('add', 'add', 'edit', 'remove', 'rename', 'slip', 'handover', 'forget', 'workspace'),
  stack: fc.nat(2),
  other: fc.nat(1),
  sort: fc.constantFrom(...sorts),
  pick: fc.nat(100),
  value: fc.integer({ min: 1, max: 200 }),
  stopAt: fc.option(fc.nat(2), { nil: undefined, freq: 2 }),
  oldFirst: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take(company: Company, { what, stopAt, ...given }: Step): Promise<void> {
  const { names } = company;
  const stack = names[given.stack % names.length]!;
  const other = names.filter((name) => name !== stack)[given.other % (names.length - 1)]!;
  const own = company.of(stack);
  const thing = [...own.values()][given.pick % Math.max(own.size, 1)];
  if (what === 'add' || !thing) {
    const name = company.newName(given.sort);
    own.set(name, { sort: given.sort, name, value: given.value });
    return company.apply(stack, stopAt);
  }
  const drop = () => own.delete(thing.name);
  const give = (from?: string) =>
    company.of(other).set(thing.name, { ...thing, ...(from === undefined ? {} : { from }) });
  switch (what) {
    case 'edit':
      own.set(thing.name, { ...thing, value: given.value });
      return company.apply(stack, stopAt);
    case 'remove':
      counts.removed++;
      own.set(thing.name, { ...thing, removed: 'delete' });
      await company.apply(stack, stopAt);
      drop();
      return;
    case 'rename': {
      const name = company.newName(thing.sort);
      drop();
      own.set(name, { ...thing, name, ...formerName(thing) });
      counts.renamed++;
      await company.apply(stack, stopAt);
      own.set(name, { sort: thing.sort, name, value: thing.value });
      return;
    }
    case 'slip': {
      // In one checkout or not, asked for or not: without a word of its owner it stays.
      for (const [from, code] of [
        [undefined, 'stack/owned'],
        [stack, 'stack/no-consent'],
      ] as const)
        for (const isWorkspace of [false, true]) {
          give(from);
          const { plan } = await company.plan(other, isWorkspace);
          expect(plan.diagnostics.map(({ code }) => code)).toContain(code);
          counts.refused++;
        }
      company.of(other).delete(thing.name);
      return;
    }
    case 'handover':
      own.set(thing.name, { ...thing, handover: other });
      await company.apply(stack, stopAt);
      if (given.oldFirst) {
        drop();
        await company.apply(stack);
      }
      give(stack);
      await company.apply(other, stopAt);
      drop();
      await company.apply(stack);
      break;
    case 'forget':
      own.set(thing.name, { ...thing, removed: 'release' });
      await company.apply(stack, stopAt);
      drop();
      give(stack);
      await company.apply(other);
      break;
    case 'workspace': {
      drop();
      give(stack);
      const both = [stack, other].map((name) => () => company.apply(name, stopAt, true));
      for (const one of given.oldFirst ? both : both.reverse()) await one();
    }
  }
  counts.handedOver++;
  const { from: _, ...left } = company.of(other).get(thing.name)!;
  company.of(other).set(thing.name, left);
}

it('two and three stacks never touch what another one owns, and do not fight', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 3 }),
      fc.array(step, { minLength: 3, maxLength: 8 }),
      async (number, steps) => {
        const stacks = await Stacks.start({ seed: { domains: [{ name: 'example.com' }] } });
        const company = new Company(stacks, ['web', 'growth', 'mail'].slice(0, number));
        for (const name of company.names) await company.apply(name);
        for (const one of steps) {
          await take(company, one);
          await company.expectPeace();
        }
        counts.stories++;
      },
    ),
    { numRuns: runs(500, 250), endOnFailure: true },
  );
});
