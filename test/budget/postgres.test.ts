import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Shell } from '../support/cli.ts';
import { apply, limited, place, rowsOf, writes, yaml } from '../support/limits-place.ts';
import {
  type PostgresServer,
  postgresPrograms,
  startPostgres,
  withoutPostgres,
} from '../support/postgres.ts';
import { startProcess } from '../support/process.ts';
import { all, oneStoryIn } from '../support/sweep.ts';
import { until } from '../support/until.ts';

const story = oneStoryIn(4);

const isHere = postgresPrograms() !== undefined;
if (!isHere) console.log(withoutPostgres);

let server: PostgresServer;
beforeAll(async () => {
  if (isHere) server = await startPostgres();
});
afterAll(() => server?.remove());

describe.skipIf(!isHere)('one budget for one token', () => {
  story('runs at once are refused nothing', async () => {
    const [runs, records] = all ? [8, 75] : [2, 60];
    const { twin, machines, buckets } = await place(server, runs, records);
    const ended = await Promise.all(machines.map((machine) => machine.run(apply)));
    expect(ended.map(({ status, stderr }) => [status, stderr.includes('do not answer')])).toEqual(
      ended.map(() => [0, false]),
    );
    expect(limited(twin)).toBe(0);
    expect(writes(twin)).toBe(runs * records);
    const rows = await buckets();
    expect(rows.find(({ bucket }) => bucket.endsWith('dns-record-create'))!.state).toContain('"limit":100');
    // What runs that are over held is given back.
    for (const { state } of rows) expect(JSON.parse(state).runs).toEqual({});
  });

  it.runIf(all)('without it they are', async () => {
    const { twin, machines } = await place(server, 4, 60);
    for (const { env } of machines) delete env.TRUEUP_LIMITS;
    await Promise.all(machines.map((machine) => machine.run(apply)));
    expect(limited(twin)).toBeGreaterThan(0);
  });

  story('a plan counts what other runs have reserved', async () => {
    const { twin, machines, creations } = await place(server, 3, 120, { limitWindowMs: 600_000 });
    const [first, second, third] = machines as [Shell, Shell, Shell];
    // The limit is known from before.
    const [record] = rowsOf(1);
    await third.write({ 'trueup.yaml': yaml(2, [record!]) });
    expect((await third.run(apply)).status).toBe(0);
    const running = first.start(apply);
    await until(() => writes(twin) === 100);
    await until(async () => Object.keys((await creations()).runs).length === 1);
    const forecast = async () => {
      const { limits } = JSON.parse((await second.run(['plan', '--json'])).stdout).forecast;
      return limits.find(({ what }: { what: string }) => what === 'DNS record creations');
    };
    // The first run tells of its last call a moment after it.
    await until(async () => (await forecast()).shared?.left === 0);
    const limit = await forecast();
    expect(limit).toMatchObject({
      requests: 120,
      allowed: 100,
      shared: { left: 0, reserved: [expect.any(Number)] },
    });
    expect(limit.shared.reserved[0]).toBeGreaterThan(0);
    expect(limit.shared.endsIn).toBeGreaterThan(0);
    const text = await second.run(['plan']);
    expect(text.stdout).toMatch(
      /120 DNS record creations: limited to 100 an hour; 0 are left for \d+ min, and 1\s+other\s+run\s+has\s+reserved\s+\d+\./,
    );
    running.signal('SIGINT');
    running.signal('SIGINT');
    await running.ended;
  });

  story('a database that goes away stops nobody, and is told once', async () => {
    const { twin, machines } = await place(server, 2, 60, { limitWindowMs: 4000 });
    const running = machines.map((machine) => machine.start(apply));
    await until(() => writes(twin) > 20);
    await server.stop();
    const ended = await Promise.all(running.map((one) => one.ended));
    await server.start();
    for (const { status, stderr } of ended) {
      expect(status).toBe(0);
      expect(stderr.match(/The limits at postgres:.*\n/g)).toEqual([
        expect.stringMatching(
          /do not answer \(.*\): continuing with this run's share of the last known limits\.\n/,
        ),
      ]);
      expect(stderr).not.toContain(server.password);
    }
    expect(writes(twin) - limited(twin)).toBe(120);
  });

  it('one that was never there is told too; one that refuses is an error before anything is sent', async () => {
    const { twin, machines } = await place(server, 1, 2);
    const [machine] = machines as [Shell];
    machine.env.PGPORT = '9';
    const without = await machine.run(apply);
    expect([without.status, without.stderr]).toEqual([0, expect.stringContaining('do not answer')]);
    const sent = twin.requests.length;
    machine.env = { ...machine.env, ...server.env, PGPASSWORD: 'canary-wrong' };
    const refused = await machine.run(['plan', '--json']);
    expect(JSON.parse(refused.stdout).diagnostics).toMatchObject([{ code: 'limits/database' }]);
    expect(refused.all).not.toContain('canary-wrong');
    for (const [given, code] of [
      ['postgres://ada:canary@127.0.0.1/x', 'cli/password'],
      ['redis://127.0.0.1', 'cli/database-url'],
      ['postgres://db.example.com/x?sslmode=disable', 'cli/database-url'],
    ] as const) {
      const ran = await machine.run(['plan', '--json', '--limits', given]);
      expect(JSON.parse(ran.stdout).diagnostics).toMatchObject([{ code }]);
      expect(ran.all).not.toContain('canary');
    }
    expect(twin.requests.length).toBe(sent);
  });

  story('a run that is killed gives back what it held', async () => {
    const { twin, machines, schema, creations } = await place(server, 2, 60, { limitWindowMs: 6000 });
    const [first, second] = machines as [Shell, Shell];
    const killed = startProcess(apply, { cwd: first.folder, env: first.env });
    await until(() => writes(twin) > 10);
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(Object.keys((await creations()).runs)).toHaveLength(1);
    // As if time had passed.
    await server.query(
      `update ${schema}.limits set state = regexp_replace(state, '"seen":[0-9.]+', '"seen":1000')`,
    );
    expect((await second.run(apply)).status).toBe(0);
    expect(limited(twin)).toBe(0);
    expect((await creations()).runs).toEqual({});
  });
});
