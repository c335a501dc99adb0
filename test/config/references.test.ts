import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Sealed } from '../../src/model/sealed.ts';
import { oneRowIn } from '../support/sweep.ts';
import { configure, fieldsOf, told } from './configure.ts';

test('references become holes, or the value where it is declared', async () => {
  const configuration = await configure(
    `
variables: { v: { default: fra } }
secrets: { s: { env: S } }
sites:
  api: { note: "\${sites.web.id}", version: "x-\${sites.web.id}-\${var.v}", port: "\${sites.web.port}", tags: "\${sites.web.tags}", email: "\${sites.web.id}" }
  cdn: { note: "\${sites.api.port}/\${sites['web'].framework}", version: "\${sites.web.hosts[\\"www.e.com\\"].name}", password: "\${sites.web.password}", email: "\${sites.web.email}" }
  far: { note: "\${zones[e.com].id}", version: "\${zones[\\"E.com\\"].ttl}", labels: { a: "\${sites.web.labels.x}", b: "\${sites.web.tags[1]}" }, extra: { deep: ["\${sites.web.id}"] } }
  raw: { note: "$\${sites.web.id}", version: "\${sites.web.env[\\"A@live\\"].type}" }
  new: { password: "p-\${sites.web.password}", version: "\${ zones.e.com.id }" }
  web:
    framework: nextjs
    port: 8080
    tags: [b, a]
    password: hunter2
    labels: { x: y }
    email: "\${secret.s}"
    hosts: { WWW.e.com: {} }
    env: { A: { value: x, type: plain } }
zones: { e.com: {}, e: { } }
`.replace('${ zones.e.com.id }', '${ zones["e.com"].id }'.replaceAll('"', '\\"')),
  );
  const id = { $ref: 'sites/web', attr: 'id' };
  expect(fieldsOf(configuration, 'sites/api')).toEqual({
    name: 'api',
    note: id,
    version: { $join: ['x-', id, '-fra'] },
    port: 8080,
    tags: ['b', 'a'],
    email: id,
  });
  const cdn = fieldsOf(configuration, 'sites/cdn');
  expect(cdn).toMatchObject({ note: '8080/nextjs', version: 'www.e.com', email: { $secret: 's' } });
  expect((cdn.password as Sealed).reveal()).toBe('hunter2');
  expect(fieldsOf(configuration, 'sites/far')).toEqual({
    name: 'far',
    note: { $ref: 'zones/e.com', attr: 'id' },
    version: { $join: [{ $ref: 'zones/e.com', attr: 'ttl' }] },
    labels: { a: 'y', b: 'a' },
    extra: { deep: [id] },
  });
  expect(fieldsOf(configuration, 'sites/raw')).toEqual({
    name: 'raw',
    note: '${sites.web.id}',
    version: 'plain',
  });
  expect(fieldsOf(configuration, 'sites/new').password).toEqual({
    $join: [expect.any(Sealed), expect.any(Sealed)],
  });
  expect([...configuration.usedSecrets]).toEqual(['s']);
});

test('a dot in the name of a member is escaped in the path of a field that takes a reference', async () => {
  const copy = 'sites: { web: { extra: { "a.b": "${sites.api.password}" } }, api: { password: hunter2 } }';
  const { diagnostics, desired } = await configure(copy.replace('password}', 'note}'));
  expect([diagnostics, desired.references]).toMatchObject([[], [{ target: { field: 'extra.a\\.b' } }]]);
  const [leak] = (await configure(copy)).diagnostics;
  expect(leak!.message).toContain('`extra.a\\.b` of sites/web is not a secret field');
});

test('names in `ref` fields become references to siblings; those in `softRef` fields stay', async () => {
  const configuration = await configure(`
sites:
  web:
    stages: { beta: {} }
    hosts: { a.com: { stage: beta, redirect: B.com }, b.com: { redirect: elsewhere.com } }
    env: { A: { value: x, stages: [beta] } }
`);
  const stage = { $ref: 'sites/web/stages/beta', attr: 'id' };
  expect(fieldsOf(configuration, 'sites/web/hosts/a.com')).toEqual({
    name: 'a.com',
    stage,
    redirect: 'b.com',
  });
  expect(fieldsOf(configuration, 'sites/web/env/A@live').stages).toEqual([stage]);
});

