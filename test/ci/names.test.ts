import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { bash } from '../support/workflow.ts';
import { oddBranch, oddName, oddRepository } from './odd-repository.ts';
import { oneStack, repositoryWith } from './sample.ts';

interface Step {
  run?: string;
  env?: Record<string, string>;
  with?: Record<string, unknown>;
}

/** Runs a script with an npm that writes down its arguments; gives them, a call in a list. */
async function callsOf(script: string): Promise<string[][]> {
  const folder = mkdtempSync(join(tmpdir(), 'trueup-names-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = (name: string, text: string) => {
    writeFileSync(join(folder, name), `#!/bin/bash\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  program('npm', `printf '%s\\0' "$@" >> '${folder}/calls'; printf '\\n' >> '${folder}/calls'`);
  for (const name of ['gh', 'git', 'node', 'grep']) program(name, 'exit 0');
  await bash(script, folder, { PATH: `${folder}:/usr/bin:/bin`, GITHUB_OUTPUT: join(folder, 'output') });
  expect(existsSync(join(folder, 'ran')), script).toBe(false);
  const calls = join(folder, 'calls');
  if (!existsSync(calls)) return [];
  return readFileSync(calls, 'utf8')
    .split('\0\n')
    .slice(0, -1)
    .map((call) => call.split('\0'));
}

it('whatever folders, stacks and branches are called, no command is made of their names', async () => {
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

it('the file of one stack is one word for the shell, too', async () => {
  const { shell, init, read } = await repositoryWith({ [`${oddName}/trueup.yaml`]: oneStack['trueup.yaml'] });
  expect((await init(['--ci', 'github'], oddName)).status).toBe(0);
  const text = read('.github/workflows/trueup-apply.yml');
  const { run } = parse(text).jobs.apply.steps.find(({ name = '' }) => name === 'Apply');
  expect(await callsOf(run)).toEqual([
    [
      'exec',
      '--no',
      '--',
      'trueup',
      'apply',
      'plan.json',
      '-f',
      `./${oddName}/trueup.yaml`,
      '--lock-wait',
      '600',
      '--report',
      'apply.md',
    ],
  ]);
  expect(shell.folder).not.toBe('');
  expect((await init(['--ci', 'gitlab'], oddName)).status).toBe(0);
  const { validate } = parse(read('trueup-ci/gitlab-ci.yml'));
  expect(await callsOf(validate.script[0])).toEqual([
    ['exec', '--no', '--', 'trueup', 'validate', '-f', `../change/${oddName}/trueup.yaml`],
  ]);
});

it('what no workflow can hold is refused, and nothing is written', async () => {
  for (const name of ['a\nb', 'a\u2028b', '${{ github.token }}']) {
    const { init, files } = await repositoryWith({ [`${name}/trueup.yaml`]: oneStack['trueup.yaml'] });
    const before = files();
    for (const host of ['github', 'gitlab']) {
      const ran = await init(['--ci', host], name);
      expect(ran.status).toBe(1);
      expect(ran.stderr).toContain('[init/ci-name]');
    }
    expect(files()).toEqual(before);
  }
  const yaml = (secrets: string, use: string) =>
    `stack: s\nplatform: { team: acme }\nsecrets: ${secrets}\nprojects: { web: { env: { ${use} } } }\n`;
  for (const [secrets, use, said] of [
    ['{ größe: {} }', 'A: "${secret.größe}"', '`größe` is read from `TRUEUP_SECRET_größe`'],
    ['{ a: { env: GITHUB_PAT } }', 'A: "${secret.a}"', '`a` is read from `GITHUB_PAT`'],
    ['{ db: {}, DB: {} }', 'A: "${secret.db}", B: "${secret.DB}"', 'are one name in CI'],
  ] as const) {
    const { init } = await repositoryWith({ 'trueup.yaml': yaml(secrets, use) });
    const ran = await init(['--ci', 'github']);
    expect(ran.stderr).toContain(said);
    expect(ran.status).toBe(1);
  }
});
