import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import type { Fact } from '../../src/kind/evidence.ts';
import type { Provider } from '../../src/kind/provider.ts';
import { noteCounts } from '../support/cost.ts';
import { runs } from '../support/sweep.ts';
import { describe, type Planned, type World } from '../support/world.ts';
import { briefly } from '../sweep/briefly.ts';
import { noCounts } from '../sweep/checked-run.ts';
import { anyNumber, asked, edit } from '../sweep/edits.ts';
import { kindNames } from '../sweep/parts.ts';
import { playEdits, sharedWorlds } from '../sweep/play-edits.ts';
import { rehearseIn } from './rehearse-world.ts';

const stories = runs(300, 300);
const counts = { green: 0, unknown: 0, fails: 0 };
noteCounts('rehearsed applies', () => counts);

/** Kinds for which the platform has rules that the twin lacks, as a real account has shown. */
const hiddenKinds = ['webhook', 'projectEnvVar', 'projectDomain'];

/** The provider after an account has contradicted the twin's rules for these kinds. */
const contradicted: Provider = {
  ...hosting,
  evidence: async () => {
    const evidence = await hosting.evidence();
    const fact: Fact = {
      ...evidence.facts[0]!,
      id: 'HIDDEN',
      kinds: hiddenKinds,
      contradictedBy: 'a report',
    };
    return { ...evidence, facts: [...evidence.facts, fact] };
  },
};

/** Has each apply of a world rehearsed first, and compared with its rehearsal. Returns the function that ends this. */
function rehearseApplies(world: World, hasHiddenRules: boolean): () => void {
  const { apply } = world;
  world.apply = async (planned, more) => {
    const { verdict, refused, remaining, undeclared } = await rehearseUnnoticed(
      world,
      planned,
      hasHiddenRules,
    );
    counts[verdict] += 1;
    const isHidden = planned.plan.changes.some(
      ({ action, kind }) => action !== 'noop' && hiddenKinds.includes(kind),
    );
    if (hasHiddenRules && isHidden && verdict === 'green')
      throw new Error(`it is green, although the platform has further rules\n${describe(planned.plan)}`);
    const result = await apply.call(world, planned, more);
    const failures = result.outcome.failed.map(
      ({ address, error }) => `${address}: ${(error as Error).message}`,
    );
    if (verdict === 'green' && failures.length > 0)
      throw new Error(`it rehearsed green, and failed: ${failures.join('\n')}\n${describe(planned.plan)}`);
    // A change beside the plan is no failure of the apply.
    const isForetold = refused.length > 0 || (remaining?.length ?? 0) > 0;
    if (isForetold && failures.length === 0)
      throw new Error(
        `it was done, but rehearsed: ${JSON.stringify({ refused, remaining, undeclared })}\n${describe(planned.plan)}`,
      );
    return result;
  };
  return () => {
    world.apply = apply;
  };
}

/** Rehearses a plan. Throws if that changes the account or the ledger of the world. */
async function rehearseUnnoticed(world: World, planned: Planned, hasHiddenRules: boolean) {
  const before = structuredClone({ account: world.twin.account, ledger: world.ledger });
  const rehearsal = await rehearseIn(world, planned, planned.input.options, {
    provider: hasHiddenRules ? contradicted : hosting,
    crashPoints: 0,
  });
  if (!isDeepStrictEqual(before, { account: world.twin.account, ledger: world.ledger }))
    throw new Error('the rehearsal changed the account or the ledger');
  return rehearsal;
}

const add = fc.record({ what: fc.constant('add' as const), a: anyNumber, b: anyNumber, c: anyNumber });
const step = fc.record({ edits: fc.array(edit, { minLength: 1, maxLength: 4, size: 'max' }), asked });
const story = fc.record({
  hasHiddenRules: fc.boolean(),
  kinds: fc.subarray(kindNames, { minLength: 3, maxLength: 9 }),
  first: fc.array(add, { minLength: 2, maxLength: 6, size: 'max' }),
  steps: fc.array(step, { minLength: 1, maxLength: 3, size: 'max' }),
});

let world: World;
beforeAll(async () => {
  const [likely, other] = await sharedWorlds();
  await other!.stop();
  world = likely!;
});
afterAll(() => world.stop());

test('a plan that rehearses green applies green, and what the twin does not know is never green', async () => {
  const plainly = { how: 'plainly' as const, a: 0, maxDeletions: undefined, outside: [] };
  const played = briefly(
    async ({
      hasHiddenRules,
      kinds,
      first,
      steps,
    }: typeof story extends fc.Arbitrary<infer T> ? T : never) => {
      const stop = rehearseApplies(world, hasHiddenRules);
      try {
        await playEdits(world, { kinds, steps: [{ edits: first, asked: plainly }, ...steps] }, noCounts());
      } finally {
        stop();
      }
    },
  );
  await fc.assert(fc.asyncProperty(story, played), { numRuns: stories, unbiased: true });
});
