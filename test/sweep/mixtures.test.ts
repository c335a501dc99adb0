import fc from 'fast-check';
import { it } from 'vitest';
import { noteCounts } from '../support/cost.ts';
import { merged } from '../support/samples.ts';
import { runs } from '../support/sweep.ts';
import type { Scenario } from './crash.ts';
import { type Action, behind, type Fault, tooLong } from './fault-points.ts';
import { openStage, type Stage } from './faults.ts';
import { scenarios } from './scenarios.ts';

const action: fc.Arbitrary<Action> = fc.constantFrom<Action[]>(
  { type: 'rateLimit' },
  { type: 'rateLimit', retryAfter: 2 },
  { type: 'rateLimit', retryAfter: tooLong },
  { type: 'status', status: 500 },
  { type: 'status', status: 503, when: 'after' },
  { type: 'connectionReset' },
  { type: 'connectionReset', when: 'after' },
  { type: 'connectionReset', when: 'during' },
  { type: 'cutJson' },
  { type: 'partialBatch' },
  { type: 'stale', ms: behind },
  { type: 'stale', ms: behind, byId: true },
);
const requestNumber = fc.integer({ min: 1, max: 40 }).map((request) => ({ request }));
const share = fc.record({ seed: fc.nat(), share: fc.constantFrom(0.05, 0.2, 0.5) });
const only = fc.constantFrom<Fault['only'][]>(undefined, 'writes');
const fault: fc.Arbitrary<Fault> = fc
  .tuple(fc.oneof(requestNumber, share), only, action)
  .map(([at, only, action]): Fault => ({ at, ...(only ? { only } : {}), do: action }));

const pair = fc
  .tuple(fc.nat(scenarios.length - 1), fc.nat(scenarios.length - 1))
  .filter(([a, b]) => kindOf(a) !== kindOf(b))
  .map(([a, b]) => both(scenarios[a]!, scenarios[b]!));

/** With what no read shows for a while the answer is lost, too. */
const unheard = (one: Fault): Fault[] =>
  one.do.type === 'stale' ? [one, { ...one, do: { type: 'connectionReset', when: 'after' } }] : [one];

const kindOf = (index: number) => scenarios[index]!.name.split(' ')[0];

/** Two changes in one configuration. */
const both = (one: Scenario, other: Scenario): Scenario => ({
  name: `${one.name}, ${other.name}`,
  ...(one.first || other.first ? { first: merged(one.first ?? {}, other.first ?? {}) } : {}),
  next: merged(one.next, other.next),
});

const counts = { pairs: 0, runs: 0, faults: 0 };
noteCounts('fault mixtures', () => counts);

it('faults at random, many at once: the account comes to what it should be', async () => {
  // Shrinking tries the same pair again and again.
  let open: { name: string; stage: Stage } | undefined;
  const stageOf = async (scenario: Scenario): Promise<Stage> => {
    if (open?.name === scenario.name) return open.stage;
    await open?.stage.close();
    open = undefined;
    open = { name: scenario.name, stage: await openStage(scenario) };
    counts.pairs += 1;
    return open.stage;
  };
  const property = fc.asyncProperty(
    pair,
    fc.array(fc.array(fault, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
    fc.boolean(),
    async (scenario, mixtures, lost) => {
      const stage = await stageOf(scenario);
      for (const faults of mixtures) {
        counts.runs += 1;
        counts.faults += await stage.play({ faults: lost ? faults.flatMap(unheard) : faults });
      }
    },
  );
  const path = process.env.TRUEUP_PATH;
  const found = await fc.check(property, { numRuns: runs(80, 80), ...(path ? { path } : {}) });
  await open?.stage.close();
  const again = `TRUEUP_SEED=${found.seed} TRUEUP_PATH=${found.counterexamplePath} npx vitest run test/sweep/mixtures.test.ts`;
  if (found.failed)
    throw new Error(`${await fc.asyncDefaultReportMessage(found)}\nAgain: ${again}`, {
      cause: found.errorInstance,
    });
});
