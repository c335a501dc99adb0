import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { initRepository } from '../support/init-repository.ts';
import { keyText } from '../support/keys.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(5);

const git = (shell: Shell, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], { cwd: shell.folder });

const header = (stack: string) => `stack: ${stack}\nplatform: { team: acme }\n`;

/** A workspace with two stacks, one of which has two stages, committed. */
async function workspace(): Promise<Shell> {
  const shell = await new Shell().write({
    'trueup.workspace.yaml': 'stacks: [stacks/shop, stacks/blog]\n',
    'stacks/shop/trueup.yaml': `${header('shop')}stages: { staging: {}, production: {} }\nprojects: { web: { framework: nextjs, env: { STAGE: "\${stage}" } } }\n`,
    'stacks/blog/trueup.yaml': `${header('blog')}projects: { web: { framework: astro } }\n`,
  });
  initRepository(shell.folder);
  git(shell, 'add', '--all');
  git(shell, 'commit', '--quiet', '-m', 'first');
  return shell;
}

const lastLine = ({ stdout }: { stdout: string }) => stdout.trimEnd().split('\n').at(-1);

describe('a side of diff', () => {
  story('is a stack of the workspace, with its stage', async () => {
    const shell = await workspace();
    const stacks = await shell.run(['diff', 'shop@staging', 'stack:stacks/blog']);
    expect(stacks.stderr).toBe('');
    expect(stacks.stdout).toContain('Only in shop@staging: 1\n  - projects/web/env/STAGE');
    expect(stacks.stdout).toContain('framework: nextjs → astro');
    expect(lastLine(stacks)).toBe('2 objects: 0 equal, 1 different, 1 only in shop@staging.');
    const stages = await shell.run(['diff', 'shop@staging', 'shop@production']);
    expect(stages.stdout).toContain('value: staging → production');
  });

  story('is a commit, with the stage of the other side', async () => {
    const shell = await workspace();
    const folder = new Shell(`${shell.folder}/stacks/shop`);
    await folder.write({
      'trueup.yaml': `${header('shop')}stages: { staging: {}, production: {} }\nprojects: { web: { framework: vite } }\n`,
    });
    const commit = await folder.run(['diff', 'HEAD', 'staging']);
    expect(commit.stderr).toBe('');
    expect(commit.stdout).toContain('framework: nextjs → vite');
    expect(lastLine(commit)).toBe('2 objects: 0 equal, 1 different, 1 only in HEAD.');
    expect((await folder.run(['diff', 'ref:HEAD', '--stage', 'production'])).stdout).toContain(
      'only in ref:HEAD',
    );
  });

  story('is the stack of the other side at a commit, from any folder of the workspace', async () => {
    const shell = await workspace();
    await shell.write({
      'stacks/blog/trueup.yaml': `${header('blog')}projects: { web: { framework: vite } }\n`,
    });
    for (const args of [
      ['HEAD', 'blog'],
      ['HEAD', 'shop@production'],
      ['shop@production', 'HEAD'],
    ]) {
      const commit = await shell.run(['diff', ...args]);
      expect(commit.stderr, args.join(' ')).toBe('');
      expect(commit.stdout.includes('framework: astro → vite'), args.join(' ')).toBe(args.includes('blog'));
      expect(commit.stdout.includes('No differences'), args.join(' ')).toBe(!args.includes('blog'));
    }
    await shell.write({ 'trueup.workspace.yaml': 'stacks: [{ path: stacks/shop, stages: [staging] }]\n' });
    expect((await shell.run(['diff', 'staging', 'HEAD'])).stderr).toContain(
      'there are the stacks stacks/shop@staging',
    );
  });

  story('is the account of a side', async () => {
    const shell = await new Shell().write({
      'trueup.yaml': `${header('shop')}stages: { staging: {}, production: {} }\nprojects: { "web-\${stage}": { framework: nextjs, env: { A: { value: "\${stage}", type: plain } } } }\n`,
    });
    await shell.withTwin();
    shell.env = { ...shell.env, TRUEUP_LEDGER_KEY: keyText() };
    for (const stage of ['staging', 'production'])
      expect((await shell.run(['apply', '--stage', stage, '--auto-approve'])).status).toBe(0);
    const own = await shell.run(['diff', 'production', 'live:production', '--detailed-exitcode']);
    expect(own).toMatchObject({
      status: 0,
      stderr: '`trueup plan` also knows what was applied last, and what it would change.\n',
    });
    const accounts = await shell.run(['diff', 'live:staging', 'live:production']);
    expect(accounts.stdout).toContain('value: staging → production');
    expect(lastLine(accounts)).toBe('2 objects: 1 equal, 1 different.');
  });

  test('is an account, whose secrets are not compared, even if they are equal', async () => {
    const shell = await new Shell().write({
      'trueup.yaml': `${header('shop')}stages: { staging: {}, production: {} }\nsecrets: { s: {} }\nprojects: { "web-\${stage}": { env: { S: "\${secret.s}" } } }\n`,
    });
    await shell.withTwin();
    const outputs: string[] = [];
    for (const production of ['secret-one', 'secret-two']) {
      for (const [stage, value] of [
        ['staging', 'secret-one'],
        ['production', production],
      ] as const) {
        shell.env = { ...shell.env, TRUEUP_LEDGER_KEY: keyText(), TRUEUP_SECRET_s: value };
        expect((await shell.run(['apply', '--stage', stage, '--auto-approve'])).status).toBe(0);
      }
      for (const format of ['text', 'json'])
        outputs.push((await shell.run(['diff', 'live:staging', 'live:production', '--format', format])).all);
    }
    expect(outputs[0]).toContain(
      'No differences between live:staging and live:production: 2 objects. 1 secret: 1 not compared.',
    );
    expect(outputs.slice(2)).toEqual(outputs.slice(0, 2));
    expect(outputs.join()).not.toMatch(/secret-(one|two)/);
  });

  story('must be known and unambiguous', async () => {
    const shell = await workspace();
    git(shell, 'branch', 'shop');
    const ambiguous = await shell.run(['diff', 'shop', 'blog']);
    expect(ambiguous.status).toBe(1);
    expect(ambiguous.stderr).toContain(
      'shop can mean the stack stacks/shop and the commit shop [diff/ambiguous-side]',
    );
    expect(ambiguous.stderr).toContain('write `stack:stacks/shop` or `ref:shop`');
    for (const name of [
      'nope',
      'stage:shop',
      'live:nope',
      '\u001b[31mred',
      'ref:--output=x',
      'HEAD:trueup.yaml',
    ]) {
      const unknown = await shell.run(['diff', '--', name, 'stack:blog']);
      expect(unknown.status, name).toBe(1);
      expect(unknown.stderr, name).not.toContain('\u001b');
    }
    expect((await shell.run(['diff', 'nope', 'blog'])).stderr).toContain(
      'there are the stacks stacks/shop and stacks/blog',
    );
  });
});

