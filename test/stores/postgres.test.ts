import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { storeContract } from '../ledger/contract/contract.ts';
import { cutAnswersContract } from '../ledger/contract/cut-answers.ts';
import { problemOf } from '../ledger/leases.ts';
import { Shell } from '../support/cli.ts';
import { type CuttingProxy, cuttingProxy } from '../support/cutting-proxy.ts';
import { blocksIn, storesGuide } from '../support/guide.ts';
import { keyText } from '../support/keys.ts';
import {
  bouncerProgram,
  type PostgresServer,
  postgresPrograms,
  startBouncer,
  startPostgres,
  withoutPostgres,
} from '../support/postgres.ts';
import { startProcess } from '../support/process.ts';
import { urlPlace } from '../support/store-places.ts';
import { all, oneStoryIn } from '../support/sweep.ts';
import { until } from '../support/until.ts';

const story = oneStoryIn(4);

const isHere = postgresPrograms() !== undefined;
if (!isHere) console.log(withoutPostgres);

const keys = mkdtempSync(join(tmpdir(), 'trueup-keys-'));
const certificate = join(keys, 'server.crt');
/** A certificate that its own key has signed: an authority that nobody knows. */
function certify(key: string, certificate: string): void {
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', ...curve, ...files, ...name], { stdio: 'ignore' });
  chmodSync(key, 0o600);
  if (process.getuid?.() === 0) for (const path of [keys, key]) chownSync(path, 65534, 65534);
}

let server: PostgresServer;
let proxy: CuttingProxy;
beforeAll(async () => {
  if (!isHere) return;
  const key = join(keys, 'server.key');
  certify(key, certificate);
  server = await startPostgres(['ssl=on', `ssl_key_file=${key}`, `ssl_cert_file=${certificate}`]);
  proxy = await cuttingProxy(server.port);
});
afterAll(async () => {
  await proxy?.close();
  await server?.remove();
  rmSync(keys, { recursive: true, force: true });
});

let made = 0;
/** Each place is a schema of its own. */
const newUrl = () => `postgres:///postgres?schema=place_${made++}`;
const newPlace = () => urlPlace(newUrl(), server.env, server.folder);

const yaml = (project: string) => `stack: ${project}
platform: { team: acme }
projects:
  ${project}:
    framework: nextjs
    env: { A: { value: one, type: plain } }
`;

/** A shell in a folder of its own, as another machine would be, that keeps its ledger there. */
async function machine(ledger: string, project: string, account?: Record<string, string>): Promise<Shell> {
  const shell = await new Shell().write({ 'trueup.yaml': yaml(project) });
  shell.env = { ...server.env, CI: 'true', TRUEUP_LEDGER: ledger, TRUEUP_LEDGER_KEY: keyText(), ...account };
  return shell;
}
const apply = ['apply', '--auto-approve'];

