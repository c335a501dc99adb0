import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { Shell } from '../support/cli.ts';
import { noteCounts } from '../support/cost.ts';
import { all, oneStoryIn } from '../support/sweep.ts';
import { until } from '../support/until.ts';

const story = oneStoryIn(4);

/* The accounts in `examples`, as `trueup twin --seed` takes them: what is exported of one plans nothing. */

const examples = resolve('examples');
const large = (...args: string[]) =>
  execFileSync(process.execPath, [join(examples, 'large-account.mjs'), ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });

/** `trueup twin` with these options, and a folder whose runs talk to it. */
async function servedFrom(shell: Shell, ...options: string[]) {
  const running = shell.start(['twin', ...options]);
  const address = /^http:\S+$/m;
  await until(() => address.test(running.said()));
  shell.env = { TRUEUP_BASE_URL: address.exec(running.said())![0], TRUEUP_TOKEN: 'any' };
  return async () => {
    running.signal('SIGTERM');
    expect((await running.ended).status).toBe(0);
  };
}

/** How many objects an export of the account declares. The plan of it is empty, and so is the next, once they are recorded. */
async function exported(shell: Shell): Promise<number> {
  const done = await shell.run(['export', '--team', 'acme', '--out', 'trueup.yaml', '--values', 'omit']);
  expect(done.status, done.all).toBe(0);
  const applied = await shell.run(['apply', '--auto-approve']);
  expect(applied.status, applied.all).toBe(0);
  expect(applied.stdout).toMatch(/Plan: 0 to create, \d+ to adopt, 0 to update, 0 to delete\. 0 requests\./);
  const again = await shell.run(['plan', '--detailed-exitcode']);
  expect(again.status, again.all).toBe(0);
  return Number(/(\d+) objects exported/.exec(done.stderr)![1]);
}

const counts: Record<string, number> = {};
noteCounts('objects of the accounts in examples', () => counts);

story('the account of a company', async () => {
  const shell = new Shell();
  const stop = await servedFrom(shell, '--seed', join(examples, 'company.seed.json'));
  counts.company = await exported(shell);
  expect(counts.company).toBeGreaterThanOrEqual(40);
  await stop();
});

story('a large account', async () => {
  const projects = all ? 60 : 4;
  const shell = await new Shell().write({ 'account.json': large(...(all ? [] : [`${projects}`])) });
  const stop = await servedFrom(shell, '--seed', 'account.json', '--page-size', '20');
  counts.large = await exported(shell);
  expect(counts.large).toBeGreaterThan(25 * projects);
  await stop();
});

story('it is the same each time, and of any size', () => {
  expect(large()).toBe(large('60'));
  for (const size of all ? [1, 7, 333] : [33]) {
    const { projects } = JSON.parse(large(`${size}`));
    expect(new Set(projects.map(({ name }: { name: string }) => name)).size).toBe(size);
  }
  expect(() =>
    execFileSync(process.execPath, [join(examples, 'large-account.mjs'), 'many'], { stdio: 'pipe' }),
  ).toThrow(/usage/);
});

story(
  'what `--state` saved is a seed: the same account once more, and the file stays as it was',
  async () => {
    const shell = new Shell();
    const company = join(examples, 'company.seed.json');
    const first = await servedFrom(shell, '--seed', company, '--state', 'saved.json');
    const made = await shell.run([
      'api',
      'createProject',
      '--team',
      'acme',
      '--field',
      'name=made',
      '--auto-approve',
    ]);
    expect(made.status, made.all).toBe(0);
    await first();
    const saved = readFileSync(join(shell.folder, 'saved.json'), 'utf8');
    const second = await servedFrom(shell, '--seed', 'saved.json');
    const project = async (name: string) =>
      JSON.parse((await shell.run(['api', 'getProject', '--team', 'acme', '--project', name])).stdout);
    expect((await project('made')).id).toBe(JSON.parse(made.stdout).id);
    expect((await project('app')).nodeVersion).toBe('20.x');
    await shell.run(['api', 'deleteProject', '--team', 'acme', '--project', 'made', '--auto-approve']);
    await second();
    expect(readFileSync(join(shell.folder, 'saved.json'), 'utf8')).toBe(saved);
  },
);
