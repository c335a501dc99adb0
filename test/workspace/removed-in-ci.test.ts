import { expect } from 'vitest';
import { oneStoryIn } from '../support/sweep.ts';
import { workplace } from './workplace.ts';

const story = oneStoryIn(4);

const names = Array.from({ length: 12 }, (_, index) => `V${index}: v`).join(', ');
const site = (name: string) =>
  `  site-${name}: { env: { ${names} }, domains: { ${name}.example: {}, www.${name}.example: {} } }\n`;
const stack = (header: string, ...sites: string[]) =>
  `stack: sites\nplatform: { team: acme }\n${header}projects:\n${sites.map(site).join('')}`;

story(
  'a pull request deletes a site of 15 objects with the steps of CI and no option, by the line that the plan shows',
  async () => {
    const { shell, twin } = await workplace({
      'trueup.workspace.yaml': 'stacks: [sites]\n',
      'sites/trueup.yaml': stack('', 'a', 'b', 'x'),
    });
    const applied = await shell.run(['apply', '--all', '--auto-approve', '--settle', '0']);
    expect(applied.status, applied.all).toBe(0);

    await shell.write({ 'sites/trueup.yaml': stack('', 'a', 'b') });
    const advice = await shell.run(['plan', '--all', '--json']);
    const [{ plan }] = JSON.parse(advice.stdout).stacks;
    const [, line] = plan.diagnostics[0].hint.split('\n');
    expect(line).toBe('removed: [{ at: projects/site-x, delete: true, objects: 15 }]');

    await shell.write({ 'sites/trueup.yaml': stack(`${line}\n`, 'a', 'b') });
    expect((await shell.run(['validate', '--all'])).status).toBe(0);
    const planned = await shell.run([
      'plan',
      '--all',
      '--detailed-exitcode',
      '--format',
      'markdown',
      '--out',
      'plan.json',
    ]);
    expect([planned.status, planned.stdout]).toEqual([
      2,
      expect.stringContaining('0 to update, 15 to delete.'),
    ]);
    const carriedOut = await shell.run(['apply', 'plan.json', '--settle', '0']);
    expect([carriedOut.status, carriedOut.all]).toEqual([0, expect.stringContaining('Applied 15 changes')]);
    expect(twin.account.projects.map(({ name }) => name).sort()).toEqual(['site-a', 'site-b']);

    const next = await shell.run(['plan', '--all', '--detailed-exitcode']);
    expect([next.status, next.all]).toEqual([
      0,
      expect.stringContaining('this entry of `removed` is done and can be dropped: projects/site-x'),
    ]);
  },
);
