import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { load } from '../../src/config/load.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';

const kinds = kindsOf(hosting.kinds);
const header = `stack: s
platform: { team: acme }
variables: { map: { default: { a: one } }, list: { default: [a, b] } }
secrets: { group: { env: "DB_\${key | upper}" }, single: {} }
`;
const problemsOf = async (yaml: string) =>
  (await load({ kinds, cwd: resolve('test/config'), env: {}, text: header + yaml })).diagnostics;

/** The code of a mistake, a configuration with it, the syntax that the hint recommends, and the configuration that follows the hint. */
type Case = [code: string, wrong: string, syntax: string, right: string];
const cases: Case[] = [
  // An optional expression, wherever something can be left out.
  ...[
    'projects: { web: { framework: "X" } }',
    'projects: { web: { env: "X" } }',
    'projects: { web: { env: { A: { value: b, comment: "X" } } } }',
    'projects: { web: { env: { A: { value: b, target: [production, "X"] } } } }',
    'projects: { web: {}, "X": {} }',
    'projects: { web: { env: { "X": a } } }',
    'projects: { web: "X" }',
    'projects: "X"',
    'projects: { web: { $ignore: ["X"] } }',
    'templates: { t: { $inputs: { i: { default: a } }, env: { A: "${input.i}" } } }\nprojects: { web: { $use: { t: { i: "X" } } } }',
  ].map(
    (yaml): Case => [
      'expression/absent',
      yaml.replace('X', '${var.map.b}'),
      '`${var.map.b?}`',
      yaml.replace('X', '${var.map.b?}'),
    ],
  ),
  [
    'expression/syntax',
    'projects: { web: { buildCommand: "a ${(" } }',
    '`$${`',
    'projects: { web: { buildCommand: "a $${(" } }',
  ],
  [
    'expression/unknown',
    'projects: { web: { buildCommand: "${HOME}" } }',
    '`$${`',
    'projects: { web: { buildCommand: "$${HOME}" } }',
  ],
  [
    'ref/undeclared',
    'projects: { web: { env: { A: "${projects.api.id}" } } }',
    '`$existing: true`',
    'projects: { api: { $existing: true }, web: { env: { A: "${projects.api.id}" } } }',
  ],
  [
    'secret/family',
    'projects: { web: { env: { A: "${secret.group}" } } }',
    '${secret.group[',
    'projects: { web: { env: { A: "${secret.group[key]}" } } }',
  ],
  [
    'layer/null',
    'templates: { t: { env: { A: a } } }\nprojects: { web: { $use: t, env: { A: } } }',
    '`$drop`',
    'templates: { t: { env: { A: a } } }\nprojects: { web: { $use: t, $drop: [env/A] } }',
  ],
  [
    'layer/null',
    'templates: { t: { env: { A: a } } }\nprojects: { web: { $use: t, env: { A: } } }',
    '`{}`',
    'templates: { t: { env: { A: a } } }\nprojects: { web: { $use: t, env: { A: {} } } }',
  ],
  [
    'layer/unclear',
    'projects: { web: { env: { A: [{ value: a, target: [production] }, { value: b, target: [preview] }] } } }\npatches: [{ $at: projects/web, env: { A: c } }]',
    '`$drop: [env/A]`',
    'projects: { web: { env: { A: [{ value: a, target: [production] }, { value: b, target: [preview] }] } } }\npatches: [{ $at: projects/web, $drop: [env/A], env: { A: c } }]',
  ],
  [
    'drop/value',
    'templates: { t: { env: { LEGAL: a }, framework: vite } }\nprojects: { web: { $use: t, $drop: env/LEGAL } }',
    '$drop: [env/LEGAL, framework]',
    'templates: { t: { env: { LEGAL: a }, framework: vite } }\nprojects: { web: { $use: t, $drop: [env/LEGAL, framework] } }',
  ],
  [
    'each/key',
    'projects: { web: { $each: "${var.list}" } }',
    '`web-${each.key}`',
    'projects: { "web-${each.key}": { $each: "${var.list}" } }',
  ],
  [
    'each/not-here',
    'projects: { web: {} }\npatches: [{ $each: [web], $at: "projects/web" }]',
    '`$at`',
    'projects: { web: {} }\npatches: [{ $at: "projects/w*" }]',
  ],
  [
    'patch/form',
    'projects: { web: {} }\npatches: [{ framework: nextjs }]',
    '- { $at: projects/web, framework: nextjs }',
    'projects: { web: {} }\npatches:\n  - { $at: projects/web, framework: nextjs }',
  ],
  [
    'patch/form',
    'domains: { example.com: { $existing: true } }\npatches: [{ $at: domains/example.com/records, A: x }]',
    '`$at: domains/example.com`, with `records: [...]`',
    'domains: { example.com: { $existing: true } }\npatches: [{ $at: domains/example.com, records: [{ type: A, name: "@", value: 192.0.2.1 }] }]',
  ],
  [
    'when/value',
    'projects: { web: { $when: 3 } }',
    '{ var.x: { not: y } }',
    'projects: { web: { $when: { var.map.a: { not: y } } } }',
  ],
  [
    'when/name',
    'projects: { web: { $when: { var.map: one } } }',
    'var.map: { set: true }',
    'projects: { web: { $when: { var.map: { set: true } } } }',
  ],
  [
    'input/missing',
    'templates: { t: { $inputs: { i: {} }, env: { A: "${input.i}" } } }\nprojects: { web: { $use: t } }',
    '$use: { t: { i: ... } }',
    'templates: { t: { $inputs: { i: {} }, env: { A: "${input.i}" } } }\nprojects: { web: { $use: { t: { i: x } } } }',
  ],
  ['config/null-entry', 'projects: { web: { env: } }', '`env: {}`', 'projects: { web: { env: {} } }'],
  [
    'config/null-entry',
    'projects: { web: { env: { A: } } }',
    '`{}`',
    'projects: { web: { env: { A: {} } } }',
  ],
  [
    'config/type',
    'projects: { framework: nextjs }',
    '`projects: { NAME: { framework: ... } }`',
    'projects: { name: { framework: nextjs } }',
  ],
];

describe('a configuration that follows a hint is valid', () => {
  it.each(cases)('%s: %s', async (code, wrong, syntax, right) => {
    const problems = await problemsOf(wrong);
    expect(
      problems.find((problem) => problem.code === code)?.hint,
      JSON.stringify(problems.map((p) => [p.code, p.message])),
    ).toContain(syntax);
    expect((await problemsOf(right)).map(({ message }) => message)).toEqual([]);
  });
});

it.each([
  ['part of a text', 'projects: { web: { buildCommand: "a ${var.map.b}" } }'],
  ['part of a name', 'projects: { "web-${var.map.b}": {} }'],
  ['the members of `$each`', 'projects: { "web-${each.key}": { $each: "${var.map.b}" } }'],
  ['a condition', 'projects: { web: { $when: "${var.map.b}" } }'],
  ['a path', 'projects: { web: {} }\npatches: [{ $at: "${var.map.b}" }]'],
])('no hint recommends to leave out what cannot be: %s', async (_, yaml) => {
  expect((await problemsOf(yaml)).map(({ code, hint }) => [code, hint])).toEqual([
    ['expression/absent', undefined],
  ]);
});
