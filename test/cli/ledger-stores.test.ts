import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { gateTo } from '../support/gate.ts';
import { here as machine } from '../support/here.ts';
import { keyText } from '../support/keys.ts';
import { below, git, gitEnv, repository } from '../support/ledger-places.ts';
import { startProcess } from '../support/process.ts';
import { all, oneStoryIn, sampled } from '../support/sweep.ts';
import { until } from '../support/until.ts';

const story = oneStoryIn(5);

const yaml = `stack: demo
platform: { team: acme }
projects:
  web:
    framework: nextjs
    env: { A: { value: one, type: plain } }
`;

const apply = ['apply', '--auto-approve'];

/** A shell below the top of a checkout, as the checkout step of a CI system makes it: one commit, no branch. */
async function inCheckout(clone: ReturnType<typeof repository>['clone']): Promise<Shell> {
  const shell = new Shell();
  const checkout = clone('--depth=1');
  git(checkout, 'checkout', '--quiet', '--detach');
  Object.assign(shell, { folder: below(checkout) });
  shell.env = { ...gitEnv, CI: 'true', TRUEUP_LEDGER: 'git', TRUEUP_LEDGER_KEY: keyText() };
  return shell.write({ 'trueup.yaml': yaml });
}

describe('the ledger in a ref of the repository', () => {
  story('jobs in checkouts of their own go on from each other; a plan only reads', async () => {
    const { bare, clone } = repository();
    const first = await inCheckout(clone);
    const twin = await first.withTwin();
    const account = { TRUEUP_BASE_URL: twin.url, TRUEUP_TOKEN: 'token-for-tests' };
    expect(JSON.parse((await first.run(['plan', '--json'])).stdout)).toMatchObject({
      complete: true,
      diagnostics: [],
    });
    expect(git(bare, 'for-each-ref', 'refs/trueup')).toBe('');
    expect((await first.run(apply)).status).toBe(0);
    expect(JSON.parse(git(bare, 'show', 'refs/trueup/demo:ledger.json')).inputs).toEqual([
      '/infra/edge/trueup.yaml',
    ]);

    const second = await inCheckout(clone);
    second.env = { ...second.env, ...account };
    const plan = JSON.parse((await second.run(['plan', '--json'])).stdout);
    expect(plan.summary).toMatchObject({ adopt: 0, create: 0, noop: 2 });
    const list = await second.run(['ledger', 'list']);
    expect(list.stdout.split('\n').filter(Boolean)).toHaveLength(4);
    expect(list.stderr).toContain('refs/trueup/demo at origin');
    expect((await second.run(['ledger', 'forget', 'projects/web/env/A@preview'])).status).toBe(0);

    const third = await inCheckout(clone);
    third.env = { ...third.env, ...account };
    expect(JSON.parse((await third.run(['plan', '--json'])).stdout).summary).toMatchObject({ adopt: 1 });
    expect((await third.run(['destroy', '--confirm', 'demo'])).status).toBe(0);
    // The lease was given back each time, and nothing lies about.
    expect(git(bare, 'ls-tree', '--name-only', 'refs/trueup/demo')).toBe('history\nledger.json');
    for (const { folder } of [first, second, third]) {
      expect(existsSync(join(folder, '.trueup'))).toBe(false);
      expect(git(folder, 'status', '--porcelain')).toBe('?? infra/');
    }
  });

  test('a remote that does not answer is an incomplete plan, never an empty ledger', async () => {
    const { bare, clone } = repository();
    const shell = await inCheckout(clone);
    const twin = await shell.withTwin();
    expect((await shell.run(apply)).status).toBe(0);
    rmSync(bare, { recursive: true });
    const plan = await shell.run(['plan', '--json']);
    expect(plan.status).toBe(1);
    expect(JSON.parse(plan.stdout)).toMatchObject({
      complete: false,
      diagnostics: [{ code: 'ledger/unreachable' }],
    });
    const sent = twin.requests.length;
    expect((await shell.run(apply)).status).toBe(1);
    expect(twin.requests.slice(sent).filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test.each(sampled(['values', 'no-values'], 1))(
    'with %s no secret is in any object of the repository',
    async (kept) => {
      const { bare, clone } = repository();
      const shell = await inCheckout(clone);
      await shell.write({
        'trueup.yaml': `stack: demo
platform: { team: acme }
secrets: { database: {} }
projects:
  web:
    env: { LITERAL: canary-literal, DATABASE: { value: "\${secret.database}", type: sensitive, target: [production] } }
    protectionBypass: { e2e: { note: made } }
`,
      });
      const twin = await shell.withTwin();
      shell.env = {
        ...shell.env,
        TRUEUP_SECRET_database: 'canary-secret',
        TRUEUP_TOKEN: 'canary-token',
        TRUEUP_LEDGER_KEY: keyText(),
        TRUEUP_HISTORY: kept,
      };
      expect((await shell.run(apply)).status).toBe(0);
      const shown = Object.keys(twin.account.projects[0]!.protectionBypass!);
      const all = git(bare, 'cat-file', '--batch-all-objects', '--batch');
      expect(all).toContain('projects/web/env/DATABASE@production');
      expect(shown).toHaveLength(1);
      // What the YAML has in the clear is no secret; a record shows it as the plan did.
      const text = kept === 'values' ? all.replaceAll('canary-literal', '') : all;
      for (const secret of ['canary', ...shown]) expect(text.includes(secret)).toBe(false);
    },
  );

  test.each([
    [['--ledger', 'git:https://canary@example.com/x.git'], 'ledger/git-remote'],
    [['--ledger', 'git:--upload-pack=touch'], 'ledger/git-remote'],
    [['--ledger', 'git:'], 'ledger/git-remote'],
    [['--ledger', 'git:upstream'], 'ledger/git-remote'],
    [['--ledger', 'git', '--twin'], 'ledger/twin'],
  ])('%j is refused', async (args, code) => {
    const shell = await inCheckout(repository().clone);
    await shell.withTwin();
    const ran = await shell.run(['plan', '--json', ...args]);
    expect(ran.status).toBe(1);
    expect(JSON.parse(ran.stdout).diagnostics).toMatchObject([{ code }]);
    expect(ran.all).not.toContain('canary');
  });

  story("the twin's ledger is a file, whatever TRUEUP_LEDGER says", async () => {
    const shell = await inCheckout(repository().clone);
    expect((await shell.run([...apply, '--twin'])).status).toBe(0);
    expect(existsSync(join(shell.folder, '.trueup/twin/ledger/demo.json'))).toBe(true);
    expect(existsSync(join(shell.folder, '.trueup/twin/ledger/demo.lock'))).toBe(false);
  });
});

test('in CI a ledger that does not last: plan warns, apply and destroy refuse, until somebody insists', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  const twin = await shell.withTwin();
  shell.env = { ...shell.env, CI: 'true', TRUEUP_LEDGER: '', TRUEUP_LEDGER_KEY: keyText() };
  const plan = await shell.run(['plan']);
  expect(plan.status).toBe(0);
  expect(plan.stderr).toMatch(/Warning: .*lost after this run/);
  for (const command of [apply, ['destroy', '--confirm', 'demo']]) {
    const ran = await shell.run(command);
    expect(ran.status).toBe(1);
    expect(ran.stderr).toContain('`ledger: git`');
  }
  expect(twin.account.projects).toEqual([]);
  // What is said of this machine was not approved.
  expect((await shell.run(['plan', '--out', 'plan.json'])).status).toBe(0);
  expect((await shell.run(['apply', 'plan.json', '--settle', '0', '--ephemeral-ledger'])).status).toBe(0);
  expect((await shell.run([...apply, '--ephemeral-ledger'])).status).toBe(0);
  // A path that somebody gave is one that lasts.
  const given = await shell.run(['plan', '--ledger', '.trueup/ledger/demo.json', '--detailed-exitcode']);
  expect(given).toMatchObject({ status: 0, stderr: expect.stringMatching(/^Ledger: [^\n]*\n$/) });
});

describe('one run at a time', () => {
  const busy = async () => {
    const shell = await new Shell().write({ 'trueup.yaml': yaml });
    shell.env = { TRUEUP_LEDGER_KEY: keyText() };
    return { shell, twin: await shell.withTwin() };
  };
  const ledger = (shell: Shell, name: string) => join(shell.folder, '.trueup/ledger', name);

  /** What a run of another machine would have put there. */
  const foreignLease = (minutes: number) => {
    const at = (offset: number) => new Date(Date.now() + offset).toISOString();
    return JSON.stringify({
      formatVersion: 1,
      run: 'another',
      user: 'grace',
      host: 'ship',
      pid: 4711,
      since: at(-600_000),
      expires: at(minutes * 60_000),
    });
  };

  story('the second is told who is at work; nothing is sent; it may wait; plan takes no lease', async () => {
    const { shell, twin } = await busy();
    mkdirSync(join(shell.folder, '.trueup/ledger'), { recursive: true });
    // However long this takes, the lease may be what it says.
    const start = Date.now();
    shell.clock = { ...machine.clock, now: () => start };
    await shell.write({ '.trueup/ledger/demo.lock': foreignLease(0.9) });
    for (const command of [
      apply,
      ['destroy', '--confirm', 'demo'],
      ['ledger', 'forget', 'x'],
      [...apply, '--lock-wait', '1'],
    ]) {
      const ran = await shell.run(command);
      expect(ran.status).toBe(75);
      expect(ran.stderr).toMatch(/grace@ship \(process 4711\) since \S+Z; it expires at \S+Z, in \d+ s/);
      expect(ran.stderr).toContain('trueup ledger unlock');
    }
    expect(twin.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect((await shell.run(['plan'])).status).toBe(0);
    const waiting = shell.start([...apply, '--lock-wait', '600']);
    await until(() => waiting.said().includes('Waiting up to 600 s'));
    rmSync(ledger(shell, 'demo.lock'));
    expect((await waiting.ended).status).toBe(0);
    expect(existsSync(ledger(shell, 'demo.lock'))).toBe(false);
  });

  story('a lease that does not change for a minute is taken over, whatever its dates say', async () => {
    const { shell } = await busy();
    // Between two looks a clock of its own goes on at once; the heartbeat waits.
    let tick = 0;
    shell.clock = {
      ...machine.clock,
      monotonic: () => tick,
      sleep: async (milliseconds, signal) => {
        if (milliseconds > 2000) return machine.clock.sleep(milliseconds, signal);
        tick += milliseconds;
      },
    };
    await shell.write({ '.trueup/ledger/demo.lock': foreignLease(500_000_000) });
    const ran = await shell.run(apply);
    expect(ran.stderr).toMatch(
      /Waiting up to 60 s: .* by its own clock it expires at 29\d\d-.*; the lease counts as expired if it does not/,
    );
    expect(ran.status).toBe(0);
    await shell.write({ '.trueup/ledger/demo.lock': foreignLease(-1) });
    expect((await shell.run(apply)).status).toBe(0);
  });

  story(
    'unlock: nobody, a run that is gone (with --force), whatever it says of its end, one that has an unknown format',
    async () => {
      const { shell } = await busy();
      expect((await shell.run(['ledger', 'unlock'])).stdout).toContain('No run holds');
      for (const text of [foreignLease(5), foreignLease(-1), '{"half']) {
        await shell.write({ '.trueup/ledger/demo.lock': text });
        const refused = await shell.run(['ledger', 'unlock']);
        expect(refused.status).toBe(1);
        expect(refused.stderr).toContain('--force');
        expect(readFileSync(ledger(shell, 'demo.lock'), 'utf8')).toBe(text);
        expect((await shell.run(['ledger', 'unlock', '--force'])).status).toBe(0);
        expect(existsSync(ledger(shell, 'demo.lock'))).toBe(false);
      }
      expect((await shell.run(apply)).status).toBe(0);
    },
  );

  story(
    'of many that start at once one applies, and the others are refused or find nothing to do',
    async () => {
      const { shell, twin } = await busy();
      const ended = await Promise.all(Array.from({ length: 5 }, () => shell.run(apply)));
      expect(ended.some(({ status }) => status === 0)).toBe(true);
      for (const { status, stderr } of ended) if (status !== 0) expect(stderr).toContain('is in use by');
      expect(twin.account.projects).toHaveLength(1);
      expect(
        twin.requests.filter(
          ({ method, path }) => method === 'POST' && /projects$/.test(path.split('?')[0]!),
        ),
      ).toHaveLength(1);
      expect(existsSync(ledger(shell, 'demo.lock'))).toBe(false);
    },
  );

  /** A run that has the lease, and the first of these requests of which is not answered before the gate is opened. */
  async function underWay<T>(
    start: (shell: Shell) => T,
    isHeld: (method: string, path: string) => boolean = isWrite,
  ) {
    const { shell, twin } = await busy();
    const gate = await gateTo(twin.url, isHeld);
    shell.env = { ...shell.env, TRUEUP_BASE_URL: gate.url };
    const run = start(shell);
    await gate.firstHeld;
    return { shell, twin, gate, run };
  }
  const here = (shell: Shell) => shell.start(apply);
  const asProcess = ({ folder, env }: Shell) => startProcess(apply, { cwd: folder, env });
  const isWrite = (method: string, _path: string) => method !== 'GET';

  story(
    'a run that is killed keeps the others out until its lease is taken away; then the next goes on',
    async () => {
      const { shell, twin, gate, run } = await underWay(asProcess);
      run.child.kill('SIGKILL');
      await run.ended;
      const refused = await shell.run(apply);
      // Nothing is wrong: it works later.
      expect(refused.status).toBe(75);
      expect(refused.stderr).toContain(`process ${run.child.pid}`);
      expect((await shell.run(['ledger', 'unlock', '--force'])).status).toBe(0);
      gate.open();
      await until(() => twin.account.projects.length === 1);
      expect((await shell.run(apply)).stdout).toContain('Verified: the account matches');
    },
  );

  // It takes a heartbeat of ten seconds; the suite tries the same in test/ledger, with a clock of its own.
  test.runIf(all)(
    'a run whose lease is taken away sends nothing more, and says to whom it went',
    async () => {
      const { shell, twin, gate, run } = await underWay(here);
      await shell.write({ '.trueup/ledger/demo.lock': foreignLease(5) });
      await until(() => run.said().includes("lost the ledger's lease"));
      gate.open();
      expect((await run.ended).status).toBe(1);
      expect(run.said()).toMatch(/Error: the lease .* was taken from this run: it is in use by grace@ship/);
      expect(twin.requests.filter(({ method, path }) => isWrite(method, path))).toHaveLength(1);
      // It is not its own to give back.
      expect(readFileSync(ledger(shell, 'demo.lock'), 'utf8')).toContain('grace');
    },
  );

  test('a ledger that somebody else writes meanwhile is not written over, and the run fails', async () => {
    const { shell, gate, run } = await underWay(here);
    const path = ledger(shell, 'demo.json');
    const other = { ...JSON.parse(readFileSync(path, 'utf8')), generation: 70 };
    await shell.write({ '.trueup/ledger/demo.json': JSON.stringify(other) });
    gate.open();
    expect((await run.ended).status).toBe(1);
    expect(run.said()).toMatch(/changed by another run: it is at generation 70 with 0 entries/);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(other);
  });

  const moments: [string, typeof isWrite][] = [
    ['while it works', isWrite],
    // The second read: the lease is held by then.
    ['while it plans', (_, path) => path.includes('/projects')],
  ];
  test.each(sampled(moments, 1))('Ctrl-C %s gives the lease back', async (_, isHeld) => {
    const { shell, gate, run } = await underWay(asProcess, isHeld);
    expect(existsSync(ledger(shell, 'demo.lock'))).toBe(true);
    run.child.kill('SIGINT');
    if (isHeld === isWrite) await until(() => run.said().includes('Stopping'));
    gate.open();
    expect((await run.ended).status).toBe(130);
    expect(existsSync(ledger(shell, 'demo.lock'))).toBe(false);
  });
});