describe.skipIf(!isHere)('PostgreSQL', () => {
  storeContract('postgres', newPlace, { isAtomic: true, isNamedByUrl: true, withProcesses: all, oneIn: 7 });
  cutAnswersContract(() => {
    const url = newUrl();
    const through = { ...server.env, PGPORT: `${proxy.port}` };
    return {
      place: urlPlace(url, server.env, server.folder),
      through: () => urlPlace(url, through, server.folder).open(),
      proxy,
    };
  });

  story(
    'machines go on from each other; a plan makes no table; stacks know of each other; nothing lies about',
    async () => {
      const ledger = newUrl();
      const schema = ledger.split('=')[1];
      const first = await machine(ledger, 'web');
      const twin = await first.withTwin();
      const account = { TRUEUP_BASE_URL: twin.url, TRUEUP_TOKEN: 'token-for-tests' };
      expect((await first.run(['plan'])).status).toBe(0);
      const schemas = await server.query(`select 1 from pg_namespace where nspname = '${schema}'`);
      expect(schemas.rows).toEqual([]);
      expect((await first.run(apply)).status).toBe(0);
      const second = await machine(ledger, 'web', account);
      const plan = await second.run(['plan', '--json']);
      expect(JSON.parse(plan.stdout).summary).toMatchObject({ adopt: 0, create: 0, noop: 2 });
      const list = await second.run(['ledger', 'list']);
      expect(list.stderr).toContain(`web at postgres://127.0.0.1:${server.port}/postgres?schema=${schema}`);
      expect(JSON.parse((await second.run(['log', '--json'])).stdout).runs).toMatchObject([
        { run: 1, verified: true },
      ]);
      // What another stack owns is not adopted.
      const third = await machine(ledger, 'other', account);
      await third.write({ 'trueup.yaml': yaml('web').replace('stack: web', 'stack: other') });
      const refused = await third.run(['plan', '--json']);
      expect(JSON.parse(refused.stdout).diagnostics).toMatchObject([{ code: 'stack/owned', count: 4 }]);
      expect((await second.run(['destroy', '--confirm', 'web'])).status).toBe(0);
      const left = await server.query(`select stack, name from ${schema}.documents order by stack, name`);
      expect(left.rows).toEqual([{ stack: 'web', name: 'ledger' }]);
      for (const { folder } of [first, second, third])
        expect(existsSync(join(folder, '.trueup/ledger'))).toBe(false);
      expect(readdirSync(join(first.folder, '.trueup/journal'))).toEqual([]);
    },
  );

  it('no value and no secret is in any row or file of the server', async () => {
    const ledger = newUrl();
    const shell = await machine(ledger, 'web');
    await shell.write({
      'trueup.yaml': `stack: web
platform: { team: acme }
secrets: { database: {} }
projects:
  web:
    env: { DATABASE: { value: "\${secret.database}", type: sensitive, target: [production] } }
`,
    });
    await shell.withTwin();
    Object.assign(shell.env, { TRUEUP_SECRET_database: 'canary-secret', TRUEUP_TOKEN: 'canary-token' });
    const ran = await shell.run(apply);
    expect(ran.status).toBe(0);
    expect(ran.all).not.toContain('canary');
    const schema = ledger.split('=')[1];
    const { rows } = await server.query(
      `select text from ${schema}.documents union all select text from ${schema}.records`,
    );
    const text = JSON.stringify(rows);
    expect(text).toContain('projects/web/env/DATABASE@production');
    expect(text).not.toContain('canary');
  });

  story(
    'a server that is away is an incomplete plan, never an empty ledger; the next run finds it again',
    async () => {
      const shell = await machine(newUrl(), 'web');
      const twin = await shell.withTwin();
      expect((await shell.run(apply)).status).toBe(0);
      await server.stop();
      onTestFinished(async () => {
        if (!(await server.query('select 1').catch(() => undefined))) await server.start();
      });
      const plan = await shell.run(['plan', '--json']);
      expect(plan.status).toBe(1);
      expect(JSON.parse(plan.stdout)).toMatchObject({
        complete: false,
        diagnostics: [{ code: 'ledger/unreachable' }],
      });
      const sent = twin.requests.length;
      expect((await shell.run(apply)).status).toBe(1);
      expect(twin.requests.slice(sent).filter(({ method }) => method !== 'GET')).toEqual([]);
      await server.start();
      expect((await shell.run(['plan', '--detailed-exitcode'])).status).toBe(0);
    },
  );

  it('a password: of the URL only from the environment, of a file by PGPASSFILE, and never printed', async () => {
    const { port, user, password } = server;
    const ledger = `postgres://${user}:${password}@127.0.0.1:${port}/postgres?schema=place_${made++}`;
    const shell = await machine('', 'web');
    await shell.withTwin();
    const wrong = { ...shell.env, PGPASSWORD: 'canary-wrong' };
    shell.env = { ...wrong, TRUEUP_LEDGER: ledger };
    const inArguments = await shell.run(['plan', '--json', '--ledger', ledger]);
    expect(JSON.parse(inArguments.stdout).diagnostics).toMatchObject([{ code: 'cli/password' }]);
    const inEnvironment = await shell.run(apply);
    expect(inEnvironment.status).toBe(0);
    shell.env = { ...wrong, TRUEUP_LEDGER: ledger.replace(`:${password}`, '') };
    const denied = await shell.run(['plan', '--json']);
    expect(JSON.parse(denied.stdout).diagnostics).toMatchObject([{ code: 'ledger/postgres-denied' }]);
    for (const { all } of [inArguments, inEnvironment, denied]) expect(all).not.toContain('canary');
    // Read by the client itself, so from the environment of a process.
    const file = join(server.folder, 'passwords');
    writeFileSync(file, `127.0.0.1:*:*:${user}:${password}\n`);
    chmodSync(file, 0o600);
    const { PGPASSWORD: _, ...env } = shell.env;
    const run = startProcess(['plan', '--detailed-exitcode'], {
      cwd: shell.folder,
      env: { ...env, PGPASSFILE: file },
    });
    await run.ended;
    expect(run.said()).not.toContain('canary');
    expect(run.child.exitCode).toBe(0);
  });

  it('the twin has no ledger there, and a URL that is wrong is told without quoting it', async () => {
    const shell = await machine(newUrl(), 'web');
    await shell.withTwin();
    const codes: [string[], string][] = [
      [['--twin', '--ledger', 'postgres:///x'], 'ledger/twin'],
      [['--ledger', 'mysql://canary@example.com/x'], 'ledger/url'],
      [['--ledger', 'postgres://canary:x@[bad/x'], 'ledger/url'],
      [['--ledger', 'postgres:///x?canary=odd'], 'ledger/url'],
      [['--ledger', 'postgres://ada:1#canary@db.example.com/x'], 'ledger/url'],
      [['--ledger', 'postgres://ada:1?canary@db.example.com/x'], 'ledger/url'],
      [['--ledger', 'postgres://ada:1/canary@db.example.com/x'], 'ledger/url'],
      [['--ledger', 'postgres://ada:%canary@db.example.com/x'], 'ledger/url'],
      [['--ledger', 'postgres:///x?schema=a"canary'], 'ledger/url'],
      [['--ledger', 'postgres:///x?password=canary'], 'cli/password'],
      [['--ledger', 'postgres://db.example.com/x?sslmode=disable'], 'ledger/url'],
      [['--ledger', 'postgres:///nowhere'], 'ledger/postgres-database'],
    ];
    for (const [args, code] of codes) {
      const ran = await shell.run(['plan', '--json', ...args]);
      expect([args, JSON.parse(ran.stdout).diagnostics]).toMatchObject([args, [{ code }]]);
      expect(ran.all).not.toContain('canary');
    }
  });

  it('a user who may only read plans, and is told what is missing for a write', async () => {
    const place = newPlace();
    await place.open().write('ledger', 'one', { expected: undefined });
    const schema = /schema=(\w+)/.exec(place.words()[1]!)![1];
    await server.query(
      `create role reader login password 'canary-reader'; grant usage on schema ${schema} to reader; grant select on all tables in schema ${schema} to reader`,
    );
    const env = { ...server.env, PGUSER: 'reader', PGPASSWORD: 'canary-reader' };
    const reader = urlPlace(place.words()[1]!, env, server.folder).open();
    const found = (await reader.read('ledger'))!;
    expect(found.text).toBe('one');
    const denied = await problemOf(reader.write('ledger', 'two', { expected: found.version }));
    expect(denied.code).toBe('ledger/postgres-denied');
    // Who may not look into the schema does not take it for empty.
    await server.query(`revoke usage on schema ${schema} from reader`);
    expect((await problemOf(reader.read('ledger'))).code).toBe('ledger/postgres-denied');
  });

  it('the roles of the guide: one applies, one plans and can do nothing else, and nobody makes a schema', async () => {
    await server.query('create database team');
    const [roles] = blocksIn(storesGuide, 'sql');
    await server.query(roles!, 'team');
    for (const role of ['trueup_applier', 'trueup_planner'])
      await server.query(`alter role ${role} password 'canary-role'`);
    const first = await machine('postgres:///team', 'web');
    await first.withTwin();
    const applier = { ...first.env, PGUSER: 'trueup_applier', PGPASSWORD: 'canary-role' };
    const planner = { ...applier, PGUSER: 'trueup_planner' };
    const as = (env: Record<string, string>, ...args: string[]) => {
      first.env = env;
      return first.run(args);
    };
    expect((await as(planner, 'plan')).stdout).toContain('2 to create');
    expect((await as(planner, ...apply)).stderr).toContain('[ledger/postgres-denied]');
    expect((await as(applier, ...apply)).status).toBe(0);
    expect((await as(planner, 'plan', '--detailed-exitcode')).status).toBe(0);
    expect((await as(planner, 'log')).status).toBe(0);
    for (const args of [
      ['ledger', 'forget', 'projects/web'],
      ['destroy', '--confirm', 'web'],
    ])
      expect((await as(planner, ...args)).stderr).toContain('[ledger/postgres-denied]');
    const direct = (user: string, sql: string) => server.query(`set role ${user}; ${sql}`, 'team');
    for (const sql of [
      'delete from trueup.documents',
      "update trueup.documents set text = ''",
      'drop table trueup.records',
      'create schema other',
    ])
      await expect(direct('trueup_planner', sql)).rejects.toThrow(/permission denied|must be owner/);
    await expect(direct('trueup_applier', 'create schema other')).rejects.toThrow('permission denied');
    const other = await as(applier, 'plan', '--ledger', 'postgres:///team?schema=other');
    expect(other.status).toBe(0);
  });

  it('what the server does not allow is told with what to do: a copy that is read only, time that is up, too many connections', async () => {
    const place = newPlace();
    const version = await place.open().write('ledger', 'one', { expected: undefined });
    const schema = /schema=(\w+)/.exec(place.words()[1]!)![1];
    const as = async (role: string, setting: string) => {
      await server.query(
        `create role ${role} login password 'canary-role'; grant usage on schema ${schema} to ${role}; grant all on all tables in schema ${schema} to ${role}; alter role ${role} ${setting}`,
      );
      const env = { ...server.env, PGUSER: role, PGPASSWORD: 'canary-role' };
      return urlPlace(place.words()[1]!, env, server.folder).open();
    };
    const copy = await as('of_a_copy', 'set default_transaction_read_only = on');
    expect((await copy.read('ledger'))!.text).toBe('one');
    const refused = await problemOf(copy.write('ledger', 'two', { expected: version }));
    expect(refused).toMatchObject({
      code: 'ledger/postgres-read-only',
      hint: expect.stringContaining('primary'),
    });
    const hasty = await as('hasty', "set statement_timeout = '50ms'");
    const holder = server.query(`begin; select * from ${schema}.documents for update; select pg_sleep(600)`);
    holder.catch(() => {});
    await until(
      async () => (await server.query(`select 1 from pg_locks where mode = 'RowShareLock'`)).rows.length > 0,
    );
    const late = await problemOf(hasty.write('ledger', 'two', { expected: version }));
    expect(late).toMatchObject({
      code: 'ledger/postgres-busy',
      hint: expect.stringContaining('pg_stat_activity'),
    });
    await server.query(`select pg_terminate_backend(pid) from pg_locks where mode = 'RowShareLock'`);
    await hasty.write('ledger', 'two', { expected: version });
    const many = await as('many', 'connection limit 0');
    expect((await problemOf(many.read('ledger'))).code).toBe('ledger/postgres-busy');
  });

  it('TLS is checked: an authority that nobody knows is refused, and one that is named is taken', async () => {
    const documents = (query: string, host = 'localhost') =>
      urlPlace(`postgres://${host}/postgres?${query}`, server.env, server.folder).open();
    expect((await problemOf(documents('sslmode=verify-full').read('ledger'))).code).toBe(
      'ledger/postgres-tls',
    );
    expect(await documents(`sslmode=verify-full&sslrootcert=${certificate}`).read('ledger')).toBeUndefined();
    const otherName = documents(`sslmode=require&sslrootcert=${certificate}`, '127.0.0.1');
    expect((await problemOf(otherName.read('ledger'))).code).toBe('ledger/postgres-tls');
    // A server without TLS answers the question for it with one letter.
    const plain = createServer((socket) => socket.once('data', () => socket.end('N')));
    await new Promise<void>((done) => plain.listen(0, '127.0.0.1', done));
    onTestFinished(() => void plain.close());
    const { port } = plain.address() as { port: number };
    const without = urlPlace(
      'postgres://127.0.0.1/postgres?sslmode=require',
      { ...server.env, PGPORT: `${port}` },
      server.folder,
    ).open();
    expect((await problemOf(without.read('ledger'))).code).toBe('ledger/postgres-tls');
  });
});

const bouncer = bouncerProgram();
if (!bouncer) console.log('skipped: PgBouncer is not installed (apt-get install pgbouncer)');

describe.runIf(isHere && bouncer && all)(
  'PostgreSQL behind PgBouncer, which lends a connection for one transaction',
  () => {
    let close: () => Promise<void>;
    let port: number;
    beforeAll(async () => {
      ({ port, close } = await startBouncer(bouncer!, server));
    });
    afterAll(() => close());
    storeContract('postgres', () => urlPlace(newUrl(), { ...server.env, PGPORT: `${port}` }, server.folder), {
      isAtomic: true,
      isNamedByUrl: true,
      withProcesses: true,
      oneIn: 1,
    });
  },
);
