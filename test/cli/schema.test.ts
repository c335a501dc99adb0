import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { actionsAndLookups } from '../../providers/hosting/day-two.ts';
import { editorSchema } from '../../src/config/editor/editor-schema.ts';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { kinds } from '../support/world.ts';

const story = oneStoryIn(5);

const expected = JSON.parse(JSON.stringify(editorSchema(kinds, undefined, actionsAndLookups)));

story('schema prints the schema, and nothing else', async () => {
  const { status, stdout, stderr } = await new Shell().run(['schema']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual(expected);
});

story('schema --out writes it, replaces what is there, and says how a file names it', async () => {
  const shell = await new Shell().write({ 'editor/schema.json': 'old' });
  const { status, stdout } = await shell.run(['schema', '--out', 'editor/schema.json']);
  expect(status).toBe(0);
  expect(stdout).toContain('# yaml-language-server: $schema=editor/schema.json\n');
  expect(JSON.parse(readFileSync(join(shell.folder, 'editor/schema.json'), 'utf8'))).toEqual(expected);
  expect(readdirSync(join(shell.folder, 'editor'))).toEqual(['schema.json']);
});

story('schema says what is wrong: a place that cannot be written, a flag that does not exist', async () => {
  const shell = new Shell();
  mkdirSync(join(shell.folder, 'taken'));
  const taken = await shell.run(['schema', '--out', 'taken']);
  expect(taken.status).toBe(1);
  expect(taken.stderr).toMatch(/taken is a folder and is not overwritten/);
  expect(taken.all).not.toMatch(/^\s+at /m);
  const unknown = await shell.run(['schema', '--output', 'x']);
  expect(unknown.status).toBe(1);
  expect(unknown.stderr).toContain("unknown option '--output'");
});

story('init writes the schema, and a configuration that names it', async () => {
  const shell = new Shell();
  expect((await shell.run(['init'])).status).toBe(0);
  const [first] = readFileSync(join(shell.folder, 'trueup.yaml'), 'utf8').split('\n');
  expect(first).toBe('# yaml-language-server: $schema=.trueup/schema.json');
  expect(JSON.parse(readFileSync(join(shell.folder, '.trueup/schema.json'), 'utf8'))).toEqual(expected);
  expect((await shell.run(['validate'])).status).toBe(0);
});

describe('the names of a configuration', () => {
  const files = {
    'trueup.yaml': `include: [shared]
stack: x
stages: { production: {}, staging: { files: [staging.yaml] } }
variables: { sites: { file: sites.csv, description: All of them. }, token: { default: not-for-the-schema } }
projects: { web: { $use: site, framewrk: wrong } }
`,
    'shared/templates.yaml': `templates:
  site: { $kind: project, $inputs: { country: { values: [at, de], description: Where. }, geo: { type: boolean, default: false } } }
  broken: { $kind: zone, $inputs: { a: { typ: b } } }
`,
    'staging.yaml': 'templates: { quiet: {} }\npatches: [{ $at: "projects/*", $use: quiet }]\n',
    'sites.csv': 'name\nat\n',
  };
  const at = (schema: Record<string, Record<string, unknown>>, name: string) => schema.definitions![name];

  story('are offered, those of all stages and of files with mistakes; `init` writes them, too', async () => {
    const shell = await new Shell().write(files);
    const { status, stdout, stderr } = await shell.run(['schema']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const schema = JSON.parse(stdout);
    expect(at(schema, '$use')).toMatchObject({ anyOf: [{}, { enum: ['broken', 'quiet'] }] });
    expect(at(schema, '$use.project')).toMatchObject({ anyOf: [{}, { enum: ['site', 'broken', 'quiet'] }] });
    expect(at(schema, '$inputs.site')).toEqual({
      type: ['object', 'null'],
      properties: {
        country: { description: 'Where. (required)', anyOf: [{}, { enum: ['at', 'de'] }] },
        geo: { description: '(boolean)', anyOf: [{}, { enum: [true, false] }] },
      },
    });
    expect(at(schema, '$each')).toMatchObject({ anyOf: [{}, { enum: ['${var.sites}'] }] });
    expect(
      Object.keys(schema.properties.stages.additionalProperties.properties.variables.properties),
    ).toEqual(['sites', 'token']);
    // What a block lacks may come from the patches, whatever file they are in.
    expect(stdout).not.toContain('complete.');
    expect(stdout).not.toContain('not-for-the-schema');

    expect((await shell.run(['init'])).stderr).toContain('`trueup.yaml` already exists');
    expect(readFileSync(join(shell.folder, '.trueup/schema.json'), 'utf8')).toBe(stdout);
  });

  story('come from the files of -f, also from standard input; a file that is not there is told', async () => {
    const shell = await new Shell().write({ 'sub/a.yaml': 'templates: { one: {} }\n' });
    const { stdout } = await shell.run(['schema', '-f', 'sub']);
    expect(at(JSON.parse(stdout), '$use')).toMatchObject({ anyOf: [{}, { enum: ['one'] }] });
    const input = await shell.run(['schema', '-f', '-'], { input: files['trueup.yaml'] });
    expect(input.stdout).toContain('All of them.');
    const missing = await shell.run(['schema', '-f', 'nowhere']);
    expect(missing.status).toBe(1);
    expect(missing.stderr).toContain('there is no file or folder nowhere');
    const both = await shell.run(['schema', '-f', 'sub', '--plan']);
    expect(both.stderr).toContain('cannot be used with');
  });

  story('of what is no YAML there are none', async () => {
    const shell = await new Shell().write({ 'trueup.yaml': 'templates: { a: [\n' });
    const { status, stdout } = await shell.run(['schema']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual(expected);
  });
});
