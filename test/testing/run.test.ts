import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { beforeAll, describe, expect, test } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import type { WrittenConfiguration } from '../../src/config/configuration.ts';
import { load } from '../../src/config/load.ts';
import { itemsOf, memberOf } from '../../src/config/yaml/nodes.ts';
import { parseYaml } from '../../src/config/yaml/read-documents.ts';
import { Source } from '../../src/config/yaml/source.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import { hasErrors } from '../../src/model/diagnostic.ts';
import { testsJunit } from '../../src/testing/report/tests-junit.ts';
import { type Ran, Shell } from '../support/cli.ts';
import { oneStoryIn, sampled } from '../support/sweep.ts';

const story = oneStoryIn(5);

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
      -> to create: projects/web, projects/web/env/DB, projects/web/env/LOG_LEVEL, projects/web/env/REGION
  passed  prices cannot be public
  passed  applying converges

4 tests in 1 file, 3 passed, 1 failed.
`);
    expect(ran).toMatchObject({ status: 1, stderr: '' });
  });

  test('the hint of a count lists what is counted, also an adopted object that changes', async () => {
    const seed = { team: { slug: 'acme' }, projects: [{ name: 'web', framework: 'astro' }] };
    const ran = await runTests(
      `given: { seed: seed.json, variables: { region: fra1 } }
tests: [{ name: first, expect: { update: 2, adopt: 2 } }]
`,
      { 'seed.json': JSON.stringify(seed) },
    );
    expect(ran.stdout.match(/(?<=\| actual: {3}).*|(?<=-> ).*/g)).toEqual([
      '1',
      'to update: projects/web',
      '1',
      'to adopt: projects/web',
    ]);
  });

  test('GitHub Actions gets an annotation at each failed expectation', async () => {
    const shell = await new Shell().write({
      'trueup.yaml': 'stack: shop\nplatform: { team: acme }\nprojects: { web: {} }\n',
      'shop.test.yaml': 'tests: [{ name: one, expect: { create: 2 } }]\n',
    });
    shell.env = { GITHUB_ACTIONS: 'true', CI: 'true', GITHUB_WORKSPACE: shell.folder };
    const ran = await shell.run(['test']);
    expect(ran.stderr).toMatch(
      /^::error file=shop\.test\.yaml,line=1,.*the number of objects to create differs/m,
    );
    expect(ran.status).toBe(1);
  });

  test('a patch means what the same patches of the configuration mean, with places in the test file', async () => {
    const cwd = (await new Shell().write({ 'trueup.yaml': yaml })).folder;
    const content = 'framework: astro, $drop: [env/DB], env: { LOG_LEVEL: { target: [production] } }';
    const patches = `patches: [{ $at: projects/web, ${content} }]\n`;
    const source = new Source('a.test.yaml', `patches: [{ projects: { web: { ${content} } } }]\n`);
    const { documents } = await parseYaml(source);
    const overlay = { patches: itemsOf(memberOf(documents[0]!, 'patches')) };
    const options = { kinds: kindsOf(hosting.kinds), cwd, env: { TRUEUP_VAR_region: 'x' } };
    const patched = await load({ ...options, paths: ['trueup.yaml'], overlay });
    const written = await load({ ...options, text: yaml + patches });
    const resourcesOf = ({ desired }: WrittenConfiguration) =>
      [...desired.resources.values()].map(({ at: _, ...resource }) => resource);
    expect(hasErrors(patched.diagnostics)).toBe(false);
    expect(resourcesOf(patched)).toEqual(resourcesOf(written));
    expect(patched.desired.fieldAt!('projects/web', 'framework')!.file).toBe('a.test.yaml');
  });

  story('a file with mistakes is one failed test in each report, and other files run', async () => {
    const shell = await new Shell().write({
      'trueup.yaml': yaml,
      'shop.test.yaml': `tests:
  - name: one
    expct: { create: 1 }
  - { name: two, expect: {} }
  - { name: two, expect: { craete: 1 } }
  - { name: three, patch: { projcts: {} }, expect: { then: no changes } }
