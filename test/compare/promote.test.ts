import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { keyText } from '../support/keys.ts';
import { oneRowIn } from '../support/sweep.ts';

const header = `stack: shop
platform: { team: acme }
stages: { staging: { variables: { level: debug } }, preview: { variables: { level: warn } }, production: { variables: { level: info } } }
variables: { level: {} }
secrets: { db: { env: "DB_\${stage}" }, token: {} }
`;

/** Promotes from staging to production: the difference that is shown, and the file afterwards. Staging must stay as it is. */
async function promote(yaml: string, ...globs: string[]) {
  const shell = await new Shell().write({ 'trueup.yaml': header + yaml });
  const staging = ['render', '--stage', 'staging'];
  const before = await shell.run(staging);
  const ran = await shell.run(['diff', 'staging', 'production', '--promote', ...globs, '--auto-approve']);
  const file = readFileSync(join(shell.folder, 'trueup.yaml'), 'utf8');
  expect((await shell.run(staging)).all).toBe(before.all);
  const changes = ran.stdout.split('\n').filter((line) => /^[-+](?![-+]{2} )/.test(line));
  return { ...ran, changes, isWritten: file !== header + yaml, shell };
}

describe('diff --promote between stages', () => {
  oneRowIn(5)<[string, string, string[], string[]]>([
    [
      'sets the variable of the stage',
      'projects:\n  web-${stage}:\n    env: { LOG_LEVEL: "${var.level}" }\n',
      ['projects/*/env/LOG_LEVEL'],
      [
        '-stages: { staging: { variables: { level: debug } }, preview: { variables: { level: warn } }, production: { variables: { level: info } } }',
        '+stages: { staging: { variables: { level: debug } }, preview: { variables: { level: warn } }, production: { variables: { level: debug } } }',
      ],
    ],
    [
      'leaves a variable that an entry of `removed` reads as well, since that could delete another object',
      'projects:\n  web-${stage}:\n    env: { LOG_LEVEL: "${var.level}" }\nremoved: [{ at: "projects/old-${var.level}", delete: true }]\n',
      ['projects/*/env/LOG_LEVEL'],
      [
        '+',
        '+patches:',
        '+  - $at: projects/web-production/env/LOG_LEVEL',
        '+    $when: { stage: production }',
        '+    value: debug',
      ],
    ],
    [
      'promotes what an object depends on, by the name that it has in the stage',
      'projects:\n  db-${stage}: {}\n  web-${stage}: {}\npatches:\n  - { $at: projects/web-staging, $when: { stage: staging }, $dependsOn: [projects/db-staging] }\n',
      ['projects/web-staging'],
      [
        '+  - $at: projects/web-production',
        '+    $when: { stage: production }',
        '+    $dependsOn: [projects/db-production]',
      ],
    ],
    [
      'promotes the settings of a variable together with its fields',
      'projects:\n  web-${stage}: { env: { A: { value: a, type: plain } } }\npatches:\n  - { $at: projects/web-staging/env/A, $when: { stage: staging }, $ignore: [value], comment: by hand }\n',
      ['projects/web-staging/env/A'],
      [
        '+  - $at: projects/web-production/env/A',
        '+    $when: { stage: production }',
        '+    comment: by hand',
        '+    $ignore: [value]',
      ],
    ],
    [
      'changes the value of the stage where it is written',
      `projects:
  web: { nodeVersion: 22.x }
patches:
  - { $at: projects/web, $when: { stage: production }, nodeVersion: 20.x } # until May
`,
      ['projects/web'],
      [
        '-  - { $at: projects/web, $when: { stage: production }, nodeVersion: 20.x } # until May',
        '+  - { $at: projects/web, $when: { stage: production }, nodeVersion: 22.x } # until May',
      ],
    ],
    [
      'extends the condition of a patch',
      `projects:
  web: {}
patches:
  - $at: projects/web
    $when: { stage: staging }
    nodeVersion: 22.x
    env: { DEBUG: "1" }
`,
      ['projects/web/**'],
      ['-    $when: { stage: staging }', '+    $when: { stage: [staging, production] }'],
    ],
    [
      'adds a patch for the stage if the condition is about more',
      `projects:
  web: {}
patches:
  - $at: projects/web
    $when: { stage: staging }
    nodeVersion: 22.x
    env: { DEBUG: "1" }
`,
      ['projects/web'],
      ['+  - $at: projects/web', '+    $when: { stage: production }', '+    nodeVersion: 22.x'],
    ],
    [
      'adds an object in a patch, in all of its targets',
      `projects:
  web-\${stage}: {}
patches:
  - $at: projects/web-*
    $when: { stage: staging }
    nodeVersion: 22.x
    env: { DEBUG: { value: "1", target: [preview] } }
`,
      ['projects/web-staging/env/DEBUG'],
      [
        '+  - $at: projects/web-production',
        '+    $when: { stage: production }',
        '+    env: { DEBUG: { value: "1", target: [preview] } }',
      ],
    ],
    [
      'copies the expression of a secret, and a reference by the name in the other stage',
      `projects:
  api-\${stage}: {}
  web-\${stage}:
    env: { TOKEN: { value: none }, API: { value: none } }
patches:
  - $at: projects/web-staging
    $when: { stage: staging }
    env: { TOKEN: "\${secret.token}", API: "https://\${projects.api-staging.id}.example" }
`,
      ['projects/web-staging/env/TOKEN', 'projects/web-staging/env/API'],
      [
        '+  - $at: projects/web-production/env/API',
        '+    $when: { stage: production }',
        '+    value: https://${projects.api-production.id}.example',
        '+  - $at: projects/web-production/env/TOKEN',
        '+    $when: { stage: production }',
        '+    value: ${secret.token}',
      ],
    ],
    [
      'changes one text for all promoted objects that it makes',
      `templates: { site: { env: { A: base } } }
projects:
  site-\${each.key}-\${stage}: { $each: [at, de, fr, it], $use: [site] }
patches:
  - { $at: "projects/site-*", $when: { stage: production }, env: { A: other } }
`,
      ['projects/*/env/A'],
      [
        '-  - { $at: "projects/site-*", $when: { stage: production }, env: { A: other } }',
        '+  - { $at: "projects/site-*", $when: { stage: production }, env: { A: base } }',
      ],
    ],
  ])('%s', async (_, yaml, globs, changes) => {
    const promoted = await promote(yaml, ...globs);
    expect({ status: promoted.status, stderr: promoted.stderr }).toEqual({
      status: 0,
      stderr: 'Wrote trueup.yaml.\n',
    });
    expect(promoted.changes).toEqual(changes);
  });
});

