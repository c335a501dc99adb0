import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';

const versions = '/usr/lib/postgresql';

/** Where the programs of PostgreSQL are, as Debian's packages have them; undefined where there are none. */
export const postgresPrograms = (): string | undefined =>
  existsSync(versions)
    ? readdirSync(versions)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(versions, version, 'bin'))
        .find((bin) => existsSync(join(bin, 'initdb')))
    : undefined;

/** Why the tests that need a server are skipped. */
export const withoutPostgres = 'skipped: PostgreSQL is not installed (Debian: apt-get install postgresql-15)';

/** A server of our own, which is gone with the tests. It runs as a user that is not root, as it has to. */
export interface PostgresServer {
  port: number;
  folder: string;
  user: string;
  password: string;
  /** The variables that reach it. */
  env: Record<string, string>;
  /** Asks the server something as its owner. */
  query(sql: string, database?: string): Promise<pg.QueryResult>;
  /** Stops it at once, or lets it begin again. */
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

const nobody = 65534;
const [user, password] = ['trueup', 'canary-database-password'];

let made: string | undefined;

/**
 * Returns the data of a server that nobody has used, for copies: making them takes most of a second. They are kept from run to run, for this
 * user and this version of PostgreSQL, where the user of the server can read them.
 */
function template(as: { uid?: number; gid?: number }): string {
  if (made !== undefined) return made;
  const program = join(postgresPrograms()!, 'postgres');
  const version = hash('sha256', `${program} ${statSync(program).mtimeMs} ${as.uid ?? process.getuid?.()}`);
  const kept = resolve('node_modules/.cache/trueup', `postgres-${version.slice(0, 16)}`);
  if (isReadable(kept, as)) {
    made = kept;
    return made;
  }
  made = initialize(as);
  // Under another name first, because other processes may be doing the same or copying it.
  const copy = `${kept}.${process.pid}`;
  try {
    execFileSync('cp', ['-a', made, copy], { stdio: 'ignore' });
    renameSync(copy, kept);
  } catch {
    rmSync(copy, { recursive: true, force: true });
  }
  return made;
}

/** True if the user of the server can read the data of one. */
function isReadable(data: string, as: { uid?: number; gid?: number }): boolean {
  if (!existsSync(data)) return false;
  try {
    execFileSync('test', ['-r', join(data, 'PG_VERSION')], { ...as, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function initialize(as: { uid?: number; gid?: number }): string {
  const folder = mkdtempSync(join(tmpdir(), 'trueup-initdb-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password);
  if (as.uid !== undefined) for (const path of [folder, passwordFile]) chownSync(path, nobody, nobody);
  const options = ['-U', user, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8'];
  const data = join(folder, 'data');
  execFileSync(
    join(postgresPrograms()!, 'initdb'),
    ['-D', data, ...options, '--locale=C', '--no-sync', '--no-instructions'],
    { cwd: folder, ...as, stdio: 'ignore' },
  );
  return data;
}

/** Starts a server. `settings`: lines of its configuration. */
export async function startPostgres(settings: string[] = []): Promise<PostgresServer> {
  const bin = postgresPrograms()!;
  const folder = mkdtempSync(join(tmpdir(), 'trueup-postgres-'));
  const data = join(folder, 'data');
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, nobody, nobody);
  const owner = isRoot ? { uid: nobody, gid: nobody } : {};
  const as = { cwd: folder, ...owner };
  execFileSync('cp', ['-a', template(owner), data], as);
  const port = await freePort();
  let server: ChildProcess;
  const query = async (sql: string, database = 'postgres') => {
    const client = new pg.Client({ host: '127.0.0.1', port, user, password, database });
    await client.connect();
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  };
  const start = async () => {
    const options = ['fsync=off', 'shared_buffers=16MB', 'autovacuum=off', 'max_connections=60', ...settings];
    server = spawn(
      join(bin, 'postgres'),
      [
        '-D',
        data,
        '-h',
        '127.0.0.1',
        '-p',
        `${port}`,
        '-k',
        folder,
        ...options.flatMap((one) => ['-c', one]),
      ],
      { ...as, stdio: 'ignore' },
    );
    for (;;) {
      const isUp = await query('select 1').then(
        () => true,
        () => false,
      );
      if (isUp) return;
      if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  };
  const stop = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((done) => server.once('close', done));
    server.kill('SIGINT');
    await ended;
  };
  await start();
  return {
    port,
    folder,
    user,
    password,
    env: { PGHOST: '127.0.0.1', PGPORT: `${port}`, PGUSER: user, PGPASSWORD: password },
    query,
    stop,
    start,
    remove: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PgBouncer, as Debian's package has it; undefined where it is not installed. */
export const bouncerProgram = (): string | undefined =>
  ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path));

/** Starts a PgBouncer in front of a server, which lends its connections for one transaction at a time. */
export async function startBouncer(program: string, server: PostgresServer) {
  const port = await freePort();
  const [users, settings] = ['users', 'settings'].map((name) => join(server.folder, name)) as [
    string,
    string,
  ];
  writeFileSync(users, `"${server.user}" "${server.password}"\n`);
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir = ${server.folder}
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 2
`,
  );
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const path of [users, settings]) chownSync(path, nobody, nobody);
  const child = spawn(program, [settings], {
    stdio: 'ignore',
    ...(isRoot ? { uid: nobody, gid: nobody } : {}),
  });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  const client = () =>
    new pg.Client({
      host: '127.0.0.1',
      port,
      user: server.user,
      password: server.password,
      database: 'postgres',
    });
  for (;;) {
    const asked = client();
    const isUp = await asked.connect().then(
      () => true,
      () => false,
    );
    await asked.end().catch(() => {});
    if (isUp) break;
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`);
    await new Promise((done) => setTimeout(done, 50));
  }
  const close = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { port, close };
}

/** A port of this machine that nobody listens on. */
export const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
