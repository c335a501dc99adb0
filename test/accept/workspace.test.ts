import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const stack = (name: string) => `stack: ${name}
platform: { personal: true }
projects:
  ${name}-web: { framework: nextjs }
`;

const staged = `stack: two
platform: { personal: true }
stages: { production: {}, staging: {} }
projects:
  "two-\${stage}": { framework: nextjs }
`;

story('in a workspace each stack is taken over by itself, as `trueup stacks --json` lists them', async () => {
  const shell = await new Shell().write({
    'trueup.workspace.yaml': 'stacks: [one, two]\n',
    'one/trueup.yaml': stack('one'),
    'two/trueup.yaml': staged,
  });
  const twin = await shell.withTwin();
  const done = await shell.run(['apply', '--all', '--auto-approve']);
  expect(done, done.all).toMatchObject({ status: 0 });
  for (const project of twin.account.projects) project.framework = 'astro';

  const none = await shell.run(['accept', '--all', '--auto-approve']);
  expect(none).toMatchObject({ status: 1 });
  expect(none.stderr).toContain('pass one of its stacks with -f (see `trueup stacks`)');

  const listed = JSON.parse((await shell.run(['stacks', '--json'])).stdout);
  expect(listed.include).toHaveLength(3);
  for (const { file, stage } of listed.include) {
    const stages = stage === undefined ? [] : ['--stage', stage];
    const ran = await shell.run(['accept', '--all', '--auto-approve', '-f', file, ...stages]);
    expect(ran, ran.all).toMatchObject({ status: 0 });
  }
  expect(readFileSync(join(shell.folder, 'one/trueup.yaml'), 'utf8')).toBe(
    stack('one').replace('nextjs', 'astro'),
  );
  const plan = await shell.run(['plan', '--all', '--detailed-exitcode']);
  expect(plan, plan.all).toMatchObject({ status: 0 });
  expect(plan.stdout).toContain('3 stacks: 3 without changes');
});