test.each([
  ['an entry', 'env/TOKEN', 'env: { TOKEN: { value: hunter2-in-clear, type: sensitive } }'],
  ['a section', 'env', 'env: { TOKEN: { value: hunter2-in-clear, type: sensitive } }'],
  ['an entry in short form', 'env/TOKEN', 'env: { TOKEN: hunter2-in-clear }'],
  ['a target', 'env/TOKEN@preview', 'env: { TOKEN: { value: hunter2-in-clear, target: [preview] } }'],
  [
    'a field',
    'passwordProtection',
    'passwordProtection: { deploymentType: all, password: hunter2-in-clear }',
  ],
  [
    'a member',
    'passwordProtection/password',
    'passwordProtection: { deploymentType: all, password: hunter2-in-clear }',
  ],
])(
  'the difference of a promotion hides the value of %s that `$drop` removes everywhere',
  async (_, path, block) => {
    const { stdout, status } = await promote(
      `patches:
  - { $at: projects/web-staging, $when: { stage: staging }, framework: nextjs }
templates: { site: { ${block} } }
projects:
  web-\${stage}: { $use: [site], $drop: [${path}] }
`,
      'projects/web-staging',
    );
    expect({ stdout, status }).toMatchObject({ status: 0, stdout: expect.stringContaining('(secret)') });
    expect(stdout).not.toContain('hunter2');
  },
);

test('the difference of a promotion shows a value that one block drops and another one reads', async () => {
  const { stdout } = await promote(
    `patches:
  - { $at: projects/web-staging, $when: { stage: staging }, framework: nextjs }
templates: { site: { env: { LEVEL: { value: verbose, type: plain } } } }
projects:
  api-\${stage}: { $use: [site] }
  web-\${stage}: { $use: [site], $drop: [env/LEVEL] }
`,
    'projects/web-staging',
  );
  expect(stdout).toContain('verbose');
});

test.each(['web', 'web-${stage}'])(
  'a promotion from the account of a stage leaves the configuration of that stage as it is: %s',
  async (name) => {
    const yaml = (framework: string) =>
      `stack: shop\nplatform: { team: acme }\nstages: { staging: {}, production: {} }\nprojects:\n  ${name}: { framework: ${framework} }\n`;
    const shell = await new Shell().write({ 'trueup.yaml': yaml('nextjs') });
    await shell.withTwin();
    shell.env = { ...shell.env, TRUEUP_LEDGER_KEY: keyText() };
    expect((await shell.run(['apply', '--stage', 'staging', '--auto-approve'])).status).toBe(0);
    await shell.write({ 'trueup.yaml': yaml('astro') });
    const promotion = ['diff', 'live:staging', 'production', '--promote', 'projects/web*'];
    const promoted = await shell.run([...promotion, '--auto-approve']);
    expect(promoted.stderr).toBe('Wrote trueup.yaml.\n');
    const frameworkOf = async (stage: string) =>
      /framework: (\w+)/.exec((await shell.run(['render', '--stage', stage])).stdout)?.[1];
    expect(await frameworkOf('staging')).toBe('astro');
    expect(await frameworkOf('production')).toBe('nextjs');
  },
);
