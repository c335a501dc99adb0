import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { all } from '../support/sweep.ts';
import { until } from '../support/until.ts';
import { FleetPlace } from './fleet-place.ts';
import { withoutFleet } from './without-fleet.ts';
import { stackYaml } from './workplace.ts';

if (withoutFleet !== undefined) console.log(withoutFleet);

let server: PostgresServer;
beforeAll(async () => {
  if (withoutFleet === undefined) server = await startPostgres();
});
afterAll(async () => server?.remove());

const files = {
  'trueup.workspace.yaml': 'stacks: [{ path: shop, needs: [dns] }, dns]\n',
  'dns/trueup.yaml': stackYaml('dns'),
  'shop/trueup.yaml': stackYaml('shop'),
};
/** Makes files all the time, and goes on for a second once somebody removes them. */
const writing = `
const { existsSync, mkdirSync, writeFileSync } = require('node:fs');
const [folder] = process.argv.slice(1);
let end = Infinity;
for (let n = 0; Date.now() < end; n++)
  try {
    mkdirSync(folder + '/' + n, { recursive: true });
    writeFileSync(folder + '/' + n + '/file', '');
    if (end === Infinity && !existsSync(folder + '/0/file')) end = Date.now() + 1000;
  } catch {}
`;
const namesOf = (place: FleetPlace) => place.workplace.twin.account.projects.map(({ name }) => name);

