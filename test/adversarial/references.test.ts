import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { hosting } from '../../providers/hosting/index.ts';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import { mayHoldSecret } from '../../src/config/fields/schema-options.ts';
import { load } from '../../src/config/load.ts';
import { comparedFields, leavesOf, schemaAt } from '../../src/kind/compare.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import { secrecyOf } from '../../src/kind/disclosure.ts';
import { hasErrors } from '../../src/model/diagnostic.ts';
import { holdsSecret } from '../../src/model/value.ts';
import { Shell } from '../support/cli.ts';
import { bodyOf, casesOf } from '../support/field-cases.ts';
import { sampled } from '../support/sweep.ts';

const kinds = kindsOf(hosting.kinds);

const configure = (text: string) =>
  load({ kinds, cwd: '/', env: {}, text, actionsAndLookups: () => hosting.actionsAndLookups() });

const codesOf = async (text: string) => (await configure(text)).diagnostics.map(({ code }) => code);

/** Secrets, each by the reference to it and the text that declares it. */
const sources = {
  'a sensitive variable': '${projects.from.env["SENSITIVE@production"].value}',
  'an encrypted variable with a secret': '${projects.from.env["ENCRYPTED@production"].value}',
  'a variable that takes another one': '${projects.from.env["NESTED@production"].value}',
  'a secret that the platform generates': '${projects.from.protectionBypass.generated.secret}',
  'an id that is a secret': '${projects.from.protectionBypass.generated.id}',
  'a declared bypass secret': '${projects.from.protectionBypass.declared.secret}',
  'the signing secret of a drain': '${drains.ours.delivery.secret}',
  'a header of a drain': '${drains.ours.delivery.headers.Authorization}',
  'the delivery of a drain that exists': '${drains.theirs.delivery}',
};

const from = `
stack: x
platform: { team: acme }
secrets: { s: {} }
drains:
  ours: { name: ours, schemas: { log: { version: v1 } }, delivery: { type: http, endpoint: "https://a.example", encoding: json, secret: "\${secret.s}", headers: { Authorization: "\${secret.s}" } } }
  theirs: { $existing: true, $id: d }
projects:
  from:
    env:
      SENSITIVE: { value: written, type: sensitive, target: [production] }
      ENCRYPTED: { value: "x-\${secret.s}", target: [production] }
      NESTED: { value: "\${projects.from.env['ENCRYPTED@production'].value}", target: [production] }
    protectionBypass:
      generated: { note: generated }
      declared: { secret: "\${secret.s}" }
`;

/** Places where everybody can read the value. */
const openPlaces: Record<string, (value: string) => string> = {
  'a build command': (value) => `  web: { buildCommand: ${value} }`,
  'a plain variable': (value) => `  web: { env: { A: { value: ${value}, type: plain } } }`,
  'the input of an action': (value) =>
    `  web: { env: { A: x }, $then: [{ invalidateByTags: { tags: [${value}] } }] }`,
  'a header of a route': (value) =>
    `  web: { routes: [{ name: r, route: { src: /a, headers: { x-key: ${value} } } }] }`,
  'a TXT record': (value) =>
    `domains: { example.com: { records: [{ type: TXT, name: t, value: ${value} }] } }`,
  'an item of a global config': (value) => `globalConfigs: { c: { items: { i: { value: ${value} } } } }`,
  'a part of an item': (value) => `globalConfigs: { c: { items: { i: { value: { a: [${value}] } } } } }`,
  'the input of a template': (value) =>
    `  web: { $use: { t: { word: ${value} } } }\ntemplates: { t: { $inputs: { word: {} }, buildCommand: "run \${input.word}" } }`,
  'a patch': (value) => `  web: {}\npatches: [{ $at: projects/web, installCommand: ${value} }]`,
};

const refusals = /^(ref\/secret|expression\/not-text|config\/type)$/;

