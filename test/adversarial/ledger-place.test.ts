import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { keyText } from '../support/keys.ts';
import { git, gitEnv, repository } from '../support/ledger-places.ts';
import { startStateServer } from '../support/state-server.ts';

/*
 * What a pull request that changes `ledger:` can do: move the ledger nowhere that the checkout does not have anyway, and never silently to an
 * empty one.
 */

const yaml = (ledger = '') =>
  `stack: demo\n${ledger}platform: { team: acme }\nprojects: { web: { framework: nextjs } }\n`;
const apply = ['apply', '--auto-approve', '--settle', '0'];

/** A clone with a stack whose ledger is in git, as a protected job has it: with the key, and credentials of stores. */
async function protectedJob() {
  const { clone } = repository();
  const shell = await new Shell(clone()).write({ 'trueup.yaml': yaml('ledger: git\n') });
  const twin = await shell.withTwin();
  shell.env = {
    ...gitEnv,
    ...shell.env,
    CI: 'true',
    TRUEUP_LEDGER_KEY: keyText(),
    TF_HTTP_USERNAME: 'ada',
    TF_HTTP_PASSWORD: 'canary-password',
  };
  expect((await shell.run(apply)).status).toBe(0);
  const writes = () => twin.requests.filter(({ method }) => method !== 'GET').length;
  return { shell, writes };
}

/** The commit with the newest ledger of the stack. */
const tipOf = (shell: Shell): string =>
  git(shell.folder, 'ls-remote', 'origin', 'refs/trueup/demo').split('\t')[0]!;

