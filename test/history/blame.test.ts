import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sayReverts } from '../../src/cli/undo-steps.ts';
import { Shell } from '../support/cli.ts';
import { initRepository } from '../support/init-repository.ts';

it('without a token, an address that only the configuration has is not unknown', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': 'stack: demo\nplatform: { team: acme }\nprojects: { web: {} }\n',
  });
  const declared = await shell.run(['blame', 'projects/web']);
  expect([declared.status, declared.stdout]).toEqual([
    0,
    'projects/web has no fields that a run or somebody else has set.\n',
  ]);
  const unknown = await shell.run(['blame', 'projects/api']);
  expect([unknown.status, unknown.stderr]).toEqual([
    1,
    expect.stringContaining('unknown address projects/api'),
  ]);
});

it('the commands that undo prints work in a shell, whatever the name of the folder', async () => {
  const shell = await new Shell().write({ 'my ledgers/demo.json': '1' });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], { cwd: shell.folder })
      .toString()
      .trim();
  initRepository(shell.folder);
  git('add', '--all');
  git('commit', '--quiet', '-m', 'first');
  await shell.write({ 'my ledgers/demo.json': '2' });
  git('commit', '--quiet', '--all', '-m', 'second');
  const [id, parent] = [git('rev-parse', 'HEAD'), git('rev-parse', 'HEAD~1')];
  const lines: string[] = [];
  const session = {
    documents: { leasePath: join(shell.folder, 'my ledgers/demo.lease') },
    host: { cwd: shell.folder, env: process.env },
  };
  await sayReverts(
    [{ id, parent, isMerge: false, distance: 0, changesFiles: true }],
    'run 1',
    session as never,
    { out: (text: string) => lines.push(text) } as never,
  );
  expect(lines.join('\n')).toContain("git restore --staged --worktree 'my ledgers'");
});
