import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { beforeAll, expect, test } from 'vitest';
import type { Ran } from '../support/cli.ts';
import { Shell } from '../support/cli.ts';

const files = {
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
  shell = await new Shell().write(files);
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

test('JSON fits its schema, and JUnit has each test with the text of its failures', () => {
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
