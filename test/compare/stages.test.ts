import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { initRepository } from '../support/init-repository.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(3);

const yaml = `stack: shop
platform: { team: acme }
stages: { staging: { variables: { level: debug } }, production: { variables: { level: info } } }
variables: { level: {}, sites: { default: { at: Vienna, de: Berlin } } }
secrets:
  db: { env: "DB_\${stage}" }
  sentry: {}
projects:
  web-\${stage}:
    framework: nextjs
    env:
      LOG_LEVEL: "\${var.level}"
      DB: "\${secret.db}"
      SENTRY: "\${secret.sentry}"
  site-\${each.key}-\${stage}:
    $each: "\${var.sites}"
    env: { CITY: "\${each.value}", WEB: "\${projects['web-\${stage}'].id}" }
patches:
  - { $at: "projects/web-*", $when: { stage: staging }, nodeVersion: 22.x, env: { DEBUG: "1" } }
  - { $at: "projects/site-at-*", $when: { stage: production }, $protect: true, domains: { www.example.at: {} } }
`;

describe('diff of two stages', () => {
  story('pairs objects whose names contain the stage, and counts every object once', async () => {
    const shell = await new Shell().write({ 'trueup.yaml': yaml });
    const { stdout, stderr, status } = await shell.run(['diff', 'staging', 'production']);
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expect(stdout).toBe(`Only in staging: 1
  - projects/web-staging/env/DEBUG  [development, preview, production]  trueup.yaml:19

Only in production: 1
  + projects/site-at-production/domains/www.example.at  trueup.yaml:20

Different: 3
  ~ projects/site-at-staging
      $protect: (unset) → true
  ~ projects/web-staging
      nodeVersion: 22.x → (unset)
  ~ projects/web-staging/env/LOG_LEVEL  [development, preview, production]
      value: debug → info

Different sources of secrets: 1
  \${secret.db} from env DB_staging in staging, \${secret.db} from env DB_production in production
      projects/web-staging/env/DB value

Compared although their addresses differ: 3
  projects/site-at-staging = projects/site-at-production  both from trueup.yaml:15
  projects/site-de-staging = projects/site-de-production  both from trueup.yaml:15
  projects/web-staging = projects/web-production  both from trueup.yaml:9

12 objects: 6 equal, 3 different, 1 with another source of a secret, 1 only in staging, 1 only in production. 2 secrets: 1 from the same source, 1 from different sources.
`);
    const detailed = await shell.run(['diff', 'stage:staging', 'production', '--detailed-exitcode']);
    expect(detailed.status).toBe(2);
    const same = await shell.run(['diff', 'staging', 'shop@staging', '--detailed-exitcode']);
    expect(same).toMatchObject({
      status: 0,
      stdout:
        'No differences between staging and shop@staging: 11 objects. 2 secrets: 2 from the same source.\n',
    });
  });

  test('pairs objects whose names end in a variable, also if it is empty in a stage', async () => {
    const shell = await new Shell().write({
      'trueup.yaml': `stack: shop
platform: { team: acme }
stages: { staging: { variables: { end: -staging } }, production: { variables: { end: '' } } }
variables: { end: {}, sites: { default: { at: 20.x, de: 22.x } } }
projects:
  site-\${each.key}\${var.end}: { $each: "\${var.sites}", nodeVersion: "\${each.value}", env: { END: "\${var.end}" } }
`,
    });
    const { stdout } = await shell.run(['diff', 'staging', 'production']);
    expect(stdout).not.toContain('Only in');
    expect(stdout).toContain('projects/site-at-staging = projects/site-at  both from trueup.yaml:6');
    expect(stdout).toContain('projects/site-de-staging = projects/site-de  both from trueup.yaml:6');
  });

  story('folds objects that differ alike', async () => {
    const shell = await new Shell().write({
      'trueup.yaml': `stack: shop
platform: { team: acme }
stages: { staging: {}, production: {} }
projects:
  site-\${each.key}-\${stage}: { $each: [at, de, fr, it], nodeVersion: 20.x, env: { STAGE: "\${stage}" } }
patches:
  - { $at: "projects/site-*", $when: { stage: staging }, nodeVersion: 22.x }
`,
    });
    const { stdout } = await shell.run(['diff', 'staging', 'production']);
    expect(stdout).toBe(`Different: 8
  ~ 4 x projects/site-{at,de,fr,it}-staging
      nodeVersion: 22.x → 20.x
  ~ 4 x projects/site-{at,de,fr,it}-staging/env/STAGE  [development, preview, production]
      value: staging → production

Compared although their addresses differ: 4
  4 x projects/site-{at,de,fr,it}-staging = projects/site-{at,de,fr,it}-production  both from trueup.yaml:5

8 objects: 0 equal, 8 different.
`);
    const verbose = await shell.run(['diff', 'staging', 'production', '--verbose']);
    expect(verbose.stdout).toContain('  ~ projects/site-de-staging\n      nodeVersion');
  });

  test('reads secret texts of two cells of one row as different sources', async () => {
    const shell = await new Shell().write({
      'trueup.yaml': `stack: shop
platform: { team: acme }
stages: { staging: {}, production: {} }
variables: { sites: { file: sites.csv } }
projects:
  web-\${each.key}:
    $each: "\${var.sites}"
    env: { DB: { value: "\${each.value['db_\${stage}']}", type: sensitive, target: [production] } }
`,
      'sites.csv': 'key,db_staging,db_production\nat,first-text,second-text\n',
    });
    initRepository(shell.folder);
    execFileSync('git', ['add', '--all'], { cwd: shell.folder });
    const { stdout, stderr } = await shell.run(['diff', 'staging', 'production']);
    expect(stderr).toBe('');
    expect(stdout).toContain('1 secret: 1 from different sources.');
  });
});
