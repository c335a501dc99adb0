import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { initRepository } from '../support/init-repository.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(5);

const git = (shell: Shell, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], { cwd: shell.folder });

const yaml = `stack: sites
platform: { personal: true }
variables: { sites: { file: sites.csv }, version: { default: 22.x } }
secrets: { token: {} }
templates:
  site: { $inputs: { code: {} }, nodeVersion: "\${var.version}", env: { CODE: "\${input.code | upper}", TOKEN: "\${secret.token}" } }
projects:
  site-\${each.key}: { $each: "\${var.sites}", $use: { site: { code: "\${each.key}" } } }
`;

/** A repository with two sites of one template, committed. */
async function committed(): Promise<Shell> {
  const shell = await new Shell().write({ 'trueup.yaml': yaml, 'sites.csv': 'code,x\nat,1\nde,2\n' });
  initRepository(shell.folder);
  git(shell, 'add', '--all');
  git(shell, 'commit', '--quiet', '-m', 'first');
  return shell;
}

describe('render', () => {
  story(
    'prints the configuration as if it had been written, or a part of it, with the place of each value',
    async () => {
      const shell = await committed();
      const whole = await shell.run(['render']);
      expect(whole).toMatchObject({ status: 0, stderr: '' });
      expect(whole.stdout).toBe(`stack: sites
platform:
  personal: true
secrets:
  token: {}
projects:
  site-at:
    nodeVersion: 22.x
    env:
      CODE: AT
      TOKEN: \${secret.token}
  site-de:
    nodeVersion: 22.x
    env:
      CODE: DE
      TOKEN: \${secret.token}
`);
      const part = await shell.run(['render', 'projects/*/env/CODE', '--origins', '--var', 'version=24.x']);
      expect(part.stdout).toBe(`projects:
  site-at:
    env:
      CODE: AT  # trueup.yaml:6
  site-de:
    env:
      CODE: DE  # trueup.yaml:6
`);
      const nothing = await shell.run(['render', 'projects/nope']);
      expect(nothing).toMatchObject({ status: 1, stdout: '' });
      expect(nothing.stderr).toContain('no address matches projects/nope');
    },
  );

  story('--diff compares with a commit, its data files included, wherever it is started', async () => {
    const shell = await committed();
    expect((await shell.run(['render', '--diff', 'HEAD'])).stderr).toContain(
      'No differences between HEAD and now.',
    );
    await shell.write({ 'sites.csv': 'code,x\nat,1\nch,3\n', 'trueup.yaml': yaml.replace('22.x', '24.x') });
    const { stdout, status } = await shell.run(['render', '--diff', 'HEAD', '--detailed-exitcode']);
    expect(status).toBe(2);
    expect(stdout).toContain('--- HEAD\n+++ now');
    // A place that moved is no difference.
    expect((await shell.run(['render', '--diff', 'HEAD', '--origins'])).stdout).toBe(stdout);
    expect(stdout).toContain('-    nodeVersion: 22.x\n+    nodeVersion: 24.x');
    expect(stdout).toContain('-  site-de:');
    expect(stdout).toContain('+  site-ch:');
    const below = join(shell.folder, 'below');
    mkdirSync(below);
    const elsewhere = new Shell(below);
    elsewhere.env = shell.env;
    const again = await elsewhere.run(['render', '-f', '../trueup.yaml', '--diff', 'HEAD']);
    expect(again.stdout).toContain('+  site-ch:');
    for (const ref of ['nope', '--output=x', 'HEAD:trueup.yaml']) {
      const wrong = await shell.run(['render', `--diff=${ref}`]);
      expect(wrong.status).toBe(1);
      expect(wrong.stderr).toContain('cannot read the files');
    }
  });

  story('--diff reads with the permissions, and finds the files, that the command names', async () => {
    const header =
      'stack: demo\nplatform: { personal: true }\nvariables: { level: {}, region: { env: REGION } }\n';
    const shell = await new Shell().write({
      'main.yaml': `${header}projects: { web: { env: { A: "\${var.level}", B: "\${var.region}" } } }\n`,
    });
    initRepository(shell.folder);
    git(shell, 'add', '--all');
    git(shell, 'commit', '--quiet', '-m', 'first');
    await shell.write({ 'values.yaml': 'level: info\n', 'more.yaml': 'projects: { api: {} }\n' });
    shell.env.REGION = 'eu';
    const diff = async (...files: string[]) => {
      const names = files.flatMap((file) => ['-f', file]);
      const flags = ['--var-file', 'values.yaml', '--allow-env-shown', 'REGION', '--diff', 'HEAD'];
      const { stdout, stderr } = await shell.run(['render', ...names, ...flags]);
      return stdout === ''
        ? stderr
        : stdout
            .split('\n')
            .filter((line) => /^[+-] /.test(line))
            .join('\n');
    };
    // The commit has no file with values, so that of the work tree counts.
    expect(await diff('main.yaml')).toContain('No differences between HEAD and now.');
    // Only the file that the commit lacks is new.
    expect(await diff('main.yaml', 'more.yaml')).toBe('+  api: {}');
    await shell.write({ 'new.yaml': `${header}projects: { api: {} }\n` });
    for (const name of ['new.yaml', join(shell.folder, 'new.yaml')])
      expect(await diff(name)).toContain('+  api: {}');
    await shell.write({ 'main.yaml': `${header}projects: { web: { env: { A: "\${var.level}" } } }\n` });
    expect(await diff('main.yaml')).toBe('-      B: (secret)');
    expect(await diff(join(shell.folder, 'main.yaml'))).toBe('-      B: (secret)');
    const link = join(new Shell().folder, 'link');
    symlinkSync(shell.folder, link);
    expect(await diff(join(link, 'main.yaml'))).toBe('-      B: (secret)');
  });

  test('--diff follows the links of the commit, not those of the work tree', async () => {
    const project = (framework: string) =>
      `stack: demo\nplatform: { personal: true }\nprojects: { web: { framework: ${framework} } }\n`;
    const shell = await new Shell().write({
      'prod.yaml': project('nextjs'),
      'conf/prod.yaml': project('nextjs'),
      'other/prod.yaml': project('astro'),
      'same/prod.yaml': project('nextjs'),
    });
    initRepository(shell.folder);
    const link = (target: string, name: string) => {
      rmSync(join(shell.folder, name), { recursive: true, force: true });
      symlinkSync(target, join(shell.folder, name));
    };
    const commit = (name: string) => {
      git(shell, 'add', '--all');
      git(shell, 'commit', '--quiet', '-m', name);
      git(shell, 'tag', name);
    };
    const diff = async (ref: string, file: string) => {
      const { stdout } = await shell.run(['render', '--diff', ref, '-f', file]);
      return stdout.split('\n').filter((line) => /^[+-] /.test(line));
    };
    const changed = ['-    framework: nextjs', '+    framework: astro'];
    link('conf/prod.yaml', 'linked.yaml');
    link('/elsewhere.yaml', 'out.yaml');
    commit('first');
    link('other/prod.yaml', 'prod.yaml');
    link('other', 'conf');
    link('conf/prod.yaml', 'out.yaml');
    for (const file of ['prod.yaml', 'conf/prod.yaml', 'linked.yaml'])
      expect([file, await diff('first', file)]).toEqual([file, changed]);
    expect(await diff('first', 'out.yaml')).toContain('+    framework: astro');
    commit('second');
    expect(await diff('second', 'linked.yaml')).toEqual([]);
    link('same/prod.yaml', 'linked.yaml');
    expect(await diff('first', 'linked.yaml')).toEqual([]);
    expect(await diff('second', 'linked.yaml')).toEqual(['-    framework: astro', '+    framework: nextjs']);
  });

  story('--diff reads no file of the commit that is too large for a configuration', async () => {
    const shell = await committed();
    const large = join(shell.folder, 'large.json');
    writeFileSync(large, '');
    truncateSync(large, 33 * 1024 * 1024);
    git(shell, 'add', '--all');
    git(shell, 'commit', '--quiet', '-m', 'large');
    const id = git(shell, 'rev-parse', 'HEAD:large.json').toString().trim();
    const object = join(shell.folder, '.git/objects', id.slice(0, 2), id.slice(2));
    // Its size can still be read, but not its content.
    chmodSync(object, 0o600);
    truncateSync(object, 1000);
    const unrelated = await shell.run(['render', '--diff', 'HEAD']);
    expect(unrelated.stderr).toContain('No differences between HEAD and now.');
    const named = await shell.run(['render', '--diff', 'HEAD', '-f', 'large.json']);
    expect(named).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('large.json is larger than 32 MB'),
    });
  });

  test('--diff takes a folder that was a file in the commit for empty', async () => {
    const shell = await new Shell().write({ 'web.yaml': yaml });
    initRepository(shell.folder);
    git(shell, 'add', '--all');
    git(shell, 'commit', '--quiet', '-m', 'first');
    rmSync(join(shell.folder, 'web.yaml'));
    await shell.write({ 'web.yaml/trueup.yaml': 'stack: demo\nplatform: { personal: true }\n' });
    const { status, stdout } = await new Shell(join(shell.folder, 'web.yaml')).run([
      'render',
      '--diff',
      'HEAD',
    ]);
    expect([status, stdout]).toEqual([0, expect.stringContaining('+stack: demo')]);
  });

  test('--diff never reads the ledger of the work tree, even if a commit names its full path', async () => {
    const shell = await new Shell().write({ 'ledger.yaml': 'level: info\n', 'other.yaml': 'level: info\n' });
    initRepository(shell.folder);
    shell.env.TRUEUP_LEDGER = 'ledger.yaml';
    const header = 'stack: demo\nplatform: { personal: true }\n';
    const diff = async (name: string) => {
      const variable = `variables: { a: { file: ${join(shell.folder, name)} } }`;
      const project = `projects: { web: { env: { A: "\${var.a.level}" } } }`;
      await shell.write({ 'trueup.yaml': `${header}${variable}\n${project}\n` });
      git(shell, 'add', 'trueup.yaml');
      git(shell, 'commit', '--quiet', '-m', name);
      await shell.write({ 'trueup.yaml': `${header}projects: {}\n` });
      return (await shell.run(['render', '--diff', 'HEAD', '--allow-files', `${shell.folder}/*`])).all;
    };
    expect(await diff('other.yaml')).toContain('-      A: ');
    const refused = await diff('ledger.yaml');
    expect(refused).toContain('belongs to trueup or git and is never read');
    expect(refused).not.toContain('-      A: ');
  });

  test('--diff says that a secret is another one, where it is, and never which', async () => {
    const yaml = (one: string, two: string, level = 'info') => `stack: demo
platform: { team: acme }
projects:
  web:
    env:
      ONE: { value: ${one}, type: sensitive, target: [production] }
      TWO: { value: ${two}, type: sensitive, target: [production] }
      LEVEL: { value: ${level}, type: plain }
`;
    const shell = await new Shell().write({ 'trueup.yaml': yaml('first-secret', 'second-secret') });
    initRepository(shell.folder);
    git(shell, 'add', '--all');
    git(shell, 'commit', '--quiet', '-m', 'first');
    const diff = async () => {
      const { status, stdout, all } = await shell.run(['render', '--diff', 'HEAD', '--detailed-exitcode']);
      expect(all).not.toMatch(/-secret|[\u{f0000}-\u{10fffd}]/u);
      return [status, ...stdout.split('\n').filter((line) => /^[+-] /.test(line))];
    };
    expect(await diff()).toEqual([0]);
    await shell.write({ 'trueup.yaml': yaml('third-secret', 'second-secret') });
    expect(await diff()).toEqual([2, '-        value: (secret)', '+        value: (another secret)']);
    await shell.write({ 'trueup.yaml': yaml('first-secret', 'second-secret', 'debug') });
    expect(await diff()).toEqual([2, '-        value: info', '+        value: debug']);
  });

  test('a commit made by hand writes nothing beside the folder that it is looked at in', async () => {
    const shell = await committed();
    const object = (type: string, content: Buffer) =>
      execFileSync('git', ['hash-object', '-t', type, '-w', '--literally', '--stdin'], {
        cwd: shell.folder,
        input: content,
      })
        .toString()
        .trim();
    const entry = (mode: string, name: string, id: string) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]);
    const name = `escaped-${process.pid}.yaml`;
    const blob = object('blob', Buffer.from('stack: evil\n'));
    const up = object('tree', entry('40000', '..', object('tree', entry('100644', name, blob))));
    const now = git(shell, 'rev-parse', 'HEAD:trueup.yaml').toString().trim();
    const tree = object(
      'tree',
      Buffer.concat([entry('40000', '..', up), entry('100644', 'trueup.yaml', now)]),
    );
    const commit = git(shell, 'commit-tree', '-m', 'by hand', tree).toString().trim();
    await shell.run(['render', '--diff', commit]);
    for (const place of ['..', '../..', '.', tmpdir()])
      expect(existsSync(resolve(shell.folder, place, name))).toBe(false);
  });

  test('takes all stages, one, or compares two', async () => {
    const shell = await new Shell().write({
      'trueup.yaml': `stack: shop
platform: { personal: true }
stages: { staging: { variables: { v: 24.x } }, production: {} }
variables: { v: { default: 22.x } }
projects: { web: { nodeVersion: "\${var.v}" } }
`,
    });
    const all = await shell.run(['render']);
    expect(all.stdout).toContain('stack: shop@staging');
    expect(all.stdout).toContain('---\nstack: shop@production');
    const compared = await shell.run([
      'render',
      '--stage',
      'staging',
      '--diff-stage',
      'production',
      'projects/**',
    ]);
    expect(compared.stdout).toContain('-    nodeVersion: 22.x\n+    nodeVersion: 24.x');
    expect((await shell.run(['render', '--diff-stage', 'production'])).stderr).toContain('--stage staging');
    expect((await shell.run(['render', '--stage', 'stagign'])).stderr).toContain(
      'there is no stage `stagign`',
    );
    expect((await shell.run(['validate'])).stdout).toContain('of the stage production is valid');
  });

  test('what is wrong is told as validate tells it', async () => {
    const shell = await new Shell().write({ 'trueup.yaml': 'stack: x\nprojects: { web: { $use: nope } }\n' });
    const { status, stdout, stderr } = await shell.run(['render']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('there is no template `nope`');
  });
});
