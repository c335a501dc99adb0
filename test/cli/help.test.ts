import { expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { commands } from '../../src/cli/commands.ts';
import { programWith } from '../../src/cli/program.ts';
import { foreignWords } from '../../src/manual/foreign-words.ts';
import { Shell } from '../support/cli.ts';
import { here } from '../support/here.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const shown = Object.entries(commands).filter(([, { hidden }]) => !hidden);

/** The words of a line as a shell splits it, without the name of the program. */
const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!).slice(1);

/** Parses a line, and carries out nothing. */
async function parse(line: string): Promise<void> {
  const host = { ...here, stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
  const run = { host: { ...host, env: {}, cwd: '/' } as never, exitCode: 0 };
  const program = await programWith(
    async () => hosting,
    run,
    () => true,
  );
  const inert = (command: typeof program): void => {
    if (command.commands.length === 0 || command.registeredArguments.length > 0) command.action(() => {});
    command.configureOutput({ writeErr: () => {} }).exitOverride();
    for (const inner of command.commands) inert(inner);
  };
  inert(program);
  await program.parseAsync(wordsOf(line), { from: 'user' });
}

story('every command stands in a group, and shows two lines that it takes', async () => {
  for (const [name, { group, examples }] of shown) {
    expect([name, group, examples?.length]).toEqual([name, expect.any(String), 2]);
    for (const line of examples!) {
      expect(line.startsWith(`trueup ${name}`), line).toBe(true);
      if (!line.endsWith('--help')) await expect(parse(line), line).resolves.toBeUndefined();
    }
  }
  await expect(parse('trueup plan --no-such-option')).rejects.toThrow(/no-such-option/);
  const { stdout } = await new Shell().run(['plan', '--help']);
  expect(stdout).toContain('Examples:\n  trueup plan\n');
  const { stdout: all } = await new Shell().run(['--help']);
  expect(all.match(/^[A-Z].*:$/gm)).toEqual([
    ...['Options:', 'Begin:', 'Write YAML:', 'Change the account:', 'Day two:'],
    ...['For CI and pull requests:', 'Look back:', 'Tools:', 'Exit codes:'],
  ]);
});

it('the help shows the options that people use, and with --all the others in groups', async () => {
  const shell = new Shell();
  const optionsIn = (text: string) =>
    [...text.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, name]) => name);
  for (const [name, used] of [
    ['plan', ['format', 'json', 'out']],
    ['apply', ['auto-approve', 'report']],
  ] as const) {
    const { stdout: short } = await shell.run([name, '--help']);
    const common = ['file', 'var', 'stage', 'twin', 'target', 'all'];
    expect(optionsIn(short).sort()).toEqual(
      [...common, ...used, 'help'].map((option) => `--${option}`).sort(),
    );
    const { stdout } = await shell.run([name, '--help', '--all']);
    const number = optionsIn(stdout).length - optionsIn(short).length;
    expect(short).toContain(`${number} more options: trueup ${name} --help --all\n`);
    const headings = stdout.match(/^[A-Z].*:$/gm)?.filter((heading) => heading !== 'Arguments:');
    expect(headings?.slice(0, 2)).toEqual(['Options:', 'Which part of the account:']);
  }
  // A command with few options shows all of them.
  expect((await shell.run(['schema', '--help'])).stdout).toContain('--no-color');
});

it('a word of another tool is answered with how the same is done here, and nothing is done', async () => {
  for (const [word, answer] of Object.entries(foreignWords)) {
    expect(Object.keys(commands)).not.toContain(word);
    expect(answer).not.toContain('destroy');
    for (const [, named] of answer.matchAll(/`trueup (\w+)/g)) expect(Object.keys(commands)).toContain(named);
  }
  const shell = new Shell();
  const ran = await shell.run(['import', 'vercel_project.web', 'prj_1', '--any', 'x']);
  expect(ran).toMatchObject({ status: 1, stdout: '' });
  expect(ran.stderr).toMatch(/^trueup has no `import`: there is nothing to import\. .*\n$/);
  expect((await shell.run(['--help'])).stdout).not.toContain('import');
});

it('a word in the wrong place is answered with the option that takes it', async () => {
  const said = async (...args: string[]) => (await new Shell().run(args)).stderr;
  expect(await said('plan', 'trueup.yaml')).toMatch(/\n {2}-> name a file or folder .*: -f trueup\.yaml\n$/);
  expect(await said('ledger', 'list', 'stacks/web')).toContain(
    '-> name a file or folder with the option: -f stacks/web',
  );
  expect(await said('plan', 'web')).not.toContain('->');
  expect(await said('from', 'terraform', 'x.tfstate', '--out', 'site')).toMatch(
    /\n {2}-> did you mean `--out-dir`\?\n$/,
  );
  expect(await said('plan', '--detailed-exit')).not.toMatch(/Did you mean.*->/s);
});

it('an option of an earlier version is refused with its replacement', async () => {
  const { status, stderr } = await new Shell().run(['apply', '--history', 'no-values']);
  expect(status).toBe(1);
  expect(stderr).toContain("unknown option '--history': set TRUEUP_HISTORY=no-values\n");
  for (const [name, ...flags] of [
    ['plan', '--color', '--no-unicode'],
    ['apply', '--actions-at-once', '--delete'],
    ['validate', '--twin'],
    ['twin', '--catalog-only'],
    ['twin', '--strict'],
  ])
    for (const flag of flags)
      expect((await new Shell().run([name!, flag])).stderr).toMatch(
        new RegExp(`unknown option '${flag}': \\w+ `),
      );
});
