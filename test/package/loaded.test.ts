import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Shell } from '../support/cli.ts';
import { program, startProcess } from '../support/process.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(3);

const yaml = `stack: demo
platform: { team: acme }
projects: { web: { env: { API_URL: { value: a, target: [production] } } } }
`;

/** What only some output formats, inputs and commands need, by a text that is in no other part of the program. */
const others = {
  'the page': '<!doctype html>',
  'explanations of codes': '# Troubleshooting',
  SARIF: 'schemastore.org/sarif-2.1.0',
  comments: '<!-- trueup:plan:',
  'kinds that the configuration does not use': 'A feature flag: its variants, and who gets',
  CSV: 'CSV_RECORD_INCONSISTENT_COLUMNS',
  'the twin': 'Invalid request: missing required property',
  'the queue': 'pg-boss',
  workspaces: 'matches no folder with a configuration in it',
};

/** Modules of Node.js that are slow to load, and that no such run needs. */
const slowModules = ['internal/blocklist', 'readline'];

/** Has a process write down the files and the modules of Node.js that it has loaded. */
const noting = (list: string) => `const files = [];
const types = module.constructor._extensions;
const load = types['.js'];
types['.js'] = (one, file) => { files.push(file); load(one, file); };
process.on('exit', () => {
  const loaded = { files, modules: process.moduleLoadList };
  require('node:fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(loaded));
});`;

// In characters of code, which V8 reads each time: about a tenth more than what there is today.
oneRowIn(3)([
  ['--version', 3000, ['crypto']],
  ['validate', 700_000, ['crypto']],
  ['plan', 1_590_000, []],
] as const)('%s loads what it needs, and little more', async (command, most, unneeded) => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  await shell.withTwin();
  const list = join(shell.folder, 'loaded.json');
  const hook = join(shell.folder, 'hook.cjs');
  writeFileSync(hook, noting(list));
  const env = { ...shell.env, NODE_OPTIONS: `--require ${hook}` };
  const { status, all } = await startProcess([command], { cwd: shell.folder, env }).ended;
  expect([status, all]).toEqual([0, expect.anything()]);
  const loaded = JSON.parse(readFileSync(list, 'utf8')) as { files: string[]; modules: string[] };
  const avoided = [...slowModules, ...unneeded];
  expect(avoided.filter((name) => loaded.modules.includes(`NativeModule ${name}`))).toEqual([]);
  const files = loaded.files.filter((file) => file !== hook);
  expect(files).toContain(program);
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  expect(Object.keys(others).filter((name) => text.includes(others[name as keyof typeof others]))).toEqual(
    [],
  );
  expect(text.length).toBeLessThan(most);
});

story('each of these texts is in the program', () => {
  const parts = readdirSync('dist').filter((name) => name.endsWith('.cjs'));
  const text = parts.map((name) => readFileSync(join('dist', name), 'utf8')).join('\n');
  for (const [name, mark] of Object.entries(others)) expect(text.includes(mark), name).toBe(true);
});

story('the engine compiles the parser of responses once, and does not optimize it', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  await shell.withTwin();
  const hook = join(shell.folder, 'hook.cjs');
  writeFileSync(hook, "require('node:v8').setFlagsFromString('--trace-wasm-compilation-times');");
  const env = { ...shell.env, NODE_OPTIONS: `--require ${hook}` };
  const { stdout } = await startProcess(['plan'], { cwd: shell.folder, env }).ended;
  const compilers = [...stdout.matchAll(/^Compiled function .* using (\w+)/gm)].map(
    ([, compiler]) => compiler,
  );
  expect([...new Set(compilers)]).toEqual(['Liftoff']);
});