const cases: [name: string, yaml: string, expected: string[]][] = [
  ['an unknown resource', 'sites: { web: { note: "a ${sites.wbe.id}" } }', ['ref/undeclared 1:34']],
  [
    'an unknown sibling of a child',
    'sites: { web: { note: "${sites.web.hosts[a.com].id}", hosts: {} } }',
    ['ref/undeclared 1:42'],
  ],
  ['an unknown beginning', 'sites: { web: { note: "${sitse.web.id}" } }', ['expression/unknown 1:26']],
  [
    'an unknown field',
    'sites: { web: {}, api: { note: "${sites.web.frmaework}" } }',
    ['ref/unknown-attribute 1:45'],
  ],
  [
    'a name in a list',
    'sites: { web: { tags: [x] }, api: { note: "${sites.web.tags.frist}" } }',
    ['ref/unknown-attribute 1:61'],
  ],
  [
    'an empty name in a list',
    `sites: { web: { tags: [x] }, api: { note: "\${sites.web.tags['']}" } }`,
    ['ref/unknown-attribute 1:62'],
  ],
  [
    'a name that each object inherits',
    'sites: { web: { labels: { a: x } }, api: { note: "${sites.web.labels.constructor}" } }',
    ['ref/unknown-attribute 1:70'],
  ],
  ['no field', 'sites: { web: {}, api: { note: "${sites.web}" } }', ['ref/no-attribute 1:41']],
  ['no name', 'sites: { web: { note: "${sites}" } }', ['ref/undeclared 1:26']],
  ['no end', 'sites: { web: { note: "x ${sites.web.id" } }', ['expression/syntax 1:26']],
  ['nothing inside', 'sites: { web: { note: "${}" } }', ['expression/syntax 1:24']],
  [
    'a secret that is not declared',
    'sites: { web: { note: "${secret.datbase}" } }\nsecrets: { database: { env: D } }',
    ['config/undeclared 1:33'],
  ],
  ['a variable that is not declared', 'sites: { web: { note: "${var.x}" } }', ['config/undeclared 1:30']],
  [
    'a path below a secret',
    'sites: { web: { note: "${secret.a.b}" } }\nsecrets: { a: { env: D } }',
    ['secret/key 1:35'],
  ],
  [
    'a list inside of a text',
    'sites: { web: { note: "a${var.x}" } }\nvariables: { x: { default: [a] } }',
    ['expression/not-text 1:31'],
  ],
  ['an id for a number', 'sites: { web: { port: "${sites.api.id}" }, api: {} }', ['config/hole 1:23']],
  [
    'a secret for one of several values',
    'sites: { web: { region: "${secret.a}" } }\nsecrets: { a: { env: D } }',
    ['config/hole 1:25'],
  ],
  [
    'the text of a field that must be a number',
    'sites: { web: { port: "${sites.api.note}" }, api: { note: x } }',
    ['config/type 1:23'],
  ],
  [
    'a list of another field inside of a text',
    'sites: { web: { note: "a${sites.api.tags}" }, api: { tags: [x] } }',
    ['expression/not-text 1:23'],
  ],
  ...(['tags', 'build', 'active', 'labels'] as const).flatMap((field): typeof cases => {
    const written = { tags: '[x]', build: '{ command: x }', active: 'true', labels: '{ a: b }' }[field];
    return [
      [
        `\`${field}\` of a declared resource inside of a text`,
        `sites: { web: { note: "a\${sites.api.${field}}" }, api: { ${field}: ${written} } }`,
        ['expression/not-text 1:23'],
      ],
      [
        `\`${field}\` of an existing resource inside of a text`,
        `sites: { web: { note: "a\${sites.api.${field}}" }, api: { $existing: true } }`,
        ['expression/not-text 1:23'],
      ],
    ];
  }),
  [
    'a list of an existing resource for a text',
    'sites: { web: { note: "${sites.api.tags}" }, api: { $existing: true } }',
    ['config/type 1:23'],
  ],
  [
    'a map of an existing resource for a text',
    'sites: { web: { version: "${sites.api.labels}" }, api: { $existing: true } }',
    ['config/type 1:26'],
  ],
  [
    'a secret of an existing resource for a field that is not secret',
    'sites: { web: { note: "x ${sites.api.password}" }, api: { $existing: true } }',
    ['ref/secret 1:23'],
  ],
  [
    'a secret member of an existing resource',
    'sites: { web: { extra: { a: "${sites.api.build}" } }, api: { $existing: true } }',
    ['ref/secret 1:29'],
  ],
  [
    'a name that is not declared',
    'sites: { web: { hosts: { a.com: { stage: bta } }, stages: { beta: {} } } }',
    ['ref/undeclared 1:42'],
  ],
  ['a reference in a key', 'sites: { "${sites.web.id}": {} }', ['ref/in-name 1:10']],
  ['a secret in a key', 'sites: { "a${secret.a}": {} }\nsecrets: { a: { env: D } }', ['secret/in-name 1:10']],
  [
    'a secret in a name',
    'sites: { web: { wall: { entries: [{ host: "${secret.a}", ip: x }] } } }\nsecrets: { a: { env: D } }',
    ['secret/in-name 1:43'],
  ],
  [
    'a secret in what a name is made of',
    'sites: { web: { env: { A: { value: x, target: ["${secret.a}"] } } } }\nsecrets: { a: { env: D } }',
    ['secret/in-name 1:47'],
  ],
  [
    'a reference in a name',
    'sites: { web: { wall: { entries: [{ host: "${sites.web.note}", ip: x }] }, note: a } }',
    ['ref/in-name 1:43'],
  ],
  [
    'two fields that need each other',
    'sites:\n  a: { note: "${sites.b.note}" }\n  b: { note: "${sites.a.note}" }',
    ['config/cycle 3:17'],
  ],
  [
    'two resources that need each other',
    'sites:\n  a: { note: "${sites.b.id}" }\n  b: { note: "${sites.a.id}" }',
    ['config/cycle 2:15'],
  ],
  ['a resource that needs itself', 'sites: { a: { note: "${sites.a.id}" } }', ['config/cycle 1:22']],
  [
    'mentions in a circle',
    'sites: { w: { hosts: { a: { redirect: b }, b: { redirect: a } } } }',
    ['config/cycle 1:39'],
  ],
  [
    'dependencies in a circle',
    'sites:\n  a: { $dependsOn: [sites/b] }\n  b: { $dependsOn: [sites/a] }',
    ['config/cycle 2:21'],
  ],
  [
    'a parent that needs its child',
    'sites: { a: { note: "${sites.a.wall.id}", wall: {} } }',
    ['config/cycle 1:22'],
  ],
  [
    'two circles',
    'sites: { a: { note: "${sites.a.id}" }, b: { note: "${sites.b.id}" } }',
    ['config/cycle 1:22', 'config/cycle 1:52'],
  ],
];
test.each(cases)('%s', async (_, yaml, expected) => {
  expect(told(await configure(yaml))).toEqual(expected);
});

