import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect } from 'vitest';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { files, workplace } from './workplace.ts';

const story = oneStoryIn(5);

const all = ['dns', 'shop@staging', 'shop@production', 'stacks/tools'];

async function idsOf(shell: Shell, ...args: string[]): Promise<string[]> {
  const { stdout, stderr } = await shell.run(['stacks', '--json', ...args]);
  expect(stderr).not.toContain('Error');
  return JSON.parse(stdout).include.map(({ id }: { id: string }) => id);
}

describe('the stacks of a workspace', () => {
  story('are listed with name, stage, needs and ledger; as a matrix too', async () => {
    const { shell } = await workplace();
    const text = await shell.run(['stacks']);
    expect(text.status).toBe(0);
    expect(text.stdout.split('\n')[1]).toBe(
      'shop@staging  stack shop@staging; needs dns; ledger .trueup/ledger/shop@staging.json',
    );
    expect(text.stderr).toBe('4 stacks.\n');
    const { stdout } = await new ShellIn(shell, 'shop').run(['stacks', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      include: [
        row('dns', 'dns', {}),
        row('shop@staging', 'shop', { stage: 'staging', needs: ['dns'] }),
        row('shop@production', 'shop', { stage: 'production', needs: ['dns'] }),
        { ...row('stacks/tools', 'stacks/tools', {}), stack: 'tools', ledger: '.trueup/ledger/tools.json' },
      ],
    });
    const schema = JSON.parse((await shell.run(['schema', '--stacks'])).stdout);
    const isValid = new Ajv2020({ strict: true }).compile(schema);
    expect(isValid(JSON.parse(stdout)), JSON.stringify(isValid.errors)).toBe(true);
    expect(isValid({ include: [{ id: 'dns' }] })).toBe(false);
  });

  const changes: [name: string, file: string, text: string, touched: string[]][] = [
    ['its own file', 'dns/trueup.yaml', `${files['dns/trueup.yaml']}# more\n`, ['dns']],
    ['an included template', 'shared/base.yaml', `${files['shared/base.yaml']}# more\n`, all.slice(1, 3)],
    ['a data file', 'shop/colours.csv', 'name\nred\nblue\n', all.slice(1, 3)],
    ['a file of one stage', 'shop/staging.yaml', `${files['shop/staging.yaml']}# more\n`, ['shop@staging']],
    ['a file secret', 'secrets/tools.txt', 'other', ['stacks/tools']],
    ['nothing that is read', 'README.md', 'hello', []],
    ['a new file in a folder that is included', 'shared/more.yaml', 'templates: {}\n', all.slice(1, 3)],
  ];
  story(
    'that a change touches: in the work tree, and committed while the other branch is ahead',
    async () => {
      const secret = `${files['stacks/tools/trueup.yaml']}secrets: { s: { file: ../../secrets/tools.txt } }\n`;
      const { shell, git } = await workplace({
        'stacks/tools/trueup.yaml': secret,
        'secrets/tools.txt': 'one',
      });
      expect(await idsOf(shell, '--changed-since', 'main')).toEqual([]);
      git('checkout', '-qb', 'ahead');
      await shell.write({ 'dns/trueup.yaml': `${files['dns/trueup.yaml']}# elsewhere\n` });
      git('commit', '-qam', 'elsewhere');
      for (const [name, file, text, touched] of changes) {
        git('checkout', '-q', '--detach', 'main');
        await shell.write({ [file]: text });
        git('add', file);
        expect([name, await idsOf(shell, '--changed-since', 'main')]).toEqual([name, touched]);
        git('commit', '-qm', name);
        expect([name, await idsOf(shell, '--changed-since', 'ahead')]).toEqual([name, touched]);
      }
    },
  );

  story(
    'a deleted file touches those that read its folder; a variable file those that are given it',
    async () => {
      const { shell, git } = await workplace({
        'shared/more.yaml': 'templates: {}\n',
        'vars.yaml': 'a: 1\n',
      });
      rmSync(join(shell.folder, 'shared/more.yaml'));
      expect(await idsOf(shell, '--changed-since', 'HEAD')).toEqual(all.slice(1, 3));
      git('checkout', '-q', '.');
      await shell.write({
        'trueup.workspace.yaml': 'stacks: [dns]\n',
        'dns/trueup.yaml': `${files['dns/trueup.yaml']}variables: { a: {} }\n`,
      });
      git('commit', '-qam', 'two');
      await shell.write({ 'vars.yaml': 'a: 2\n' });
      expect(await idsOf(shell, '--changed-since', 'HEAD', '--var-file', 'vars.yaml')).toEqual(['dns']);
    },
  );

  story('a change of the workspace touches the stacks whose entries changed', async () => {
    const { shell, git } = await workplace();
    const text = files['trueup.workspace.yaml'];
    const since = async (changed: string) => {
      await shell.write({ 'trueup.workspace.yaml': changed });
      return idsOf(shell, '--changed-since', 'HEAD');
    };
    expect(await since(`${text}# a remark\n`)).toEqual([]);
    expect(await since(text.replace('needs: [dns]', 'needs: [stacks/tools]'))).toEqual(all.slice(1, 3));
    expect(await since(text.replace('stacks/*', '{ path: stacks/tools, needs: [dns] }'))).toEqual([
      'stacks/tools',
    ]);
    expect(await since(text.replace('staging, production', 'staging'))).toEqual([]);
    const rule = 'findings: [{ code: dns/spf-all, severity: off, reason: Only for tests. }]\n';
    expect(await since(`${text}${rule}`)).toEqual(all);
    const withOwns = (owns: string) => text.replace('- dns', `- { path: dns, owns: ${owns} }`);
    expect(await since(withOwns('["projects/**"]'))).toEqual(['dns']);
    git('commit', '-qam', 'owns');
    expect(await since(`${withOwns('["projects/**"]')}# a remark\n`)).toEqual([]);
    expect(await since(withOwns('["projects/hub", "projects/**"]'))).toEqual(['dns']);
    expect(await since(text)).toEqual(['dns']);
    await shell.write({ 'trueup.workspace.yaml': text.replace('stacks/*', '"stacks/{*"') });
    git('commit', '-qam', 'a glob that is wrong');
    expect(await since(text)).toEqual(all);
  });

  story('where the history is cut off all are taken, and it says so', async () => {
    const { shell, git } = await workplace();
    await shell.write({ 'dns/trueup.yaml': `${files['dns/trueup.yaml']}# two\n` });
    git('commit', '-qam', 'two');
    const clone = new Shell();
    const from = (...args: string[]) =>
      execFileSync('git', args, { cwd: clone.folder, stdio: 'pipe', env: { PATH: process.env.PATH } });
    from('clone', '-q', '--depth', '1', `file://${shell.folder}`, '.');
    for (const ref of ['HEAD~1', 'origin/other']) {
      const { stdout, stderr, status } = await clone.run(['stacks', '--changed-since', ref]);
      expect(status).toBe(0);
      expect(stdout.trim().split('\n')).toHaveLength(4);
      expect(stderr).toContain('All stacks are selected: the local history is too short');
    }
    const unknown = await shell.run(['stacks', '--changed-since', 'origin/other']);
    expect(unknown.status).toBe(1);
    expect(unknown.stderr).toContain('cannot tell what changed since origin/other');
  });

  story('a configuration that cannot be read is told, and taken', async () => {
    const { shell, git } = await workplace();
    await shell.write({ 'dns/trueup.yaml': 'stack: dns\nnonsense: 1\n' });
    git('commit', '-qam', 'two');
    const { stdout, stderr, status } = await shell.run(['stacks', '--changed-since', 'HEAD']);
    expect(status).toBe(1);
    expect(stdout).toContain('dns');
    expect(stderr).toContain('`nonsense` is not a section');
  });

  story('two of one name are refused, and a stage that is not there', async () => {
    const { shell } = await workplace({
      'stacks/other/trueup.yaml': files['stacks/tools/trueup.yaml'],
      'trueup.workspace.yaml': 'stacks: [stacks/*, { path: shop, stages: [staging, test] }]\n',
    });
    const { stderr, status } = await shell.run(['stacks']);
    expect(status).toBe(1);
    expect(stderr).toContain('stacks/other and stacks/tools are both named `tools`');
    expect(stderr).toContain('the stack `shop` has no stage `test`');
  });

  story('names the ledgers of stacks that have left', async () => {
    const { shell } = await workplace();
    expect((await shell.run(['apply', '--all', '--auto-approve'])).status).toBe(0);
    expect((await shell.run(['stacks'])).stderr).toBe('4 stacks.\n');
    await shell.write({
      'trueup.workspace.yaml': 'stacks: [dns, stacks/*, { path: shop, stages: [staging] }]\n',
    });
    expect((await shell.run(['stacks'])).stderr).toContain(
      'is of the stack shop@production, which is not in the workspace',
    );
    expect((await shell.run(['ledger', 'retire', 'shop@production', '--force'])).status).toBe(0);
    expect((await shell.run(['stacks'])).stderr).toBe('3 stacks.\n');
  });
});

const row = (id: string, path: string, { stage, needs = [] }: { stage?: string; needs?: string[] }) => ({
  id,
  path,
  file: `${path}/trueup.yaml`,
  ...(stage === undefined ? {} : { stage }),
  stack: id,
  needs,
  ledger: `.trueup/ledger/${id}.json`,
});

/** The tool in a folder of another shell's. */
class ShellIn extends Shell {
  constructor(shell: Shell, name: string) {
    super(join(shell.folder, name));
    this.env = shell.env;
  }
}
