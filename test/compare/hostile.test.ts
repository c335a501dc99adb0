import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { initRepository } from '../support/init-repository.ts';

const git = (shell: Shell, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], { cwd: shell.folder });

const red = '\u001b[31m';
const names = [`x${red}y`, 'x\\n::add-mask::y', 'x\\u202ey', '``` <img src=x>'];

test('names and values of the configuration control neither a terminal, nor a runner, nor Markdown', async () => {
  const yaml = `stack: shop
platform: { team: acme }
stages: { staging: {}, production: {} }
projects:
  web:
    buildCommand: "\${stage} ${names.join(' ').replace(red, '\\e[31m')}"
    env: { A: { value: "\${stage} \\e[31m", comment: "::set-output name=x::\${stage}" } }
`;
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  shell.env = { GITHUB_ACTIONS: 'true' };
  for (const format of ['text', 'json', 'markdown']) {
    const { stdout, stderr, status } = await shell.run(['diff', 'staging', 'production', '--format', format]);
    expect([status, stderr], format).toEqual([0, '']);
    expect(stdout, format).not.toMatch(/\p{Cc}(?<!\n)|\p{Cf}|^\s*::/mu);
    expect(stdout, format).toContain('staging');
  }
  const markdown = await shell.run(['diff', 'staging', 'production', '--format', 'markdown']);
  expect(markdown.stdout).toMatch(/^````+$/m);
});

test('a commit is read as it is in the repository, without filters and hooks, and an option is no commit', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': 'stack: shop\nplatform: { team: acme }\nprojects: { web: { framework: nextjs } }\n',
    '.gitattributes': '*.yaml filter=bad\n',
  });
  initRepository(shell.folder);
  git(shell, 'add', '--all');
  git(shell, 'commit', '--quiet', '-m', 'first');
  git(shell, 'config', 'filter.bad.smudge', `touch ${shell.folder}/ran; cat`);
  git(shell, 'config', 'core.hooksPath', shell.folder);
  await shell.write({
    'trueup.yaml': 'stack: shop\nplatform: { team: acme }\nprojects: { web: { framework: vite } }\n',
    'post-checkout': `#!/bin/sh\ntouch ${shell.folder}/ran\n`,
  });
  const { stdout } = await shell.run(['diff', 'HEAD']);
  expect(stdout).toContain('framework: nextjs → vite');
  expect(execFileSync('ls', { cwd: shell.folder }).toString()).not.toContain('ran');
  for (const ref of ['--output=x', '-p', '--', 'ref:-p', 'HEAD --output=x', 'HEAD:trueup.yaml']) {
    const { status, stdout: shown } = await shell.run(['diff', '--', ref]);
    expect([ref, status, shown]).toEqual([ref, 1, '']);
  }
});

test('no output shows a secret, or whether two secrets are equal', async () => {
  const secret = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
  const configuration = (staging: string, production: string) =>
    `stack: shop
platform: { team: acme }
stages: { staging: {}, production: {} }
variables: { outside: { env: "OUTSIDE_\${stage}" } }
secrets: { key: { env: "KEY_\${stage}" } }
projects:
  web:
    env:
      KEY: "prefix-\${secret.key}"
      LITERAL: { value: ${staging}, type: sensitive, target: [production] }
      NEXT_PUBLIC_STRIPE_SECRET_KEY: ${secret}
patches:
  - { $at: projects/web/env/LITERAL, $when: { stage: production }, value: ${production} }
  - { $at: projects/web/env/NEXT_PUBLIC_STRIPE_SECRET_KEY, $when: { stage: production }, value: ${secret}2 }
`.replace(/^variables:.*\n/m, '');
  const outputs: string[] = [];
  for (const [staging, production] of [
    ['literal-one', 'literal-one'],
    ['literal-one', 'literal-two'],
  ] as const) {
    const shell = await new Shell().write({ 'trueup.yaml': configuration(staging, production) });
    shell.env = { KEY_staging: 'key-value', KEY_production: staging === production ? 'key-value' : 'other' };
    for (const format of ['text', 'json', 'markdown'])
      outputs.push((await shell.run(['diff', 'staging', 'production', '--format', format])).all);
    const promoted = await shell.run([
      ...['diff', 'staging', 'production', '--promote', 'projects/web/env/LITERAL', '--auto-approve'],
    ]);
    outputs.push(promoted.all);
  }
  for (const output of outputs) {
    expect(output).not.toMatch(/literal-|key-value|sk_live/);
    expect(output).not.toBe('');
  }
  // Equal and different values read alike.
  expect(outputs.slice(0, 4)).toEqual(outputs.slice(4));
});
