import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type DeliverOptions, deliverSecret, findDeliveryProblem } from '../../src/config/deliver-secret.ts';
import { nothingAllowed } from '../../src/config/sources/allowances.ts';
import { openSources } from '../../src/config/sources/sources.ts';
import { emptyLedger, type LedgerEntry } from '../../src/model/ledger.ts';
import { Sealed } from '../../src/model/sealed.ts';
import { openDeliveries } from '../../src/run/deliveries.ts';
import { change, planOf } from '../report/builders.ts';

const secret = new Sealed('shown-once');

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'trueup-secret-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
const places = (more: Partial<DeliverOptions> = {}): DeliverOptions => ({
  cwd: folder(),
  env: { PATH: process.env.PATH },
  judgeCommand: openSources({ env: { PATH: process.env.PATH }, cwd: '/' }).judgeCommand,
  ...more,
});
/** Lets a script run, named with all its arguments. */
const allowing = (...scripts: string[]): Partial<DeliverOptions> => {
  const commands = scripts.map((script) => ({ words: ['sh', '-c', script], isOpen: false }));
  const allowances = {
    ...nothingAllowed,
    commands: [...commands, { words: ['sh'], isOpen: false }, { words: ['no-such-program'], isOpen: true }],
  };
  const { judgeCommand } = openSources({ env: { PATH: process.env.PATH }, cwd: folder(), allowances });
  return { judgeCommand };
};
const shell = (script: string) => ({ command: ['sh', '-c', script] });