`,
      'sub/other.test.yaml': 'given: { seed: none.json }\ntests: [{ name: x, expect: no changes }]\n',
      'fine.test.yaml':
        'given: { variables: { region: fra1 } }\ntests: [{ name: fine, apply: true, expect: { then: no changes } }]\n',
    });
    const ran = await shell.run(['test', '--junit', 'junit.xml']);
    expect(ran.status).toBe(1);
    expect(ran.stdout.match(/^ *(?:passed|failed|Error:) .*$/gm)).toEqual([
      '  passed  fine',
      '  failed  read the test file: could not run',
      '    Error: `expect` is missing [test/form]',
      '    Error: unknown key `expct` [test/form]',
      '    Error: two tests have the name `two` [test/same-name]',
      '    Error: unknown key `craete` [test/form]',
      '    Error: `projcts` is not a section [test/form]',
      '  failed  read the test file: could not run',
      '    Error: there is no file or folder `none.json` [file/missing]',
    ]);
    expect(ran.stdout).toContain('did you mean `create`?');
    expect(ran.stdout).toContain('3 tests in 3 files, 1 passed, 2 failed (2 could not run).');
    expect(readFileSync(join(shell.folder, 'junit.xml'), 'utf8')).toMatch(
      /<testsuite name="shop.test.yaml" tests="1" failures="1" .*>\n<testcase name="read the test file" .*line="2"/,
    );
    const only = await shell.run(['test', '--only', 'fine', '--json']);
    expect(JSON.parse(only.stdout)).toMatchObject({ passed: 1, failed: 2 });
  });

  test('a list of tests without their key gets a test file as its example', async () => {
    const ran = await runTests('- { name: first, expect: no changes }\n');
    expect(ran.stdout).toContain('a file must contain a map, not a list');
    expect(ran.stdout).toContain('-> tests: [{ name: nothing to do, expect: no changes }]');
  });

  story('mistakes in what tests start from are explained in words of the test file, once', async () => {
    const twice = 'tests: [{ name: a, expect: { create: 1 } }, { name: b, expect: { create: 1 } }]\n';
    const stdoutOf = async (given: string, files?: Record<string, string>) =>
      (await runTests(`given: ${given}\n${twice}`, files)).stdout;
    expect(await stdoutOf('{}')).toContain('give it a value in the test file');
    expect(await stdoutOf('{ stage: prod }')).toContain('the test file names the stage `prod`');
    const seeded = '{ variables: { region: x }, seed: seed.json }';
    const other = await stdoutOf(seeded, { 'seed.json': '{ "team": { "slug": "other" } }' });
    expect(other).toContain('the seed is the account of another team');
    expect(other).toContain(
      '2 tests failed because of this error.\n\nshop.test.yaml\n  failed  a: could not run\n  failed  b: could not run\n',
    );
    expect(await stdoutOf(seeded, { 'seed.json': '{ "projcts": [] }' })).toContain('shop.test.yaml:1:42');
  });

  test('an error of the configuration is printed once for the tests of all files that it stops', async () => {
    const invalid = 'stack: shop\nplatform: { team: acme }\nprojects: { web: { framwork: nextjs } }\n';
    const ran = await runTests(
      'tests: [{ name: a, expect: { create: 1 } }, { name: b, expect: no changes }]\n',
      {
        'trueup.yaml': invalid,
        'more.test.yaml': `tests:
  - { name: expected, expect: { error: config/unknown-key } }
  - { name: other, expect: { error: env/none } }
  - { name: broken, patch: { projects: { docs: { nodeVersion: [] } } }, expect: { create: 2 } }
