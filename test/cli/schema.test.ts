import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { editorSchema } from '../../src/config/editor/editor-schema.ts';
import { Shell } from '../support/cli.ts';
import { kinds } from '../support/world.ts';

const expected = JSON.parse(JSON.stringify(editorSchema(kinds)));

test('schema prints the schema, and nothing else', async () => {
  const { status, stdout, stderr } = await new Shell().run(['schema']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual(expected);
});

test('schema --out writes it, replaces what is there, and says how a file names it', async () => {
  const shell = await new Shell().write({ 'editor/schema.json': 'old' });
  const { status, stdout } = await shell.run(['schema', '--out', 'editor/schema.json']);
  expect(status).toBe(0);
  expect(stdout).toContain('# yaml-language-server: $schema=editor/schema.json\n');
  expect(JSON.parse(readFileSync(join(shell.folder, 'editor/schema.json'), 'utf8'))).toEqual(expected);
  expect(readdirSync(join(shell.folder, 'editor'))).toEqual(['schema.json']);
});

test('schema says what is wrong: a place that cannot be written, a flag that does not exist', async () => {
  const shell = new Shell();
  mkdirSync(join(shell.folder, 'taken'));
  const taken = await shell.run(['schema', '--out', 'taken']);
  expect(taken.status).toBe(1);
  expect(taken.stderr).toMatch(/taken is a folder, and is not written over/);
  expect(taken.all).not.toMatch(/^\s+at /m);
  const unknown = await shell.run(['schema', '--output', 'x']);
  expect(unknown.status).toBe(1);
  expect(unknown.stderr).toContain("unknown option '--output'");
});

test('init writes the schema, and a configuration that names it', async () => {
  const shell = new Shell();
  expect((await shell.run(['init'])).status).toBe(0);
  const [first] = readFileSync(join(shell.folder, 'trueup.yaml'), 'utf8').split('\n');
  expect(first).toBe('# yaml-language-server: $schema=.trueup/schema.json');
  expect(JSON.parse(readFileSync(join(shell.folder, '.trueup/schema.json'), 'utf8'))).toEqual(expected);
  expect((await shell.run(['validate'])).status).toBe(0);
});
