import fc from 'fast-check';
import { afterAll, describe, it } from 'vitest';
import { noteCounts } from '../support/cost.ts';
import { all, first, runs } from '../support/sweep.ts';
import { killedStory, newCounts, playKilled } from './killed-stacks.ts';
import { type LedgerKind, LedgerServers } from './ledger-servers.ts';

const kinds: LedgerKind[] = ['file', 'git', 'postgres', 's3', 'http'];
const servers = new LedgerServers();
afterAll(() => servers.close());

const counts = Object.fromEntries(kinds.map((kind) => [kind, newCounts()]));
noteCounts('several stacks killed', () =>
  Object.fromEntries(Object.entries(counts).filter(([, { stories }]) => stories > 0)),
);

/** Returns a seed for each kind of ledger, so that each has stories of its own. */
const seedOf = (kind: LedgerKind): number => (fc.readConfigureGlobal().seed ?? 0) + kinds.indexOf(kind);

describe.each(first(kinds, 1))('with the ledgers in %s', (kind) => {
  const missing = LedgerServers.missing(kind);
  if (missing !== undefined) console.log(missing);
  it.skipIf(missing !== undefined)(
    'stacks that are edited, applied together and killed lose nothing, double nothing, and end with nothing to do',
    async () => {
      // The suite plays a short one, with writes that every apply gets to.
      const story = all
        ? killedStory
        : killedStory.map(({ stacks, steps }) => ({
            stacks,
            steps: steps.slice(0, 2).map((step) => ({ ...step, killAt: 1 + (step.killAt % 2) })),
          }));
      await fc.assert(
        fc.asyncProperty(story, (told) => playKilled(kind, servers, told, counts[kind]!)),
        { numRuns: runs(20, 20), endOnFailure: true, unbiased: true, seed: seedOf(kind) },
      );
    },
  );
});
