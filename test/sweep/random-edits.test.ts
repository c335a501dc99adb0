import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import { noteCounts } from '../support/cost.ts';
import { all } from '../support/sweep.ts';
import type { World } from '../support/world.ts';
import { briefly } from './briefly.ts';
import { noCounts } from './checked-run.ts';
import { anyNumber, asked, type Edit, edit } from './edits.ts';
import { kindNames } from './parts.ts';
import { playEdits, type Story, sharedWorlds } from './play-edits.ts';

// A story takes about half a second. TRUEUP_SEED, with the seed that a failure prints, tells the same ones again.
const stories = all ? 500 : 1;
const counts = noCounts();
noteCounts('random edits', () => counts);

const first = fc.array(
  fc.record({ what: fc.constant('add' as const), a: anyNumber, b: anyNumber, c: anyNumber }),
  {
    minLength: 2,
    maxLength: 8,
    size: 'max',
  },
);
const step = fc.record({ edits: fc.array(edit, { minLength: 1, maxLength: 4, size: 'max' }), asked });
/** Few kinds meet each other; every third time domains are among them, which move between projects. */
const someKinds = fc
  .tuple(fc.subarray(kindNames, { minLength: 3, maxLength: 9 }), fc.nat(2))
  .map(([some, third]) => (third === 0 ? [...new Set([...some, 'projectDomain'])] : some));
/** `behaviour`: which world it is in. */
const story = fc.record({
  behaviour: fc.nat(1),
  kinds: someKinds,
  first,
  steps: fc.array(step, { minLength: 4, maxLength: all ? 14 : 8, size: 'max' }),
});

type Told = typeof story extends fc.Arbitrary<infer T> ? T : never;

let worlds: World[];
beforeAll(async () => {
  worlds = await sharedWorlds();
});
afterAll(async () => {
  for (const world of worlds) await world.stop();
});

/** What a stack begins with. */
const withFirst = ({ kinds, steps }: Story, edits: Edit[]): Story => ({
  kinds,
  steps: [{ edits, asked: { how: 'plainly', a: 0, maxDeletions: undefined, outside: [] } }, ...steps],
});

test('a configuration that is edited again and again takes away only what the plan says, what is its own, and what is not protected', async () => {
  const told = briefly(({ behaviour, first, ...one }: Told) =>
    playEdits(worlds[behaviour]!, withFirst(one, first), counts),
  );
  const property = fc.asyncProperty(story, told);
  await fc.assert(property, { numRuns: stories, unbiased: true });
});
