import fc from 'fast-check';
import { it } from 'vitest';
import { expectNoWrite } from '../export/no-write.ts';
import { noteCounts } from '../support/cost.ts';
import { sampleSeed } from '../support/samples.ts';
import { runs } from '../support/sweep.ts';
import { World } from '../support/world.ts';
import { accounts, type Counts, fill } from './fill.ts';

const counts: Counts = {};
noteCounts('through the SDK', () => counts);

it('an account that was filled through the SDK alone plans to nothing', async () => {
  const refusals: string[] = [];
  await fc.assert(
    fc.asyncProperty(await accounts(), async (bodies) => {
      const world = await World.start({ seed: sampleSeed });
      try {
        await fill(world.twin, bodies, counts, refusals);
        await expectNoWrite(world);
      } finally {
        await world.stop();
      }
    }),
    { numRuns: runs(8), endOnFailure: true },
  );
  if (process.env.DEBUG_SDK) console.log(refusals.map((s) => s.slice(0, 420)).join('\n'));
});