/** Every text in a value, with a copy of the value in which that text is another one. Names of blocks and `$` keys stay. */
function eachTextReplaced(value: unknown, text: string): unknown[] {
  if (typeof value === 'string') return [text];
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value)
    .filter((name) => !name.startsWith('$'))
    .flatMap((name) =>
      eachTextReplaced((value as Record<string, unknown>)[name], text).map((inner) =>
        Array.isArray(value)
          ? value.map((item, index) => (String(index) === name ? inner : item))
          : { ...value, [name]: inner },
      ),
    );
}

test('A secret that a reference copies only goes to a field that is at least as secret.', async () => {
  const places = Object.entries(sources).flatMap(([source, reference]) =>
    Object.entries(openPlaces).flatMap(([place, write]) =>
      [`'${reference}'`, `'a ${reference} b'`].map((value) => ({ source, place, text: write(value) })),
    ),
  );
  for (const { source, place, text } of sampled(places, 20)) {
    const codes = await codesOf(`${from}${text}`);
    const refused = expect.arrayContaining([expect.stringMatching(refusals)]);
    expect([source, place, codes]).toEqual([source, place, refused]);
  }
  // In every field of every kind, the value of a sensitive variable is refused, or nobody can read it there.
  const secret = '${projects.secretsource.env["S@production"].value}';
  const header = {
    stack: 'x',
    platform: { team: 'acme' },
  };
  const source = { env: { S: { value: 'canary', type: 'sensitive', target: ['production'] } } };
  const bodies = allKinds.flatMap((kind) =>
    eachTextReplaced(bodyOf(kind, casesOf(kind).slice(0, 6), 0), secret).map((body) => ({ kind, body })),
  );
  for (const { kind, body } of sampled(bodies, 12)) {
    const { projects, ...rest } = body as { projects?: object };
    const { desired, diagnostics } = await configure(
      stringify({ ...header, ...rest, projects: { ...projects, secretsource: source } }),
    );
    if (hasErrors(diagnostics)) continue;
    const open = [...desired.resources.values()]
      .filter(({ address }) => !address.startsWith('projects/secretsource/'))
      .flatMap(({ address, kind: name, fields }) => {
        const schemas = comparedFields(kinds.get(name)!);
        // A secret member of an object that is compared whole is no leaf of its own.
        const isSecret = (path: string) => mayHoldSecret(schemaAt(schemas, path)!);
        return leavesOf(schemas, fields)
          .filter(({ value }) => holdsSecret(value))
          .filter(
            ({ path, traits }) =>
              !isSecret(path) || secrecyOf({ ...traits, secret: true }, fields) !== 'write-only',
          )
          .map(({ path }) => `${address} ${path}`);
      });
    expect([kind.name, open]).toEqual([kind.name, []]);
  }
});

