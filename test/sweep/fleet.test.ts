import { expect, it } from 'vitest';
import { killedApplies } from '../bench/fleet.ts';
import { withoutFleet } from '../fleet/without-fleet.ts';
import { noteCounts } from '../support/cost.ts';
import { startPostgres } from '../support/postgres.ts';
import { all } from '../support/sweep.ts';

if (withoutFleet !== undefined) console.log(withoutFleet);
const counts = { applies: 0, killed: 0 };
noteCounts('a fleet whose workers are killed', () => counts);

it.skipIf(!all || withoutFleet !== undefined)(
  'workers are killed at random, and all applies end: nothing is lost or doubled, and each ledger has its MAC',
  async () => {
    const server = await startPostgres();
    try {
      const stacks = 20;
      const found = await killedApplies(server, {
        ...{ stacks, workers: 8, everyMs: 8000 },
        random: Math.random,
      });
      counts.applies += stacks;
      counts.killed += found.kills;
      expect(found.states).toEqual({ done: 2 * stacks });
      expect(found.account).toEqual(found.wanted);
      expect(found.ledgers).toEqual({ all: stacks, unsigned: [] });
    } finally {
      await server.remove();
    }
  },
);