`,
      },
    );
    expect(ran.stdout).toMatchInlineSnapshot(`
      "Error: unknown key \`framwork\` in an entry of \`projects\` [config/unknown-key]
        at trueup.yaml:3:20
          3 | projects: { web: { framwork: nextjs } }
            |                    ^
        -> did you mean \`framework\`?
      4 tests failed because of this error.

      more.test.yaml
        passed  expected
        failed  other: could not run
          Error: \`error\`: there is no problem \`env/none\` [test/failed]
            at more.test.yaml:3:37
              3 |   - { name: other, expect: { error: env/none } }
                |                                     ^
            -> there are: \`config/unknown-key\`
        failed  broken: could not run
          Error: a list is not allowed here [config/type]
            at more.test.yaml:4:63
              4 | …, patch: { projects: { docs: { nodeVersion: [] } } }, expect: { create: 2 } }
                |                                              ^
            -> a text

      shop.test.yaml
        failed  a: could not run
        failed  b: could not run

      5 tests in 2 files, 1 passed, 4 failed (4 could not run).
      "
    `);
    expect(ran).toMatchObject({ status: 1, stderr: '' });
  });

  // Root may read everything.
  test.skipIf(process.getuid?.() === 0)('a folder that may not be read has no test files', async () => {
    const shell = await new Shell().write({ 'trueup.yaml': yaml, 'data/x.txt': '' });
    chmodSync(join(shell.folder, 'data'), 0);
    expect((await shell.run(['test'])).stderr).toContain(
      'there are no test files in this folder or below it',
    );
    chmodSync(join(shell.folder, 'data'), 0o700);
  });

  story(
    'a folder is read without its test files, and a part of it with such a name is an error',
    async () => {
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
    },
  );
});

const expectations = {
  'trueup.yaml': `stack: shop
platform: { team: acme }
secrets: { db: { env: DATABASE_URL } }
projects:
  web: { framework: nextjs, env: { LOG_LEVEL: info, REGION: fra1, DB: "\${secret.db}" } }
`,
  'holds.test.yaml': `given: { applied: true, secrets: { db: made-up } }
tests:
  - { name: nothing to do, expect: no changes }
  - name: changes
    patch: { projects: { web: { framework: astro, env: { LOG_LEVEL: debug } }, docs: {} } }
    expect:
      create: 1
      update: { min: 2, max: 2 }
      requests: { max: 3 }
      without: [env/*]
      changes:
        projects/web: { action: update, fields: { framework: astro, nodeVersion: null } }
        projects/web/env/LOG_LEVEL: update
        projects/web/env/DB: { action: none, fields: { value: "\${secret.db}" } }
        projects/docs: create
  - name: dropped
    patch: { $drop: [projects/web/env/REGION] }
    apply: true
    expect:
      delete: 1
      requests: ["DELETE /v9/projects/{}/env/{}"]
      account: { projects/web: { framework: nextjs }, projects/web/env/REGION: absent, projects/web/env/DB: present }
      then: no changes
`,
  'fails.test.yaml': `given: { applied: true }
tests:
  - name: differs
    patch: { $drop: [projects/web/env/REGION] }
    apply: true
    expect:
      changes:
        projects/wbe: update
        projects/web: create
        projects/web/env/DB: { fields: { value: x, tpye: plain } }
      account:
        projects/web: { framework: nextj }
        projects/web/env/REGION: present
        projects/web/env/DB: absent
        projects/web/evn/X: absent
        domains/example.com: absent
      then: { delete: 1 }
      requests: [POST /v10/projects]
      error: env/none
      warning: [x/y]
      create: { min: 1 }
`,
};

let shell: Shell;
let ran: Ran;
beforeAll(async () => {
  shell = await new Shell().write(expectations);
  ran = await shell.run(['test', '--json', '--junit', 'results.xml']);
});
const resultsOf = (name: string) =>
  JSON.parse(ran.stdout).files.find(({ file }: { file: string }) => file === name).tests;

test('every expectation holds where it is true', () => {
  expect(resultsOf('holds.test.yaml').flatMap(({ failures }: { failures: unknown[] }) => failures)).toEqual(
    [],
  );
});

