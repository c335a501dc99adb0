import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const header = 'stack: acme\nplatform: { team: acme }\n';
const web = 'projects: { web: { env: { A: { value: one, type: plain } } } }\n';
const docs = 'projects: { docs: { env: { A: { value: one, type: plain } } } }\n';

/** A shell with a twin that has what the input says, applied from standard input and a folder. */
async function applied(): Promise<Shell> {
  const shell = await new Shell().write({ 'more/docs.yaml': docs });
  await shell.withTwin();
  const done = await shell.run(['apply', '-f', '-', '-f', 'more', '--auto-approve'], { input: header + web });
  expect(done.status, done.all).toBe(0);
  return shell;
}

story('is the configuration of every command that takes one', async () => {
  const shell = await applied();
  const input = header + web;
  const files = ['-f', '-', '-f', 'more'];
  for (const [command, said] of [
    [['validate'], 'is valid: 4 objects in 2 files'],
    [['plan', '--detailed-exitcode'], 'No changes.'],
    [['plan', '--out', 'plan.json'], 'No changes.'],
    [['apply', '--auto-approve'], 'No changes'],
    [['graph'], 'projects/web'],
    [['ledger', 'list'], 'projects/web'],
  ] as const) {
    const ran = await shell.run([...command, ...files], { input });
    expect([ran.status, ran.all], command.join(' ')).toEqual([0, expect.stringContaining(said)]);
  }
  const saved = await shell.run(['plan', '--out', 'plan.json', ...files], {
    input: input.replace('one', 'two'),
  });
  expect(saved.status, saved.all).toBe(0);
  const refused = await shell.run(['apply', 'plan.json', ...files], { input });
  expect(refused.status, refused.all).toBe(1);
  const done = await shell.run(['apply', 'plan.json', ...files], { input: input.replace('one', 'two') });
  expect(done.status, done.all).toBe(0);
  const ended = await shell.run(['destroy', '--confirm', 'acme', ...files], { input });
  expect(ended.status, ended.all).toBe(0);
});

it('that a run lacks is missed: nothing is deleted', async () => {
  const shell = await applied();
  await shell.write({ 'header.yaml': header });
  const without = await shell.run(['plan', '-f', 'header.yaml', '-f', 'more']);
  expect(without.status).toBe(1);
  expect(without.stderr).toContain('this run does not read standard input, which the last one did');
  expect((await shell.run(['plan', '-f', 'header.yaml', '-f', 'more', '--fewer-inputs'])).status).toBe(0);
  const fewer = await shell.run(['plan', '-f', '-'], { input: header + web });
  expect(fewer.stderr).toContain('this run does not read docs.yaml');
});

it('that is empty deletes nothing, and nobody is asked on it', async () => {
  const shell = await applied();
  const empty = await shell.run(['apply', '-f', '-', '--auto-approve'], { input: '' });
  expect([empty.status, empty.stderr]).toEqual([1, expect.stringContaining('the stack has no name')]);
  const asked = await shell.run(['apply', '-f', '-', '-f', 'more'], {
    input: header + web.replace('one', 'two'),
  });
  expect([asked.status, asked.stderr]).toEqual([1, expect.stringContaining('--auto-approve')]);
});
