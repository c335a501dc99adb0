import { describe, expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';

const yaml = `stack: shop
platform: { team: acme }
secrets: { db: { env: DATABASE_URL } }
variables: { region: { env: REGION } }
templates:
  site: { $kind: project, $inputs: { country: {} }, framework: nextjs, env: { COUNTRY: "\${input.country}" } }
projects:
  web: { framework: nextjs, env: { LOG_LEVEL: info, REGION: "\${var.region}", DB: "\${secret.db}" } }
`;

/** Runs tests in a folder with the configuration, and returns what was printed. */
async function runTests(tests: string, files: Record<string, string> = {}, args: string[] = []) {
  const shell = await new Shell().write({ 'trueup.yaml': yaml, 'shop.test.yaml': tests, ...files });
  return shell.run(['test', ...args]);
}

describe('trueup test', () => {
  test('runs tests without a token, environment or ledger, and shows what differs at its place', async () => {
    const ran = await runTests(`given: { variables: { region: fra1 } }
tests:
  - name: a new site costs two requests
    patch: { projects: { site-pt: { $use: { site: { country: pt } } } } }
    expect: { create: 6, delete: 0, requests: { max: 4 } }
  - name: this does not hold
    expect: { create: 5 }
  - name: prices cannot be public
    patch: { projects: { web: { env: { NEXT_PUBLIC_STRIPE_KEY: sk_live_51HxABCDEFGHIJKLMNOPQRSTUVW } } } }
    expect: { error: env/public-secret }
  - name: applying converges
    apply: true
    expect: { then: no changes }
`);
    expect(ran.stdout).toBe(`shop.test.yaml
  passed  a new site costs two requests
  failed  this does not hold
    Error: \`create\`: the number of objects to create differs [test/failed]
      | expected: 5
      | actual:   4
      at shop.test.yaml:7:23
        7 |     expect: { create: 5 }
          |                       ^
  passed  prices cannot be public
  passed  applying converges

4 tests in 1 file, 3 passed, 1 failed.
`);
    expect(ran).toMatchObject({ status: 1, stderr: '' });
  });

  test('reports the mistakes of all test files before it runs one', async () => {
    const ran = await runTests(
      `tests:
  - name: one
    expct: { create: 1 }
  - { name: two, expect: {} }
  - { name: two, expect: { craete: 1 } }
  - { name: three, patch: { projcts: {} }, expect: { then: no changes } }
`,
      { 'sub/other.test.yaml': 'given: { seed: none.json }\ntests: [{ name: x, expect: no changes }]\n' },
    );
    expect(ran).toMatchObject({ status: 1, stdout: '' });
    expect(ran.stderr.match(/^Error: .*$/gm)).toEqual([
      'Error: `expect` is missing [test/form]',
      'Error: unknown key `expct` [test/form]',
      'Error: two tests have the name `two` [test/same-name]',
      'Error: unknown key `craete` [test/form]',
      'Error: `projcts` is not a section [test/form]',
      'Error: there is no file or folder `none.json` [file/missing]',
    ]);
    expect(ran.stderr).toContain('did you mean `create`?');
  });

  test('a folder is read without its test files, and a part of it with such a name is an error', async () => {
    const shell = await new Shell().write({
      'trueup/main.yaml': 'stack: shop\nplatform: { team: acme }\nprojects: { web: {} }\n',
      'trueup/web.test.yaml': 'tests: [{ name: first, expect: { create: 1 } }]\n',
    });
    expect(await shell.run(['validate'])).toMatchObject({ status: 0, stderr: '' });
    expect(await shell.run(['test'])).toMatchObject({ status: 0 });
    await shell.write({ 'trueup/api.test.yaml': 'projects: { api: {} }\n' });
    const refused = await shell.run(['validate']);
    expect(refused).toMatchObject({ status: 1 });
    expect(refused.stderr).toContain('trueup/api.test.yaml has the name of a test file');
  });
});
