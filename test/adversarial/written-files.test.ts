import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replaceFile } from '../../src/files/replace-file.ts';
import { writeOutputFile } from '../../src/files/write-files.ts';
import type { Host } from '../../src/host.ts';
import { Shell } from '../support/cli.ts';
import { git, temporary } from '../support/ledger-places.ts';

it('No link that a branch commits leads an output file out of the working directory.', async () => {
  const [outside, cwd] = [temporary(), temporary()];
  const victim = join(outside, 'victim');
  writeFileSync(victim, 'mine');
  symlinkSync(victim, join(cwd, 'plan.json'));
  symlinkSync(outside, join(cwd, 'reports'));
  mkdirSync(join(cwd, 'inside'));
  symlinkSync(join(cwd, 'inside'), join(cwd, 'also'));

  const host = { cwd, env: process.env } as Host;
  for (const path of ['plan.json', 'reports/plan.json', 'reports/new/plan.json', join(cwd, 'plan.json')])
    await expect(writeOutputFile(host, path, 'ours')).rejects.toMatchObject({
      diagnostics: [{ code: 'output/no-file', message: expect.stringContaining('link') }],
    });
  // Links to nothing: one is replaced, behind the other no folder is created.
  symlinkSync(join(outside, 'missing'), join(cwd, 'free.json'));
  symlinkSync(join(outside, 'missing'), join(cwd, 'absent'));
  await writeOutputFile(host, 'free.json', 'ours');
  await expect(writeOutputFile(host, 'absent/plan.json', 'ours')).rejects.toThrow();
  await writeOutputFile(host, 'also/plan.json', 'ours');
  // A path that the operator names outside is meant.
  await writeOutputFile(host, join(outside, 'other.json'), 'ours');

  expect(readFileSync(victim, 'utf8')).toBe('mine');
  expect(readdirSync(outside).sort()).toEqual(['other.json', 'victim']);
  for (const path of [join(cwd, 'free.json'), join(cwd, 'inside/plan.json'), join(outside, 'other.json')])
    expect(readFileSync(path, 'utf8')).toBe('ours');
});

it('No output and no ledger is written through a link that git tracks, whatever the working directory.', async () => {
  const [outside, other] = [temporary(), temporary()];
  const victim = join(outside, 'victim');
  writeFileSync(victim, 'mine');
  /** Creates a repository with a link that git tracks. Returns the work tree. */
  const repositoryWith = (link: string, target: string) => {
    const root = temporary();
    mkdirSync(join(root, 'stacks/web'), { recursive: true });
    mkdirSync(join(root, 'inside'));
    symlinkSync(target, join(root, link));
    git(root, 'init', '--quiet');
    git(root, 'add', '--force', link);
    return root;
  };
  const cases: [
    link: string,
    target: string,
    cwd: (root: string) => string,
    path: (root: string) => string,
  ][] = [
    // The link is above the working directory, or the working directory is elsewhere.
    ['reports', outside, (root) => join(root, 'stacks/web'), () => '../../reports/plan.json'],
    ['reports', outside, (root) => join(root, 'stacks/web'), (root) => join(root, 'reports/new/plan.json')],
    ['plan.json', victim, () => other, (root) => join(root, 'plan.json')],
    // The link stays in the repository, or leads nowhere.
    ['reports', 'inside', (root) => root, () => 'reports/plan.json'],
    ['plan.json', join(outside, 'missing'), (root) => root, () => 'plan.json'],
  ];
  for (const [link, target, cwdOf, pathOf] of cases) {
    const root = repositoryWith(link, target);
    const host = { cwd: cwdOf(root), env: process.env } as Host;
    await expect(writeOutputFile(host, pathOf(root), 'ours'), pathOf(root)).rejects.toMatchObject({
      diagnostics: [{ code: 'output/no-file', message: expect.stringContaining(link) }],
    });
    expect(readdirSync(join(root, 'inside'))).toEqual([]);
  }
  // A link of the user leads to a link of the branch.
  const root = repositoryWith('reports', outside);
  symlinkSync(join(root, 'reports'), join(other, 'mine'));
  const elsewhere = { cwd: outside, env: process.env } as Host;
  await expect(writeOutputFile(elsewhere, join(other, 'mine/plan.json'), 'ours')).rejects.toMatchObject({
    diagnostics: [{ code: 'output/no-file' }],
  });
  expect(readFileSync(victim, 'utf8')).toBe('mine');
  expect(readdirSync(outside)).toEqual(['victim']);
  // The user's own link is meant.
  symlinkSync(outside, join(root, 'stacks/mine'));
  const host = { cwd: join(root, 'stacks/web'), env: process.env } as Host;
  await writeOutputFile(host, '../mine/plan.json', 'ours');
  expect(readdirSync(outside).sort()).toEqual(['plan.json', 'victim']);
});

