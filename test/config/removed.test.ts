import { expect, it, test } from 'vitest';
import { kinds } from '../support/world.ts';
import { configure as configureWith, told } from './configure.ts';

const configure = (...[yaml, options]: Parameters<typeof configureWith>) =>
  configureWith(yaml, { kinds, ...options });

test('entries of `removed` are read with their places, and `$when` switches them off', async () => {
  const configuration = await configure(
    `
variables: { old: { default: b } }
removed:
  - { at: projects/a, delete: true, objects: 15 }
  - { at: "projects/\${var.old}/env/TOKEN", delete: false }
  - { at: domains/E.COM, delete: true, $when: { var.old: b } }
  - { at: projects/c, delete: true, $when: { var.old: c } }
`,
  );
  expect(told(configuration)).toEqual([]);
  const at = (line: number) => expect.objectContaining({ line });
  expect(configuration.desired.removed).toEqual([
    { address: 'projects/a', kind: 'project', deletes: true, objects: 15, at: at(4) },
    { address: 'projects/b/env/TOKEN', kind: 'projectEnvVar', deletes: false, at: at(5) },
    { address: 'domains/e.com', kind: 'domain', deletes: true, at: at(6) },
  ]);
});

it.each([
  ['no list', '{ at: projects/a, delete: true }', ['config/type 2:10']],
  ['no map', '[projects/a]', ['config/type 2:11']],
  ['an unknown key', '[{ at: projects/a, delete: true, object: 3 }]', ['config/unknown-key 2:43']],
  ['no address', '[{ delete: true }]', ['removed/entry 2:11']],
  ['no fate', '[{ at: projects/a }]', ['removed/entry 2:11']],
  ['another fate', '[{ at: projects/a, delete: maybe }]', ['removed/entry 2:37']],
  ['an unknown section', '[{ at: project/a, delete: true }]', ['removed/entry 2:17']],
  ['an unknown section inside', '[{ at: projects/a/en/B, delete: true }]', ['removed/entry 2:17']],
  ['no name', '[{ at: projects, delete: true }]', ['removed/entry 2:17']],
  ['a glob', '[{ at: "projects/*", delete: true }]', ['removed/entry 2:17']],
  ['another name of `at`', '[{ address: projects/a }]', ['config/unknown-key 2:13']],
  ['another name of `delete`', '[{ at: projects/a, delte: true }]', ['config/unknown-key 2:29']],
  ['no number', '[{ at: projects/a, delete: true, objects: many }]', ['removed/entry 2:52']],
  ['a number without deletion', '[{ at: projects/a, delete: false, objects: 1 }]', ['removed/entry 2:53']],
  [
    'the same twice',
    '[{ at: projects/a, delete: true }, { at: projects/a, delete: false }]',
    ['config/duplicate 2:45'],
  ],
  [
    'one that stays in a deleted one',
    '[{ at: projects/a, delete: true }, { at: projects/a/env/B, delete: false }]',
    ['removed/inside 2:45'],
  ],
  ['a declared one', '[{ at: projects/web, delete: true }]', ['removed/declared 2:11']],
  [
    'a declared one in all its targets',
    '[{ at: projects/web/env/A, delete: false }]',
    ['removed/declared 2:11'],
  ],
])('refuses %s', async (_, removed, expected) => {
  const configuration = await configure(`projects: { web: { env: { A: a } } }\nremoved: ${removed}\n`);
  expect(told(configuration)).toEqual(expected);
  for (const { hint, related = [], code } of configuration.diagnostics) {
    expect(hint === undefined && code !== 'config/unknown-key').toBe(false);
    if (code === 'removed/declared') expect(related[0]!.at.line).toBe(1);
  }
});

test('only the header of a configuration can have it, once', async () => {
  const entry = (name: string) => `removed: [{ at: projects/${name}, delete: true }]\n`;
  expect(told(await configure({ 'trueup.yaml': entry('a'), 'trueup2.yaml': entry('b') }))).toEqual([
    'config/duplicate trueup2.yaml:1:1',
  ]);
  expect(
    told(
      await configure(
        { 'trueup.yaml': 'stack: s\ninclude: parts/p.yaml\n', 'parts/p.yaml': entry('a') },
        { paths: ['trueup.yaml'] },
      ),
    ),
  ).toEqual(['include/section parts/p.yaml:1:1']);
});

test('the settings and the option that `removed` replaced name the line to write', async () => {
  const configuration = await configure(
    'projects:\n  old: { $onRemove: delete }\n  web: { env: { A: { value: a, $forget: true } } }\n',
  );
  expect(told(configuration)).toEqual(['config/unknown-key 2:10', 'config/unknown-key 3:32']);
  expect(configuration.diagnostics.map(({ hint }) => hint)).toEqual([
    expect.stringContaining('add this under `removed:` of the header: - { at: projects/old, delete: true }'),
    expect.stringContaining(
      'add this under `removed:` of the header: - { at: projects/web/env/A, delete: false }',
    ),
  ]);
});

test.each([
  ['prodction', ['removed/entry 4:53']],
  ['[staging, prodction]', ['removed/entry 4:63']],
  ['{ not: prodction }', ['removed/entry 4:60']],
  ['[production, staging]', []],
  ['{ set: true }', []],
])('`$when` of an entry names only stages of the configuration: %s', async (stage, expected) => {
  const configuration = await configure(
    `
stages: { staging: {}, production: {} }
removed:
  - { at: projects/a, delete: true, $when: { stage: ${stage} } }
`,
    { stage: 'staging' },
  );
  expect(told(configuration)).toEqual(expected);
});
