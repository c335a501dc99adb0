/*
 * "A plan that rehearses green applies green, except for rules that only the platform has": random stories, each of which plans, rehearses and applies several
 * configurations one after another.
 *
 * The account under test is a twin. In two of three stories it has two to four hidden rules, each of one kind, which the rehearsal's twin lacks
 * (`hidden-rules.ts`). A rehearsal cannot know such a rule before the platform has shown it. It may know what a person can know: the recorded answers of the
 * account so far. So all requests of a story are recorded as a HAR file, and after a refusal by a hidden rule the recording is compared with a new twin, by the
 * code of `doctor --calibrate`. From then on, later rehearsals of the story get the result, like `plan --rehearse --recording`: the kinds that the recorded answers
 * contradict, and nothing else.
 *
 * What must hold for each apply:
 *
 *   1. A change that the rehearsal accepts is carried out. Only a hidden rule of a kind that no answer has contradicted yet may refuse it. This includes green
 *      plans, and the accepted part of all others.
 *   2. A plan that changes a contradicted kind is never green, and each of these changes is named as not modelled.
 *   3. A plan of which the rehearsal says that it fails does fail.
 *   4. After a refusal by a hidden rule, the comparison of the recording names the kind, unless it says that requests of this operation cannot be compared. It
 *      names no kind without a hidden rule.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { calibrate } from '../../src/doctor/command/calibrating.ts';
import type { Calibration } from '../../src/doctor/recording/calibration-findings.ts';
import { findContradictedKinds } from '../../src/doctor/recording/contradicted-kinds.ts';
import type { Host } from '../../src/host.ts';
import type { Rehearsal } from '../../src/model/rehearsal.ts';
import { harOf } from '../doctor/recording.ts';
import { noteCounts } from '../support/cost.ts';
import { oneStoryIn, runs } from '../support/sweep.ts';
import { describe, type Planned, type World } from '../support/world.ts';
import { briefly } from '../sweep/briefly.ts';
import { noCounts } from '../sweep/checked-run.ts';
import { anyNumber, asked, edit } from '../sweep/edits.ts';
import { kindNames } from '../sweep/parts.ts';
import { playEdits, sharedWorlds } from '../sweep/play-edits.ts';
import { createHiddenRules, type DrawnRule, families } from './hidden-rules.ts';
import { type PlatformRecording, recordPlatform } from './recorded-platform.ts';
import { rehearseIn } from './rehearse-world.ts';

const inPart = oneStoryIn(4);

const stories = runs(300, 300);
const counts = {
  ...{ green: 0, unknown: 0, fails: 0 },
  ...{ hiddenRules: 0, refusedByHidden: 0, greenButRefused: 0, contradictedKinds: 0, unknownForThat: 0 },
};
noteCounts('rehearsed applies', () => counts);

/** One account on its way through a story. */
interface Rehearsed {
  world: World;
  recording: PlatformRecording;
  /** The kinds with hidden rules. */
  hiddenKinds: readonly string[];
  /** The kinds that recorded answers have contradicted so far, with what shows it. */
  contradicted: ReadonlyMap<string, string>;
}

/** Has each apply of a story rehearsed first, and compared with its rehearsal. Returns the function that ends this. */
function rehearseApplies(story: Rehearsed): () => void {
  const { world, recording } = story;
  const { apply } = world;
  world.apply = async (planned, more) => {
    const rehearsal = await rehearseUnnoticed(story, planned);
    counts[rehearsal.verdict] += 1;
    expectUnknown(story, planned, rehearsal);
    const refusalsBefore = recording.refusals.length;
    const result = await apply.call(world, planned, more);
    const failures = result.outcome.failed.map(({ address, error }) => ({
      address,
      ...(error as Error),
      message: (error as Error).message,
    }));
    const refusals = recording.refusals.slice(refusalsBefore);
    counts.refusedByHidden += refusals.length;
    if (rehearsal.verdict === 'green' && failures.length > 0) counts.greenButRefused += 1;
    const { refused, remaining, undeclared, skipped, notModelled } = rehearsal;
    const notAccepted = new Set([...refused, ...notModelled].map(({ address }) => address).concat(skipped));
    const surprises = failures.filter(
      ({ address, message }) =>
        !notAccepted.has(address) &&
        !refusals.some(({ kind, code }) => message.includes(code) && !story.contradicted.has(kind)),
    );
    if (surprises.length > 0)
      throw new Error(
        `it was accepted by a rehearsal (${rehearsal.verdict}), and failed: ${surprises.map(({ address, message }) => `${address}: ${message}`).join('\n')}\n${describe(planned.plan)}`,
      );
    // A change beside the plan is no failure of the apply.
    const isForetold = refused.length > 0 || (remaining?.length ?? 0) > 0;
    if (isForetold && failures.length === 0)
      throw new Error(
        `it was done, but rehearsed: ${JSON.stringify({ refused, remaining, undeclared })}\n${describe(planned.plan)}`,
      );
    if (refusals.some(({ kind }) => !story.contradicted.has(kind))) await learn(story);
    return result;
  };
  return () => {
    world.apply = apply;
  };
}