describe.skipIf(withoutFleet !== undefined)('a fleet', () => {
  it('plans with the key, and applies what was agreed to in the order of needs', async () => {
    const place = await FleetPlace.start(server, files);
    const planned = await place.enqueue(['plan', '--all']);
    expect([planned.status, planned.stderr]).toEqual([0, expect.stringContaining('Enqueued 2 jobs')]);
    expect((await place.work().ended).status).toBe(0);
    const { batches } = await place.status();
    expect(batches).toMatchObject([
      {
        id: planned.stdout.trim(),
        jobs: [
          { state: 'done', result: '2 to create' },
          { state: 'done', result: '2 to create' },
        ],
      },
    ]);
    const unasked = await place.tryEnqueue(['apply', '--all']);
    expect([unasked.status, unasked.stderr]).toEqual([
      1,
      expect.stringContaining(`--digest ${batches[0]!.digest} `),
    ]);
    const agreed = await place.enqueue(['apply', '--all', '--digest', batches[0]!.digest!]);
    expect([agreed.status, agreed.stderr]).toEqual([0, expect.stringContaining('Enqueued 2 jobs')]);
    const worker = await place.work().ended;
    expect(worker.stderr.match(/apply \w+: done/g)).toEqual(['apply dns: done', 'apply shop: done']);
    expect(namesOf(place)).toEqual(['dns', 'shop']);
    const watched = await place.run(['fleet', 'status', '--watch', '--html', 'fleet.html']);
    expect([watched.status, watched.stdout]).toEqual([0, expect.stringContaining('2 jobs: 2 done')]);
    expect(readFileSync(join(place.workplace.checkout, 'fleet.html'), 'utf8')).toContain('<h1>Fleet</h1>');
  });

  it.skipIf(!all)(
    'leaves out what needs a stack that failed, and what the account calls for is said by --watch',
    async () => {
      const place = await FleetPlace.start(server, {
        ...files,
        'dns/trueup.yaml': 'stack: dns\nplatform: { team: acme }\nprojects: { dns: { framwork: nextjs } }\n',
      });
      await place.enqueue(['plan', '--all']);
      const watched = place.run(['fleet', 'status', '--watch']);
      await place.work().ended;
      const [batch] = (await place.status()).batches;
      expect(Object.fromEntries(batch!.jobs.map(({ name, state }) => [name, state]))).toEqual({
        'plan dns': 'failed',
        'plan shop': 'skipped',
      });
      expect(batch!.jobs.find(({ state }) => state === 'failed')).toMatchObject({
        retries: 2,
        result: expect.stringContaining('framwork'),
      });
      expect(batch!.digest).toBeUndefined();
      expect((await watched).status).toBe(1);
      const apply = await place.tryEnqueue(['apply', '--all', '--auto-approve']);
      expect([apply.status, apply.stderr]).toEqual([1, expect.stringContaining('fleet/no-plan')]);
    },
  );

  it.skipIf(!all)(
    'gives pull requests to workers without a key, and a worker with one leaves them alone',
    async () => {
      const place = await FleetPlace.start(server, files);
      place.workplace.git('checkout', '-q', '-b', 'feature');
      place.workplace.write('shop/trueup.yaml', stackYaml('shop', 'debug'));
      place.workplace.commit('two', 'feature');
      const sent = await place.enqueue(['plan', '--changed-since', 'main', '--pull-request', '7'], {
        key: false,
      });
      expect(sent.stderr).toContain('Enqueued 1 job');
      expect((await place.work().ended).stderr).not.toContain('begun');
      const refused = await place.work(['--plans-only', '--exit-when-idle']).ended;
      expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('fleet/key')]);
      const keyless = await place.work(['--plans-only', '--exit-when-idle'], { key: false }).ended;
      expect(keyless.stderr).toContain('plan shop: done');
      const without = await place.work([], { key: false }).ended;
      expect([without.status, without.stderr]).toEqual([1, expect.stringContaining('fleet/key')]);
    },
  );

  it.skipIf(!all)(
    'gives the job of a worker that dies to another one, which goes on by the run record',
    async () => {
      const place = await FleetPlace.start(server, files);
      await place.enqueue(['plan', 'dns', '--no-canary']);
      const { rows } = await server.query(
        `select data from ${place.queue}.job where data->>'action' = 'plan'`,
      );
      expect(rows).toMatchObject([{ data: { canary: false } }]);
      await place.work().ended;
      const { twin } = place.workplace;
      await place.enqueue(['apply', 'dns', '--auto-approve']);
      const dying = place.work([]);
      await until(() => twin.requests.some(({ method }) => method === 'POST'));
      dying.child.kill('SIGKILL');
      await dying.ended;
      const next = await place.work().ended;
      expect(next.stderr).toContain('started again');
      expect(next.stderr).toContain('apply dns: done');
      expect(namesOf(place)).toEqual(['dns']);
      expect((await place.run(['plan', '-f', 'dns', '--detailed-exitcode'])).status).toBe(0);
    },
  );

  it.skipIf(!all)(
    'puts an apply off that a rate limit stops, as often as that takes: only workers that die count against it',
    async () => {
      const place = await FleetPlace.start(server, files);
      await place.enqueue(['plan', 'dns']);
      await place.work().ended;
      await place.enqueue(['apply', 'dns', '--auto-approve']);
      // So many died at it that only one more may.
      await server.query(`update ${place.queue}.job set retry_limit = 1 where state < 'active'`);
      const { twin } = place.workplace;
      const limited = {
        at: { operation: 'createProject' },
        do: { type: 'rateLimit' as const, retryAfter: 7200 },
      };
      twin.setFaults({ faults: [limited] });
      const worker = place.work();
      await until(() => worker.said().includes('apply dns: started again, attempt 3\n'));
      twin.setFaults({ faults: [] });
      expect((await worker.ended).stderr).toContain('apply dns: done');
      expect(namesOf(place)).toEqual(['dns']);
    },
  );

  it.skipIf(!all)('says of an apply that failed what failed, and not what stands before it', async () => {
    const place = await FleetPlace.start(server, files);
    await place.enqueue(['plan', 'dns']);
    await place.work().ended;
    await place.enqueue(['apply', 'dns', '--auto-approve']);
    const refused = { at: { operation: 'createProject' }, do: { type: 'status', status: 400 } } as const;
    place.workplace.twin.setFaults({ faults: [refused] });
    const { stderr } = await place.work().ended;
    expect(stderr).toMatch(/apply dns: failed: projects\/dns: failed: /);
    const jobs = (await place.status()).batches.flatMap((batch) => batch.jobs);
    expect(jobs.find(({ name }) => name === 'apply dns')!.result).toMatch(/^projects\/dns: failed: /);
  });

  it.skipIf(!all)('begins in a folder in which git still writes for a worker that was killed', async () => {
    const place = await FleetPlace.start(server, files);
    const folder = join(place.nextFolder, 'checkouts', 'left');
    mkdirSync(folder, { recursive: true });
    const git = spawn(process.execPath, ['-e', writing, folder], { stdio: 'ignore' });
    onTestFinished(() => void git.kill('SIGKILL'));
    await until(() => readdirSync(folder).length > 0);
    const worker = place.work([]);
    await until(() => worker.said().includes('Working on') || worker.child.exitCode !== null);
    expect(worker.said()).toContain('Working on');
    expect(readdirSync(join(folder, '..'))).toEqual([]);
  });

  it.skipIf(!all)('stops at a signal: an apply where it is, and the next worker goes on', async () => {
    const stack = `stack: dns\nplatform: { team: acme }\nprojects:\n${Array.from({ length: 30 }, (_, n) => `  p${n}: {}\n`).join('')}`;
    const place = await FleetPlace.start(server, { ...files, 'dns/trueup.yaml': stack });
    await place.enqueue(['plan', 'dns']);
    await place.work().ended;
    await place.enqueue(['apply', 'dns', '--auto-approve']);
    const stopped = place.work([]);
    const { twin } = place.workplace;
    await until(() => twin.requests.some(({ method }) => method === 'POST'));
    stopped.child.kill('SIGTERM');
    const ran = await stopped.ended;
    expect(ran.status).toBe(0);
    expect(ran.stderr).toMatch(/apply dns: (?:postponed|done)/);
    expect((await place.work().ended).status).toBe(0);
    expect(namesOf(place)).toHaveLength(30);
    expect((await place.status()).batches[0]!.jobs).toMatchObject([{ state: 'done' }]);
  });

  it.skipIf(!all)('looks for drift when the time has come, and says where it is', async () => {
    const place = await FleetPlace.start(server, files);
    await place.enqueue(['plan', '--all']);
    await place.work().ended;
    await place.enqueue(['apply', '--all', '--auto-approve']);
    await place.work().ended;
    place.workplace.twin.account.projects.find(({ name }) => name === 'shop')!.framework = 'vite';
    const schedule = ['fleet', 'schedule', '* * * * *', 'drift', '--all', '--repository', 'acme/shop'];
    expect((await place.run(schedule)).status).toBe(0);
    expect((await place.status()).schedules).toEqual([
      { repository: 'acme/shop', stacks: '**', time: '* * * * *', zone: 'UTC' },
    ]);
    const worker = place.work([]);
    await until(() => /drift shop: done/.test(worker.said()));
    await place.run(['fleet', 'schedule', '--remove', '--repository', 'acme/shop']);
    worker.child.kill('SIGTERM');
    expect((await worker.ended).status).toBe(0);
    const { batches, schedules } = await place.status();
    expect(schedules).toEqual([]);
    const jobs = batches.flatMap((batch) => batch.jobs);
    expect(jobs.find(({ name }) => name === 'drift shop')).toMatchObject({ isDrift: true });
    expect(jobs.find(({ name }) => name === 'drift dns')!.isDrift).toBeUndefined();
    expect(jobs.find(({ name }) => name.startsWith('round'))).toMatchObject({ result: '2 enqueued' });
  });

  it.skipIf(!all)('keeps report and log of each job on the worker', async () => {
    const place = await FleetPlace.start(server, files);
    await place.enqueue(['plan', '--all']);
    await place.work().ended;
    const folder = join(place.workplace.shell.folder, 'worker0');
    const { jobs } = (await place.status()).batches[0]!;
    expect(readdirSync(join(folder, 'reports')).sort()).toEqual(
      jobs.flatMap(({ id }) => [`${id}.log`, `${id}.md`]).sort(),
    );
    expect(readdirSync(join(folder, 'jobs'))).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(['checkouts', 'jobs', 'mirrors', 'reports']);
  });
});