story('shells complete sides, and addresses of the first one', async () => {
  const shell = await workspace();
  const words = async (folder: string, ...args: string[]) => {
    const run = folder === '' ? shell : new Shell(`${shell.folder}/${folder}`);
    return (await run.run(['__complete', ...args])).stdout.trimEnd().split('\n');
  };
  expect(await words('', 'side', '--', 'diff')).toEqual(['stacks/shop', 'stacks/blog']);
  expect(await words('stacks/shop', 'side', '--', 'diff')).toContain('staging');
  expect(await words('stacks/shop', 'address', '--', 'diff', 'staging', 'production', '--promote')).toContain(
    'projects/web/env/STAGE@production',
  );
});

story('a commit and an account can be promoted into the files, and nothing into them', async () => {
  const yaml = (node: string) => `${header('shop')}projects:
  web: { nodeVersion: ${node}, env: { A: { value: "${node}", type: plain } } }
`;
  const shell = await new Shell().write({ 'trueup.yaml': yaml('22.x') });
  initRepository(shell.folder);
  git(shell, 'add', '--all');
  git(shell, 'commit', '--quiet', '-m', 'first');
  await shell.withTwin();
  shell.env = { ...shell.env, TRUEUP_LEDGER_KEY: keyText() };
  expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
  await shell.write({ 'trueup.yaml': yaml('20.x') });
  for (const [side, glob] of [
    ['HEAD', 'projects/web'],
    ['live:shop', 'projects/web/env/A'],
  ] as const) {
    const promoted = await shell.run(['diff', side, '--promote', glob, '--auto-approve']);
    expect(promoted.stderr, side).toBe('Wrote trueup.yaml.\n');
  }
  expect(git(shell, 'status', '--porcelain', '--', 'trueup.yaml').toString()).toBe('');
  for (const side of ['HEAD', 'live:shop']) {
    const refused = await shell.run(['diff', 'shop', side, '--promote', '**', '--auto-approve']);
    expect(refused.stderr, side).toContain('[diff/promote-side]');
  }
});