test('every expectation fails where it is not true, at its place, with what was meant', () => {
  const [{ failures }] = resultsOf('fails.test.yaml');
  const lines = failures.map(
    ({ assertion, message, expected, actual, hint, at }: Record<string, string> & { at: { line: number } }) =>
      [at.line, assertion, message, expected, actual, hint].filter((part) => part !== undefined).join(' | '),
  );
  expect(lines).toMatchInlineSnapshot(`
    [
      "8 | changes | neither the configuration nor the plan has anything at \`projects/wbe\` | did you mean \`projects/web\`?",
      "9 | changes | the change of \`projects/web\` differs | create | none projects/web",
      "10 | changes | value of projects/web/env/DB differs | x | \${secret.db} | a secret or a reference is compared by its expression, as the configuration writes it",
      "10 | changes | the kind projectEnvVar has no field \`tpye\` | did you mean \`type\`?",
      "12 | account | framework of projects/web differs | nextj | nextjs",
      "13 | account | the account has nothing at \`projects/web/env/REGION\` | did you mean \`projects/web/env/DB\`?",
      "14 | account | the account has an object that must be absent | projects/web/env/DB@production",
      "15 | account | \`projects/web/evn/X\` is no address: \`evn\` is not a section of projects/web",
      "16 | account | the plan did not read the objects of the kind domain there, so it is not certain that \`domains/example.com\` is absent",
      "17 | delete | the number of objects to delete differs | 1 | 0",
      "18 | requests | the requests differ | POST /v10/projects | DELETE /v9/projects/{project}/env/{id}",
      "19 | error | there is no problem \`env/none\`",
      "20 | warning | there is no warning \`x/y\`",
      "21 | create | the number of objects to create differs | at least 1 | 0",
    ]
  `);
});

story('JSON fits its schema, and JUnit has each test with the text of its failures', () => {
  const schema = JSON.parse(readFileSync('dist/tests.schema.json', 'utf8'));
  const { $schema: _, ...rest } = schema;
  expect(new Ajv({ strict: false }).compile(rest)(JSON.parse(ran.stdout))).toBe(true);
  const junit = readFileSync(join(shell.folder, 'results.xml'), 'utf8');
  expect(junit.match(/<(testcase|failure) [^>]*/g)?.map((text) => text.replace(/ time="[^"]*"/, ''))).toEqual(
    [
      '<testcase name="differs" classname="fails.test.yaml" file="fails.test.yaml" line="3"',
      '<failure message="neither the configuration nor the plan has anything at `projects/wbe`" type="test/failed"',
      '<testcase name="nothing to do" classname="holds.test.yaml" file="holds.test.yaml" line="3"/',
      '<testcase name="changes" classname="holds.test.yaml" file="holds.test.yaml" line="4"/',
      '<testcase name="dropped" classname="holds.test.yaml" file="holds.test.yaml" line="16"/',
    ],
  );
});

test('JUnit has no line of a test file or its name, and no command of a CI system', () => {
  const file = 'a\n::error::b.test.yaml';
  const at = { file, line: 1, column: 1 };
  const hostile = 'a\n::error::b\r\n##vso[task.complete]c\u001b[2J\u202e</testsuites>';
  const failures = [{ code: 'test/failed', message: hostile, expected: hostile, actual: hostile, at }];
  const tests = [{ name: hostile, at, failures, isPlanned: true, milliseconds: 1 }];
  const junit = testsJunit([{ file, tests }]);
  expect(junit).not.toMatch(/^\s*::|##vso|\u202e|\r|<\/testsuites>./m);
  expect(junit).not.toContain('\u001b');
  expect(junit.match(/<testcase .*/)?.[0]).toContain('::error::b &#35;#vso[task.complete]c');
});

describe('the tests of the examples', () => {
  const names = readdirSync('examples', { recursive: true, encoding: 'utf8' });
  const testFiles = names.filter((name) => name.endsWith('.test.yaml'));
  const isTested = (name: string) =>
    testFiles.some((file) => readFileSync(join('examples', file), 'utf8').includes(`file: ${name}`));

  test('every configuration has some', () => {
    const configurations = names.filter((name) => /^[a-z]+\.yaml$/.test(name));
    expect(configurations.length).toBeGreaterThan(6);
    expect(configurations.filter((name) => !isTested(name))).toEqual([]);
    for (const name of ['shop', 'company', 'agency/dns', 'agency/sites', 'agency/tools'])
      expect(
        testFiles.some((file) => file.startsWith(`${name}/`)),
        name,
      ).toBe(true);
  });

  story('pass', async () => {
    const paths = sampled(testFiles, 1).map((name) => resolve('examples', name));
    expect(await new Shell().run(['test', ...paths])).toMatchObject({ status: 0, stderr: '' });
  });
});
