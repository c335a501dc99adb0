import { expect, test } from 'vitest';
import { configure, told } from './configure.ts';

const cases: [name: string, yaml: string, expected: string[]][] = [
  ['an unknown field', 'sites: { web: { prot: 1 } }', ['config/unknown-key 1:17']],
  ['an unknown section', 'sites: { web: { hots: {} } }', ['config/unknown-key 1:17']],
  [
    'an unknown member of an object',
    'sites: { web: { build: { command: a, cahce: true } } }',
    ['config/unknown-key 1:38'],
  ],
  ['a missing member of an object', 'sites: { web: { build: {} } }', ['config/missing 1:17']],
  [
    'a missing member of an object in a list',
    'sites: { web: { build: { command: a, steps: [{ run: a }, { shell: sh }] } } }',
    ['config/missing 1:58'],
  ],
  ['a missing field', 'sites: { web: { env: { A: { type: plain } } } }', ['config/missing 1:24']],
  [
    'a missing field of a list item',
    'zones:\n  e.com:\n    records:\n      - { name: a, type: A }',
    ['config/missing 4:9'],
  ],
  [
    'a misspelled field of a list item, which is not missing as well',
    'zones:\n  e.com:\n    records:\n      - { name: a, type: A, vlaue: x }',
    ['config/unknown-key 4:29'],
  ],
  [
    'a misspelled member of an object, which is not missing as well',
    'sites: { web: { build: { comand: a } } }',
    ['config/unknown-key 1:26'],
  ],
  [
    'a misspelled member beside another one that is missing',
    'sites: { web: { build: { steps: [{ rn: a }], cahce: true } } }',
    ['config/missing 1:17', 'config/unknown-key 1:36', 'config/unknown-key 1:46'],
  ],
  [
    'a misspelled member of an object with a value that is known later',
    'secrets: { s: { env: S } }\nsites: { web: { build: { comand: "${secret.s}" } }, b: { build: { command: a, cahce: "${sites.web.id}" } } }',
    ['config/unknown-key 2:26', 'config/unknown-key 2:79'],
  ],
  [
    'a key that every object of JavaScript has',
    'sites: { web: { constructor: 1 } }',
    ['config/unknown-key 1:17'],
  ],
  [
    'a misspelled field that a kind checks',
    'sites: { web: { prot: 1, active: true } }',
    ['config/unknown-key 1:17'],
  ],
  ['a text for a number', 'sites: { web: { port: "80" } }', ['config/type 1:23']],
  ['a fraction for a whole number', 'sites: { web: { port: 1.5 } }', ['config/type 1:23']],
  ['a number that is too small', 'sites: { web: { port: 0 } }', ['config/value 1:23']],
  ['a word for a boolean', 'sites: { web: { active: yes } }', ['config/type 1:25']],
  ['a list for a text', 'sites: { web: { note: [a] } }', ['config/type 1:23']],
  ['a text for a list', 'sites: { web: { tags: a } }', ['config/type 1:23']],
  ['a value that is not allowed', 'sites: { web: { region: sfo } }', ['config/value 1:25']],
  ['a value that no option of a union takes', 'sites: { web: { size: huge } }', ['config/value 1:23']],
  ['an item that no option of a union takes', 'sites: { web: { logs: [a, [b]] } }', ['config/type 1:27']],
  ['a wrong format', 'sites: { web: { email: nobody } }', ['config/value 1:24']],
  ['a value that is not known yet', 'sites: { web: { framework: nextsj } }', ['config/unknown-value 1:28']],
  [
    'nothing for a text',
    'sites:\n  web:\n    version:\n    email: ~\n    tags: [null]',
    ['config/null 3:5', 'config/null 4:12', 'config/null 5:12'],
  ],
  ['nothing for a number', 'sites: { web: { port: null } }', ['config/null 1:23']],
  ['what a kind checks', 'sites: { web: { port: 1, active: true } }', ['config/check 1:23']],
  ['a name that is too long', `sites: { ${'a'.repeat(41)}: {} }`, ['config/value 1:10']],
  ['a section without value', 'sites:\n', ['config/null-entry 1:1']],
  [
    'a section of children without value',
    'sites:\n  web:\n    env:\n    wall:\n',
    ['config/null-entry 3:5', 'config/null-entry 4:5'],
  ],
  ['a list for a map', 'sites: [a]', ['config/type 1:8']],
  ['a map for a list', 'zones: { e.com: { records: { a: 1 } } }', ['config/type 1:28']],
  ['a text for a block', 'sites: { web: text }', ['config/type 1:15']],
  ['a list for a block', 'sites: { web: { hosts: { a.com: [1] } } }', ['config/type 1:33']],
  ['a key that is given twice', 'sites: { web: { name: other } }', ['config/key-twice 1:17']],
  ['one identity twice in a map', 'zones: { Example.com: {}, example.com: {} }', ['config/duplicate 1:27']],
  [
    'one identity twice in a list',
    'sites: { web: { wall: { entries: [{ host: A, ip: x }, { host: a, ip: x }] } } }',
    ['config/duplicate 1:55'],
  ],
  [
    'one unit twice',
    'sites: { web: { env: { A: [{ value: x }, { value: y, target: [test] }] } } }',
    ['config/duplicate 1:42'],
  ],
  [
    'one member of a set twice',
    'zones: { e.com: { records: [{ name: a, type: A, value: x }, { name: A, type: A, value: x }] } }',
    ['config/duplicate 1:61'],
  ],
  [
    'one name twice in an ordered list',
    'sites: { web: { wall: { rules: [{ name: a, match: x, action: { type: y } }, { name: a, match: z, action: { type: y } }] } } }',
    ['config/duplicate 1:77'],
  ],
];
test.each(cases)('%s', async (_, yaml, expected) => {
  expect(told(await configure(yaml))).toEqual(expected);
});

