import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCounterFinder } from '../../providers/hosting/twin/http/rate-limits.ts';
import { startTwin } from '../../providers/hosting/twin/index.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts';
import type { Comparison, Line } from './comparison.ts';
import { measured } from './measure.ts';
import { program } from './workplace.ts';

/** In place of an hour and of a minute. Headers tell of whole seconds: much shorter ones would measure those. */
const windowMs = 45_000;
/** What all runs do together: of two documented limits, and of one that is assumed. */
const together = { created: 300, updated: 100, projects: 60 };

/** A part of it: new records, old ones with another TTL, and projects. */
function stackOf(run: number, runs: number): string {
  const rows = (name: string, count: number, rest = '') =>
    Array.from({ length: count }, (_, at) => `{ type: A, name: ${name}${at}, value: 192.0.2.1${rest} }`);
  const records = [
    ...rows('new', Math.ceil(together.created / runs)),
    ...rows('old', Math.ceil(together.updated / runs), ', ttl: 120'),
  ];
  const projects = Array.from(
    { length: Math.ceil(together.projects / runs) },
    (_, at) => `web-${run}-${at}: {}`,
  );
  return `stack: run-${run}
platform: { team: acme }
projects: { ${projects} }
domains: { zone-${run}.com: { $existing: true, records: [${records}] } }
`;
}

const zoneOf = (run: number, runs: number) => ({
  name: `zone-${run}.com`,
  records: Array.from({ length: Math.ceil(together.updated / runs) }, (_, at) => ({
    name: `old${at}`,
    type: 'A' as const,
    value: '192.0.2.1',
    ttl: 60,
  })),
});

/** So many applies at once with one token: how many requests were refused, and how long it took as the platform saw it. */
async function atOnce(runs: number, database: PostgresServer | undefined) {
  const zones = Array.from({ length: runs }, (_, run) => zoneOf(run, runs));
  const twin = await startTwin({
    ...{ rateLimits: 'assumed', limitWindowMs: windowMs, latencyMs: 20 },
    seed: { domains: zones },
  });
  const seen: number[] = [];
  const look = () => {
    while (seen.length < twin.requests.length) seen.push(performance.now());
  };
  const looking = setInterval(look, 10);
  const folders = zones.map(() => mkdtempSync(join(tmpdir(), 'trueup-bench-')));
  try {
    await Promise.all(
      folders.map((cwd, run) => {
        writeFileSync(join(cwd, 'trueup.yaml'), stackOf(run, runs));
        // What waits for one limit is not to keep the rest from being sent.
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
    look();
    return figuresOf(twin.requests, seen);
  } finally {
    clearInterval(looking);
    await twin.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

function figuresOf(requests: { operationId?: string; method: string; status: number }[], seen: number[]) {
  const countersOf = createCounterFinder(true);
  const buckets = new Map<string, { times: number[]; limit: number }>();
  requests.forEach(({ operationId = '', method, status }, at) => {
    const [counter] = countersOf({ operationId, isWrite: method !== 'GET', plan: 'pro' });
    if (!counter || method === 'GET' || status >= 300) return;
    const { times } = buckets.get(operationId) ?? { times: [] };
    buckets.set(operationId, { times: [...times, seen[at]!], limit: counter.allowed });
  });
  const all = [...buckets.values()];
  const times = all.flatMap((one) => one.times);
  return {
    refused: requests.filter(({ status }) => status === 429).length,
    seconds: (Math.max(...times) - Math.min(...times)) / 1000,
    // As many windows have to end as are full before the last call.
    least: Math.max(...all.map((one) => ((Math.ceil(one.times.length / one.limit) - 1) * windowMs) / 1000)),
  };
}

async function linesOf(runs: number): Promise<Line[]> {
  const alone = await atOnce(runs, undefined);
  // Nothing is known of the limits at first.
  const database = await startPostgres();
  const shared = await atOnce(runs, database).finally(() => database.remove());
  const one = (value: number) => ({ median: value, least: value, most: value });
  const samples = (of: typeof alone) => ({
    seconds: one(of.seconds),
    'seconds that the limits take': one(of.least),
  });
  const what = `${runs} applies at once with one token`;
  return [
    { what: `${what}, each for itself: refused with 429`, figure: alone.refused, unit: 'requests' },
    { what: `${what}, with --limits: refused with 429`, figure: shared.refused, unit: 'requests', target: 0 },
    {
      what: `${what}, each for itself: time, against what the limits allow`,
      figure: alone.seconds / alone.least,
      unit: 'times',
      samples: samples(alone),
    },
    {
      what: `${what}, with --limits: time, against what the limits allow`,
      figure: shared.seconds / shared.least,
      unit: 'times',
      target: 1.1,
      samples: samples(shared),
    },
  ];
}

export const limits: Comparison = {
  name: 'limits',
  description: `4 and 8 applies at once with one token, on the twin with the documented limits and assumed ones, with windows of ${windowMs / 1000} s`,
  missing: () => (postgresPrograms() ? undefined : 'PostgreSQL is not installed'),
  measure: async () => [...(await linesOf(4)), ...(await linesOf(8))],
};