describe('a file for a secret', () => {
  it('is for its owner only, in a folder that is made for it', async () => {
    const options = places();
    await deliverSecret({ file: 'a/b/secret.txt' }, secret, options);
    const file = join(options.cwd, 'a/b/secret.txt');
    expect(readFileSync(file, 'utf8')).toBe('shown-once\n');
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  });

  it('is refused below a file, before the secret is created', async () => {
    const options = places();
    writeFileSync(join(options.cwd, 'notes'), 'mine');
    for (const file of ['notes/secret.txt', 'notes/a/secret.txt'])
      expect(await findDeliveryProblem({ file }, options)).toMatchObject({
        message: `${file} cannot be written`,
      });
  });

  it('may not be there already, unless it holds an older secret of the same', async () => {
    const options = places();
    const file = join(options.cwd, 'notes.txt');
    writeFileSync(file, 'mine');
    expect(await findDeliveryProblem({ file: 'notes.txt' }, options)).toMatchObject({
      message: 'notes.txt already exists with unknown content',
    });
    await expect(deliverSecret({ file: 'notes.txt' }, secret, options)).rejects.toThrow('already exists');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(
      await findDeliveryProblem({ file: 'notes.txt' }, { ...options, mayReplace: true }),
    ).toBeUndefined();
  });

  it.each([
    '.trueup/key',
    '.trueup/ledger/demo.json',
    '.TRUEUP/key',
    './.trueup/../.trueup/new',
    'a.yaml',
    'state/ledger.json.lock',
    '.git/shallow',
    'folder/.GIT/hooks/commit-msg',
    'link/new',
  ])('may not be one of our own, or of the configuration: %s', async (file) => {
    const options = places({ reserved: ['.trueup', 'a.yaml', 'state/ledger.json'], mayReplace: true });
    mkdirSync(join(options.cwd, '.trueup'));
    symlinkSync('.trueup', join(options.cwd, 'link'));
    expect(await findDeliveryProblem({ file }, options)).toMatchObject({
      message: `${file} belongs to trueup, to git or to the configuration`,
    });
    await expect(deliverSecret({ file }, secret, options)).rejects.toThrow('could not be delivered');
    expect(readdirSync(join(options.cwd, '.trueup'))).toEqual([]);
    expect(await findDeliveryProblem({ file: '.trueup-secret' }, options)).toBeUndefined();
    expect(await findDeliveryProblem({ file: 'folder/a.yaml' }, options)).toBeUndefined();
  });

  it('takes the place of an older one, which others could read', async () => {
    const options = places();
    const file = join(options.cwd, 'secret.txt');
    writeFileSync(file, 'old', { mode: 0o644 });
    await deliverSecret({ file: 'secret.txt' }, secret, { ...options, mayReplace: true });
    expect(readFileSync(file, 'utf8')).toBe('shown-once\n');
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  });

  it('may not be one that git would see, be it new or tracked', async () => {
    const options = places();
    const { cwd } = options;
    const git = (...args: string[]) => execFileSync('git', args, { cwd, stdio: 'ignore' });
    git('init');
    writeFileSync(join(cwd, '.gitignore'), 'hidden/\n');
    expect(await findDeliveryProblem({ file: 'seen/secret.txt' }, options)).toMatchObject({
      message: 'seen/secret.txt would be visible to git',
      hint: 'put `seen/secret.txt` in .gitignore, or choose a path that git ignores',
    });
    // A path outside of the repository is outside of the working directory, too.
    expect(await findDeliveryProblem({ file: '../outside.txt' }, options)).toBeDefined();
    expect(await findDeliveryProblem({ file: 'hidden/secret.txt' }, options)).toBeUndefined();
    mkdirSync(join(cwd, 'hidden'));
    writeFileSync(join(cwd, 'hidden/tracked.txt'), '');
    git('add', '--force', 'hidden/tracked.txt');
    expect(await findDeliveryProblem({ file: 'hidden/tracked.txt' }, options)).toBeDefined();
    await expect(deliverSecret({ file: 'seen/secret.txt' }, secret, options)).rejects.toThrow(
      'visible to git',
    );
    expect(() => statSync(join(cwd, 'seen'))).toThrow();
  });

  it.each(['/secret.txt', '*.txt'])(
    'is never one that git would add, not even between its write and its rename: %s',
    async (rule) => {
      const options = places();
      const { cwd } = options;
      const git = (...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' });
      git('init');
      writeFileSync(join(cwd, '.gitignore'), `${rule}\n`);
      let untracked: string | undefined;
      const rename = vi.spyOn(fs, 'rename').mockImplementation(async () => {
        untracked = git('ls-files', '--others', '--exclude-standard');
        throw new Error('killed');
      });
      syncBuiltinESMExports();
      onTestFinished(() => {
        rename.mockRestore();
        syncBuiltinESMExports();
      });
      await expect(deliverSecret({ file: 'secret.txt' }, secret, options)).rejects.toThrow('killed');
      expect(untracked).toBe('.gitignore\n');
      rename.mockRestore();
      syncBuiltinESMExports();
      await deliverSecret({ file: 'secret.txt' }, secret, options);
      expect(readdirSync(cwd).sort()).toEqual(['.git', '.gitignore', 'secret.txt']);
    },
  );

  it.each([
    ['outside the working directory', '../secret.txt'],
    ['behind a link to a folder', 'folder/secret.txt'],
    ['behind a link to a file', 'link.txt'],
    ['behind a link to nothing yet', 'dangling.txt'],
    ['that is a folder', 'place'],
  ])('may not be one %s', async (_, file) => {
    const outside = folder();
    writeFileSync(join(outside, 'theirs.txt'), 'theirs');
    const options = places();
    const { cwd } = options;
    symlinkSync(outside, join(cwd, 'folder'));
    symlinkSync(join(outside, 'theirs.txt'), join(cwd, 'link.txt'));
    symlinkSync(join(outside, 'new.txt'), join(cwd, 'dangling.txt'));
    mkdirSync(join(cwd, 'place'));
    expect(await findDeliveryProblem({ file }, options)).toHaveProperty('hint');
    await expect(deliverSecret({ file }, secret, options)).rejects.toThrow('could not be delivered');
    expect(readFileSync(join(outside, 'theirs.txt'), 'utf8')).toBe('theirs');
    expect(() => statSync(join(outside, 'new.txt'))).toThrow();
  });
});

describe('a command for a secret', () => {
  it('reads it from its standard input, and sees none of our own variables', async () => {
    const env = { PATH: process.env.PATH, TRUEUP_TOKEN: 'token', trueup_other: 'x', OTHER: 'visible' };
    const options = places({ ...allowing('cat > got; env > seen'), env });
    await deliverSecret(shell('cat > got; env > seen'), secret, options);
    expect(readFileSync(join(options.cwd, 'got'), 'utf8')).toBe('shown-once\n');
    const seen = readFileSync(join(options.cwd, 'seen'), 'utf8');
    expect(seen).toContain('OTHER=visible');
    expect(seen).not.toMatch(/trueup_|shown-once/i);
  });

  it('runs only where commands are allowed', async () => {
    const options = places();
    expect(await findDeliveryProblem(shell('cat > got'), options)).toEqual({
      message: 'the command sh, which runs what its arguments say, is not allowed',
      hint: `allow it with --allow-command 'sh -c '\\''cat > got'\\'''`,
    });
    await expect(deliverSecret(shell('cat > got'), secret, options)).rejects.toThrow('is not allowed');
    expect(() => statSync(join(options.cwd, 'got'))).toThrow();
  });

  it('has to be there', async () => {
    const options = places(allowing('x'));
    expect(await findDeliveryProblem({ command: ['no-such-program', 'x'] }, options)).toMatchObject({
      message: 'there is no program no-such-program on the PATH outside the repository',
    });
    expect(await findDeliveryProblem({ command: ['sh'] }, options)).toBeUndefined();
    expect(await findDeliveryProblem({ command: ['cat'] }, options)).toMatchObject({
      message: 'the command cat is not allowed',
      hint: 'allow it with --allow-command cat',
    });
  });

  it.each([
    ['exit 3', 'exit code 3'],
    ['kill -9 $$', 'SIGKILL'],
    ['exec 0<&-; exit 1', 'exit code 1'],
  ])('has failed after `%s`, and the error says no more than that', async (script, told) => {
    const options = places(allowing(script));
    await expect(deliverSecret(shell(script), secret, options)).rejects.toThrow(
      `the secret could not be delivered: sh ended with ${told}`,
    );
  });
});

it('a secret that is discarded goes nowhere', async () => {
  const options = places();
  expect(await findDeliveryProblem('discard', options)).toBeUndefined();
  await deliverSecret('discard', secret, options);
  expect(readdirSync(options.cwd)).toEqual([]);
});

it('the file of an object with a new label may be replaced, because the ledger has the object under its old one', async () => {
  const options = places();
  writeFileSync(join(options.cwd, 'hook.txt'), 'earlier');
  const replaced = change('replace', 'webhooks/new', { recordedAddress: 'webhooks/old' });
  const recorded: LedgerEntry = {
    kind: 'webhook',
    ids: ['1'],
    origin: 'created',
    salt: 's',
    form: 1,
    fields: {},
    secrets: {},
  };
  const ledger = { ...emptyLedger('', '', 'demo'), entries: { 'webhooks/old': recorded } };
  const { deliver } = openDeliveries(
    { plan: planOf({ changes: [replaced] }), ledger },
    { ...options, say() {} },
  );
  const destination = { file: 'hook.txt' };
  await deliver(destination, secret, 'webhooks/new');
  expect(readFileSync(join(options.cwd, 'hook.txt'), 'utf8')).toBe('shown-once\n');
  await expect(deliver(destination, secret, 'webhooks/other')).rejects.toThrow('already exists');
});
