import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { callsOf } from '../ci/npm-calls.ts';
import { oddBranch, oddName, oddRepository } from '../ci/odd-repository.ts';

interface Step {
  run?: string;
  env?: Record<string, string>;
  with?: Record<string, unknown>;
}

it('No name of a folder, file or branch becomes a command in the workflows that init writes.', async () => {
  const { init, files, read, folder } = await oddRepository();
  const ran = await init(['--ci', 'github'], folder);
  expect(ran.status, ran.all).toBe(0);
  const found: string[] = [];
  let calls = 0;
  for (const path of files().filter((one) => one.startsWith('.github/'))) {
    const { on, jobs } = parse(read(path));
    const { branches } = on.pull_request ?? on.pull_request_target ?? on.push ?? {};
    if (branches) expect(branches).toEqual([oddBranch.replace('+', '\\+').replace('!', '\\!')]);
    for (const { steps } of Object.values(jobs as Record<string, { steps: Step[] }>))
      for (const { run, with: given } of steps) {
        if (given?.path === 'base') expect(given.ref).toBe(oddBranch);
        for (const call of run === undefined ? [] : await callsOf(run)) {
          calls++;
          const at = (flag: string) => call[call.indexOf(flag) + 1];
          if (call.includes('--prefix')) expect(at('--prefix')).toBe(`./${oddName}`);
          if (call.includes('--workspace')) found.push(at('--workspace')!);
        }
      }
  }
  expect(calls).toBeGreaterThan(10);
  expect(new Set(found)).toEqual(new Set([`../change/${oddName}`, `./${oddName}`]));

  const other = await init(['--ci', 'gitlab'], folder);
  expect(other.status, other.all).toBe(0);
  const { include: _, ...jobs } = parse(read('trueup-ci/gitlab-stacks.yml'));
  for (const { script } of Object.values(jobs as Record<string, { script: string[] }>)) {
    const all = await callsOf(script.join('\n'));
    for (const call of all.filter((one) => one.includes('--workspace')))
      expect(call[call.indexOf('--workspace') + 1]).toBe(`../change/${oddName}`);
  }
});
