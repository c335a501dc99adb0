import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import { openMirror } from '../../src/git/mirror.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { stackYaml, Workplace } from './workplace.ts';

const story = oneStoryIn(4);

const files = { 'dns/trueup.yaml': stackYaml('dns'), '.gitignore': 'ignored\n' };

async function mirrored() {
  const workplace = await Workplace.start(files);
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'trueup-mirror-'));
  workplace.onEnd(folder);
  await mkdir(join(folder, 'checkouts'));
  const open = () =>
    openMirror({
      ...{ folder: join(folder, 'mirror'), checkouts: join(folder, 'checkouts') },
      ...{ url: workplace.origin, env: { PATH: process.env.PATH, HOME: folder }, now: Date.now },
    });
  return { workplace, mirror: await open(), open, folder, commit: workplace.git('rev-parse', 'HEAD') };
}

story(
  'a checkout is given out again only to one at a time, of the same commit, and as it was made',
  async () => {
    const { workplace, mirror, commit } = await mirrored();
    const [one, two] = await Promise.all([mirror.checkOut(commit), mirror.checkOut(commit)]);
    expect(one.folder).not.toBe(two.folder);
    expect(readFileSync(join(one.folder, 'dns/trueup.yaml'), 'utf8')).toBe(files['dns/trueup.yaml']);
    await one.giveBack();
    expect((await mirror.checkOut(commit)).folder).toBe(one.folder);
    for (const change of [
      () => writeFileSync(join(two.folder, 'dns/trueup.yaml'), 'stack: evil\n'),
      () => writeFileSync(join(two.folder, 'left behind'), ''),
      () => writeFileSync(join(two.folder, 'ignored'), ''),
    ]) {
      const { folder, giveBack } = two;
      await mkdir(join(folder, 'dns'), { recursive: true });
      change();
      await giveBack();
      expect(existsSync(folder)).toBe(false);
      const next = await mirror.checkOut(commit);
      expect(next.folder).not.toBe(folder);
      Object.assign(two, next);
    }
    workplace.write('dns/trueup.yaml', stackYaml('dns', 'debug'));
    const other = await mirror.checkOut(workplace.commit('two'));
    expect(readFileSync(join(other.folder, 'dns/trueup.yaml'), 'utf8')).toContain('debug');
    await two.giveBack();
    await other.giveBack();
    // Nobody wants the older one any more.
    expect([existsSync(two.folder), existsSync(other.folder)]).toEqual([false, true]);
  },
);

story(
  'a checkout is never one of an earlier worker, whose git may still be writing there; what that left is forgotten',
  async () => {
    const { workplace, mirror, commit, open, folder } = await mirrored();
    const { folder: left } = await mirror.checkOut(commit);
    const git = (...args: string[]) => workplace.git(`--git-dir=${join(folder, 'mirror')}`, ...args);
    // As `git worktree add` leaves it that is killed.
    writeFileSync(join(folder, 'mirror/worktrees', basename(left), 'locked'), 'initializing');
    rmSync(left, { recursive: true });
    const next = await (await open()).checkOut(commit);
    expect(next.folder).not.toBe(left);
    expect(git('worktree', 'list', '--porcelain').match(/^worktree .*/gm)).toEqual([
      `worktree ${join(folder, 'mirror')}`,
      `worktree ${next.folder}`,
    ]);
  },
);

story('a commit of no branch is found, and is on none', async () => {
  const { workplace, mirror, commit, folder: place } = await mirrored();
  workplace.write('dns/trueup.yaml', stackYaml('dns', 'debug'));
  const pull = workplace.commit('two', 'feature');
  workplace.git('push', '-q', 'origin', `${pull}:refs/pull/7/head`, ':refs/heads/feature');
  expect(await mirror.isOnBranch(commit, 'main')).toBe(true);
  expect(await mirror.isOnBranch(pull, 'main')).toBe(false);
  expect(await mirror.isOnBranch('1'.repeat(40), 'main')).toBe(false);
  expect(await mirror.fetchHead('main')).toBe(commit);
  // Once somebody has pruned the mirror, the attempt after a failed one fetches the commit again.
  workplace.git(`--git-dir=${join(place, 'mirror')}`, 'prune', '--expire=now');
  await expect(mirror.checkOut(pull)).rejects.toThrow();
  const { folder } = await mirror.checkOut(pull);
  expect(readFileSync(join(folder, 'dns/trueup.yaml'), 'utf8')).toContain('debug');
  await expect(mirror.checkOut('1'.repeat(40))).rejects.toThrow();
});
