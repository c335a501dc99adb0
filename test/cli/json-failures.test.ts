import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { programWith } from '../../src/cli/program.ts';
import { Shell } from '../support/cli.ts';
import { here } from '../support/here.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

/* A command that fails with `--json` prints one JSON document: of its own kind if that can hold problems, else an error document. */

const ajv = new Ajv2020({ strict: true });
const schemaIn = (name: string) => ajv.compile(JSON.parse(readFileSync(`dist/${name}.schema.json`, 'utf8')));
const kinds = {
  plan: schemaIn('plan'),
  stacks: schemaIn('stacks'),
  validation: (document: object) => 'valid' in document,
  error: (document: object) => Object.keys(document).sort().join() === 'diagnostics,formatVersion',
};

/** Arguments with which each command fails, and the kind of its document. */
const failures: [args: string, kind: keyof typeof kinds][] = [
  ['plan --json', 'plan'],
  ['plan --format json', 'plan'],
  ['plan --all --json', 'stacks'],
  ['plan --changed-since HEAD --json', 'stacks'],
  ['plan --changed-since=HEAD --json', 'stacks'],
  ['show none.json --json', 'plan'],
  ['report merge trueup.yaml --json', 'stacks'],
  ['validate --format json', 'validation'],
  ['blame projects/web --json', 'error'],
  ['secrets --json', 'error'],
  ['secrets --all --json', 'error'],
  ['stacks --json', 'error'],
  ['log --json --ledger none/none/x', 'error'],
  ['explain no/such-code --json', 'error'],
  ['kinds none --json', 'error'],
  ['trace GET https://a.example.com/ --json', 'error'],
  ['api --list none --json', 'error'],
  ['get project --json', 'error'],
  ['run redeploy web --json', 'error'],
  ['wait deployment --json', 'error'],
  ['fleet status --json', 'error'],
  ['doctor --json', 'error'],
  ['permissions --json', 'error'],
  ['diff a b --json', 'error'],
  ['test --json', 'error'],
  ['rehearse none.plan --json', 'error'],
];

oneRowIn(5)(failures)('trueup %s', async (args, kind) => {
  const shell = await new Shell().write({
    'trueup.yaml': 'stack: demo\nprojects: [web]\n',
    'trueup.workspace.yaml': 'stacks: 7\n',
  });
  shell.env = { TRUEUP_TOKEN: 'token', TRUEUP_BASE_URL: 'http://127.0.0.1:9' };
  const { status, stdout, stderr } = await shell.run(args.split(' '));
  // The document of `validate` is its result.
  expect([status, stderr]).toEqual([1, kind === 'validation' ? '' : expect.stringMatching(/^Error: /m)]);
  const document = JSON.parse(stdout);
  expect([args, kinds[kind](document), stdout]).toEqual([args, true, stdout]);
  expect(document.diagnostics.length).toBeGreaterThan(0);
});

story('every command with --json is in the table', async () => {
  const host = { ...here, stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
  const program = await programWith(
    async () => hosting,
    { host: { ...host, env: {}, cwd: '/' } as never, exitCode: 0 },
    () => true,
  );
  const inside = (command: typeof program, words: string[]): string[] => [
    ...(command.options.some(({ long }) => long === '--json') ? [words.join(' ')] : []),
    ...command.commands.flatMap((inner) => inside(inner, [...words, inner.name()])),
  ];
  const missing = inside(program, []).filter((name) => !failures.some(([args]) => args.startsWith(name)));
  expect(missing).toEqual([]);
});
