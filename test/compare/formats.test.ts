import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';

const validate = new Ajv2020({ strict: true, allErrors: true }).compile(
  JSON.parse(readFileSync('dist/diff.schema.json', 'utf8')),
);

const yaml = `stack: shop
platform: { team: acme }
stages: { staging: {}, production: {} }
secrets: { db: { env: "DB_\${stage}" } }
projects:
  web-\${stage}:
    env: { DB: "\${secret.db}", LEVEL: debug, ONLY: "1" }
patches:
  - { $at: projects/web-*, $when: { stage: production }, framework: nextjs, $drop: [env/ONLY], env: { LEVEL: { value: info } } }
`;

test('the JSON of a comparison is as its schema says, and names no secret value', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  shell.env = { DB_staging: 'staging-value', DB_production: 'production-value' };
  const { stdout, stderr } = await shell.run(['diff', 'staging', 'production', '--json']);
  expect(stderr).toBe('');
  const document = JSON.parse(stdout);
  expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
  expect(document).toMatchObject({
    formatVersion: '1.0',
    a: { name: 'staging', stage: 'staging' },
    equal: false,
    summary: { total: 4, onlyInA: 1, onlyInB: 0, different: 2, otherSource: 1, unread: 0, equal: 0 },
  });
  const { total, secrets, ...states } = document.summary;
  expect(Object.values(states).reduce((sum: number, count) => sum + (count as number), 0)).toBe(total);
  expect(secrets).toEqual({ same: 0, different: 1, unknown: 0 });
  expect(document.objects).toContainEqual({
    state: 'different',
    kind: 'projectEnvVar',
    a: 'projects/web-staging/env/LEVEL',
    b: 'projects/web-production/env/LEVEL',
    targets: ['development', 'preview', 'production'],
    settings: [{ path: 'value', a: 'debug', b: 'info' }],
  });
  expect(stdout).not.toContain('-value');
});

test('the Markdown of a comparison is a heading, the numbers, and the text as code', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  const { stdout } = await shell.run(['diff', 'staging', 'production', '--format', 'markdown']);
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    '### trueup diff: `staging` and `production`',
    '',
    '`4 objects: 0 equal, 2 different, 1 with another source of a secret, 1 only in staging. 1 secret: 1 from different sources.`',
  ]);
  expect(stdout).toContain('\n```\nOnly in staging: 1\n');
});
