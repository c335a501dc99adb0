import { expect } from 'vitest';
import { oneStoryIn } from '../support/sweep.ts';
import { workplace } from '../workspace/workplace.ts';

const story = oneStoryIn(3);

story('one report of the parts of a matrix: each stack once, with what failed', async () => {
  const { shell } = await workplace();
  await shell.run(['plan', '-f', 'dns', '--out', 'parts/dns.json']);
  await shell.run(['plan', '-f', 'stacks/tools', '--out', 'parts/tools.json']);
  const text = await shell.run(['report', 'merge', 'parts/dns.json', 'parts/tools.json']);
  expect([text.status, text.stderr]).toEqual([0, '']);
  expect(text.stdout).toContain('== dns\n');
  expect(text.stdout).toContain('== tools\n');
  expect(text.stdout).toContain('2 stacks: 2 with changes.');
  const parts = ['parts/dns.json', 'parts/tools.json'];
  expect((await shell.run(['report', 'merge', ...parts, '--detailed-exitcode'])).status).toBe(2);
  const markdown = await shell.run(['report', 'merge', ...parts, '--format', 'markdown']);
  expect(markdown.stdout).toContain('2 stacks');
  await shell.write({ 'parts/shop.json': '' });
  for (const part of ['parts/shop.json', 'parts/nothing.json']) {
    const failed = await shell.run(['report', 'merge', ...parts, part, '--json']);
    expect(failed.status).toBe(1);
    expect(JSON.stringify(JSON.parse(failed.stdout))).toContain('report/part');
  }
  await shell.write({ 'parts/note.json': '{"a":1}' });
  const odd = await shell.run(['report', 'merge', 'parts/note.json']);
  expect([odd.status, odd.stderr]).toEqual([1, expect.stringContaining('approval/not-a-plan')]);
  const twice = await shell.run(['report', 'merge', 'parts/dns.json', 'parts/dns.json']);
  expect([twice.status, twice.stderr]).toEqual([1, expect.stringContaining('several files are about dns')]);
});

story('the plans of a workspace that were saved together are parts, too', async () => {
  const { shell } = await workplace();
  await shell.run(['plan', '--all', '--out', 'parts/all.json']);
  const text = await shell.run(['report', 'merge', 'parts/all.json']);
  expect(text.stdout).toContain('4 stacks: ');
  expect(text.status).toBe(0);
});