it('No link that a branch commits leads a ledger, its lease or its history elsewhere.', async () => {
  const outside = temporary();
  const victim = join(outside, 'victim');
  writeFileSync(victim, 'mine');
  const yaml = 'stack: demo\nplatform: { personal: true }\nprojects: { web: {} }\n';
  const run = async (link: string, target: string, args: string[], folder = '.') => {
    const root = temporary();
    const cwd = folder === 'OTHER' ? temporary() : join(root, folder);
    const shell = await new Shell(cwd).write({ 'trueup.yaml': yaml });
    await shell.withTwin();
    mkdirSync(join(root, '.trueup/ledger/demo.history'), { recursive: true });
    rmSync(join(root, link), { recursive: true, force: true });
    symlinkSync(target, join(root, link));
    git(root, 'init', '--quiet');
    git(root, 'add', '--force', link);
    return shell.run(args.map((arg) => arg.replace('ROOT', root)));
  };
  const apply = ['apply', '--auto-approve', '--settle', '0'];
  const cases: [link: string, target: string, args: string[], folder?: string][] = [
    ['.trueup/ledger/demo.json', victim, apply],
    ['.trueup/ledger/demo.lock', victim, ['ledger', 'unlock', '--force']],
    ['.trueup/ledger/demo.history', outside, apply],
    ['.trueup/.gitignore', victim, apply],
    ['state', outside, [...apply, '--ledger', 'state/demo.json']],
    // The working directory is below the root of the repository.
    ['state', outside, [...apply, '--ledger', '../../state/demo.json'], 'stacks/web'],
    ['state', outside, [...apply, '--ledger', '../../state/more/demo.json'], 'stacks/web'],
    // The repository is another one.
    ['state', outside, [...apply, '--ledger', 'ROOT/state/demo.json'], 'OTHER'],
  ];
  for (const [link, target, args, folder] of cases) {
    const ran = await run(link, target, args, folder);
    expect(ran.all).toContain(`${link} is a symbolic link in the repository`);
    expect(ran.status).toBe(1);
  }
  // A record is a new file, so a link at its name is replaced.
  const applied = await run('.trueup/ledger/demo.history/000001.json', victim, apply);
  expect(applied, applied.all).toMatchObject({ status: 0 });
  expect(readFileSync(victim, 'utf8')).toBe('mine');
  expect(readdirSync(outside)).toEqual(['victim']);
});

it('nobody can foresee the name of a temporary file, to put a link there', async () => {
  const folder = temporary();
  const seen: string[] = [];
  function* content() {
    seen.push(...readdirSync(folder).filter((name) => name !== 'file'));
    yield 'ours';
  }
  await replaceFile(join(folder, 'file'), content());
  await replaceFile(join(folder, 'file'), content());
  expect(seen).toEqual([
    expect.stringMatching(/^file\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
    expect.anything(),
  ]);
  expect(seen[0]).not.toBe(seen[1]);
  expect(readdirSync(folder)).toEqual(['file']);
});
