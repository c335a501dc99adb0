import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { oneStoryIn } from '../support/sweep.ts';
import { chain, files, stackFile, workplace } from './workplace.ts';

const story = oneStoryIn(5);

story('undoes one commit in several stacks, with one plan and one question', async () => {
  const { shell, twin, git } = await workplace();
  const apply = async () => {
    const ran = await shell.run(['apply', '--all', '--auto-approve', '--settle', '0']);
    expect(ran.status, ran.all).toBe(0);
  };
  await apply();
  // The commit changes three of the four stacks: the two stages of the shop, and the one that they need.
  for (const name of ['dns/trueup.yaml', 'shared/base.yaml'] as const)
    writeFileSync(join(shell.folder, name), files[name].replaceAll('nextjs', 'astro'));
  git('commit', '-qam', 'Bad');
  const commit = git('rev-parse', 'HEAD').trim();
  await apply();
  const frameworkOf = (project: string) =>
    twin.account.projects.find(({ name }) => name === project)!.framework;
  const projectsWithAstro = () =>
    twin.account.projects.filter(({ framework }) => framework === 'astro').map(({ name }) => name);
  expect(projectsWithAstro()).toHaveLength(5);
  const words = ['undo', '--commit', commit, '--all', '--settle', '0'];

  // A stack that another one needs stays as it is if the undo of that one fails.
  twin.setFaults({ faults: [{ at: { operation: 'updateProject' }, do: { type: 'status', status: 403 } }] });
  const failed = await shell.run([...words, '--auto-approve']);
  expect(failed.status).toBe(1);
  expect(failed.stderr).toContain(
    'dns: Not undone: first undo it in shop@production, shop@staging, which needs it and failed.',
  );
  expect(failed.stderr).toContain('Verified in 0 of 3 stacks.');
  expect(failed.stdout).not.toContain('git revert');
  expect(frameworkOf('hub')).toBe('astro');
  twin.setFaults({ faults: [] });

  const { status, stdout, stderr, all } = await shell.run(words, { input: 'yes\n', isTerminal: true });
  expect(status, all).toBe(0);
  expect(all.match(/\?.*yes/g)).toHaveLength(1);
  expect(stdout).toContain('3 stacks: 3 with changes.');
  expect(stderr).toContain('Verified in 3 of 3 stacks.');
  expect(stderr).toMatch(/tools: Skipped: no recorded run of this stack applied/);
  expect([...stdout.matchAll(/git revert (.*)/g)].map(([, line]) => line)).toEqual([`--no-edit ${commit}`]);
  expect(projectsWithAstro()).toEqual([]);

  git('revert', '--no-edit', commit);
  const after = await shell.run(['plan', '--all', '--detailed-exitcode']);
  expect(after.status, after.all).toBe(0);
  const again = await shell.run([...words, '--auto-approve']);
  expect(again.status, again.all).toBe(0);
  expect(again.stdout).toContain('there is no commit to revert');
});

story('undoes a stack after those that need it through a stack that the commit did not change', async () => {
  const { shell, twin, git } = await workplace(chain);
  const apply = ['apply', '--all', '--auto-approve', '--settle', '0'];
  expect((await shell.run(apply)).status).toBe(0);
  await shell.write({
    'last/trueup.yaml': stackFile('last', 'astro'),
    'first/trueup.yaml': stackFile('first', 'astro'),
  });
  git('commit', '-qam', 'Bad');
  expect((await shell.run(apply)).status).toBe(0);
  const undo = ['undo', '--commit', 'HEAD', '--all', '--auto-approve', '--settle', '0'];

  // Only the first write is refused: what the first stack needs through another one stays as it is.
  twin.setFaults({ faults: [{ at: { operation: 'updateProject' }, do: { type: 'status', status: 403 } }] });
  const refused = await shell.run(undo);
  expect(refused.stderr).toContain('last: Not undone: first undo it in first, which needs it and failed.');
  twin.setFaults({ faults: [] });
  const undone = await shell.run(undo);
  expect(undone.status, undone.all).toBe(0);
  expect(undone.stderr).toContain('Verified in 2 of 2 stacks.');
});

story('lists no commits to revert if the undo of one stack cannot be planned', async () => {
  const withVariable = (value: string) =>
    `stack: two\nplatform: { team: acme }\nsharedEnv: { LEVEL: ${value} }\n`;
  const { shell, twin, git } = await workplace({
    'trueup.workspace.yaml': 'stacks: [one, two]\n',
    'one/trueup.yaml': stackFile('one'),
    'two/trueup.yaml': withVariable('low'),
  });
  const apply = ['apply', '--all', '--auto-approve', '--settle', '0'];
  expect((await shell.run(apply)).status).toBe(0);
  await shell.write({
    'one/trueup.yaml': stackFile('one', 'astro'),
    'two/trueup.yaml': withVariable('high'),
  });
  git('commit', '-qam', 'Bad');
  expect((await shell.run(apply)).status).toBe(0);
  const undo = ['undo', '--commit', 'HEAD', '--all', '--auto-approve', '--settle', '0'];

  twin.setFaults({
    faults: [{ at: { operation: 'listSharedEnvVariable' }, do: { type: 'status', status: 403 } }],
  });
  const partial = await shell.run(undo);
  expect(partial.status).toBe(1);
  expect(partial.stderr).toContain('Verified in 1 of 2 stacks.');
  expect(partial.stdout).not.toContain('revert');
  twin.setFaults({ faults: [] });
  const complete = await shell.run(undo);
  expect(complete.status, complete.all).toBe(0);
  expect(complete.stdout).toContain('git revert');
});

story('needs a commit that some stack applied, and an answer', async () => {
  const { shell, git } = await workplace({ 'trueup.workspace.yaml': 'stacks: [dns]\n' });
  const run = (...words: string[]) => shell.run(['undo', ...words, '--all', '--auto-approve']);
  expect((await run('2')).stderr).toContain('undo --all needs --commit');
  expect((await run('--commit', 'HEAD')).stderr).toContain('no recorded run of any stack changed something');
  const apply = ['apply', '--all', '--auto-approve', '--settle', '0'];
  await shell.run(apply);
  await shell.write({ 'dns/trueup.yaml': files['dns/trueup.yaml'].replaceAll('nextjs', 'astro') });
  git('commit', '-qam', 'Bad');
  await shell.run(apply);
  expect((await shell.run(['undo', '--commit', 'HEAD', '--all'])).stderr).toContain(
    'needs a terminal or --auto-approve',
  );
});
