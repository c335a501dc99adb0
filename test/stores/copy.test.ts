import { afterAll, beforeAll, expect } from 'vitest';
import { copyStoppedEverywhere } from '../ledger/copied.ts';
import { Shell } from '../support/cli.ts';
import { keyText } from '../support/keys.ts';
import { git, gitEnv, repository, temporary } from '../support/ledger-places.ts';
import {
  type PostgresServer,
  postgresPrograms,
  startPostgres,
  withoutPostgres,
} from '../support/postgres.ts';
import { type S3Server, s3Program, startS3, withoutS3 } from '../support/s3-server.ts';
import { startStateServer, type TestStateServer } from '../support/state-server.ts';
import { type Store, stores } from '../support/stopped-ledgers.ts';
import { urlPlace } from '../support/store-places.ts';
import { all, first, oneStoryIn, sampled } from '../support/sweep.ts';

const story = oneStoryIn(4);

if (!postgresPrograms()) console.log(withoutPostgres);
if (!s3Program()) console.log(withoutS3);
// The suite starts one of the two, since each costs; the sweep both.
const started = first(['postgres', 's3'], 1);
const hasPostgres = started.includes('postgres') && postgresPrograms() !== undefined;
const hasS3 = started.includes('s3') && s3Program() !== undefined;

let postgres: PostgresServer | undefined;
let s3: S3Server | undefined;
let http: TestStateServer;
beforeAll(async () => {
  http = await startStateServer();
  [postgres, s3] = await Promise.all([
    hasPostgres ? startPostgres() : undefined,
    hasS3 ? startS3() : undefined,
  ]);
});
afterAll(async () => {
  await http.close();
  await postgres?.remove();
  await s3?.close();
});

const yaml = `stack: demo
platform: { team: acme }
projects: { web: { framework: nextjs, env: { A: { value: one, type: plain } } } }
`;

story(
  '`ledger copy` takes a ledger from each sort of store to the next; each counts once it has it, and the one before no more',
  async () => {
    const { clone } = repository();
    const shell = new Shell();
    const checkout = clone();
    git(checkout, 'checkout', '--quiet', '--detach');
    Object.assign(shell, { folder: checkout });
    shell.env = { ...gitEnv, ...postgres?.env, ...s3?.env, CI: 'true', TRUEUP_LEDGER_KEY: keyText() };
    await shell.write({ 'trueup.yaml': yaml });
    const twin = await shell.withTwin();
    const places = [
      'ledgers/demo.json',
      ...(postgres ? ['postgres:///postgres'] : []),
      `${http.url}/{stack}`,
      ...(s3 ? ['s3://ledgers/trueup'] : []),
      'git',
    ];
    expect((await shell.run(['apply', '--auto-approve', '--ledger', places[0]!])).status).toBe(0);
    const sent = twin.requests.filter(({ method }) => method !== 'GET').length;
    for (const [at, to] of places.slice(1).entries()) {
      const from = places[at]!;
      const copied = await shell.run(['ledger', 'copy', from, to]);
      expect([from, to, copied.status, copied.stdout]).toMatchObject([
        from,
        to,
        0,
        /^Copied: the ledger of demo is at /,
      ]);
      const old = JSON.parse((await shell.run(['plan', '--json', '--ledger', from])).stdout);
      expect(old).toMatchObject({ complete: false, diagnostics: [{ code: 'ledger/copied' }] });
      expect((await shell.run(['apply', '--auto-approve', '--ledger', from])).status).toBe(1);
      const now = await shell.run(['apply', '--auto-approve', '--ledger', to]);
      expect([to, now.status, now.stdout]).toMatchObject([to, 0, /No changes/]);
    }
    expect(twin.requests.filter(({ method }) => method !== 'GET')).toHaveLength(sent);
    const log = JSON.parse((await shell.run(['log', '--json', '--ledger', 'git'])).stdout);
    expect(log.doubts).toEqual([]);
    expect(log.runs.map(({ command }: { command: string }) => command)).toEqual([
      ...places.slice(1).map(() => 'copy'),
      'apply',
    ]);
    expect(log.runs.every(({ verified }: { verified: boolean }) => verified)).toBe(true);
    const back = await shell.run(['ledger', 'copy', 'git', places.at(-2)!]);
    expect(back.status).toBe(0);
    expect((await shell.run(['plan', '--detailed-exitcode', '--ledger', places.at(-2)!])).status).toBe(0);
    const same = await shell.run(['ledger', 'copy', 'git', 'git:origin']);
    expect([same.status, same.stderr]).toMatchObject([1, /source and destination are the same/]);
    expect(
      JSON.stringify(await shell.run(['ledger', 'copy', 'git', 'postgres://ada:canary@db/x'])),
    ).not.toContain('canary');
  },
);

story(
  'whatever stops it, from any sort of store to any other: nothing is lost, and the same command ends it',
  async () => {
    let made = 0;
    const at = (name: string, url: string, env: Record<string, string> = { PATH: process.env.PATH! }) => {
      const place = urlPlace(url.replace('NAME', name), env, temporary());
      return (stack: string) => place.open(stack);
    };
    const sorts: [string, () => Store][] = [
      ['file', () => stores.files().of],
      ['git', () => stores.git().of],
      ['http', () => at(`copy${made++}`, `${http.url}/NAME/{stack}`)],
      ...(postgres
        ? ([
            ['postgres', () => at(`copy${made++}`, 'postgres:///postgres?schema=NAME', postgres!.env)],
          ] as const)
        : []),
      ...(s3 ? ([['s3', () => at(`copy${made++}`, 's3://ledgers/NAME', s3!.env)]] as const) : []),
    ] as [string, () => Store][];
    const pairs = sorts.flatMap(([from, newFrom]) =>
      sorts.flatMap(([to, newTo]) => (from === to ? [] : [{ from, to, newFrom, newTo }])),
    );
    let stops = 0;
    // Each git costs; ../ledger/copy.test.ts tries it.
    const cheap = pairs.filter(({ from, to }) => all || (from !== 'git' && to !== 'git'));
    for (const { from, to, newFrom, newTo } of sampled(cheap, 1)) {
      const stopped = await copyStoppedEverywhere(() => ({ from: newFrom(), to: newTo() }));
      expect([from, to, stopped]).toEqual([from, to, 6]);
      stops += stopped;
    }
    console.log(`copies from store to store, stopped at each write: ${stops}`);
  },
);
