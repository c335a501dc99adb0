import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Ledger } from '../../src/model/ledger.ts';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const yaml = `stack: demo
platform: { team: acme }
projects:
  web: { framework: nextjs, env: { A: { value: a, type: plain } } }
`;

/** A stack that was applied, and ways to have another ledger for it. */
async function applied() {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  const twin = await shell.withTwin({ projects: [{ name: 'theirs' }] });
  expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
  const path = join(shell.folder, '.trueup/ledger/demo.json');
  const text = readFileSync(path, 'utf8');
  const put = (change: (ledger: Ledger) => unknown) =>
    writeFileSync(path, JSON.stringify(change(JSON.parse(text))));
  return { shell, twin, path, text, put };
}

it('each ledger that is not this stack’s own, whole and of this format is refused, with what to do', async () => {
  const { shell, twin, path, text, put } = await applied();
  const writes = () => twin.requests.filter(({ method }) => method !== 'GET').length;
  const before = writes();
  const cases: [string, () => void, RegExp][] = [
    [
      'another stack',
      () => put((one) => ({ ...one, stack: 'other' })),
      /belongs to a different stack: other, not demo/,
    ],
    [
      'another account',
      () => put((one) => ({ ...one, owner: 'team_x' })),
      /belongs to a different account: team_x/,
    ],
    [
      'another base URL',
      () => put((one) => ({ ...one, baseUrl: 'https://x' })),
      /belongs to a different base URL: https:\/\/x/,
    ],
    [
      'newer',
      () => put((one) => ({ ...one, formatVersion: 99 })),
      /written by a newer version of trueup \(format 99\)[\s\S]*upgrade trueup/,
    ],
    [
      'truncated',
      () => writeFileSync(path, text.slice(0, -20)),
      /not valid JSON[\s\S]*restore an earlier version/,
    ],
    ['empty', () => writeFileSync(path, ''), /not valid JSON/],
    [
      'with a damaged journal',
      () => {
        writeFileSync(path, text);
        writeFileSync(path.replace('.json', '.journal'), '{"journal":1}\n');
      },
      /demo\.journal:1: this line is damaged[\s\S]*If you cannot, remove it/,
    ],
  ];
  for (const [name, damage, told] of cases) {
    damage();
    const kept = readFileSync(path, 'utf8');
    const ran = await shell.run(['apply', '--auto-approve']);
    expect([name, ran.status, writes()]).toEqual([name, 1, before]);
    expect(ran.stderr).toMatch(told);
    expect(ran.stderr).not.toMatch(/^\s+at .*:\d+:\d+\)$/m);
    // It is not reset.
    expect(readFileSync(path, 'utf8')).toBe(kept);
  }
});

it('a ledger that is gone deletes nothing and re-sends nothing: what exists is adopted', async () => {
  const { shell, twin, path } = await applied();
  rmSync(path);
  await shell.write({ 'trueup.yaml': yaml.replace(', env: { A: { value: a, type: plain } }', '') });
  const plan = await shell.run(['plan', '--json']);
  const { changes } = JSON.parse(plan.stdout) as { changes: { address: string; action: string }[] };
  expect(changes.map(({ address, action }) => `${action} ${address}`)).toEqual(['adopt projects/web']);
  const writes = twin.requests.filter(({ method }) => method !== 'GET').length;
  expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
  expect(twin.requests.filter(({ method }) => method !== 'GET')).toHaveLength(writes);
  expect(twin.account.projects.map(({ name, env }) => [name, env.length])).toEqual([
    ['theirs', 0],
    ['web', 1],
  ]);
});

story('a ledger of the first format is read, and written in the new one', async () => {
  const { shell, path, put } = await applied();
  put((one) => ({ ...one, formatVersion: 1, signature: undefined }));
  expect((await shell.run(['plan'])).stdout).toContain('No changes.');
  await shell.write({ 'trueup.yaml': yaml.replace('nextjs', 'vite') });
  const { stderr } = await shell.run(['ledger', 'sign']);
  const flags = /--generation \d+ --digest \w{64}/.exec(stderr)![0].split(' ');
  expect((await shell.run(['ledger', 'sign', ...flags])).status).toBe(0);
  expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ formatVersion: 2, stack: 'demo' });
});
