import { withoutFleet } from '../fleet/without-fleet.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import type { Comparison, Line } from './comparison.ts';
import { FleetStand, type StandSize } from './fleet-stand.ts';

/** Runs `use` with a new stand, and removes the stand afterwards. */
const withStand = async <T>(
  server: PostgresServer,
  size: StandSize,
  use: (stand: FleetStand) => Promise<T>,
): Promise<T> => {
  const stand = await FleetStand.start(server, size);
  try {
    return await use(stand);
  } finally {
    await stand.remove();
  }
};

/** Measures plans without changes of stacks with 20 resources each, by one worker process and by several. */
const measurePlans = (server: PostgresServer, stacks: number): Promise<Line[]> =>
  withStand(server, { stacks, projects: 2, variables: 9 }, async (stand) => {
    await stand.run('apply', '--all', '--auto-approve', '--settle', '0');
    const lines: Line[] = [];
    for (const workerCount of [1, 2, 4]) {
      await stand.enqueue('plan');
      stand.twin.clearRequests();
      const seconds = await stand.emptyQueue(workerCount);
      const what = `plans of ${stacks} unchanged stacks of 20 resources by ${workerCount} worker processes`;
      lines.push(
        { what, figure: (stacks / seconds) * 60, unit: 'stacks a minute' },
        { what: `${what}, for each stack`, figure: stand.twin.requests.length / stacks, unit: 'requests' },
      );
    }
    const states = await stand.countStates();
    if (states.done !== 3 * stacks)
      throw new Error(`some stacks were not planned: ${JSON.stringify(states)}`);
    return lines;
  });

/**
 * Applies stacks while their workers are killed again and again. Returns the account, the states of the jobs and the ledgers afterwards, and in
 * `wanted` the account after an undisturbed apply. The lease of a killed worker ends a minute after another one first saw it. No worker lives that
 * long here, so each continues from the notes of those before it.
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
  const size = { stacks, projects: 1, variables: 2 };
  const wanted = await withStand(server, size, async (stand) => {
    await stand.run('apply', '--all', '--auto-approve', '--settle', '0');
    return stand.describeAccount();
  });
  return withStand(server, size, async (stand) => {
    await stand.enqueue('plan');
    await stand.emptyQueue(2);
    await stand.enqueue('apply', '--auto-approve');
    const startTime = performance.now();
    const kills = await stand.emptyQueueWithKills(workers, everyMs, random);
    const seconds = (performance.now() - startTime) / 1000;
    const states = await stand.countStates();
    // A plan of all finds nothing to do.
    await stand.run('plan', '--all', '--detailed-exitcode');
    return {
      ...{ kills, seconds, states, wanted },
      account: stand.describeAccount(),
      ledgers: await stand.checkLedgers(),
    };
  });
}

const workers = 4;

/** Measures applies by worker processes, of which one is killed every few seconds. Throws if a change was lost or made twice. */
const measureKilledApplies = async (server: PostgresServer, stacks: number): Promise<Line[]> => {
  const killed = await killedApplies(server, { stacks, workers, everyMs: 6000, random: Math.random });
  const { states, account, wanted, ledgers, kills, seconds } = killed;
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

/** Measures the queue itself, with many stacks in it. */
const measureQueue = (server: PostgresServer, stacks: number): Promise<Line[]> =>
  withStand(server, { stacks, projects: 1, variables: 0 }, async (stand) => {
    const measureLine = async (what: string, work: () => Promise<{ seconds: number }>): Promise<Line> => ({
      what: `${what}, ${stacks} stacks`,
      figure: (await work()).seconds,
      unit: 'seconds',
    });
    return [
      await measureLine('a round that cron started, until its jobs are in the queue', () =>
        stand.measureRound(),
      ),
      await measureLine('fleet enqueue plan --all', () => stand.enqueue('plan')),
      await measureLine('fleet status', () => stand.fleet('status')),
      await measureLine('fleet status --html', () => stand.fleet('status', '--html', 'fleet.html')),
      await measureLine('fleet schedule', () =>
        stand.fleet('schedule', '0 3 * * *', 'drift', '--all', '--repository', 'acme/shop'),
      ),
      await measureLine('fleet enqueue plan --all again, beside these jobs', () => stand.enqueue('plan')),
    ];
  });

/**
 * Returns the number of stacks of a measurement: `TRUEUP_FLEET_PLANS`, `TRUEUP_FLEET_APPLIES` and `TRUEUP_FLEET_QUEUE` choose fewer for a smaller
 * machine, and 0 skips the measurement.
 */
const stackCountOf = (name: string, standard: number): number =>
  Number(process.env[`TRUEUP_FLEET_${name}`] ?? standard);

export const fleet: Comparison = {
  name: 'fleet',
  description: 'many stacks by several worker processes; applies whose workers are killed; a long queue',
  missing: () => withoutFleet,
  measure: async () => {
    const server = await startPostgres();
    try {
      const lines: Line[] = [];
      for (const { measure, stacks } of [
        { measure: measurePlans, stacks: stackCountOf('PLANS', 500) },
        { measure: measureKilledApplies, stacks: stackCountOf('APPLIES', 200) },
        { measure: measureQueue, stacks: stackCountOf('QUEUE', 5000) },
      ])
        if (stacks > 0) lines.push(...(await measure(server, stacks)));
      return lines;
    } finally {
      await server.remove();
    }
  },
};
