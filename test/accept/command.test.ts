import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { RecordedSite } from '../support/recorded-site.ts';

const yaml = `stack: shop
platform: { personal: true }
projects:
  web:
    framework: nextjs
    env: { LEVEL: info }
`;

/** A stack that was applied, and what somebody else did to it. */
async function applied({ framework = 'astro', level = 'info' } = {}) {
  const shell = await new Shell().write({ 'trueup.yaml': `\ufeff${yaml}` });
  const twin = await shell.withTwin();
  const done = await shell.run(['apply', '--auto-approve']);
  expect(done, done.all).toMatchObject({ status: 0 });
  const [project] = twin.account.projects;
  project!.framework = framework;
  project!.env[0]!.value = level;
  const text = () => readFileSync(join(shell.folder, 'trueup.yaml'), 'utf8');
  return { shell, text };
}

describe('accept', () => {
  it('asks, and writes nothing but on a yes; a byte order mark stays', async () => {
    const { shell, text } = await applied();
    const no = await shell.run(['accept', '--all'], { input: 'no\n', isTerminal: true });
    expect(no).toMatchObject({ status: 1 });
    expect(no.stderr).toContain('Nothing was written.');
    expect((await shell.run(['accept', '--all'])).stderr).toContain('there is nobody to ask');
    expect(text()).toBe(`\ufeff${yaml}`);
    const yes = await shell.run(['accept', 'projects/web'], { input: 'yes\n', isTerminal: true });
    expect(yes).toMatchObject({ status: 0 });
    expect(text()).toBe(`\ufeff${yaml.replace('nextjs', 'astro')}`);
    expect((await shell.run(['plan', '--drift-exitcode'])).status).toBe(0);
  });

  it('asks for each value that may be a secret, by itself, and shows none', async () => {
    const { shell, text } = await applied({ framework: 'nextjs', level: 'canary-value' });
    const left = await shell.run(['accept', '--all', '--auto-approve']);
    expect(left.stderr).toContain('it may be a secret');
    expect(left.all + text()).not.toContain('canary-value');
    const written = await shell.run([
      'accept',
      '--all',
      '--auto-approve',
      '--values',
      'projects/web/env/LEVEL',
    ]);
    expect(written.all).not.toContain('canary-value');
    expect(text()).toContain('LEVEL: canary-value');
  });

  it('says what is wrong with what it is asked for, and writes nothing', async () => {
    const { shell, text } = await applied();
    const said = async (...args: string[]) => (await shell.run(['accept', '--auto-approve', ...args])).stderr;
    expect(await said()).toContain('nothing says what to take over');
    expect(await said('projects/nowhere')).toContain('no address matches projects/nowhere');
    expect(await said('--all', 'projects/web')).toContain('exclude each other');
    expect(await said('--all', '-f', '-')).toContain('standard input cannot be written to');
    expect(await said('projects/web/env/LEVEL')).toContain('Nothing is taken over.');
    expect(text()).toBe(`\ufeff${yaml}`);
  });

  it('finds nothing where nobody changed anything', async () => {
    const { shell } = await applied({ framework: 'nextjs' });
    const ran = await shell.run(['accept', '--all', '--auto-approve']);
    expect(ran).toMatchObject({ status: 0, stdout: '' });
    expect(ran.stderr).toContain('Nothing was changed outside');
  });

  it('leaves an edit of this side alone', async () => {
    const { shell, text } = await applied({ framework: 'nextjs' });
    const edited = yaml.replace('nextjs', 'remix');
    writeFileSync(join(shell.folder, 'trueup.yaml'), edited);
    await shell.run(['accept', 'projects/**', '--auto-approve']);
    expect(text()).toBe(edited);
  });
});

it('what was renamed outside is told with what to write, and keeps nothing else back', async () => {
  const site = await RecordedSite.open('file');
  site.commit('projects: { web: { framework: nextjs } }\n');
  await site.apply();
  const project = site.twin.account.projects[0]!;
  Object.assign(project, { name: 'web-new', framework: 'astro' });
  const { status, stderr } = await site.run(['accept', '--all', '--auto-approve']);
  expect([status, stderr]).toEqual([
    expect.any(Number),
    expect.stringContaining(
      'it was renamed outside, to "web-new": give its block that name, with `$was: "web"` in it',
    ),
  ]);
  expect(readFileSync(join(site.folder, 'trueup.yaml'), 'utf8')).toContain('web: { framework: astro }');
  site.edit('projects: { web-new: { $was: web, framework: astro } }\n');
  const { operations } = JSON.parse((await site.run(['plan', '--json'])).stdout);
  expect(operations).toEqual([]);
});