test('every duplicate names the first place', async () => {
  const { diagnostics } = await configure('zones:\n  Example.com: {}\n  example.com: {}\n');
  expect(diagnostics[0]!.related![0]!.at).toMatchObject({ line: 2, column: 3 });
});

test('hints: what was meant, or what there is', async () => {
  const hint = async (yaml: string) => (await configure(yaml)).diagnostics[0]!.hint;
  expect(await hint('sites: { web: { framwork: x } }')).toContain('`framework`');
  expect(await hint('sites: { web: { framework: nxtjs } }')).toContain('`nextjs`');
  expect(await hint('sites: { web: { region: x } }')).toContain('`fra`, `iad`');
  expect(await hint('sites: { web: { size: x } }')).toContain('auto');
  expect(await hint('sitse: {}')).toContain('`sites`');
  expect(await hint('sites: { web: { $protekt: true } }')).toContain('`$protect`');
  expect(await hint('sites: { web: { version: null } }')).toContain('quotes');
});

test('all problems of a file are told at once, by place', async () => {
  const yaml =
    'sites:\n  web: { prot: 1, port: x }\n  api: { $foo: 1 }\nzones: { e.com: { ttl: x } }\nnonsense: 1\n';
  // The wrong `ttl` is equal to the wrong `port`, so it is one more place of that problem.
  expect(told(await configure(yaml))).toEqual([
    'config/unknown-key 2:10',
    'config/type 2:25',
    'config/unknown-key 3:10',
    'config/unknown-key 5:1',
  ]);
});

test('a list of names in place of a map is quoted, unless an item may be a secret', async () => {
  const quoted = async (yaml: string) => (await configure(yaml)).diagnostics[0]!.at!.text;
  expect(await quoted('sites: [web, example.com]')).toBe('sites: [web, example.com]');
  expect(await quoted('sites: web')).toBe('sites: web');
  expect(await quoted('sites: [web, sk_live_51H8xKq2abc, "A=canary", canary word]')).toBe(
    'sites: [web, (secret), (secret), (secret)]',
  );
  expect(await quoted('sites: [{ web: { port: 1, password: canary } }]')).toBe(
    'sites: [{ web: { port: 1, password: (secret) } }]',
  );
  expect(await quoted('sites: { web: { env: [canary] } }')).toBe('sites: { web: { env: [(secret)] } }');
});
