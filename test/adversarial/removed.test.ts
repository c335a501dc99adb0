import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';

test('An entry of `removed` deletes nothing that this stack does not own, and no more objects than it says.', async () => {
  const yaml = (removed: string, projects: string) =>
    `stack: demo\nplatform: { team: acme }\nremoved: [${removed}]\nprojects: { ${projects} }\n`;
  const shell = await new Shell().write({ 'trueup.yaml': yaml('', 'web: {}, old: { env: { A: a } }') });
  const twin = await shell.withTwin({ projects: [{ name: 'theirs' }] });
  const apply = () => shell.run(['apply', '--auto-approve', '--settle', '0', '--max-deletions', '99']);
  const names = () => twin.account.projects.map(({ name }) => name).sort();
  const applied = await apply();
  expect(applied.status, applied.all).toBe(0);

  // An object of somebody else.
  const theirs = '{ at: projects/theirs, delete: true, objects: 99 }';
  await shell.write({ 'trueup.yaml': yaml(theirs, 'web: {}, old: { env: { A: a } }') });
  const foreign = await apply();
  expect([foreign.status, foreign.all]).toEqual([
    0,
    expect.stringContaining('projects/theirs is not deleted'),
  ]);
  // More in it than the author counted.
  await shell.write({ 'trueup.yaml': yaml('{ at: projects/old, delete: true, objects: 1 }', 'web: {}') });
  const more = await apply();
  expect([more.status, more.stderr]).toEqual([1, expect.stringContaining('2 objects would be deleted')]);
  expect(names()).toEqual(['old', 'theirs', 'web']);
  // One more since the plan was approved.
  await shell.write({ 'trueup.yaml': yaml('{ at: projects/old, delete: true, objects: 2 }', 'web: {}') });
  const planned = await shell.run(['plan', '--out', 'plan.json']);
  expect(planned.status, planned.all).toBe(0);
  const { env } = twin.account.projects.find(({ name }) => name === 'old')!;
  env.push({ ...env[0]!, id: 'env_new', key: 'NEW' });
  expect((await shell.run(['apply', 'plan.json', '--settle', '0'])).status).toBe(1);
  expect(names()).toEqual(['old', 'theirs', 'web']);
});

test('an entry that keeps an object is followed if `$was` renames its container in the same change', async () => {
  const yaml = (projects: string, more = '') =>
    `stack: demo\nplatform: { team: acme }\nprojects: { ${projects} }\n${more}`;
  const shell = await new Shell().write({ 'trueup.yaml': yaml('old: { env: { A: a, B: b } }') });
  const twin = await shell.withTwin();
  expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
  const kept = 'removed: [{ at: projects/old/env/B, delete: false }]\n';
  await shell.write({ 'trueup.yaml': yaml('new: { $was: old, env: { A: a } }', kept) });
  const applied = await shell.run(['apply', '--auto-approve']);
  expect([applied.status, applied.all]).toEqual([0, expect.stringContaining('projects/new/env/B')]);
  expect(applied.all).not.toContain('removed/done');
  const [project] = twin.account.projects;
  expect([project!.name, project!.env.map(({ key }) => key).sort()]).toEqual(['new', ['A', 'B']]);
});
