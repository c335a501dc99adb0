import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { keyText } from '../support/keys.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(7);

const header = 'stack: demo\nplatform: { team: acme }\n';
const body = `${header}projects:
  web:
    framework: nextjs
    env: { LOG_LEVEL: info }
`;

describe('the main job, as a user runs it', () => {
  story('init, then apply on the embedded twin: no account, no second terminal', async () => {
    const shell = new Shell();
    expect((await shell.run(['init'])).status).toBe(0);
    const ignored = readFileSync(join(shell.folder, '.trueup/.gitignore'), 'utf8').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['key', 'twin/']));
    expect((await shell.run(['validate'])).status).toBe(0);
    const applied = await shell.run(['apply', '--twin', '--auto-approve']);
    expect(applied.stdout).toContain('Verified: the account matches');
    expect(applied.status).toBe(0);
    const again = await shell.run(['plan', '--twin', '--detailed-exitcode']);
    expect(again).toMatchObject({ status: 0, stderr: expect.stringMatching(/^Ledger: [^\n]*\n$/) });
    expect(again.stdout).toContain('No changes');
    // A second init leaves a configuration alone.
    const yaml = readFileSync(join(shell.folder, 'trueup.yaml'), 'utf8');
    expect((await shell.run(['init'])).status).toBe(1);
    expect(readFileSync(join(shell.folder, 'trueup.yaml'), 'utf8')).toBe(yaml);
  });

  oneRowIn(4)(['trueup.yaml', 'trueup.yml', 'trueup.json', 'trueup/shop.yaml'])(
    'init writes no second configuration beside %s',
    async (name) => {
      const shell = await new Shell().write({ [name]: 'stack: mine' });
      const ran = await shell.run(['init']);
      expect([ran.status, ran.stderr]).toEqual([
        1,
        expect.stringContaining('already exists and was left unchanged'),
      ]);
      expect(existsSync(join(shell.folder, 'trueup.yaml'))).toBe(name === 'trueup.yaml');
    },
  );

  story(
    'init adds to a .gitignore of an earlier version what is new, once, and nothing that is refused there',
    async () => {
      const shell = await new Shell().write({ '.trueup/.gitignore': '# mine\nkey\n!schema.json' });
      const ignored = () => readFileSync(join(shell.folder, '.trueup/.gitignore'), 'utf8');
      await shell.run(['init']);
      const first = ignored();
      expect(first.split('\n').slice(0, 4)).toEqual(['# mine', 'key', '!schema.json', 'key.*']);
      expect(first).not.toMatch(/^schema\.json$/m);
      await shell.run(['init']);
      expect(ignored()).toBe(first);
    },
  );

  test('plan: exit codes, JSON, requests; it never writes', async () => {
    const shell = await new Shell().write({ 'trueup.yaml': body });
    const twin = await shell.withTwin();
    expect((await shell.run(['plan'])).status).toBe(0);
    expect((await shell.run(['plan', '--detailed-exitcode'])).status).toBe(2);
    const before = twin.requests.length;
    const json = await shell.run(['plan', '--json']);
    const reads = twin.requests.length - before;
    const plan = JSON.parse(json.stdout);
    expect(plan).toMatchObject({ formatVersion: '1.16', complete: true, diagnostics: [], reads });
    expect(plan.summary).toEqual({
      create: 2,
      adopt: 0,
      adoptAndUpdate: 0,
      update: 0,
      replace: 0,
      delete: 0,
      move: 0,
      release: 0,
      noop: 0,
      renew: 0,
      unmanaged: 0,
      ofOtherStacks: 0,
      notCompared: 0,
      secretsNotCompared: 0,
    });
    expect(plan.operations.map(({ id }: { id: string }) => id)).toHaveLength(2);
    const text = await shell.run(['plan', '--requests']);
    expect(text.stdout).toContain('POST /v10/projects/{projects/web}/env');
    expect(text.stdout).toContain(`\nRead with ${reads} requests. To send: `);
    expect(twin.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(existsSync(join(shell.folder, '.trueup'))).toBe(false);
  });

  test('apply: refuses without anybody to ask, else applies, and the ledger is listed, shown and forgotten', async () => {
    const shell = await new Shell().write({ 'trueup.yaml': body });
    const twin = await shell.withTwin();
    const refused = await shell.run(['apply']);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('--auto-approve');
    expect(twin.account.projects).toHaveLength(0);
    expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
    expect(twin.account.projects.map(({ name }) => name)).toEqual(['web']);
    const list = await shell.run(['ledger', 'list']);
    expect(list.stdout.split('\n').filter(Boolean)).toHaveLength(4);
    const shown = await shell.run(['ledger', 'show', 'projects/web']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ address: 'projects/web', kind: 'project' });
    expect((await shell.run(['ledger', 'show', 'projects/nope'])).status).toBe(1);
    expect((await shell.run(['ledger', 'forget', 'projects/web/env/LOG_LEVEL@preview'])).status).toBe(0);
    const plan = JSON.parse((await shell.run(['plan', '--json'])).stdout);
    expect(plan.summary).toMatchObject({ adopt: 1, noop: 2 });
  });

  test('destroy: asks for the name of the stack; projects and domains stay unless they are named', async () => {
    const shell = await new Shell().write({ 'trueup.yaml': body });
    const twin = await shell.withTwin();
    await shell.run(['apply', '--auto-approve']);
    expect((await shell.run(['destroy'])).status).toBe(1);
    expect((await shell.run(['destroy', '--confirm', 'other'])).status).toBe(1);
    expect(twin.account.projects[0]!.env).toHaveLength(1);
    expect((await shell.run(['destroy', '--confirm', 'demo'])).status).toBe(0);
    expect(twin.account.projects[0]!.env).toHaveLength(0);
    expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
    // A person who names an object expects that only it and its contents are destroyed.
    const other = await shell.run(['destroy', '--confirm', 'demo', 'projects/other']);
    expect(other.stderr).toContain('projects/other is named for deletion, but this stack does not own it');
    expect(twin.account.projects[0]!.env).toHaveLength(1);
    expect((await shell.run(['destroy', '--confirm', 'demo', 'projects/web'])).status).toBe(0);
    expect(twin.account.projects).toHaveLength(0);
  });

  story('targets show what they imply', async () => {
    const shell = await new Shell().write({ 'trueup.yaml': body });
    const twin = await shell.withTwin();
    const ran = await shell.run([
      'apply',
      '--auto-approve',
      '--target',
      'projects/web/env/LOG_LEVEL@production',
    ]);
    expect(ran.stderr).toContain('projects/web');
    expect(ran.status).toBe(0);
    expect(twin.account.projects[0]!.env.map(({ target }) => target)).toEqual([['production']]);
  });

  story('colour: NO_COLOR and the flag, then FORCE_COLOR', async () => {
    const shell = await new Shell().write({ 'trueup.yaml': body });
    await shell.withTwin();
    const esc = '\u001b[';
    expect((await shell.run(['plan'])).all).not.toContain(esc);
    shell.env = { ...shell.env, FORCE_COLOR: '1' };
    expect((await shell.run(['plan'])).stdout).toContain(esc);
    expect((await shell.run(['plan', '--no-color'])).all).not.toContain(esc);
    shell.env = { ...shell.env, NO_COLOR: '1' };
    expect((await shell.run(['plan'])).all).not.toContain(esc);
  });

  test('a name of the account cannot hide text or add lines to a message', async () => {
    const shell = await new Shell().write({
      'trueup.yaml': `${header}projects: { web: { env: { A: { value: x, type: plain } } } }\n`,
    });
    const twin = await shell.withTwin();
    await shell.run(['apply', '--auto-approve']);
    twin.account.projects[0]!.env[0]!.key = 'B\u001b[8m\nWrote trueup.yaml.';
    shell.env = { ...shell.env, FORCE_COLOR: '1' };
    const { all } = await shell.run(['accept', '--all', '--auto-approve']);
    expect(all).toContain('B\\u001b[8m Wrote trueup.yaml.');
    expect(all).not.toMatch(/^Wrote/m);
  });

  story('files and folders, variables, and verbose requests', async () => {
    const shell = await new Shell().write({
      'a/head.yaml': `${header}variables: { level: {} }\n`,
      'a/b/web.yml': 'projects:\n  web: { env: { LOG_LEVEL: "${var.level}" } }\n',
      'vars.yaml': 'level: from-a-file\n',
    });
    const twin = await shell.withTwin();
    const value = () => twin.account.projects[0]?.env[0]?.value;
    expect((await shell.run(['plan', '-f', 'a'])).status).toBe(1);
    const verbose = await shell.run([
      'apply',
      '--auto-approve',
      '-f',
      'a',
      '--var-file',
      'vars.yaml',
      '--verbose',
    ]);
    expect(verbose.stderr).toMatch(/POST \/v11\/projects\S* 200/);
    expect(verbose.all).not.toContain('from-a-file');
    expect(value()).toBe('from-a-file');
    shell.env = { ...shell.env, TRUEUP_VAR_level: 'from-the-environment' };
    await shell.run(['apply', '--auto-approve', '-f', 'a']);
    expect(value()).toBe('from-the-environment');
    await shell.run(['apply', '--auto-approve', '-f', 'a', '--var', 'level=from-a-flag']);
    expect(value()).toBe('from-a-flag');
  });

  test('in CI without a key a secret is neither sent nor recorded', async () => {
    const shell = await new Shell().write({ 'trueup.yaml': body });
    const twin = await shell.withTwin();
    shell.env = { ...shell.env, CI: 'true', TRUEUP_LEDGER: 'kept/ledger.json' };
    const ran = await shell.run(['apply', '--auto-approve']);
    expect(ran).toMatchObject({ status: 1 });
    expect(ran.stderr).toContain('TRUEUP_LEDGER_KEY');
    expect(twin.account.projects).toEqual([]);
    shell.env = { ...shell.env, TRUEUP_LEDGER_KEY: keyText() };
    expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
  });
});
