import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import { noteCounts } from '../support/cost.ts';
import { all } from '../support/sweep.ts';
import type { World } from '../support/world.ts';
import { briefly } from './briefly.ts';
import { noCounts } from './checked-run.ts';
import { kindNames } from './parts.ts';
import { playBeside, sharedPart } from './play-beside.ts';
import { sharedWorlds } from './play-edits.ts';

// A story takes about half a second. TRUEUP_SEED, with the seed that a failure prints, tells the same ones again.
const stories = all ? 500 : 1;
const counts = { ...noCounts(), begun: 0, stories: 0, foreign: 0 };
noteCounts('foreign objects', () => counts);

/** `behaviour`: which world it is in. */
const story = fc.record({
  behaviour: fc.nat(1),
  kinds: fc.subarray(kindNames, { minLength: 2, maxLength: 8 }),
  parts: fc.array(sharedPart, { minLength: 2, maxLength: 10, size: 'max' }),
});

type Told = typeof story extends fc.Arbitrary<infer T> ? T : never;

let worlds: World[];
beforeAll(async () => {
  worlds = await sharedWorlds();
});
afterAll(async () => {
  for (const world of worlds) await world.stop();
});

test('what others have in the account stays as they wrote it, beside what a stack has and inside of it', async () => {
  const told = briefly(({ behaviour, ...one }: Told) => playBeside(worlds[behaviour]!, one, counts));
  const property = fc.asyncProperty(story, told);
  await fc.assert(property, { numRuns: stories, unbiased: true });
});