test('A secret of an object that the stack does not own is copied only if the operator names the object.', async () => {
  const yaml = (payments: string, out = 'type: sensitive') =>
    `stack: thief\nplatform: { team: acme }\nprojects:\n  payments: ${payments}\n  mine: { env: { OUT: { value: '\${projects.payments.env["STRIPE@production"].value}', ${out}, target: [production] } } }\n`;
  const theirs = yaml('{ $existing: true, env: { STRIPE: { $existing: true } } }');
  const flag = 'projects/payments/env/STRIPE@production';
  const shell = await new Shell().write({ 'trueup.yaml': theirs });
  const twin = await shell.withTwin({
    projects: [
      { name: 'mine', env: [{ key: 'KEPT', value: '', type: 'plain', target: ['production'] }] },
      { name: 'payments', env: [{ key: 'STRIPE', value: 'canary-of-stripe', type: 'encrypted' }] },
    ],
  });
  const taken = () =>
    twin.account.projects.find(({ name }) => name === 'mine')!.env.flatMap(({ value }) => value || []);
  const refused = async (...args: string[]) => {
    for (const command of [['plan'], ['apply', '--auto-approve']]) {
      const ran = await shell.run([...command, ...args]);
      expect([ran.status, ran.stderr]).toEqual([1, expect.stringContaining('[ref/secret]')]);
      expect(ran.stderr).toMatch(/`value` of projects\/mine\/env\/(OUT|KEPT)@production/);
      expect(ran.stderr).toContain(`\`value\` of ${flag}`);
      expect(ran.all).not.toContain('canary');
    }
    expect(taken()).toEqual([]);
  };
  await refused();
  await refused('--allow-live', 'projects/payments');
  // Whatever the operator allows, everybody could read it there.
  await shell.write({ 'trueup.yaml': theirs.replace('type: sensitive', 'type: plain') });
  await refused('--allow-live', flag);
  // Named as one of its own, it is only adopted, and whoever wrote the YAML does not know the secret.
  await shell.write({ 'trueup.yaml': yaml('{ env: { STRIPE: {} } }') });
  await refused();
  await shell.write({ 'trueup.yaml': yaml('{ env: { STRIPE: { type: plain } } }', 'type: plain') });
  await refused();
  // The type that is declared is not the one that the variable keeps.
  await shell.write({ 'trueup.yaml': theirs.replaceAll('OUT: {', 'KEPT: { $ignore: [type],') });
  await refused('--allow-live', flag);
  await shell.write({ 'trueup.yaml': theirs.replace('OUT: {', 'KEPT: {').replace('type: sensitive, ', '') });
  await refused('--allow-live', flag);
  for (const pattern of ['**', 'projects/*/env/STRIPE@production', 'projects']) {
    const ran = await shell.run(['plan', '--allow-live', pattern]);
    expect([ran.status, ran.stderr]).toEqual([1, expect.stringContaining('[allow/live]')]);
  }
  await shell.write({ 'trueup.yaml': theirs });
  shell.env.TRUEUP_ALLOW_LIVE = `other/x, ${flag}`;
  const applied = await shell.run(['apply', '--auto-approve']);
  expect([applied.status, taken()]).toEqual([0, ['canary-of-stripe']]);
  expect(applied.all).not.toContain('canary');
  expect(applied.stdout).toContain(`field value of projects/mine/env/OUT: field value of ${flag} (new)`);
  expect((await shell.run(['plan'])).stdout).toContain('No changes.');
  // A field that everybody can read may hold a secret all the same.
  twin.account.projects.find(({ name }) => name === 'payments')!.buildCommand =
    'build --token=ghp_abcdefghijklmnopqrstuvwxyz0123456789';
  const copied = (target: string) =>
    `stack: other\nplatform: { team: acme }\nprojects:\n  payments: { $existing: true }\n  copies: ${target.replace('COPY', "'${projects.payments.buildCommand}'")}\n`;
  const variable = '{ env: { COPIED: { value: COPY, type: sensitive, target: [production] } } }';
  const open = [
    '{ buildCommand: COPY }',
    variable.replace('sensitive', 'plain'),
    '{ env: { A: x }, $then: [{ invalidateByTags: { tags: [COPY] } }] }',
  ];
  for (const target of [variable, ...open])
    for (const command of [['plan'], ['apply', '--auto-approve']]) {
      await shell.write({ 'trueup.yaml': copied(target) });
      const ran = await shell.run([
        ...command,
        ...(target === variable ? [] : ['--allow-live', 'projects/payments']),
      ]);
      expect([target, ran.status, ran.stderr]).toEqual([target, 1, expect.stringContaining('[ref/secret]')]);
      expect(ran.all).not.toContain('ghp_');
    }
  await shell.write({ 'trueup.yaml': copied(variable) });
  const allowed = await shell.run(['apply', '--auto-approve', '--allow-live', 'projects/payments']);
  expect([allowed.status, allowed.stdout]).toEqual([
    0,
    expect.stringContaining(
      'field value of projects/copies/env/COPIED: field buildCommand of projects/payments (new)',
    ),
  ]);
  expect(allowed.all).not.toContain('ghp_');
});
