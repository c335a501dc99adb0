import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Shell } from './support/cli.ts';

const readme = readFileSync('README.md', 'utf8');

it('each link leads to a file, and to a heading', () => {
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-');
  const headingsOf = (name: string) =>
    [...readFileSync(name, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading]) => slug(heading!));
  for (const name of ['README.md', 'SECURITY.md'])
    for (const [, target] of readFileSync(name, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)) {
      const [file, heading] = target!.split('#') as [string, string?];
      expect([target, existsSync(file || name)]).toEqual([target, true]);
      if (heading !== undefined) expect(headingsOf(file || name)).toContain(heading);
    }
});

it('the example of the YAML is valid', async () => {
  const [, yaml] = /## The YAML\n\n```yaml\n([\s\S]*?)```/.exec(readme)!;
  const shell = await new Shell().write({ 'trueup.yaml': yaml! });
  expect(await shell.run(['validate'])).toMatchObject({ status: 0 });
});

it('TRUEUP_DEBUG has errors bring their stack', async () => {
  const shell = new Shell();
  const stack = /^\s+at .*:\d+:\d+/m;
  expect((await shell.run(['validate'])).stderr).not.toMatch(stack);
  shell.env = { TRUEUP_DEBUG: '1' };
  expect((await shell.run(['validate'])).stderr).toMatch(stack);
});

it('the demo plans, applies, and finds and repairs drift', () => {
  const said = execFileSync(process.execPath, ['examples/demo.mjs'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
    stdio: 'pipe',
  });
  expect(said).toContain('No changes.');
  expect(said).not.toContain('not-shown-anywhere');
});