test('a cycle is told with its path and every place', async () => {
  const { diagnostics } = await configure(
    'sites:\n  a: { note: "${sites.b.id}" }\n  b: { note: "${sites.c.id}" }\n  c: { note: "${sites.a.id}" }\n',
  );
  expect(diagnostics).toHaveLength(1);
  expect(diagnostics[0]!.message).toContain('sites/a → sites/b → sites/c → sites/a');
  expect([diagnostics[0]!.at, ...diagnostics[0]!.related!.map(({ at }) => at)].map((at) => at!.line)).toEqual(
    [2, 3, 4],
  );
});

test('the column is exact behind escapes and line breaks', async () => {
  const yaml =
    'sites:\n  web:\n    note: "\\t\\u00e9 $${x}\n      more ${sites.wbe.id}"\n  api:\n    note: |\n      first\n      second ${sites.ebw.id}\n';
  expect(told(await configure(yaml))).toEqual(['ref/undeclared 4:20', 'ref/undeclared 8:22']);
});

test('a name that is not declared is told once, at its first place, with the others', async () => {
  const yaml =
    'sites:\n  api: { note: "a ${sites.web.id}" }\n  app:\n    stages: { x: { base: dev } }\n    $dependsOn: [sites/web]\n  doc: { note: "${sites.web.id}" }\n';
  const { diagnostics } = await configure(yaml);
  const [found, ...more] = diagnostics.filter(({ message }) => message.includes('sites/web'));
  expect(more).toEqual([]);
  expect(found).toMatchObject({
    message: 'sites/web is not declared (mentioned in 3 places)',
    at: { line: 2 },
    related: [{ at: { line: 5 } }, { at: { line: 6 } }],
  });
  const variables = await configure('sites: { a: { note: "${var.x}" }, b: { note: "${var.x}${var.y}" } }');
  expect(told(variables)).toEqual(['config/undeclared 1:28', 'config/undeclared 1:61']);
});

