import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { initRepository } from '../support/init-repository.ts';
import { oneRowIn } from '../support/sweep.ts';

const header = (stack: string) => `stack: ${stack}\nplatform: { team: acme }\n`;

/** The firewall rules with these names, in lines. */
const rules = (...names: string[]) =>
  `projects:\n  web:\n    firewall:\n      rules:\n${names.map((name) => `        - { name: ${name}, ${ruleOf(name)} }\n`).join('')}`;

const ruleOf = (name: string) =>
  `active: true, conditionGroup: [{ conditions: [{ type: path, op: pre, value: /${name} }] }], action: { mitigate: { action: deny } }`;

/** Promotes from the stack a to the stack b, each with its YAML, and returns the lines that change. */
async function promote(a: string, b: string, ...globs: string[]) {
  const texts = { 'a/trueup.yaml': header('a') + a, 'b/trueup.yaml': header('b') + b };
  const shell = await new Shell().write({ 'trueup.workspace.yaml': 'stacks: [a, b]\n', ...texts });
  const ran = await shell.run(['diff', 'a', 'b', '--promote', ...globs, '--auto-approve']);
  expect(readFileSync(join(shell.folder, 'a/trueup.yaml'), 'utf8')).toBe(texts['a/trueup.yaml']);
  const text = readFileSync(join(shell.folder, 'b/trueup.yaml'), 'utf8');
  const again = await shell.run(['diff', 'a', 'b', '--json']);
  const open = JSON.parse(again.stdout).objects.filter(({ state }: { state: string }) => state !== 'equal');
  return { ...ran, body: text.slice(header('b').length), isWritten: text !== texts['b/trueup.yaml'], open };
}

oneRowIn(5)<[string, string, string, string[], string]>([
  [
    'a value in its place, with its comment',
    'projects: { web: { framework: nextjs, nodeVersion: 22.x } }\n',
    'projects:\n  web:\n    framework: vite # for now\n    nodeVersion: 20.x\n',
    ['projects/web'],
    'projects:\n  web:\n    framework: nextjs # for now\n    nodeVersion: 22.x\n',
  ],
  [
    'a field that only A declares, and one that only B declares',
    'projects: { web: { framework: nextjs, env: { A: x } } }\n',
    'projects:\n  web:\n    nodeVersion: 20.x\n    env:\n      A: x\n',
    ['projects/web'],
    'projects:\n  web:\n    framework: nextjs\n    env:\n      A: x\n',
  ],
  [
    'objects that only A has, with their contents',
    'secrets: { db: {} }\nprojects:\n  web: { env: { DB: "${secret.db}", B: { value: b, target: [preview] } }, domains: { www.a.example: { redirect: null } } }\n  api: {}\n',
    'secrets: { db: {} }\nprojects:\n  api: {}\n',
    ['projects/web', 'projects/web/**'],
    'secrets: { db: {} }\nprojects:\n  api: {}\n  web:\n    domains:\n      www.a.example: { redirect: null }\n    env:\n      B: { value: b, target: [preview] }\n      DB: ${secret.db}\n',
  ],
  [
    'one target of a variable, by a split',
    'projects: { web: { env: { A: [{ value: x, target: [production] }, { value: y, target: [preview] }] } } }\n',
    'projects:\n  web:\n    env:\n      A: { value: y, target: [production, preview] }\n',
    ['projects/web/env/A@production'],
    'projects:\n  web:\n    env:\n      A:\n        - { value: x, target: [production] }\n        - { value: y, target: [preview] }\n',
  ],
  [
    'a target that only A has',
    'projects: { web: { env: { A: { value: x, target: [production, preview] } } } }\n',
    'projects:\n  web:\n    env:\n      A: { value: x, target: [production] }\n',
    ['projects/web/env/A'],
    'projects:\n  web:\n    env:\n      A: { value: x, target: [production, preview] }\n',
  ],
  [
    'the records of one name',
    'domains: { a.example: { $existing: true, records: [{ type: A, name: www, value: 192.0.2.1 }, { type: A, name: www, value: 192.0.2.2 }] } }\n',
    'domains:\n  a.example:\n    $existing: true\n    records:\n      - { type: A, name: www, value: 192.0.2.3 }\n      - { type: A, name: www, value: 192.0.2.1 }\n      - { type: A, name: "@", value: 192.0.2.1 }\n',
    ['domains/a.example/records/www/A'],
    'domains:\n  a.example:\n    $existing: true\n    records:\n      - { type: A, name: www, value: 192.0.2.2 }\n      - { type: A, name: www, value: 192.0.2.1 }\n      - { type: A, name: "@", value: 192.0.2.1 }\n',
  ],
  [
    'a variable whose value is an expression, by a patch, and a setting that only B has',
    'projects: { web: { env: { A: debug } } }\n',
    'variables: { v: { default: x } }\nprojects:\n  web: { $protect: true, env: { A: "${var.v}", B: "${var.v}" } }\n',
    ['projects/web', 'projects/web/env/A'],
    'variables: { v: { default: x } }\nprojects:\n  web: { $protect: true, env: { A: "${var.v}", B: "${var.v}" } }\n\npatches:\n  - $at: projects/web\n    $protect: false\n  - $at: projects/web/env/A\n    value: debug\n',
  ],
  [
    'several records into an empty list',
    'domains: { a.example: { $existing: true, records: [{ type: A, name: www, value: 192.0.2.1 }, { type: A, name: www, value: 192.0.2.2 }] } }\n',
    'domains: { a.example: { $existing: true, records: [] } }\n',
    ['domains/a.example/records/**'],
    'domains: { a.example: { $existing: true, records: [{ type: A, name: www, value: 192.0.2.1 }, { type: A, name: www, value: 192.0.2.2 }] } }\n',
  ],
  [
    'a new item of an ordered list, behind the one that it follows',
    rules('a', 'b', 'c'),
    rules('a', 'c', 'd'),
    ['projects/web/firewall/rules/b'],
    rules('a', 'c', 'd').replace(
      /^.*name: c,/m,
      `        - name: b
          active: true
          conditionGroup: [{ conditions: [{ type: path, op: pre, value: /b }] }]
          action:
            mitigate: { action: deny }
        - { name: c,`,
    ),
  ],
  [
    'the place of an item of an ordered list',
    rules('a', 'b', 'c'),
    rules('c', 'd', 'a', 'b'),
    ['projects/web/firewall/rules/c'],
    rules('d', 'a', 'b', 'c'),
  ],
  [
    'an input of a template',
    'projects: { web: { nodeVersion: 22.x } }\n',
    'templates: { t: { $inputs: { node: {} }, nodeVersion: "${input.node}" } }\nprojects:\n  web: { $use: { t: { node: 20.x } } }\n  api: { $use: { t: { node: 20.x } } }\n',
    ['projects/web'],
    'templates: { t: { $inputs: { node: {} }, nodeVersion: "${input.node}" } }\nprojects:\n  web: { $use: { t: { node: 22.x } } }\n  api: { $use: { t: { node: 20.x } } }\n',
  ],
])('promotes %s', async (_, a, b, globs, expected) => {
  const { body, all, status } = await promote(a, b, ...globs);
  expect([status, body], all).toEqual([0, expected]);
});