describe('a pull request that changes `ledger:`', () => {
  test('Without the operator, the YAML names no place of its ledger but a remote that git knows by name, or a `.json` file in the repository that belongs to nothing else.', async () => {
    const { shell } = await protectedJob();
    const outside = new Shell().folder;
    symlinkSync(outside, join(shell.folder, 'link'));
    const places: [place: string, code: string][] = [
      ['git:evil', 'ledger/git-remote'],
      ['"git:https://evil.example.com/x.git"', 'config/ledger'],
      ['"git:../evil"', 'config/ledger'],
      ['https://evil.example.com/{stack}', 'source/ledger'],
      ['s3://evil/x?endpoint=https://evil.example.com', 'source/ledger'],
      ['postgres://evil.example.com/x', 'source/ledger'],
      [`${outside}/x.json`, 'source/ledger'],
      ['../../x.json', 'source/ledger'],
      ['link/x.json', 'source/ledger'],
      ['.git/hooks.json', 'source/ledger'],
      ['.trueup/key', 'source/ledger'],
      ['.trueup/x.json', 'source/ledger'],
      ['src/index.ts', 'source/ledger'],
    ];
    for (const [place, code] of places) {
      await shell.write({ 'trueup.yaml': yaml(`ledger: ${place}\n`) });
      const planned = await shell.run(['plan', '--json']);
      const codes = JSON.parse(planned.stdout).diagnostics.map(
        (diagnostic: { code: string }) => diagnostic.code,
      );
      expect([place, codes]).toEqual([place, [code]]);
    }
  });

  test('No credential of a store is sent to a server that only the YAML names, whatever the command.', async () => {
    const { shell } = await protectedJob();
    const evil = await startStateServer();
    onTestFinished(() => evil.close());
    await shell.write({ 'trueup.yaml': yaml(`ledger: ${evil.url}/{stack}\n`) });
    const commands = [
      ['plan'],
      apply,
      ['log'],
      ['blame', 'projects/web'],
      ['ledger', 'list'],
      ['ledger', 'unlock', '--force'],
      ['ledger', 'rename', 'demo', 'other'],
      ['undo', '1', '--auto-approve'],
      ['destroy', '--confirm', 'demo'],
      ['get', 'project'],
    ];
    for (const command of commands) {
      const { status, all } = await shell.run(command);
      expect([command, status, all]).toEqual([
        command,
        1,
        expect.stringContaining('the ledger cannot be kept there'),
      ]);
    }
    const checked = await shell.run(['init', '--ci', 'github', '--branch', 'main', '--check']);
    expect(checked.stdout).toContain('the ledger cannot be kept there');
    // At a terminal, a no counts for this run, and a yes is remembered for this repository and stack.
    const { CI: _, ...env } = shell.env;
    shell.env = { ...env, XDG_STATE_HOME: new Shell().folder, TERM: 'dumb' };
    const refused = await shell.run(['plan'], { isTerminal: true, input: 'no\n' });
    expect([refused.status, refused.all]).toEqual([
      1,
      expect.stringContaining(`the ledger at ${evil.url}/{stack}, WHICH GETS THE CREDENTIALS`),
    ]);
    expect(evil.asked).toEqual([]);
    // Nor does a workspace name it.
    await shell.write({
      'trueup.workspace.yaml': `stacks: [., other]\nledger: ${evil.url}/{stack}\n`,
      'trueup.yaml': yaml(),
      'other/trueup.yaml': yaml().replace('demo', 'other').replace('web', 'shop'),
    });
    for (const command of [['plan'], ['plan', '--all'], ['stacks'], ['ledger', 'retire', 'old', '--force']])
      expect([command, (await shell.run(command)).all]).toEqual([
        command,
        expect.stringContaining('source/ledger'),
      ]);
    expect(evil.asked).toEqual([]);
    // One yes counts for all stacks of the workspace.
    const allowed = await shell.run(['plan', '--all'], { isTerminal: true, input: 'yes\n' });
    expect(allowed.all.match(/Always allow this/g)).toHaveLength(1);
    expect(new Set(evil.asked)).toEqual(new Set(['GET /demo', 'GET /other']));
  });

  test('A ledger that the YAML moves is never taken for empty while the repository has one of the stack with objects.', async () => {
    const { shell, writes } = await protectedJob();
    const before = writes();
    for (const place of ['state/new.json', '.trueup/ledger/other.json']) {
      await shell.write({ 'trueup.yaml': yaml(`ledger: ${place}\n`) });
      for (const command of [['plan'], [...apply, '--ephemeral-ledger']]) {
        const { status, all } = await shell.run(command);
        expect([command, status, all]).toEqual([
          command,
          1,
          expect.stringContaining(`trueup ledger copy git ${place}`),
        ]);
      }
      expect(existsSync(join(shell.folder, place))).toBe(false);
    }
    // If origin does not answer, nobody knows whether it has one.
    git(shell.folder, 'remote', 'set-url', 'origin', join(shell.folder, 'gone.git'));
    for (const command of [['plan'], [...apply, '--ephemeral-ledger']]) {
      const { status, all } = await shell.run(command);
      expect([command, status, all]).toEqual([command, 1, expect.stringContaining('ledger/not-found')]);
    }
    expect(writes()).toBe(before);
  });

  test('An apply uses no ledger file that a branch adds beside the ledger at origin, even if the key has signed it.', async () => {
    const { shell, writes } = await protectedJob();
    const signed = git(shell.folder, 'cat-file', 'blob', `${tipOf(shell)}:ledger.json`);
    await shell.write({ 'trueup.yaml': yaml(), '.trueup/ledger/demo.json': `${signed}\n` });
    const before = writes();
    const commands = [
      [...apply, '--ephemeral-ledger'],
      ['destroy', '--confirm', 'demo'],
      ['undo', '1', '--auto-approve'],
    ];
    const check = async () => {
      for (const command of commands)
        expect([command, (await shell.run(command)).all]).toEqual([
          command,
          expect.stringContaining('ledger/several'),
        ]);
    };
    await check();
    expect((await shell.run(['plan'])).all).toContain('ledger/several');
    const { CI: _, ...env } = shell.env;
    shell.env = env;
    await check();
    expect(writes()).toBe(before);
  });

  test('An approved plan is not applied on a ledger at another place than the one it was made on.', async () => {
    const { shell, writes } = await protectedJob();
    await shell.write({ 'trueup.yaml': yaml('ledger: git\n').replace('nextjs', 'astro') });
    expect((await shell.run(['plan', '--out', 'plan.json'])).status).toBe(0);
    expect(JSON.parse(readFileSync(join(shell.folder, 'plan.json'), 'utf8')).ledger).toBe(
      'refs/trueup/demo at origin',
    );
    const before = writes();
    // The ledger is as new and as signed there as it is in git.
    await shell.write({ 'trueup.yaml': yaml('ledger: state/demo.json\n').replace('nextjs', 'astro') });
    expect((await shell.run(['ledger', 'copy', 'git', 'state/demo.json'])).status).toBe(0);
    const applied = await shell.run(['apply', 'plan.json', '--ephemeral-ledger']);
    expect([applied.status, applied.all]).toEqual([
      1,
      expect.stringContaining('plan.json was made on the ledger at refs/trueup/demo at origin'),
    ]);
    expect(writes()).toBe(before);
  });
});
