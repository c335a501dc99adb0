import { afterAll, beforeAll, expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { keyText } from '../support/keys.ts';
import { git, gitEnv, repository } from '../support/ledger-places.ts';
import {
  type PostgresServer,
  postgresPrograms,
  startPostgres,
  withoutPostgres,
} from '../support/postgres.ts';
import { type S3Server, s3Program, startS3, withoutS3 } from '../support/s3-server.ts';
import { startStateServer, type TestStateServer } from '../support/state-server.ts';

const [hasPostgres, hasS3] = [postgresPrograms() !== undefined, s3Program() !== undefined];
if (!hasPostgres) console.log(withoutPostgres);
if (!hasS3) console.log(withoutS3);

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

it('`ledger copy` takes a ledger from each sort of store to the next; each counts once it has it, and the one before no more', async () => {
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
});