oneRowIn(4)<[string, string, string, string[], string]>([
  [
    'a secret that B does not declare',
    'secrets: { db: {} }\nprojects: { web: { env: { DB: "${secret.db}" } } }\n',
    'projects: { web: { env: { DB: none } } }\n',
    ['projects/web/env/DB'],
    'secret',
  ],
  [
    'an object whose parent is not promoted',
    'projects: { web: { env: { A: x } } }\n',
    'projects: {}\n',
    ['projects/web/env/A'],
    'projects/web is not in B: promote it as well',
  ],
  [
    'what a template of B makes for several objects',
    'projects: { a: { nodeVersion: 22.x }, b: { nodeVersion: 20.x } }\n',
    'templates: { t: { $kind: project, nodeVersion: 20.x } }\nprojects: { "${each.value}": { $each: [a, b], $use: [t] } }\n',
    ['projects/b'],
    'Nothing to promote',
  ],
  [
    'what A does not have',
    'projects: { a: {} }\n',
    'projects: { b: {} }\n',
    ['projects/b'],
    'no address matches projects/b',
  ],
])('refuses %s, and writes nothing', async (_, a, b, globs, message) => {
  const { isWritten, stderr } = await promote(a, b, ...globs);
  expect(isWritten).toBe(false);
  expect(stderr).toContain(message);
});

it('refuses an edit of data that another stack reads', async () => {
  const yaml = (stack: string) => `${header(stack)}variables: { sites: { file: ../sites.csv } }
projects:
  "site-\${each.key}": { $each: "\${var.sites}", nodeVersion: "\${each.value.node}" }
`;
  const shell = await new Shell().write({
    'trueup.workspace.yaml': 'stacks: [a, b, c]\n',
    'a/trueup.yaml': `${header('a')}projects: { site-at: { nodeVersion: 22.x } }\n`,
    'b/trueup.yaml': yaml('b'),
    'c/trueup.yaml': yaml('c').replace('site-', 'other-'),
    'sites.csv': 'key,node\nat,20.x\n',
  });
  initRepository(shell.folder);
  execFileSync('git', ['add', '--all'], { cwd: shell.folder });
  const promotion = ['diff', 'a', 'b', '--promote', 'projects/site-at', '--auto-approve'];
  const refused = await shell.run(promotion);
  expect(refused.stderr).toContain('cannot be changed: the stack c uses it: ');
  expect(readFileSync(join(shell.folder, 'sites.csv'), 'utf8')).toBe('key,node\nat,20.x\n');
  await shell.write({ 'trueup.workspace.yaml': 'stacks: [a, b]\n' });
  const promoted = await shell.run(promotion);
  expect(promoted.stderr).toBe('Wrote sites.csv.\n');
});

it('new records of one name keep the order that they have in A', async () => {
  const recordsOf = (...values: string[]) =>
    `domains:\n  a.example:\n    records:\n${values.map((value) => `      - { name: www, type: A, value: ${value} }\n`).join('')}`;
  const mail = 'domains:\n  a.example:\n    records:\n      - { name: mail, type: A, value: 192.0.2.9 }\n';
  const { body, open } = await promote(
    recordsOf('192.0.2.1', '192.0.2.2', '192.0.2.3'),
    mail,
    'domains/a.example/records/www/A',
  );
  expect(body).toBe(mail + recordsOf('192.0.2.1', '192.0.2.2', '192.0.2.3').split('records:\n')[1]);
  expect(open).toHaveLength(1);
});
