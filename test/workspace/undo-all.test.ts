import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { files, workplace } from './workplace.ts';

const more = (framework: string) =>
  `stack: more\nplatform: { team: acme }\nprojects: { more: { framework: ${framework} } }\n`;

/** Five stacks that were applied; then one commit changed the framework of their projects, or of some of them. */
async function changed(names: string[]) {
  const place = await workplace({
    'stacks/more/trueup.yaml': more('nextjs'),
    'stacks/other/trueup.yaml': more('nextjs').replaceAll('more', 'other'),
  });
  const { shell, git } = place;
  const apply = async () => {
    const ran = await shell.run(['apply', '--all', '--auto-approve', '--settle', '0']);
    expect(ran.status, ran.all).toBe(0);
  };
  await apply();
  const texts: Record<string, string> = { ...files, 'stacks/more/trueup.yaml': more('nextjs') };
  for (const name of names)
    writeFileSync(join(shell.folder, name), texts[name]!.replaceAll(/nextjs|vite/g, 'astro'));
  git('commit', '-qam', 'Bad');
  const commit = git('rev-parse', 'HEAD').trim();
  await apply();
  const frameworks = () =>
    Object.fromEntries(place.twin.account.projects.map(({ name, framework }) => [name, framework]));
  return { ...place, commit, frameworks };
}

it('undoes one commit in five stacks, with one plan and one question', async () => {
  const names = [
    'dns/trueup.yaml',
    'shared/base.yaml',
    'stacks/tools/trueup.yaml',
    'stacks/more/trueup.yaml',
  ];
  const { shell, git, commit, frameworks } = await changed(names);
  expect(Object.values(frameworks()).filter((framework) => framework === 'astro')).toHaveLength(7);
  const words = ['undo', '--commit', commit, '--all', '--settle', '0'];
  expect((await shell.run(words)).stderr).toContain('needs a terminal or --auto-approve');
  const { status, stdout, stderr, all } = await shell.run(words, { input: 'yes\n', isTerminal: true });
  expect(status, all).toBe(0);
  expect(all.match(/\?.*yes/g)).toHaveLength(1);
  expect(stdout).toContain('5 stacks: 5 with changes.');
  expect(stderr).toContain('Verified in 5 of 5 stacks.');
  expect(stderr).toMatch(/stacks\/other: Skipped: no recorded run of this stack applied/);
  expect([...stdout.matchAll(/git revert (.*)/g)].map(([, line]) => line)).toEqual([`--no-edit ${commit}`]);
  expect(Object.values(frameworks())).not.toContain('astro');
  git('revert', '--no-edit', commit);
  const after = await shell.run(['plan', '--all', '--detailed-exitcode']);
  expect(after.status, after.all).toBe(0);
  const again = await shell.run([...words, '--auto-approve']);
  expect(again.status, again.all).toBe(0);
  expect(again.stdout).toContain('there is no commit to revert');
});

it('leaves a stack that another one needs as it is if the undo of that one fails', async () => {
  const { shell, twin, commit, frameworks } = await changed(['dns/trueup.yaml', 'shared/base.yaml']);
  twin.setFaults({ faults: [{ at: { operation: 'updateProject' }, do: { type: 'status', status: 403 } }] });
  const words = ['undo', '--commit', commit, '--all', '--auto-approve', '--settle', '0'];
  const { status, stdout, stderr } = await shell.run(words);
  expect(status).toBe(1);
  expect(stderr).toContain(
    'dns: Not undone: first undo it in shop@production, shop@staging, which needs it and failed.',
  );
  expect(stderr).toContain('Verified in 0 of 3 stacks.');
  expect(stdout).not.toContain('git revert');
  expect(frameworks().hub).toBe('astro');
});

it('needs a commit that some stack applied', async () => {
  const { shell } = await workplace();
  const run = (...words: string[]) => shell.run(['undo', ...words, '--all', '--auto-approve']);
  expect((await run('2')).stderr).toContain('undo --all needs --commit');
  expect((await run('--commit', 'HEAD', '--delete', 'projects/a')).stderr).toContain(
    'none of these stacks owns',
  );
  expect((await run('--commit', 'HEAD')).stderr).toContain('no recorded run of any stack changed something');
});
