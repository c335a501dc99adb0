import { expect, test } from 'vitest';
import { load } from '../../src/config/load.ts';
import { allAllowed } from '../support/all-allowed.ts';
import { oneRowIn } from '../support/sweep.ts';
import { configure, fieldsOf, folderWith, told } from './configure.ts';
import { kinds } from './kinds.ts';

const cases: [name: string, yaml: string, expected: string[]][] = [
  ['no stack', 'sites: {}', ['config/stack 1:1']],
  ['a misspelled stack, which is not missing as well', 'stak: x', ['config/unknown-key 1:1']],
  ['a stack with a space', 'stack: a b', ['config/stack 1:8']],
  ['a stack that is a list', 'stack: [a]', ['config/stack 1:8']],
  ['a stack that is too long', `stack: ${'a'.repeat(64)}`, ['config/stack 1:8']],
  ['a platform with both', 'stack: x\nplatform: { team: a, personal: true }', ['config/value 2:22']],
  ['a platform with neither', 'stack: x\nplatform: {}', ['config/value 2:11']],
  ['a personal account that is none', 'stack: x\nplatform: { personal: false }', ['config/value 2:23']],
  ['a token in the platform', 'stack: x\nplatform: { team: a, token: abc }', ['config/connection 2:22']],
  ['a base URL', 'stack: x\nbaseUrl: http://evil', ['config/connection 2:1']],
  ['a base URL in the platform', 'stack: x\nplatform: { team: a, base_url: x }', ['config/connection 2:22']],
  ['an unknown key of the platform', 'stack: x\nplatform: { taem: a }', ['config/unknown-key 2:13']],
  ['an unknown section', 'stack: x\nsitse: {}', ['config/unknown-key 2:1']],
  ['variables that are a list', 'stack: x\nvariables: [a]', ['config/type 2:12']],
  ['a variable that is a scalar', 'stack: x\nvariables: { a: 1 }', ['var/declaration 2:17']],
  [
    'an unknown key of a variable',
    'stack: x\nvariables: { a: { defualt: 1, default: 2 } }',
    ['config/unknown-key 2:19'],
  ],
  [
    'all unknown keys of a variable and of a secret',
    'stack: x\nvariables: { a: { typ: 1, defualt: 2 } }\nsecrets: { b: { fiel: 3, evn: 4 } }',
    [
      'config/unknown-key 2:19',
      'config/unknown-key 2:27',
      'config/unknown-key 3:17',
      'config/unknown-key 3:26',
    ],
  ],
  [
    'a variable without value',
    'stack: x-${var.a}-${var.b}-${var.a}\nvariables:\n  a: {}\n  b: { env: NOT_SET }\n  unused: {}',
    ['var/missing 1:16', 'source/env 4:13'],
  ],
  [
    'a variable in a variable',
    'stack: x\nvariables: { a: { default: "${var.b}" } }',
    ['config/undeclared 2:35'],
  ],
  ['a variable from TRUEUP_*', 'stack: x\nvariables: { a: { env: TRUEUP_TOKEN } }', ['env/refused 2:24']],
  [
    'a variable that is not declared',
    'stack: x-${var.stgae}\nvariables: { stage: { default: a } }',
    ['config/undeclared 1:16'],
  ],
  ['a secret in the stack', 'stack: "${secret.a}"\nsecrets: { a: { env: A } }', ['secret/not-here 1:9']],
  [
    'a secret from a variable of trueup',
    'stack: x\nsecrets: { a: { env: TRUEUP_LEDGER_KEY }, b: { env: TRUEUP_VAR_x } }',
    ['env/refused 2:22', 'env/refused 2:53'],
  ],
  [
    'a variable from a secret, or from what one is read from',
    'stack: x\nsecrets: { a: { env: A }, b: { env: "${var.n}" } }\nvariables: { n: { default: B }, v: { env: a }, w: { env: B }, x: { env: TRUEUP_SECRET_a } }',
    ['env/refused 3:73', 'env/secret 3:43', 'env/secret 3:58', 'source/env 3:58'],
  ],
  [
    'names that come to one variable of the environment',
    'stack: x\nsecrets: { a-b: {}, a.b: {}, "a b": { file: x } }\nvariables: { c-d: {}, c_d: {} }',
    ['env/ambiguous 2:21', 'env/ambiguous 3:23'],
  ],
  [
    'a secret without source',
    'stack: x\nsecrets: { a: {}, b: text, c: { env: A, file: b } }',
    ['secret/source 2:19', 'secret/source 2:28'],
  ],
  ['a secret with an unknown source', 'stack: x\nsecrets: { a: { enf: A } }', ['config/unknown-key 2:17']],
  ['a command that is a text', 'stack: x\nsecrets: { a: { command: op read } }', ['secret/command 2:26']],
  ['unknown variable as `platform`', 'stack: x\nplatform: "${var.no}"', ['config/undeclared 2:18']],
  ['unknown variable as `$allow`', 'stack: x\n$allow: "${var.no}"', ['config/undeclared 2:16']],
  ['unknown variable in `$allow`', 'stack: x\n$allow: [costs, "${var.no}"]', ['config/undeclared 2:24']],
  ['unknown variable as `owns`', 'stack: x\nowns: "${var.no}"\nsites: { a: {} }', ['config/undeclared 2:14']],
  [
    'unknown variable in `owns`',
    'stack: x\nowns: ["sites/*", "sites/${var.no}"]',
    ['config/undeclared 2:32'],
  ],
  ['unknown variable in `env`', 'stack: x\nsecrets: { a: { env: "${var.no}" } }', ['config/undeclared 2:29']],
  [
    'unknown variable in `command`',
    'stack: x\nsecrets: { a: { command: [op, "${var.no}"] } }',
    ['config/undeclared 2:38'],
  ],
  [
    'unknown variable in `sops` and `file`',
    'stack: x\nsecrets: { a: { sops: "${var.no}" }, b: { file: "${var.no}" } }',
    ['config/undeclared 2:30'],
  ],
  [
    'unknown variable in `$ignore`',
    'stack: x\nsites: { a: { $ignore: ["${var.no}"] } }',
    ['config/undeclared 2:32'],
  ],
  [
    'unknown variable in `$dependsOn`',
    'stack: x\nsites: { a: { $dependsOn: [sites/b, "${var.no}"] }, b: {} }',
    ['config/undeclared 2:44'],
  ],
  [
    'unknown variable in `$secretTo`',
    'stack: x\nsites: { a: { $secretTo: { file: "${var.no}" } } }',
    ['config/undeclared 2:41'],
  ],
  ['an invalid `owns` limits nothing', 'stack: x\nowns: ["sites/[b"]\nsites: { a: {} }', ['glob/syntax 2:8']],
  ['a map as `owns` limits nothing', 'stack: x\nowns: { a: b }\nsites: { a: {} }', ['config/type 2:7']],
];
test.each(cases)('%s', async (_, yaml, expected) => {
  const { diagnostics, notAllowed } = await configure(yaml, { header: '' });
  expect(told({ diagnostics: [...diagnostics, ...notAllowed] }).sort()).toEqual([...expected].sort());
});

