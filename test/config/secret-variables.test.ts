import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kinds as all } from '../../providers/hosting/kinds/index.ts';
import { load } from '../../src/config/load.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';

async function read(yaml: string) {
  const cwd = await mkdtemp(join(tmpdir(), 'trueup-'));
  await writeFile(join(cwd, 'trueup.yaml'), `stack: test\nplatform: { team: acme }\n${yaml}`);
  return load({ kinds: kindsOf(all), cwd, paths: ['trueup.yaml'], env: {} });
}
/** The configuration with this `$secretTo` of a token, and what is wrong with it: `line:column code: message (hint)`. */
const wrongWith = async (secretTo: string, more = 'projects: { app: {} }') =>
  (await read(`globalConfigs:\n  shop: { tokens: { web: { ${secretTo} } } }\n${more}`)).diagnostics.map(
    ({ at, code, message, hint }) => `${at?.line}:${at?.column} ${code}: ${message} (${hint})`,
  );

test('a secret declares its variable: sensitive, in production and preview, with the text around the secret', async () => {
  const { desired, diagnostics } = await read(`
variables: { host: { default: edge.example } }
projects: { app: { customEnvironments: { qa: {} } } }
globalConfigs:
  shop:
    tokens:
      web: { $secretTo: { variable: projects/app/env/EDGE_CONFIG, value: "https://\${var.host}/\${id}?token=\${secret}" } }
      qa: { $secretTo: { variable: projects/app/env/QA, customEnvironmentIds: [qa], comment: for tests } }
      all: { $secretTo: { variable: sharedEnv/ALL, projectId: [app], target: [preview] } }
`);
  expect(diagnostics).toEqual([]);
  const fieldsOf = (address: string) => desired.resources.get(address)?.fields;
  expect(fieldsOf('projects/app/env/EDGE_CONFIG@production')).toMatchObject({
    key: 'EDGE_CONFIG',
    target: 'production',
    type: 'sensitive',
    value: {
      $join: [
        expect.objectContaining({}),
        { $ref: 'globalConfigs/shop', attr: 'id' },
        expect.objectContaining({}),
        { $ref: 'globalConfigs/shop/tokens/web', attr: 'token' },
      ],
    },
  });
  expect(fieldsOf('projects/app/env/EDGE_CONFIG@preview')).toBeDefined();
  expect(fieldsOf('projects/app/env/EDGE_CONFIG@development')).toBeUndefined();
  expect(fieldsOf('projects/app/env/QA@custom:qa')).toMatchObject({
    comment: 'for tests',
    type: 'sensitive',
  });
  expect(fieldsOf('sharedEnv/ALL@preview')).toMatchObject({
    value: { $ref: 'globalConfigs/shop/tokens/all', attr: 'token' },
  });
  const { form } = desired.resources.get('projects/app/env/EDGE_CONFIG@preview')!.meta.secretOf!;
  expect(JSON.stringify(form)).toContain('https://edge.example/');
});

test.each([
  [
    '$secretTo: { variable: [a] }',
    '4:39 config/meta: `$secretTo` must name a variable, such as `projects/web/env/NAME` (undefined)',
  ],
  [
    '$secretTo: { variable: projects/app/EDGE }',
    'secret/variable: `projects/app/EDGE` is not the address of a variable (write `projects/NAME/env/NAME` or `sharedEnv/NAME`)',
  ],
  [
    '$secretTo: { variable: projects/app/env/A@production }',
    'secret/variable: `projects/app/env/A@production` names a variable in one target',
  ],
  [
    '$secretTo: { variable: projects/other/env/A }',
    'ref/undeclared: projects/other is not declared (declare it; with `$existing: true`',
  ],
  [
    '$secretTo: { variable: projects/app/env/A, value: "${sekret}" }',
    'secret/variable: `${sekret}` is not shown when a globalConfigToken is created (did you mean `secret`?',
  ],
  [
    '$secretTo: { variable: projects/app/env/A, value: "${connectionString}" }',
    'secret/variable: `${connectionString}` is not shown',
  ],
  [
    '$secretTo: { variable: projects/app/env/A, value: "${id}" }',
    'secret/variable: `value` does not contain the secret (write `${secret}` where it goes)',
  ],
  [
    '$secretTo: { variable: projects/app/env/A, value: plain }',
    'secret/variable: `value` does not contain the secret',
  ],
  [
    '$secretTo: { variable: projects/app/env/A, value: "${secret}${secret.other}" }',
    'secret/variable: another secret cannot be part of this value',
  ],
  [
    '$secretTo: { variable: projects/app/env/A, type: plain }',
    'config/unknown-key: `type` cannot be set here: a variable with a secret that is shown once is always sensitive',
  ],
  [
    '$secretTo: { variable: projects/app/env/A, targets: [preview] }',
    'config/unknown-key: unknown key `targets` in `$secretTo` (did you mean `target`?)',
  ],
  [
    '$secretTo: { variable: projects/app/env/A, target: [development] }',
    'config/check: a sensitive variable cannot be available in development',
  ],
  [
    '$existing: true, $secretTo: { variable: projects/app/env/A }',
    'config/meta: `$existing` and a variable in `$secretTo` contradict each other',
  ],
  ['$secretTo: { variable: projects/app/env/1A }', 'config/value: a name can have letters'],
])('%s is an error in its line', async (secretTo, expected) => {
  const wrong = await wrongWith(secretTo, 'projects: { app: {} }\nsecrets: { other: {} }');
  expect(wrong).toEqual([expect.stringContaining(expected)]);
  expect(wrong[0]).toMatch(/^4:/);
});

test('a variable that is declared twice is an error that names both places', async () => {
  const { diagnostics } = await read(`
projects: { app: { env: { A: { target: [production], type: sensitive } } } }
globalConfigs: { shop: { tokens: { web: { $secretTo: { variable: projects/app/env/A } } } } }
`);
  expect(diagnostics).toMatchObject([
    {
      code: 'config/duplicate',
      message: 'projects/app/env/A@production is declared twice',
      at: { line: 5 },
      related: [{ at: { line: 4 } }],
    },
  ]);
});

test('the names of the platform mean nothing elsewhere', async () => {
  const { diagnostics } = await read('projects: { app: { env: { A: "${secret}", B: "${id}" } } }');
  expect(diagnostics.map(({ code }) => code)).toEqual(['expression/syntax', 'expression/unknown']);
});
