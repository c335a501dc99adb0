import { withoutFleet } from '../fleet/without-fleet.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import type { Comparison, Line } from './comparison.ts';
import { FleetStand } from './fleet-stand.ts';

const withStand = async <T>(
  server: PostgresServer,
  extent: Parameters<typeof FleetStand.start>[1],
  use: (stand: FleetStand) => Promise<T>,
): Promise<T> => {
  const stand = await FleetStand.start(server, extent);
  try {
    return await use(stand);
  } finally {
    await stand.remove();
  }
};

/** Plans without changes, of so many stacks of 20 resources, by one worker process and by more. */
const planned = (server: PostgresServer, stacks: number): Promise<Line[]> =>
  withStand(server, { stacks, projects: 2, variables: 9 }, async (stand) => {
    await stand.run('apply', '--all', '--auto-approve', '--settle', '0');
    const lines: Line[] = [];
    for (const processes of [1, 2, 4]) {
      await stand.enqueue('plan');
      stand.twin.clearRequests();
      const seconds = await stand.workAll(processes);
      const what = `plans of ${stacks} unchanged stacks of 20 resources by ${processes} worker processes`;
      lines.push(
        { what, figure: (stacks / seconds) * 60, unit: 'stacks a minute' },
        { what: `${what}, for each stack`, figure: stand.twin.requests.length / stacks, unit: 'requests' },
      );
    }
    const states = await stand.states();
    if (states.done !== 3 * stacks) throw new Error(`not all was planned: ${JSON.stringify(states)}`);
    return lines;
  });

/**
 * What is left of applies whose workers are killed all the time, against an account that nobody disturbed. The lease of one that was killed
 * is over once it was watched for a minute. No worker lives that long here: each goes on from what those before it noted.
 */
export async function killedApplies(
  server: PostgresServer,
  {
    stacks,
    workers,
    everyMs,
    random,
  }: { stacks: number; workers: number; everyMs: number; random: () => number },
) {
  const extent = { stacks, projects: 1, variables: 2 };
  const wanted = await withStand(server, extent, async (stand) => {
    await stand.run('apply', '--all', '--auto-approve', '--settle', '0');
    return stand.account();
  });
  return withStand(server, extent, async (stand) => {
    await stand.enqueue('plan');
    await stand.workAll(2);
    await stand.enqueue('apply', '--auto-approve');
    const begun = performance.now();
    const kills = await stand.workKilled(workers, everyMs, random);
    const seconds = (performance.now() - begun) / 1000;
    const states = await stand.states();
    // A plan of all finds nothing to do.
    await stand.run('plan', '--all', '--detailed-exitcode');
    return { kills, seconds, states, account: stand.account(), wanted, ledgers: await stand.ledgers() };
  });
}

/** So many worker processes do applies while one of them is killed every few seconds. */
const workers = 4;

const applied = async (server: PostgresServer, stacks: number): Promise<Line[]> => {
  const found = await killedApplies(server, { stacks, workers, everyMs: 6000, random: Math.random });
  const { states, account, wanted, ledgers, kills, seconds } = found;

  const isSame = JSON.stringify(account) === JSON.stringify(wanted);
  if (states.done !== 2 * stacks || !isSame || ledgers.all !== stacks || ledgers.unsigned.length > 0)
    throw new Error(`something was lost or doubled: ${JSON.stringify({ states, ledgers, isSame })}`);
  return [
    {
      what: `${stacks} applies by ${workers} worker processes, all done, nothing lost or doubled: killed`,
      figure: kills,
      unit: 'workers',
    },
    { what: `${stacks} applies with these killed`, figure: seconds, unit: 'seconds' },
  ];
};

/** What the queue itself takes, with many stacks in it. */
const queued = (server: PostgresServer, stacks: number): Promise<Line[]> =>
  withStand(server, { stacks, projects: 1, variables: 0 }, async (stand) => {
    const line = async (what: string, work: () => Promise<{ seconds: number }>): Promise<Line> => ({
      what: `${what}, ${stacks} stacks`,
      figure: (await work()).seconds,
      unit: 'seconds',
    });
    return [
      await line('a round that cron began, until its jobs are in the queue', () => stand.round()),
      await line('fleet enqueue plan --all', () => stand.enqueue('plan')),
      await line('fleet status', () => stand.fleet('status')),
      await line('fleet status --html', () => stand.fleet('status', '--html', 'fleet.html')),
      await line('fleet schedule', () =>
        stand.fleet('schedule', '0 3 * * *', 'drift', '--all', '--repository', 'acme/shop'),
      ),
      await line('enqueueing as many again beside them', () => stand.enqueue('plan')),
    ];
  });

/** How many stacks: TRUEUP_FLEET_PLANS and the like let a smaller machine take fewer, or none. */
const extentOf = (name: string, usual: number): number =>
  Number(process.env[`TRUEUP_FLEET_${name}`] ?? usual);

export const fleet: Comparison = {
  name: 'fleet',
  description: 'many stacks by several worker processes; applies whose workers are killed; a long queue',
  missing: () => withoutFleet,
  measure: async () => {
    const server = await startPostgres();
    try {
      const lines: Line[] = [];
      for (const { measure, extent } of [
        { measure: planned, extent: extentOf('PLANS', 500) },
        { measure: applied, extent: extentOf('APPLIES', 200) },
        { measure: queued, extent: extentOf('QUEUE', 5000) },
      ])
        if (extent > 0) lines.push(...(await measure(server, extent)));
      return lines;
    } finally {
      await server.remove();
    }
  },
};