oneRowIn(5)([
  ['owns: [sites/a, { b: c }]', '2:17', '`owns` must be a list of addresses, but this item is a map'],
  ['$allow: [~]', '2:10', '`$allow` must be a list, but this item is nothing'],
  ['owns: { a: b }', '2:7', '`owns` must be a list of addresses, not a map'],
  [
    'sites: { a: { $ignore: [port, [b]] } }',
    '2:31',
    '`$ignore` must be a list of names, but this item is a list',
  ],
  [
    'sites: { a: { $dependsOn: [""] } }',
    '2:28',
    '`$dependsOn` must be a list of addresses, but this item is an empty text',
  ],
  ['sites: { a: { $was: "" } }', '2:21', '`$was` must be the old name, not an empty text'],
  ['secrets: { a: { json: [b, c] } }', '2:12', '`json` must be one name'],
  ['secrets: { a: { dotenv: "" } }', '2:12', '`dotenv` must be text'],
])('what is wrong in %s is named', async (line, place, message) => {
  const { diagnostics } = await configure(`stack: x\n${line}`);
  expect(diagnostics.map(({ at, message }) => [`${at?.line}:${at?.column}`, message])).toEqual([
    [place, message],
  ]);
});

test('a wrong name of a stack gets a hint that shows one with a stage', async () => {
  const { diagnostics } = await configure('stack: shop@');
  expect(diagnostics).toMatchObject([
    { code: 'config/stack', hint: expect.stringContaining('`shop@staging`') },
  ]);
});

