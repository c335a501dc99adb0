import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { initRepository } from '../support/init-repository.ts';
import { keyText } from '../support/keys.ts';

const yaml = (stack: string, body: string) => `stack: ${stack}\nplatform: { team: acme }\n${body}\n`;

test('a run with a stage takes over an object of a stack without stages', async () => {
  const shell = new Shell();
  initRepository(shell.folder);
  await shell.write({
    'trueup.workspace.yaml': 'stacks: [one, two]\n',
    'one/trueup.yaml': yaml('one', 'projects: { site: {}, own: {} }'),
    'two/trueup.yaml': yaml(
      'two',
      'stages: { production: {} }\nprojects: { site: { framework: astro, $from: one } }',
    ),
  });
  await shell.withTwin();
  shell.env = { ...shell.env, TRUEUP_LEDGER_KEY: keyText() };
  const apply = (...options: string[]) => shell.run(['apply', '--auto-approve', '--settle', '0', ...options]);
  expect((await apply('-f', 'one')).status).toBe(0);
  await shell.write({ 'one/trueup.yaml': yaml('one', 'projects: { own: {} }') });
  const { status, stderr } = await apply('-f', 'two', '--stage', 'production');
  expect([status, stderr]).toEqual([0, expect.stringContaining('projects/site: updated')]);
});
