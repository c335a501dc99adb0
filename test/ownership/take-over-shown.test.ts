import { beforeAll, expect, it } from 'vitest';
import { countsText, planCounts } from '../../src/report/fleet/fleet-report.ts';
import { change, planOf } from '../report/builders.ts';
import { Shell } from '../support/cli.ts';

/* Where a take-over is to be seen, and what may refuse it. */

const yaml = (stack: string, body: string) => `stack: ${stack}\nplatform: { team: acme }\n${body}\n`;
const one = yaml('one', 'projects: { site: { framework: vite, env: { A: one } }, own: {} }');
const rest = yaml('one', 'projects: { own: {} }');
const two = yaml('two', 'projects: { site: { $from: one, framework: astro, env: { A: one } } }');
const words = /taken over from stack one/i;

const shell = new Shell();
const apply = ['apply', '--auto-approve', '--settle', '0'];

beforeAll(async () => {
  await shell.withTwin();
  await shell.write({
    'trueup.workspace.yaml': 'stacks: [one.yaml, two.yaml]\n',
    'one.yaml': one,
    'two.yaml': yaml('two', 'projects: {}'),
  });
  expect((await shell.run([...apply, '-f', 'one.yaml'])).status).toBe(0);
  await shell.write({ 'one.yaml': rest, 'two.yaml': two });
});

it('every format of a plan says it, of one stack, of all, and of a saved plan', async () => {
  const says = async (...args: string[]) => {
    const ran = await shell.run(args);
    expect([args, ran.status, ran.stdout], ran.stderr).toEqual([args, 0, expect.stringMatching(words)]);
    return ran.stdout;
  };
  for (const format of ['text', 'terraform-text', 'terraform', 'markdown', 'html', 'sarif', 'gitlab'])
    await says('plan', '-f', 'two.yaml', '--format', format);
  await says('graph', '-f', 'two.yaml');
  await says('graph', '-f', 'two.yaml', '--operations', '--format', 'mermaid');
  const plan = JSON.parse(await says('plan', '-f', 'two.yaml', '--format', 'json', '--out', 'plan.json'));
  expect(plan.changes).toMatchObject(Array(4).fill({ takenFrom: 'one' }));
  for (const format of ['text', 'json', 'terraform', 'markdown', 'html', 'gitlab'])
    await says('show', 'plan.json', '--format', format);
  await says('plan', '-f', 'two.yaml', '--json-stream');
  for (const format of ['text', 'json', 'markdown', 'html', 'sarif', 'gitlab'])
    await says('plan', '--all', '--format', format);
});

it('guards match it by `takeover`, whatever else becomes of the object', async () => {
  await shell.write({ 'guards.yaml': 'deny: [{ action: takeover, at: "projects/*", message: Ask us. }]\n' });
  const refused = await shell.run(['plan', '-f', 'two.yaml', '--guards', 'guards.yaml']);
  expect([refused.status, refused.stderr.replaceAll(/\s+/g, ' ')]).toEqual([
    1,
    expect.stringContaining('the guards refuse to take over projects/site: Ask us.'),
  ]);
  await shell.write({ 'guards.yaml': 'deny: [{ action: takeover, at: "domains/**", message: Ask us. }]\n' });
  expect((await shell.run(['plan', '-f', 'two.yaml', '--guards', 'guards.yaml'])).status).toBe(0);
});

it('the reports of a fleet count it, and name the stack', () => {
  const plan = planOf({
    changes: [change('update', 'projects/site', { takenFrom: 'one' }), change('update', 'projects/own')],
  });
  expect(countsText(planCounts(plan))).toBe('2 to update, 1 taken over from stack one');
});

it('an object that waits to be taken over is named, and its taker may come in the same run', async () => {
  await shell.write({
    'one.yaml': rest.replace('own: {}', 'own: { $handover: two }'),
    'two.yaml': yaml('two', 'projects: {}'),
  });
  expect((await shell.run([...apply, '-f', 'one.yaml', '--target', 'projects/own'])).status).toBe(0);
  const named = 'projects/own waits for the stack two to take it over.';
  const waiting = ['plan', '-f', 'one.yaml', '--target', 'projects/own'];
  for (const format of ['text', 'markdown', 'html'])
    expect((await shell.run([...waiting, '--format', format])).stdout).toContain(named);
  expect((await shell.run([...waiting, '--detailed-exitcode'])).status).toBe(0);
});

it('saved plans of both stacks are applied in one run, and are refused once the consent is gone', async () => {
  // One object waits, the others are dropped by the same commit.
  const given = rest.replace('own: {}', 'own: { $handover: two }, left: {}');
  const taking = two.replace('projects: {', 'projects: { own: { $from: one },');
  await shell.write({ 'one.yaml': given, 'two.yaml': taking });
  await shell.run(['plan', '--all', '--out', 'plans.json']);
  await shell.write({ 'one.yaml': one });
  const revoked = await shell.run([...apply, 'plans.json']);
  expect([revoked.status, revoked.all]).toEqual([1, expect.stringContaining('[stack/no-consent]')]);
  await shell.write({ 'one.yaml': given });
  const applied = await shell.run([...apply, 'plans.json']);
  expect([applied.status, applied.stderr], applied.all).toEqual([
    0,
    expect.stringContaining('2 of 2 stacks are up to date.'),
  ]);
  expect((await shell.run(['plan', '--all', '--detailed-exitcode'])).status).toBe(0);
});
