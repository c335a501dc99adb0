import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { keyText } from '../support/keys.ts';
import { startProcess } from '../support/process.ts';
import { type Habits, startStateServer } from '../support/state-server.ts';

/* What a store beside files and git may do, what may be in its way, and what it is given. */

const yaml = `stack: demo
platform: { team: acme }
projects: { web: { framework: nextjs } }
`;
const apply = ['apply', '--auto-approve'];

async function stand(ledger: string, settings: Record<string, string> = {}) {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  const twin = await shell.withTwin();
  shell.env = { ...shell.env, CI: 'true', TRUEUP_LEDGER_KEY: keyText(), TRUEUP_LEDGER: ledger, ...settings };
  const writes = () => twin.requests.filter(({ method }) => method !== 'GET').length;
  const codes = async (...args: string[]) => {
    const ran = await shell.run(['plan', '--json', ...args]);
    expect(ran.all).not.toContain('canary');
    return (JSON.parse(ran.stdout).diagnostics as { code: string }[]).map(({ code }) => code);
  };
  return { shell, twin, writes, codes };
}

async function server(habits: Habits = {}) {
  const started = await startStateServer(habits);
  onTestFinished(() => started.close());
  return started;
}

describe('a store of ledgers', () => {
  test('A password in the URL of a store is rejected where others could read it, and never printed.', async () => {
    const { codes } = await stand('');
    for (const url of [
      'postgres://ada:canary@127.0.0.1:9/x',
      'postgres:///x?password=canary',
      'https://ada:canary@127.0.0.1:9/x',
      's3://ada:canary@bucket/x',
    ])
      expect([url, await codes('--ledger', url)]).toEqual([url, ['cli/password']]);
    // A file that names it where no reader looks for it is rejected, too, and its line is not quoted.
    const files: Record<string, string[]> = {
      'trueup.yaml': [
        'ledger: { url: URL }',
        'ledger: [URL]',
        'ledger: "${var.x}URL"',
        'ledger: git:URL',
        'platform: { ledger: URL }',
        'stages: { a: { ledger: URL } }',
        'removed: [{ path: x, ledger: URL }]',
        'variables: { a: { ledger: URL } }',
        'owns: [projects/x, { ledger: URL }]',
        'stack: { ledger: URL }',
        'include: { ledger: URL }',
      ],
      'trueup.workspace.yaml': ['stacks: [{ path: a, ledger: URL }]', 'ledgers: URL', 'ledger: [URL]'],
    };
    for (const [file, lines] of Object.entries(files))
      for (const line of lines) {
        const text = line.replace('URL', 'postgres://ada:canary@127.0.0.1:9/x');
        const shell = await new Shell().write({ [file]: `${text}\n` });
        const ran = await shell.run([file === 'trueup.yaml' ? 'validate' : 'stacks']);
        expect([line, ran.status]).toEqual([line, 1]);
        expect(ran.all).toContain('(secret)');
        expect(ran.all).not.toContain('canary');
      }
    // From the environment it is used, and is in no message about what failed.
    const { url } = await server({ authorization: 'Basic another' });
    const given = await stand(url.replace('//', '//ada:canary@'));
    expect(await given.codes()).toContain('ledger/http-denied');
    const unreachable = await stand('postgres://ada:canary@127.0.0.1:9/x');
    expect(await unreachable.codes()).toContain('ledger/unreachable');
  });

  test('Nothing is sent to a store on another machine unencrypted or without checking certificates.', async () => {
    const refused: [string, Record<string, string>][] = [
      ['http://state.example.com/x', {}],
      ['postgres://db.example.com/x?sslmode=disable', {}],
      ['postgres://db.example.com/x', { PGSSLMODE: 'prefer' }],
      ['s3://bucket/x?endpoint=http://s3.example.com', {}],
      ['s3://bucket/x', { AWS_ENDPOINT_URL_S3: 'http://s3.example.com' }],
    ];
    for (const [url, settings] of refused) {
      const { codes } = await stand(url, settings);
      expect([url, await codes()]).toEqual([url, ['ledger/url']]);
    }
    for (const url of ['https://state.example.com/x', 's3://bucket/x']) {
      const { shell } = await stand(url, { NODE_TLS_REJECT_UNAUTHORIZED: '0', AWS_REGION: 'us-east-1' });
      const ran = await shell.run(['ledger', 'list']);
      expect([url, ran.status, ran.stderr]).toEqual([url, 1, expect.stringContaining('[http/unverified]')]);
    }
  });

  test('The credentials of a store are sent to no other server, even if the store asks for it.', async () => {
    const elsewhere = await server();
    const credentials = { TF_HTTP_USERNAME: 'ada', TF_HTTP_PASSWORD: 'canary' };
    const home = await server();
    for (const name of ['TF_HTTP_LOCK_ADDRESS', 'TF_HTTP_UNLOCK_ADDRESS', 'TRUEUP_LEDGER_INDEX']) {
      const { codes } = await stand(`${home.url}/x`, { ...credentials, [name]: `${elsewhere.url}/x` });
      expect([name, await codes()]).toEqual([name, ['ledger/url']]);
    }
    // An index that names another server, and an answer that leads there.
    const list = { trueup: 1, serial: 1, ledgers: [`${elsewhere.url}/y`] };
    home.documents.set('/index', JSON.stringify(list));
    const listed = await stand(`${home.url}/x`, { ...credentials, TRUEUP_LEDGER_INDEX: `${home.url}/index` });
    expect(await listed.codes()).toContain('ledger/content');
    home.habits.answer = { status: 307, headers: { location: `${elsewhere.url}/x` } };
    expect(await listed.codes()).toContain('ledger/http-answer');
    expect(elsewhere.asked).toEqual([]);
  });

  test("Anyone who can write to a store of ledgers can do no more there than anyone who can push the ledger's ref.", async () => {
    // Each promise of a ledger is tried in every store by test/ledger/contract/promises.ts; here is what nobody is to try first.
    const { url, documents } = await server();
    const { shell, twin, writes, codes } = await stand(url);
    twin.add({ projects: [{ name: 'theirs' }] });
    expect((await shell.run(apply)).status).toBe(0);
    const [genuine, sent] = [documents.get('/')!, writes()];
    const { ledger, history, ...rest } = JSON.parse(genuine);
    const { signature, ...kept } = JSON.parse(ledger);
    const { id } = twin.account.projects.find(({ name }) => name === 'theirs')!;
    kept.entries['projects/theirs'] = { ...kept.entries['projects/web'], ids: [id] };
    const forge = (ledger: object, records = history) =>
      documents.set(
        '/',
        JSON.stringify({ ...rest, ledger: `${JSON.stringify(ledger, null, 2)}\n`, history: records }),
      );
    for (const [forged, code] of [
      [{ ...kept, signature }, 'ledger/altered'],
      [kept, 'ledger/unsigned'],
      [{ ...kept, copiedTo: 'https://example.com/x' }, 'ledger/unsigned'],
    ] as const) {
      forge(forged);
      expect(await codes()).toContain(code);
      for (const command of [apply, ['destroy', '--confirm', 'demo'], ['ledger', 'forget', 'projects/web']])
        expect((await shell.run(command)).status).toBe(1);
    }
    const [name, record] = Object.entries(history as Record<string, string>)[0]!;
    documents.set(
      '/',
      JSON.stringify({ ...rest, ledger, history: { [name]: record.replace('nextjs', 'vite') } }),
    );
    expect((await shell.run(['log'])).stdout).toContain('not verified: changed after the key');
    // Without the key nobody can tell who says that it was copied elsewhere, and nobody is sent there.
    forge({ ...kept, copiedTo: 'https://example.com/x', signature });
    const { TRUEUP_LEDGER_KEY: key, ...keyless } = shell.env;
    shell.env = keyless;
    expect((await shell.run(['plan'])).stderr).toMatch(
      /says, not verified here, that it was copied to https:/,
    );
    shell.env = { ...keyless, TRUEUP_LEDGER_KEY: key! };
    // Gone altogether: nothing is deleted for that.
    documents.clear();
    await shell.write({ 'trueup.yaml': yaml.replace('web', 'other') });
    expect((await shell.run(apply)).status).toBe(0);
    expect(twin.account.projects.map(({ name }) => name).sort()).toEqual(['other', 'theirs', 'web']);
    expect(writes()).toBe(sent + 1);
  });

  test('A store that does not prevent concurrent writes is not used for a ledger.', async () => {
    for (const habits of [{ lockForAll: true }, { noLock: true }]) {
      const { url, documents } = await server(habits);
      const { shell, writes } = await stand(url);
      const ran = await shell.run(apply);
      expect([ran.status, ran.stderr]).toEqual([1, expect.stringContaining('[ledger/http-lock]')]);
      expect([documents.size, writes()]).toEqual([0, 0]);
    }
  });

  test('A store that lies or responds incompletely is never treated as empty.', async () => {
    const { url, habits, documents } = await server();
    const { shell, codes, writes } = await stand(url);
    expect((await shell.run(apply)).status).toBe(0);
    const [before, sent] = [documents.get('/')!, writes()];
    for (const [answer, code] of [
      [{ status: 200, text: before.slice(0, -30) }, 'ledger/content'],
      [{ status: 200, text: '' }, 'ledger/content'],
      [{ status: 500, text: '' }, 'ledger/unreachable'],
      [{ status: 200, text: before.replace('projects/web', 'projects/theirs') }, 'ledger/altered'],
    ] as const) {
      habits.answer = answer;
      if (code !== 'ledger/altered') expect(await codes()).toContain(code);
      const ran = await shell.run(apply);
      expect([ran.status, ran.stderr]).toEqual([1, expect.stringContaining(`[${code}]`)]);
    }
    expect([documents.get('/'), writes()]).toEqual([before, sent]);
  });

  test('A ledger that was copied to another place accepts no apply.', async () => {
    const { url } = await server();
    const { shell, writes } = await stand(`${url}/old`);
    expect((await shell.run(apply)).status).toBe(0);
    expect((await shell.run(['ledger', 'copy', `${url}/old`, `${url}/new`])).status).toBe(0);
    await shell.write({ 'trueup.yaml': yaml.replace('nextjs', 'vite') });
    const sent = writes();
    for (const command of [apply, ['destroy', '--confirm', 'demo'], ['ledger', 'forget', 'projects/web']]) {
      const ran = await shell.run(command);
      expect([command, ran.status, ran.stderr]).toEqual([
        command,
        1,
        expect.stringContaining('[ledger/copied]'),
      ]);
    }
    expect(writes()).toBe(sent);
    expect((await shell.run([...apply, '--ledger', `${url}/new`])).status).toBe(0);
  });

  test("The code that talks to a store comes from trueup's installation, never from a configuration's folder.", async () => {
    const { shell } = await stand('postgres://127.0.0.1:9/x');
    const bait = `require('node:fs').writeFileSync('ran', ''); module.exports = { Pool: class {} };`;
    for (const name of ['pg', '@aws-sdk/client-s3'])
      await shell.write({
        [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: '99.0.0', main: 'index.js' }),
        [`node_modules/${name}/index.js`]: bait,
      });
    for (const ledger of ['postgres://127.0.0.1:9/x', 's3://bucket/x?endpoint=http://127.0.0.1:9']) {
      const env = { ...shell.env, TRUEUP_LEDGER: ledger, AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' };
      const run = startProcess(['plan'], { cwd: shell.folder, env });
      await run.ended;
      expect(run.said()).toMatch(/\[ledger\/unreachable\]/);
    }
    expect(existsSync(join(shell.folder, 'ran'))).toBe(false);
  });
});
