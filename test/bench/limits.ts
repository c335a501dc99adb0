import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCounterFinder } from '../../providers/hosting/twin/http/rate-limits.ts';
import { startTwin } from '../../providers/hosting/twin/index.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts';
import type { Comparison, Line } from './comparison.ts';
import { measured, spread } from './measure.ts';
import { program } from './workplace.ts';

/** Used instead of an hour and a minute. Not shorter, since headers round the end of a window to whole seconds. */
const windowMs = 45_000;
/** The writes of all runs together: two kinds have documented limits, the projects an assumed one. */
const together = { created: 300, updated: 100, projects: 60 };

/** Returns the configuration of a run, with its part of the writes: new records, old ones with another TTL, and projects. */
function stackOf(run: number, runs: number): string {
  const rows = (name: string, count: number, rest = '') =>
    Array.from({ length: count }, (_, i) => `{ type: A, name: ${name}${i}, value: 192.0.2.1${rest} }`);
  const records = [
    ...rows('new', Math.ceil(together.created / runs)),
    ...rows('old', Math.ceil(together.updated / runs), ', ttl: 120'),
  ];
  const projects = Array.from(
    { length: Math.ceil(together.projects / runs) },
    (_, i) => `web-${run}-${i}: {}`,
  );
  return `stack: run-${run}
platform: { team: acme }
projects: { ${projects} }
domains: { zone-${run}.com: { $existing: true, records: [${records}] } }
`;
}

const zoneOf = (run: number, runs: number) => ({
  name: `zone-${run}.com`,
  records: Array.from({ length: Math.ceil(together.updated / runs) }, (_, i) => ({
    name: `old${i}`,
    type: 'A' as const,
    value: '192.0.2.1',
    ttl: 60,
  })),
});

/** Runs so many applies at once with one token. Returns how many requests were refused, and how long the writes took as the platform saw it. */
async function atOnce(runs: number, database: PostgresServer | undefined) {
  const zones = Array.from({ length: runs }, (_, run) => zoneOf(run, runs));
  const twin = await startTwin({
    ...{ rateLimits: 'assumed', limitWindowMs: windowMs, latencyMs: 20 },
    seed: { domains: zones },
  });
  const times: number[] = [];
  const noteTimes = () => {
    while (times.length < twin.requests.length) times.push(performance.now());
  };
  const timer = setInterval(noteTimes, 10);
  const folders = zones.map(() => mkdtempSync(join(tmpdir(), 'trueup-bench-')));
  try {
    await Promise.all(
      folders.map((cwd, run) => {
        writeFileSync(join(cwd, 'trueup.yaml'), stackOf(run, runs));
        // Enough operations at a time, so that those that wait for a limit do not hold up the others.
        const argv = [
          process.execPath,
          program,
          'apply',
          '--auto-approve',
          '--settle',
          '0',
          '--parallelism',
          '500',
        ];
        const shared = database && { ...database.env, TRUEUP_LIMITS: 'postgres:///postgres' };
        const env = { TRUEUP_BASE_URL: twin.url, TRUEUP_TOKEN: 'token', ...shared };
        return measured({ argv: argv as [string, ...string[]], cwd, env });
      }),
    );
    noteTimes();
    return figuresOf(twin.requests, times);
  } finally {
    clearInterval(timer);
    await twin.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

function figuresOf(requests: { operationId?: string; method: string; status: number }[], times: number[]) {
  const countersOf = createCounterFinder(true);
  const buckets = new Map<string, { times: number[]; limit: number }>();
  requests.forEach(({ operationId = '', method, status }, i) => {
    const [counter] = countersOf({ operationId, isWrite: method !== 'GET', plan: 'pro' });
    if (!counter || method === 'GET' || status >= 300) return;
    const earlier = buckets.get(operationId)?.times ?? [];
    buckets.set(operationId, { times: [...earlier, times[i]!], limit: counter.allowed });
  });
  const counted = [...buckets.values()];
  const writeTimes = counted.flatMap((bucket) => bucket.times);
  return {
    refused: requests.filter(({ status }) => status === 429).length,
    seconds: (Math.max(...writeTimes) - Math.min(...writeTimes)) / 1000,
    // As many windows have to end as are full before the last call.
    least: Math.max(
      ...counted.map((bucket) => ((Math.ceil(bucket.times.length / bucket.limit) - 1) * windowMs) / 1000),
    ),
  };
}

async function measureRuns(runs: number): Promise<Line[]> {
  const alone = await atOnce(runs, undefined);
  // Empty, so that these runs learn the limits as well.
  const database = await startPostgres();
  const shared = await atOnce(runs, database).finally(() => database.remove());
  const samplesOf = (figures: typeof alone) => ({
    seconds: spread([figures.seconds]),
    'seconds that the limits take': spread([figures.least]),
  });
  const what = `${runs} applies at once with one token`;
  return [
    { what: `${what}, each for itself: refused with 429`, figure: alone.refused, unit: 'requests' },
    { what: `${what}, with --limits: refused with 429`, figure: shared.refused, unit: 'requests', target: 0 },
    {
      what: `${what}, each for itself: time, against what the limits allow`,
      figure: alone.seconds / alone.least,
      unit: 'times',
      samples: samplesOf(alone),
    },
    {
      what: `${what}, with --limits: time, against what the limits allow`,
      figure: shared.seconds / shared.least,
      unit: 'times',
      target: 1.1,
      samples: samplesOf(shared),
    },
  ];
}

export const limits: Comparison = {
  name: 'limits',
  description: `4 and 8 applies at once with one token, on the twin with the documented limits and assumed ones, with windows of ${windowMs / 1000} s`,
  missing: () => (postgresPrograms() ? undefined : 'PostgreSQL is not installed'),
  measure: async () => [...(await measureRuns(4)), ...(await measureRuns(8))],
};
