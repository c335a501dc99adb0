import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { commands } from '../../src/cli/commands.ts';
import { run } from '../../src/cli/program.ts';
import type { CommandLine } from '../../src/completion/command-line.ts';
import { describeCommands } from '../../src/completion/describe-commands.ts';
import { Shell } from '../support/cli.ts';
import { here } from '../support/here.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const yaml = `stack: demo
platform: { team: acme }
projects: { web: {} }
`;

/** Every command with its options and arguments, as the help and the completion know them. */
async function allCommands(): Promise<CommandLine[]> {
  const program = new Command('trueup');
  for (const [name, { load, hidden = false }] of Object.entries(commands))
    if (!hidden)
      (await load())(
        program.command(name),
        hosting,
        { host: here, exitCode: 0 },
        {
          createProgram: async () => program,
          runCommandLine: async () => 0,
        },
      );
  return describeCommands(program).filter(({ path }) => path !== '' && !path.includes('help'));
}

describe('an empty word', () => {
  story('is a mistake in the place of every option and argument', async () => {
    const shell = await new Shell().write({ 'trueup.yaml': yaml });
    let tried = 0;
    for (const { path, options, arguments: places } of await allCommands()) {
      const words = path.split(' ');
      const lines = [
        ...options
          .filter(({ value }) => value)
          .flatMap(({ flags }) => flags.map((flag) => [...words, flag, ''])),
        ...(places.length > 0 ? [[...words, ...places.map(() => '')]] : []),
      ];
      for (const line of lines) {
        tried++;
        const { status, stderr } = await shell.run(line);
        expect([status, stderr], line.join(' ')).toEqual([
          1,
          expect.stringMatching(/(option|argument) .* is invalid/),
        ]);
        expect(stderr, line.join(' ')).not.toMatch(/fault of trueup/);
      }
    }
    expect(tried).toBeGreaterThan(100);
    expect(existsSync(join(shell.folder, '.trueup'))).toBe(false);
  });
});

describe('options that exclude each other', () => {
  it.each([
    ['plan --json --format html'],
    ['plan --format html --json'],
    ['plan --json-stream --json'],
    ['show plan.json --json --format html'],
    ['plan --twin --base-url http://127.0.0.1:1'],
    ['apply --twin --token-file token'],
    ['export --twin --token-file token --team acme'],
    ['export --personal --team acme'],
    ['export --out a --out-dir b --team acme'],
    ['schema --plan --out a'],
  ])('%s', async (line) => {
    const { status, stdout, stderr } = await new Shell().run(line.split(' '));
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/cannot be used with option/);
  });
});

describe('what is written goes into regular files only', () => {
  oneRowIn(3)([
    [['schema', '--out']],
    [['export', '--twin', '--team', 'acme', '--force', '--out']],
    [['plan', '--twin', '--out']],
  ])('%j leaves a pipe and a folder as they are', async (line) => {
    const shell = await new Shell().write({ 'trueup.yaml': yaml, 'folder/it': '' });
    execFileSync('mkfifo', [join(shell.folder, 'pipe')]);
    for (const place of ['pipe', 'folder']) {
      const { status, stderr } = await shell.run([...line, place]);
      expect(status).toBe(1);
      expect(stderr).toContain(place);
      expect(stderr).not.toContain('fault of trueup');
    }
    expect(lstatSync(join(shell.folder, 'pipe')).isFIFO()).toBe(true);
    expect(lstatSync(join(shell.folder, 'folder')).isDirectory()).toBe(true);
  });
});

it('what the system refuses is told as that, wherever it happens', async () => {
  const said: string[] = [];
  const stderr = new PassThrough().on('data', (text) => said.push(String(text)));
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    syscall: 'write',
  });
  const host = { ...here, stdout: new PassThrough(), stderr };
  expect(await run(['plan'], host, () => Promise.reject(full))).toBe(1);
  expect(said.join('')).toContain(
    'Error: the system reported an error: ENOSPC: no space left on device, write',
  );
  expect(said.join('')).not.toContain('fault of trueup');
});

/** Names that every object of the language has. */
const inherited = ['toString', 'constructor', 'hasOwnProperty', 'valueOf', 'isPrototypeOf'];

describe('a name that every object has is a name like any other', () => {
  it('in the YAML: of projects, variables, references and secrets', async () => {
    const text = `stack: demo
platform: { team: acme }
variables: { toString: { default: x } }
projects:
  constructor: { env: { ${inherited.map((name) => `${name}: "\${var.toString}"`).join(', ')} } }
`;
    const shell = await new Shell().write({ 'trueup.yaml': text });
    expect((await shell.run(['apply', '--twin', '--auto-approve'])).all).toContain(
      'Verified: the account matches',
    );
    expect((await shell.run(['plan', '--twin', '--detailed-exitcode'])).status).toBe(0);
  });

  oneRowIn(5)([
    ['an unknown section', 'projects: { web: {} }\nNAME: {}'],
    ['an unknown field', 'projects: { web: { NAME: 1 } }'],
    ['a variable that is not there', 'projects: { web: { framework: "${var.NAME}" } }'],
    ['a secret that is not there', 'projects: { web: { env: { A: "${secret.NAME}" } } }'],
    ['a reference to nothing', 'projects: { web: { env: { A: "${projects.NAME.id}" } } }'],
    ['an attribute that is not there', 'projects: { web: { env: { A: "${projects.web.NAME}" } } }'],
  ])('%s is an error at its place', async (_, text) => {
    for (const name of inherited) {
      const shell = await new Shell().write({
        'trueup.yaml': `stack: demo\nplatform: { team: acme }\n${text.replaceAll('NAME', name)}\n`,
      });
      const { status, stderr } = await shell.run(['validate']);
      expect([status, stderr]).toEqual([1, expect.stringMatching(/trueup\.yaml:\d+:\d+/)]);
    }
  });

  it.each([
    ['NAME'],
    ['kinds NAME'],
    ['ledger show NAME --twin'],

    ['plan --format NAME'],
  ])('on the command line: %s', async (line) => {
    for (const name of inherited) {
      const shell = await new Shell().write({ 'trueup.yaml': yaml });
      const { status, stderr } = await shell.run(line.replace('NAME', name).split(' '));
      expect(status).toBe(1);
      expect(stderr).toMatch(/^error: |^Error: /im);
      expect(stderr).not.toContain('fault of trueup');
    }
  });
});
