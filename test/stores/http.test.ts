import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLedgerStore } from '../../src/ledger/ledger-store.ts';
import { openOwnershipIndex } from '../../src/ledger/open-ownership-index.ts';
import { rebuildOwnershipIndex } from '../../src/ledger/write-ownership-index.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import type { Ledger } from '../../src/model/ledger.ts';
import { summarizeClaims } from '../../src/plan/summarize-claims.ts';
import { httpDocuments } from '../../src/stores/http/http-documents.ts';
import { httpPlace, indexPlace } from '../../src/stores/http/http-place.ts';
import { storeContract } from '../ledger/contract/contract.ts';
import { cutAnswersContract } from '../ledger/contract/cut-answers.ts';
import { problemOf } from '../ledger/leases.ts';
import { Shell } from '../support/cli.ts';
import { type CuttingProxy, cuttingProxy } from '../support/cutting-proxy.ts';
import { keyText } from '../support/keys.ts';
import { type Habits, startStateServer, type TestStateServer } from '../support/state-server.ts';
import { urlPlace } from '../support/store-places.ts';
import { all, oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { tinyKinds, tinyLedger } from '../support/tiny.ts';

const story = oneStoryIn(5);

let server: TestStateServer;
let gitLab: TestStateServer;
let proxy: CuttingProxy;
beforeAll(async () => {
  server = await startStateServer();
  gitLab = await startStateServer({ gitLab: true, lockedStatus: 409 });
  proxy = await cuttingProxy(server.port);
});
afterAll(async () => {
  await proxy.close();
  await server.close();
  await gitLab.close();
});

let made = 0;
const env = (index: string) => ({ PATH: process.env.PATH!, TRUEUP_LEDGER_INDEX: index });
const newPlace = () => {
  const folder = `${server.url}/place${made++}`;
  return urlPlace(`${folder}/{stack}`, env(`${folder}/index`), '/nonexistent');
};
const newGitLabPlace = () => {
  const folder = `${gitLab.url}/api/v4/projects/${made++}/terraform/state`;
  return urlPlace(`${folder}/{stack}`, env(`${folder}/trueup_index`), '/nonexistent');
};

storeContract('http', newPlace, { isAtomic: true, isNamedByUrl: true, withProcesses: all, oneIn: 6 });
storeContract('GitLab', newGitLabPlace, { isAtomic: true, isNamedByUrl: true, withProcesses: all, oneIn: 6 });
cutAnswersContract(() => {
  const path = `place${made++}`;
  const none = { PATH: process.env.PATH! };
  return {
    place: urlPlace(`${server.url}/${path}`, none, '/nonexistent'),
    through: () => urlPlace(`http://127.0.0.1:${proxy.port}/${path}`, none, '/nonexistent').open(),
    proxy,
  };
});

const yaml = (project: string, stack = project) => `stack: ${stack}
platform: { team: acme }
projects:
  ${project}:
    framework: nextjs
    env: { A: { value: one, type: plain } }
`;

async function machine(settings: Record<string, string>, project: string, stack = project): Promise<Shell> {
  const shell = await new Shell().write({ 'trueup.yaml': yaml(project, stack) });
  shell.env = { CI: 'true', TRUEUP_LEDGER_KEY: keyText(), ...settings };
  return shell;
}
const apply = ['apply', '--auto-approve'];

/** The documents of a stack at a server with habits of its own. */
async function at(habits: Habits, { path = '/it', wait = 50, env = {} as Record<string, string> } = {}) {
  const own = await startStateServer(habits);
  onTestFinished(() => own.close());
  const place = httpPlace(new URL(`${own.url}${path}`), 'demo', env);
  return { own, documents: await httpDocuments(place, { who: 'ada@here', env, index: undefined, wait }) };
}

describe('the command line', () => {
  story(
    'goes on from another machine; a plan only asks; stacks of one index know of each other',
    async () => {
      const folder = `${server.url}/place${made++}`;
      const settings = { TRUEUP_LEDGER: `${folder}/{stack}`, TRUEUP_LEDGER_INDEX: `${folder}/index` };
      const first = await machine(settings, 'web');
      const twin = await first.withTwin();
      const account = { TRUEUP_BASE_URL: twin.url, TRUEUP_TOKEN: 'token-for-tests' };
      server.asked.length = 0;
      expect((await first.run(['plan'])).status).toBe(0);
      expect(server.asked.filter((one) => !one.startsWith('GET '))).toEqual([]);
      expect((await first.run(apply)).status).toBe(0);
      const second = await machine({ ...settings, ...account }, 'web');
      expect(JSON.parse((await second.run(['plan', '--json'])).stdout).summary).toMatchObject({
        create: 0,
        noop: 2,
      });
      const other = await machine({ ...settings, ...account }, 'web', 'other');
      const refused = await other.run(['plan', '--json']);
      expect(JSON.parse(refused.stdout).diagnostics).toMatchObject([{ code: 'stack/owned', count: 4 }]);
      // Without the list nobody knows, and the plan says so.
      const { TRUEUP_LEDGER_INDEX: _, ...unlisted } = other.env;
      other.env = unlisted;
      const unaware = JSON.parse((await other.run(['plan', '--json'])).stdout);
      expect(unaware).toMatchObject({
        complete: true,
        diagnostics: [{ code: 'ledger/unlisted', severity: 'warning' }],
      });
      const document = JSON.parse(server.documents.get(`${new URL(folder).pathname}/web`)!);
      expect(document).toMatchObject({ trueup: 1, history: { '000001.json': expect.any(String) } });
      expect(document.lease).toBeUndefined();
      expect([...server.locks.keys()].filter((path) => path.startsWith(new URL(folder).pathname))).toEqual(
        [],
      );
    },
  );

  story('the LOCK that a killed run left is told with its holder, and `ledger unlock` takes it', async () => {
    const path = `/place${made++}`;
    const shell = await machine({ TRUEUP_LEDGER: `${server.url}${path}` }, 'web');
    await shell.withTwin();
    server.locks.set(path, { ID: 'left', Who: 'grace@ship' });
    const refused = await shell.run(['ledger', 'unlock']);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('locked by grace@ship');
    expect(server.locks.has(path)).toBe(true);
    const taken = await shell.run(['ledger', 'unlock', '--force']);
    expect([taken.status, taken.stdout]).toEqual([0, expect.stringContaining('Its lock was removed')]);
    expect(server.locks.has(path)).toBe(false);
    expect((await shell.run(apply)).status).toBe(0);
  });

  it('`ledger unlock` says that the LOCK is gone if the lease stays, and removes none of a ledger that it cannot read', async () => {
    const path = `/place${made++}`;
    const shell = await machine({ TRUEUP_LEDGER: `${server.url}${path}` }, 'web');
    await shell.withTwin();
    expect((await shell.run(apply)).status).toBe(0);
    const document = JSON.parse(server.documents.get(path)!);
    server.documents.set(path, JSON.stringify({ ...document, lease: 'of another version' }));
    const lock = { ID: 'left', Who: 'grace@ship' };
    server.locks.set(path, lock);
    const declined = await shell.run(['ledger', 'unlock'], { input: 'yes\nno\n', isTerminal: true });
    expect(declined.status).toBe(1);
    expect(declined.all).toContain('Only the lock of the place was removed.');
    expect(declined.all).not.toMatch(/nothing was changed/i);
    server.locks.set(path, lock);
    server.documents.set(path, '{}');
    const unreadable = await shell.run(['ledger', 'unlock', '--force']);
    expect(unreadable.stderr).toContain('nothing was changed');
    expect(server.locks.has(path)).toBe(true);
  });

  it('addresses and settings that cannot work are refused, and nothing of them is quoted', async () => {
    const shell = await machine({}, 'web');
    await shell.withTwin();
    const cases: [string[], Record<string, string>, string][] = [
      [['--ledger', 'http://example.com/x'], {}, 'ledger/url'],
      [['--ledger', 'https://ada:canary@example.com/x'], {}, 'cli/password'],
      [['--ledger', 'https://ada:1#canary@example.com/x'], {}, 'ledger/url'],
      [['--ledger', 'https://ada:1/canary@example.com/x'], {}, 'ledger/url'],
      [['--ledger', 'https://ada:%canary@example.com/x'], {}, 'ledger/url'],
      [['--ledger', `${server.url}/x`, '--ledger-index', 'https://example.com/canary'], {}, 'ledger/url'],
      [['--ledger', `${server.url}/x`, '--ledger-index', 'ledgers.json'], {}, 'ledger/url'],
      [['--ledger', `${server.url}/x`], { TF_HTTP_LOCK_ADDRESS: 'https://example.com/canary' }, 'ledger/url'],
    ];
    for (const [args, settings, code] of cases) {
      const before = shell.env;
      shell.env = { ...before, ...settings };
      const ran = await shell.run(['plan', '--json', ...args]);
      shell.env = before;
      expect([args, JSON.parse(ran.stdout).diagnostics]).toMatchObject([args, [{ code }]]);
      expect(ran.all).not.toContain('canary');
    }
  });

  it('a stack whose ledger would be where the index is, is refused before anything is written', async () => {
    const folder = `${server.url}/place${made++}`;
    const settings = { TRUEUP_LEDGER: `${folder}/{stack}`, TRUEUP_LEDGER_INDEX: `${folder}/index` };
    const shell = await machine(settings, 'web', 'index');
    await shell.withTwin();
    const ran = await shell.run(apply);
    expect([ran.status, ran.stderr]).toEqual([
      1,
      expect.stringContaining(
        'the ledger of the stack index has the same address as the index of all ledgers',
      ),
    ]);
    expect([...server.documents.keys()].filter((path) => path.startsWith(new URL(folder).pathname))).toEqual(
      [],
    );
    // Others are not locked out.
    const other = await machine({ ...shell.env, ...settings } as Record<string, string>, 'web');
    expect((await other.run(apply)).status).toBe(0);
  });
});

describe('a server', () => {
  oneRowIn(2)([409, 423] as const)(
    'that answers %i is waited for a moment, and its holder named',
    async (lockedStatus) => {
      const { own, documents } = await at({ lockedStatus });
      own.locks.set('/it', { ID: 'other', Who: 'grace@ship' });
      const held = await problemOf(documents.write('ledger', 'one', { expected: undefined }));
      expect(held).toMatchObject({
        code: 'ledger/http-locked',
        message: expect.stringContaining('grace@ship'),
      });
      expect(held.hint).toContain('ledger unlock');
      own.locks.clear();
      await documents.write('ledger', 'one', { expected: undefined });
      expect(own.locks.size).toBe(0);
    },
  );

  it.each<[string, Habits, string]>([
    ['that gives its LOCK to two', { lockForAll: true }, 'ledger/http-lock'],
    ['that knows no LOCK', { noLock: true }, 'ledger/http-lock'],
    ['with a limit', { maxBytes: 10 }, 'ledger/http-too-large'],
    ['that lets nobody in', { authorization: 'Basic other' }, 'ledger/http-denied'],
  ])('%s keeps no ledger: that is told, and nothing written or left locked', async (_, habits, code) => {
    const { own, documents } = await at(habits);
    expect((await problemOf(documents.write('ledger', 'one', { expected: undefined }))).code).toBe(code);
    expect([own.documents.size, habits.lockForAll ? 0 : own.locks.size]).toEqual([0, 0]);
  });

  it.each<[NonNullable<Habits['answer']>, string]>([
    [{ status: 200, text: '' }, 'ledger/content'],
    [{ status: 200, text: '{"trueup":1,"serial":4,"hist' }, 'ledger/content'],
    [{ status: 200, text: '{"trueup":2}' }, 'ledger/content'],
    [{ status: 200, text: '{"version":4,"terraform_version":"1.11.0","serial":1}' }, 'ledger/content'],
    [{ status: 200, text: '\n<!doctype html><title>Sign in</title>' }, 'ledger/content'],
    [{ status: 200, text: '{"trueup":1}', headers: { 'content-encoding': 'gzip' } }, 'ledger/content'],
    [{ status: 403, text: '<html>Forbidden</html>' }, 'ledger/http-denied'],
    [{ status: 429, text: 'slow down' }, 'ledger/unreachable'],
    [{ status: 302, headers: { location: 'https://example.com/' } }, 'ledger/http-answer'],
    [{ status: 410, text: 'gone' }, 'ledger/http-answer'],
    [{ status: 503, text: 'busy' }, 'ledger/unreachable'],
    [
      { status: 200, text: '{}', headers: { 'content-length': '100', connection: 'close' } },
      'ledger/unreachable',
    ],
  ])('whose answer is %j is no empty place, and is not written to', async (answer, code) => {
    const { own, documents } = await at({ answer });
    own.documents.set('/it', 'as it was');
    for (const work of [
      () => documents.read('ledger'),
      () => documents.write('ledger', 'x', { expected: undefined }),
    ])
      expect((await problemOf(work())).code).toBe(code);
    expect([...own.documents.values(), own.locks.size]).toEqual(['as it was', 0]);
  });

  it('as GitLab is one: a job signs in with its token, a hidden project is not an empty place, names are plain', async () => {
    const token = 'canary-job-token';
    const path = '/api/v4/projects/7/terraform/state/{stack}';
    const own = await startStateServer({ gitLab: true });
    onTestFinished(() => own.close());
    own.habits.authorization = `Basic ${Buffer.from(`gitlab-ci-token:${token}`).toString('base64')}`;
    const env = { CI_SERVER_URL: own.url, CI_JOB_TOKEN: token };
    const open = (stack: string, env: Record<string, string>) =>
      httpDocuments(httpPlace(new URL(`${own.url}${path}`), stack, env), {
        who: 'job',
        env,
        index: undefined,
      });
    for (const stack of ['a_at_b', 'a@b', 'a.b', 'a_b'])
      await (await open(stack, env)).write('ledger', stack, { expected: undefined });
    expect([...own.documents.keys()].map((name) => name.split('/').at(-1))).toEqual([
      'a__at__b',
      'a_at_b',
      'a_dot_b',
      'a__b',
    ]);
    // The token goes to that server alone.
    const elsewhere = { ...env, CI_SERVER_URL: 'https://gitlab.example.com' };
    expect((await problemOf((await open('a', elsewhere)).read('ledger'))).code).toBe('ledger/http-denied');
    own.habits.answer = { status: 404, text: '{"message":"404 Project Not Found"}' };
    const hidden = await problemOf((await open('a', env)).read('ledger'));
    expect(hidden).toMatchObject({ code: 'ledger/http-denied', hint: expect.stringContaining('Maintainer') });
    expect(JSON.stringify(hidden)).not.toContain('canary');
  });

  story(
    'whose UNLOCK fails once is asked again; a LOCK that this run could not give back is still its own',
    async () => {
      const { own, documents } = await at({ failUnlock: 1 });
      const version = await documents.write('ledger', 'one', { expected: undefined });
      expect(own.locks.size).toBe(0);
      own.habits.failUnlock = 3;
      const kept = await problemOf(documents.write('ledger', 'two', { expected: version }));
      expect([kept.code, own.locks.size]).toEqual(['ledger/unreachable', 1]);
      const { version: second } = (await documents.read('ledger'))!;
      await documents.write('ledger', 'three', { expected: second });
      expect(own.locks.size).toBe(0);
    },
  );

  story(
    'whose UNLOCK was answered to nobody is not asked for what it did: GitLab says then that there is no such LOCK',
    async () => {
      const path = '/api/v4/projects/7/terraform/state/it';
      const { own, documents } = await at({ gitLab: true, loseUnlock: 1 }, { path });
      await documents.write('ledger', 'one', { expected: undefined });
      expect([own.locks.size, own.habits.loseUnlock]).toEqual([0, 0]);
      // Another's by now is not ours to take away.
      const left = { ID: 'left', Who: 'grace', Operation: 'OperationTypeApply' };
      own.locks.set(path, left);
      const lock = (await documents.findHeldLock!())!;
      // The operation that GitLab names is that of whoever asks.
      expect(lock.holder).toMatch(/^grace since /);
      own.locks.set(path, { ...left, ID: 'next' });
      expect((await problemOf(lock.take())).code).toBe('ledger/http-locked');
      expect(own.locks.size).toBe(1);
    },
  );

  it('as GitLab is asked as GitLab wants it, whatever the variables of a Terraform in the same job say', async () => {
    const path = '/api/v4/projects/7/terraform/state/it';
    const own = await startStateServer({ gitLab: true });
    onTestFinished(() => own.close());
    const theirs = `${own.url}/api/v4/projects/7/terraform/state/theirs/lock`;
    const env = {
      TF_HTTP_LOCK_ADDRESS: theirs,
      TF_HTTP_UNLOCK_ADDRESS: theirs,
      TF_HTTP_LOCK_METHOD: 'PUT',
      TF_HTTP_UPDATE_METHOD: 'PUT',
    };
    const place = httpPlace(new URL(`${own.url}${path}`), 'it', env);
    const documents = await httpDocuments(place, { who: 'job', env, index: undefined });
    await documents.write('ledger', 'one', { expected: undefined });
    expect(new Set(own.asked)).toEqual(
      new Set([`GET ${path}`, `POST ${path}/lock`, `POST ${path}`, `DELETE ${path}/lock`]),
    );
  });

  it('that locks at other addresses locks its index at one for all stacks', async () => {
    const folder = `${server.url}/place${made++}`;
    const open = (index: string, lock: string) =>
      httpDocuments(httpPlace(new URL(`${folder}/{stack}`), 'a', { TF_HTTP_LOCK_ADDRESS: lock }), {
        who: 'job',
        env: {},
        index: indexPlace(new URL(index), new URL(`${folder}/{stack}`), { TF_HTTP_LOCK_ADDRESS: lock }),
      });
    const asked = async (index: string, lock: string) => {
      const documents = await open(index, lock);
      server.asked.length = 0;
      await documents.write('ledger', lock, { expected: (await documents.read('ledger'))?.version });
      return [...new Set(server.asked)].filter((one) => one.startsWith('LOCK')).map((one) => one.slice(5));
    };
    const { pathname } = new URL(folder);
    expect(await asked(`${folder}/index`, `${folder}/locks/{stack}`)).toEqual([
      `${pathname}/locks/index`,
      `${pathname}/locks/a`,
    ]);
    expect(await asked(`${server.url}/list${made}`, `${folder}/locks/a`)).toEqual([
      `/list${made}`,
      `${pathname}/locks/a`,
    ]);
  });

  it('that tells stacks apart by a query has another name for each, and never what else is in the query', () => {
    const shown = (stack: string) =>
      httpPlace(new URL('https://state.example.com/x?key=canary&name={stack}'), stack, {}).shown;
    expect([shown('a'), shown('b')]).toEqual([
      'https://state.example.com/x (a)',
      'https://state.example.com/x (b)',
    ]);
  });

  it('an index that names a ledger at another server is an error: credentials go nowhere else', async () => {
    const folder = `${server.url}/place${made++}`;
    const elsewhere = await startStateServer();
    onTestFinished(() => elsewhere.close());
    const place = urlPlace(
      `${folder}/{stack}`,
      { PATH: '', TRUEUP_LEDGER_INDEX: `${folder}/index` },
      join('/nonexistent'),
    );
    server.documents.set(
      `${new URL(folder).pathname}/index`,
      JSON.stringify({ trueup: 1, serial: 1, ledgers: [`${elsewhere.url}/x`] }),
    );
    expect((await problemOf(place.open().readOtherLedgers())).code).toBe('ledger/content');
    expect(elsewhere.asked).toEqual([]);
  });
});

it('a server without entity tags covers no ledger, so that plans read all of them', async () => {
  const key = ledgerKeyFrom('a key for tests, long enough');
  const plain = await startStateServer({ noTags: true });
  onTestFinished(() => plain.close());
  const open = (stack: string) =>
    urlPlace(`${plain.url}/{stack}`, env(`${plain.url}/index`), '/nonexistent').open(stack);
  for (const stack of ['shop', 'web'])
    await createLedgerStore(open(stack), { key }).write({ ...tinyLedger({ 'boxes/a': {} }), stack });
  const { ownership } = open('shop');
  const summarize = (entries: Ledger['entries']) => summarizeClaims(entries, tinyKinds);
  const built = await rebuildOwnershipIndex(ownership!, summarize, key);
  expect(built).toMatchObject({ covered: { count: 0 }, uncovered: { length: 2 } });
  const own = { ...tinyLedger({}), stack: 'shop' };
  expect(await openOwnershipIndex(ownership!, own, key)).toMatchObject({
    coveredCount: 0,
    uncovered: [`${plain.url}/web`],
  });
});
