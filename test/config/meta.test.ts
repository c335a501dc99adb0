import { expect, test } from 'vitest';
import { configure, told } from './configure.ts';

test('`$` keys become the meta of a resource, and of all units of an entry', async () => {
  const configuration = await configure(
    `
sites:
  web:
    $protect: true
    $ignore: [note, build.command]
    $was: old
    $exclusive: [env, hosts]
    $dependsOn: [zones/e.com, 'sites.api', 'zones["e.com"]']
    $replace: allow
    $id: 0012
    $secretTo: { file: ..secrets/new.txt }
    env: { A: { value: x, $protect: true, $was: B } }
    wall: { entries: [{ host: a, ip: b, $was: old/b }] }
  api: { $secretTo: { command: [tool, --in] }, $protect: false }
zones: { E.com: { $existing: true, $wait: { minutes: 10 }, $was: } }
`.replace(', $was: }', ' }'),
  );
  expect(told(configuration)).toEqual([]);
  const meta = (address: string) => configuration.desired.resources.get(address)!.meta;
  expect(meta('sites/web')).toEqual({
    protect: true,
    ignore: ['note', 'build.command'],
    was: 'sites/old',
    exclusive: ['env', 'hosts'],
    dependsOn: ['zones/e.com', 'sites/api', 'zones/e.com'],
    replace: 'allow',
    id: '0012',
    secretTo: { file: '..secrets/new.txt' },
  });
  expect(meta('sites/api')).toEqual({ secretTo: { command: ['tool', '--in'] } });
  expect(meta('zones/e.com')).toEqual({ existing: true, wait: 10 });
  expect(meta('sites/web/env/A@live')).toEqual({ protect: true, was: 'sites/web/env/B@live' });
  expect(meta('sites/web/env/A@test')).toEqual({ protect: true, was: 'sites/web/env/B@test' });
  expect(meta('sites/web/wall/entries/a/b')).toEqual({ was: 'sites/web/wall/entries/old/b' });
});

test('required fields may be missing where nothing is managed', async () => {
  expect(
    told(await configure('sites: { web: { wall: { rules: [{ name: a, $existing: true }] } } }')),
  ).toEqual([]);
});

test('but not those that make up the name', async () => {
  expect(
    told(
      await configure(
        'zones: { e.com: { records: [{ $existing: true }, { name: a, type: A, $existing: true }] } }',
      ),
    ),
  ).toEqual(['config/missing 1:29', 'config/missing 1:29']);
});

const cases: [name: string, block: string, expected: string[]][] = [
  ['an unknown key', '{ $protec: true }', ['config/unknown-key 1:17']],
  ['a flag that is a text', '{ $protect: "yes" }', ['config/meta 1:27']],
  ['a flag that is nothing', '{ $existing: }', ['config/meta 1:17']],
  ['another replacement', '{ $replace: always }', ['config/meta 1:27']],
  ['a field to ignore that is none', '{ $ignore: [nte] }', ['config/meta 1:27']],
  ['a part of a list to ignore', '{ $ignore: [tags.a] }', ['config/meta 1:27']],
  ['a member to ignore that is none', '{ $ignore: [build.no] }', ['config/meta 1:27']],
  ['a field of the address to ignore', '{ $ignore: [name] }', ['config/meta 1:27']],
  ['a text for the fields to ignore', '{ $ignore: note }', ['config/meta 1:26']],
  ['a section that is none', '{ $exclusive: [records] }', ['config/meta 1:30']],
  ['a dependency that is not declared', '{ $dependsOn: [sites/wbe] }', ['ref/undeclared 1:30']],
  ['a dependency on a field', '{ $dependsOn: [sites.web.name] }', ['ref/undeclared 1:30']],
  ['the name that it has', '{ $was: web }', ['config/meta 1:23']],
  ['a file outside', '{ $secretTo: { file: ../x } }', ['config/meta 1:28']],
  ['an absolute file', '{ $secretTo: { file: /etc/x } }', ['config/meta 1:28']],
  ['a command that is a text', '{ $secretTo: { command: op } }', ['config/meta 1:28']],
  ['both targets', '{ $secretTo: { file: a, command: [b] } }', ['config/meta 1:28']],
  ['an id that is a map', '{ $id: {} }', ['config/meta 1:22']],
  ['fields of what exists', '{ $existing: true, note: x }', ['config/existing-fields 1:34']],
  ['what exists and is replaced', '{ $existing: true, $replace: allow }', ['config/meta 1:34']],
  ['a secret', '{ $id: "${secret.a}" }', ['config/meta 1:22']],
];
test.each(cases)('%s', async (_, block, expected) => {
  expect(told(await configure(`sites: { web: ${block} }\nsecrets: { a: { env: A } }`))).toEqual(expected);
});

test.each([
  ['minutes alone', '10', ['config/meta 1:26']],
  ['no minutes', '{}', ['config/meta 1:26']],
  ['no whole minutes', '{ minutes: 1.5 }', ['config/meta 1:26']],
  ['minutes as text', '{ minutes: "10" }', ['config/meta 1:26']],
  ['too few', '{ minutes: 0 }', ['config/meta 1:26']],
  ['too many', '{ minutes: 61 }', ['config/meta 1:26']],
  ['hours', '{ hours: 1 }', ['config/meta 1:26']],
  ['both', '{ minutes: 1, hours: 1 }', ['config/meta 1:26']],
  ['the longest', '{ minutes: 60 }', []],
  ['a variable', '{ minutes: "${var.patience}" }', []],
])('a wait: %s', async (_, wait, expected) => {
  const yaml = `zones: { e.com: { $wait: ${wait} } }\nvariables: { patience: { default: 5 } }`;
  expect(told(await configure(yaml))).toEqual(expected);
});

test('a wait for what is ready at once', async () => {
  const { diagnostics } = await configure('sites: { web: { $wait: { minutes: 10 } } }');
  expect(diagnostics).toMatchObject([
    {
      code: 'config/meta',
      message: '`$wait` is for kinds that take time to become ready; a site is ready at once',
      hint: 'remove it',
    },
  ]);
});

test('an old name that is declared as well', async () => {
  const { diagnostics } = await configure('sites:\n  web: { $was: old }\n  old: {}\n');
  expect(told({ diagnostics })).toEqual(['was/both-declared 2:3']);
  expect(diagnostics[0]!.related![0]!.at).toMatchObject({ line: 3 });
});
