import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const web = {
  env: {
    A: { value: `\${var.x}`, type: 'plain' },
    B: { value: 'a/b \u{1F600} "q" \u0007 \u2028 \\', type: 'plain' },
    ['C'.repeat(200)]: { value: '1.10', type: 'plain' },
  },
  nodeVersion: '22.x',
};
const configuration = {
  stack: 'acme',
  platform: { team: 'acme' },
  variables: { x: { default: 'from the file' } },
  projects: { web },
};

const escaped = (text: string) =>
  text.replace(/[^ -~\n\t]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

oneRowIn(5)([
  ['one line', JSON.stringify(configuration)],
  ['two spaces', JSON.stringify(configuration, null, 2)],
  ['tabs', JSON.stringify(configuration, null, '\t')],
  ['escapes and slashes', escaped(JSON.stringify(configuration)).replaceAll('a/b', 'a\\/b')],
  ['a mark in front', `\ufeff${JSON.stringify(configuration)}\n`],
  ['Windows line ends', JSON.stringify(configuration, null, 2).replaceAll('\n', '\r\n')],
])('JSON is read as YAML is: %s', async (_, text) => {
  const shell = await new Shell().write({ 'infra.json': text });
  const twin = await shell.withTwin();
  const applied = await shell.run(['apply', '-f', 'infra.json', '--auto-approve']);
  expect(applied.status, applied.all).toBe(0);
  const values = twin.account.projects[0]!.env.map(({ value }) => value);
  expect(values.sort()).toEqual(['1.10', web.env.B!.value, 'from the file'].sort());
  expect((await shell.run(['plan', '-f', '-'], { input: text })).stdout).toContain('No changes.');
});

story('variables come from JSON, too, and YAML may stand beside it', async () => {
  const shell = await new Shell().write({
    'infra.json': JSON.stringify(configuration),
    'vars.json': '{\n\t"x": "from JSON"\n}\n',
    'more/docs.yaml': 'projects: { docs: {} }\n',
  });
  const args = ['-f', 'infra.json', '-f', 'more', '--var-file', 'vars.json'];
  const { stdout, all, status } = await shell.run(['plan', '--twin', ...args]);
  expect(status, all).toBe(0);
  expect(stdout).toContain('from JSON');
  expect(stdout).toContain('projects/docs');
});

it('a folder gives its YAML only: other JSON lies there as well', async () => {
  const shell = await new Shell().write({
    'infra/trueup.yaml': 'stack: acme\nplatform: { team: acme }\nprojects: { web: {} }\n',
    'infra/package.json': '{ "name": "web" }',
    'only/infra.json': JSON.stringify(configuration),
  });
  expect((await shell.run(['validate', '-f', 'infra'])).stdout).toContain('1 object in 1 file');
  const only = await shell.run(['validate', '-f', 'only']);
  expect([only.status, only.stderr]).toEqual([1, expect.stringContaining('-f only/infra.json')]);
});

it('`trueup.json` is found as `trueup.yaml` is', async () => {
  const shell = await new Shell().write({ 'trueup.json': JSON.stringify(configuration) });
  expect((await shell.run(['validate'])).stdout).toContain('is valid');
  await shell.write({ 'trueup.yaml': 'stack: other\n' });
  expect((await shell.run(['validate'])).stderr).toContain('ambiguous: trueup.yaml or trueup.json');
});

it('what is wrong in JSON is told by its place', async () => {
  const shell = await new Shell().write({ 'a.json': '{\n\t"stack": "acme",\n\t"sites": {}\n}\n' });
  const { status, stderr } = await shell.run(['validate', '-f', 'a.json']);
  expect([status, stderr]).toEqual([1, expect.stringContaining('a.json:3:2')]);
});