/** Throws if a plan changes a contradicted kind, and its rehearsal does not say that this is unknown. */
function expectUnknown({ contradicted }: Rehearsed, { plan }: Planned, { verdict, notModelled }: Rehearsal) {
  const changes = plan.changes.filter(({ action, kind }) => action !== 'noop' && contradicted.has(kind));
  if (changes.length === 0) return;
  counts.unknownForThat += 1;
  const named = new Set(notModelled.filter(({ isConcerned }) => isConcerned).map(({ address }) => address));
  const unnamed = changes.filter(({ address }) => !named.has(address));
  if (verdict === 'green' || unnamed.length > 0)
    throw new Error(
      `it is ${verdict}, and claims to know ${unnamed.map(({ address }) => address)}\n${describe(plan)}`,
    );
}

/** Compares the recording of a story with the twin, and keeps the kinds that it contradicts. Throws if these are not the kinds whose rules refused something. */
async function learn(story: Rehearsed): Promise<void> {
  const { world, recording, hiddenKinds } = story;
  const file = join(world.folder, 'recording.har');
  writeFileSync(file, harOf(recording.exchanges));
  const calibration = await calibrate(hosting, file, { host: { cwd: world.folder } as Host });
  const { facts } = await hosting.evidence();
  story.contradicted = findContradictedKinds(calibration, facts);
  const missing = recording.refusals.filter(
    ({ kind, operation }) => !story.contradicted.has(kind) && !isNotComparable(calibration, operation),
  );
  const wrong = [...story.contradicted.keys()].filter((kind) => !hiddenKinds.includes(kind));
  if (missing.length > 0 || wrong.length > 0)
    throw new Error(
      `the recording contradicts ${JSON.stringify([...story.contradicted])}; rules of ${JSON.stringify(recording.refusals)}\n${JSON.stringify(
        calibration.operations.filter(
          ({ differs, kinds }) => differs > 0 || missing.some(({ kind }) => kinds.includes(kind)),
        ),
        undefined,
        1,
      )}`,
    );
  counts.contradictedKinds += story.contradicted.size;
}

/** True if the recording cannot show a rule of an operation: its requests name objects that the recording does not show, or it has no file that was sent. */
const isNotComparable = ({ operations }: Calibration, operation: string): boolean =>
  (operations.find((calibrated) => calibrated.operation === operation)?.notComparable ?? 1) > 0;

/** Rehearses a plan. Throws if that changes the account or the ledger of the world. */
async function rehearseUnnoticed({ world, contradicted }: Rehearsed, planned: Planned): Promise<Rehearsal> {
  const before = structuredClone({ account: world.twin.account, ledger: world.ledger });
  const rehearsal = await rehearseIn(world, planned, planned.input.options, {
    crashPoints: 0,
    contradictedKinds: contradicted,
  });
  if (!isDeepStrictEqual(before, { account: world.twin.account, ledger: world.ledger }))
    throw new Error('the rehearsal changed the account or the ledger');
  return rehearsal;
}

const add = fc.record({ what: fc.constant('add' as const), a: anyNumber, b: anyNumber, c: anyNumber });
const step = fc.record({ edits: fc.array(edit, { minLength: 1, maxLength: 4, size: 'max' }), asked });
const rule: fc.Arbitrary<DrawnRule> = fc.record({
  family: fc.constantFrom(...(Object.keys(families) as DrawnRule['family'][])),
  a: anyNumber,
  b: anyNumber,
});
const someRules = fc.array(rule, { minLength: 2, maxLength: 4, size: 'max' });
const story = fc.record({
  rules: fc.oneof(fc.constant<DrawnRule[]>([]), someRules, someRules),
  kinds: fc.subarray(kindNames, { minLength: 3, maxLength: 6 }),
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

inPart(
  'a plan that rehearses green applies green, and what the twin does not know is never green',
  async () => {
    const plainly = { how: 'plainly' as const, a: 0, maxDeletions: undefined, outside: [] };
    const played = briefly(
      async ({ rules, kinds, first, steps }: typeof story extends fc.Arbitrary<infer T> ? T : never) => {
        const hidden = createHiddenRules(rules, kinds);
        counts.hiddenRules += hidden.kinds.length;
        const recording = recordPlatform(world.twin, hidden);
        const stop = rehearseApplies({
          world,
          recording,
          hiddenKinds: hidden.kinds,
          contradicted: new Map(),
        });
        try {
          const allSteps = [{ edits: first, asked: plainly }, ...steps];
          await playEdits(world, { kinds, steps: allSteps }, noCounts(), (failure) =>
            recording.refusals.some(({ code }) => failure.includes(code)),
          );
        } finally {
          stop();
          recording.stop();
        }
      },
    );
    await fc.assert(fc.asyncProperty(story, played), { numRuns: stories, unbiased: true });
  },
);