test('no environment variable of the tool can be read', async () => {
  const names = [
    'TRUEUP_X',
    'trueup_token',
    'TRUEUP_LEDGER_KEY',
    'Trueup_Secret_a',
    'TRUEUP_SECRET_',
    'TRUEUP_VAR_a',
  ];
  const yaml = `stack: x\nsecrets:\n${names.map((name, i) => `  s${i}: { env: ${name} }`).join('\n')}\n`;
  expect(told(await configure(yaml)).map((line) => line.split(' ')[0])).toEqual(
    names.map(() => 'env/refused'),
  );
  expect(
    told(await configure('variables: { n: { default: TRUEUP_TOKEN } }\nsecrets: { a: { env: "${var.n}" } }')),
  ).toEqual(['env/refused 2:22']);
});

test('values of variables: --var, then --var-file, TRUEUP_VAR_, env, default', async () => {
  const cwd = await folderWith({
    'trueup.yaml': 'stack: x\nvariables: { v: { default: e, env: V } }\nsites: { web: { note: "${var.v}" } }',
    'one.yaml': 'v: b0',
    'two.yaml': 'v: b',
  });
  const env = { V: 'd', TRUEUP_VAR_v: 'c' };
  const note = async (options: object) =>
    fieldsOf(await load({ kinds, cwd, env: {}, sources: allAllowed({}, cwd), ...options }), 'sites/web').note;
  expect(await note({ vars: { v: 'a' }, varFiles: ['one.yaml'], env })).toBe('a');
  expect(await note({ varFiles: ['one.yaml', 'two.yaml'], env })).toBe('b');
  expect(await note({ env })).toBe('c');
  expect(await note({ env: { V: 'd' } })).toBe('d');
  expect(await note({})).toBe('e');
});

test('a string that is a variable has its type; embedded ones are text; keys may hold them', async () => {
  const yaml = `variables: { a: {}, b: {}, c: { default: 8080 }, d: { default: [x, y] }, e: { default: "no" } }
sites: { "web-\${var.e}": { active: "\${var.a}", port: "\${var.b}", note: "\${var.b}", tags: "\${var.d}", version: "v\${var.c}-$\${x}", extra: "\${var.c}" } }`;
  const fields = fieldsOf(await configure(yaml, { vars: { a: 'true', b: '8080' } }), 'sites/web-no');
  expect(fields).toEqual({
    name: 'web-no',
    active: true,
    port: 8080,
    note: '8080',
    tags: ['x', 'y'],
    version: 'v8080-${x}',
    extra: 8080,
  });
});

test('--var and --var-file give only what is declared', async () => {
  const cwd = await folderWith({
    'trueup.yaml': 'stack: x\nvariables: { stage: { default: a } }',
    'vars.yaml': 'stgae: b\n',
    'list.yaml': '[a]',
  });
  expect(told(await load({ kinds, cwd, env: {}, vars: { stag: 'x' }, varFiles: ['vars.yaml'] }))).toEqual([
    'config/undeclared',
    'config/undeclared vars.yaml:1:1',
  ]);
  const misread = await load({ kinds, cwd, env: {}, varFiles: ['list.yaml', 'none.yaml'] });
  expect(told(misread)).toEqual(['file/missing', 'config/type list.yaml:1:1']);
  expect(misread.diagnostics[1]!.hint).toBe('region: fra1');
});

test.each([
  ['port', 'write `$ignore: [port]`'],
  ['secret-text', undefined],
  ['[[port]]', undefined],
])('`$ignore: %s` gets a hint only if a list is all that it lacks', async (value, hint) => {
  const { diagnostics } = await configure(`sites: { a: { $ignore: ${value} } }`);
  expect(diagnostics.map((diagnostic) => [diagnostic.code, diagnostic.hint])).toEqual([
    ['config/meta', hint],
  ]);
});