test('what leads into a resource that is wrong itself is not told', async () => {
  const yaml =
    'sites: { web: { port: x, stages: { B4: {} } }, api: { note: "${sites.web.id}", version: "${sites.web.note}" }, cdn: { port: "${sites.web.port}" } }';
  expect(told(await configure(yaml))).toEqual(['config/type 1:23', 'config/value 1:36']);
});

test('nothing is missing from a section that is wrong itself, or has a wrong name in it', async () => {
  const stages = (text: string) =>
    `sites: { web: { stages: ${text}, hosts: { a.com: { stage: beta } }, note: "\${sites.web.stages.beta.id}" } }`;
  expect(told(await configure(stages('[beta]')))).toEqual(['config/type 1:25']);
  expect(told(await configure(stages('{ "${var.x}": {} }')))).toEqual(['config/undeclared 1:34']);
});

test('references to references are filled in whatever the order of the blocks, and cycles are errors', async () => {
  const part = fc.oneof(fc.constantFrom('a', 'b'), fc.nat(5));
  const notes = fc.array(fc.array(part, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(notes, fc.infiniteStream(fc.nat()), async (notes, order) => {
      const texts = notes.map((parts) =>
        parts
          .map((part) => (typeof part === 'string' ? part : `\${sites.s${part % notes.length}.note}`))
          .join(''),
      );
      const sites = texts.map((text, i) => ({
        line: `  s${i}: { note: "${text}" }`,
        rank: order.next().value!,
      }));
      const lines = sites.toSorted((a, b) => a.rank - b.rank).map(({ line }) => line);
      const { diagnostics, desired } = await configure(`sites:\n${lines.join('\n')}\n`);
      const noteOf = (i: number, around: number[]): string => {
        if (around.includes(i)) throw new RangeError('cycle');
        const parts = notes[i]!.map((part) =>
          typeof part === 'string' ? part : noteOf(part % notes.length, [...around, i]),
        );
        return parts.join('');
      };
      const expected = () => notes.map((_, i) => noteOf(i, []));
      if (diagnostics.length === 0)
        expect(notes.map((_, i) => desired.resources.get(`sites/s${i}`)!.fields.note)).toEqual(expected());
      else {
        expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(['config/cycle']));
        expect(expected).toThrow(RangeError);
      }
    }),
    { numRuns: 40 },
  );
});

const copies = 400;
oneRowIn(5)<[name: string, first: string, next: (value: string) => string, codes: string[]]>([
  ['a text', 'note: abc', (site) => `note: "\${${site}.note}"`, []],
  ['a text that grows', 'note: abc', (site) => `note: "\${${site}.note}x"`, []],
  ['a list', 'tags: [a, b]', (site) => `tags: "\${${site}.tags}"`, []],
  ['a live value', '$existing: true', (site) => `note: "\${${site}.note}"`, []],
  ['a text around a live value', '$existing: true', (site) => `note: "\${${site}.note} x"`, []],
  [
    'a value in a value',
    'extra: { a: b }',
    (site) => `extra: { a: ["\${${site}.extra.a}"] }`,
    ['yaml/depth'],
  ],
  ['a value that does not fit', 'note: abc', (site) => `port: "\${${site}.note}", note: a`, ['config/type']],
])('a chain of references to %s is followed to its end', async (_, first, next, codes) => {
  const lines = Array.from({ length: copies }, (_, i) => `  p${i}: { ${next(`sites.p${i + 1}`)} }`);
  const { diagnostics } = await configure(`sites:\n${lines.join('\n')}\n  p${copies}: { ${first} }\n`);
  expect([...new Set(diagnostics.map(({ code }) => code))]).toEqual(codes);
});

test('a mistake in a name in brackets is reported at its own expression', async () => {
  const first = "sites: { web: { note: \"a${sites['${var.x}']['b-${var.y}'].id}\" } }\n";
  const second = first.replace('${var.x}', () => 'a$${');
  expect(told(await configure(first))).toEqual([`config/undeclared 1:${first.indexOf('x}') + 1}`]);
  expect(told(await configure(second))).toEqual([`config/undeclared 1:${second.indexOf('y}') + 1}`]);
});
