import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { Shell } from './support/cli.ts';
import { sweepOnly } from './support/sweep.ts';

/** README.md and what it leads to; pages of kinds and commands have a test of their own. */
const pages = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  ...['docs', 'docs/guides'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

it('each link leads to a file, and to a heading', () => {
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-');
  const headingsOf = (name: string) =>
    [...readFileSync(name, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading]) => slug(heading!));
  const links = pages.flatMap((name) =>
    [...readFileSync(name, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => ({
      name,
      target: target!,
    })),
  );
  for (const { name, target } of links.filter(({ target }) => !/^https?:/.test(target))) {
    const [file, heading] = target.split('#') as [string, string?];
    const path = file === '' ? name : join(dirname(name), file);
    expect([name, target, existsSync(path)]).toEqual([name, target, true]);
    if (heading !== undefined) expect([name, ...headingsOf(path)]).toContain(heading);
  }
  expect(links.length).toBeGreaterThan(80);
});

it('README is short, names the platform, and leads to every page of docs', () => {
  const readme = readFileSync('README.md', 'utf8');
  expect(readme.split('\n').length).toBeLessThanOrEqual(250);
  expect(readme.slice(0, 300)).toContain('Vercel');
  for (const page of pages.filter((name) => name.startsWith('docs/'))) expect(readme).toContain(`](${page}`);
});

it('each page has a title and a description for a site', () => {
  for (const page of pages.filter((name) => name.startsWith('docs/'))) {
    const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(readFileSync(page, 'utf8')) ?? [];
    expect([page, parse(head)]).toEqual([
      page,
      { title: expect.stringMatching(/\S/), description: expect.stringMatching(/\S/) },
    ]);
  }
});

it('TRUEUP_DEBUG has errors bring their stack', async () => {
  const shell = new Shell();
  const stack = /^\s+at .*:\d+:\d+/m;
  expect((await shell.run(['validate'])).stderr).not.toMatch(stack);
  shell.env = { TRUEUP_DEBUG: '1' };
  expect((await shell.run(['validate'])).stderr).toMatch(stack);
});

sweepOnly(
  'it starts a process for each of its commands, which are those that README.md and the guides have run here',
)('the demo plans, applies, builds once more what a change is for, and finds and repairs drift', () => {
  const said = execFileSync(process.execPath, ['examples/demo.mjs'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
    stdio: 'pipe',
  });
  expect(said).toContain('No changes.');
  expect(said).not.toContain('not-shown-anywhere');
  const [, story = ''] = said.split('# A pull request changes the log level');
  expect(story).toMatch(/1 build[\s\S]*\$ trueup apply[\s\S]*sent redeploy projects\/shop/);
});
