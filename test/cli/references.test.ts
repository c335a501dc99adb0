import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Shell } from '../support/cli.ts';

const yaml = `stack: demo
platform: { team: acme }
projects:
  api: { protectionBypass: { e2e: { note: End-to-end tests } } }
  web:
    env:
      BYPASS: { value: "token=\${projects.api.protectionBypass.e2e.secret}", type: sensitive, target: [production] }
      COPY: { value: "\${projects.api.protectionBypass.e2e.id}", target: [preview] }
`;
const source = 'field secret of projects/api/protectionBypass/e2e';

test('a secret that the platform generates goes into variables in the same apply, and is never shown', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  const twin = await shell.withTwin({ projects: [{ name: 'web' }] });
  const printed: string[] = [];
  const run = async (...args: string[]) => {
    const ran = await shell.run(args);
    printed.push(ran.all);
    return ran;
  };
  const secrets = JSON.parse((await run('secrets', '--json')).stdout);
  expect(secrets.secrets).toEqual([
    {
      name: source,
      source: 'account',
      neededBy: ['projects/web/env/BYPASS', 'projects/web/env/COPY'],
      state: 'not checked',
      why: 'the plan checks whether this stack owns the object',
    },
  ]);
  const planned = JSON.parse((await run('plan', '--json')).stdout);
  expect(planned.sources).toEqual([
    { name: 'field value of projects/web/env/BYPASS', source, since: 'new' },
    { name: 'field value of projects/web/env/COPY', source, since: 'new' },
  ]);
  for (const format of ['text', 'markdown', 'html'])
    expect((await run('plan', '--format', format)).stdout).toContain(`${source} (new)`);
  expect((await run('plan', '--format', 'terraform')).status).toBe(0);
  expect((await run('plan', '--out', 'plan.json')).status).toBe(0);
  const applied = await run('apply', '--auto-approve', 'plan.json');
  expect([applied.status, applied.all]).toEqual([0, expect.stringContaining('Verified')]);
  const [api, web] = ['api', 'web'].map((name) => twin.account.projects.find((one) => one.name === name)!);
  const [secret] = Object.keys(api!.protectionBypass!);
  expect(web!.env.map(({ key, value }) => `${key} ${value}`).sort()).toEqual([
    `BYPASS token=${secret}`,
    `COPY ${secret}`,
  ]);
  const again = await run('plan', '--verbose');
  expect(again.stdout).toContain('No changes.');
  expect(again.stdout).not.toContain('(new)');
  // A new secret reaches the variables by the run that makes it.
  delete api!.protectionBypass![secret!];
  expect((await run('apply', '--auto-approve', '--settle', '0')).status).toBe(0);
  const [next] = Object.keys(api!.protectionBypass!);
  expect(next).not.toBe(secret);
  expect(web!.env.map(({ value }) => value).sort()).toEqual([next, `token=${next}`].sort());
  expect((await run('plan')).stdout).toContain('No changes.');
  for (const command of [['graph'], ['blame'], ['log'], ['render'], ['export'], ['show', 'plan.json']])
    await run(...command);
  const kept = readdirSync(shell.folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'));
  for (const text of [...printed, ...kept]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(next);
  }
});

test('at a terminal, a yes to the secret of an existing object is asked for once', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': `stack: demo
platform: { team: acme }
projects:
  api: { $existing: true, env: { KEY: { $existing: true } } }
  web: { env: { KEY: { value: "\${projects.api.env['KEY@production'].value}", target: [production] } } }
`,
  });
  const state = `${shell.folder}-state`;
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  await shell.withTwin({
    projects: [
      { name: 'web' },
      { name: 'api', env: [{ key: 'KEY', value: 'canary-key', type: 'encrypted' }] },
    ],
  });
  shell.env = { ...shell.env, TERM: 'dumb', XDG_STATE_HOME: state };
  const asked = await shell.run(['plan'], { input: 'yes\n', isTerminal: true });
  expect([asked.status, asked.all]).toEqual([
    0,
    expect.stringContaining('secret of projects/api/env/KEY@production'),
  ]);
  expect((await shell.run(['plan'])).status).toBe(0);
  expect((await shell.run(['plan'], {})).all).not.toContain('canary');
});

test('an existing variable is named with the targets that it has', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': `stack: demo
platform: { team: acme }
projects:
  api:
    $existing: true
    env: { KEY: { $existing: true, target: [production] } }
  web: { env: { KEY: { value: "\${projects.api.env['KEY@production'].value}", target: [production] } } }
sharedEnv: { SHARED: { $existing: true, target: [preview] } }
`,
  });
  await shell.withTwin({
    projects: [
      { name: 'web' },
      {
        name: 'api',
        env: [{ key: 'KEY', value: 'canary-key', type: 'encrypted', target: ['production'] }],
      },
    ],
    sharedEnv: [{ key: 'SHARED', value: 'x', target: ['preview'] }],
  });
  const ran = await shell.run(['plan', '--allow-live', 'projects/api/env/KEY@production']);
  expect(ran.all).toMatch(/\+ {3}projects\/web\/env\/KEY@production/);
  expect(ran.status).toBe(0);
  const value = 'KEY: { $existing: true, value: x }';
  await shell.write({
    'trueup.yaml': `stack: demo\nplatform: { team: acme }\nprojects: { api: { $existing: true, env: { ${value} } } }\n`,
  });
  expect((await shell.run(['validate'])).all).toContain(
    '`value` cannot be set on a resource with `$existing`',
  );
});

test('a renamed object is no new source of a secret', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  await shell.withTwin({ projects: [{ name: 'web' }] });
  const apply = () => shell.run(['apply', '--auto-approve', '--settle', '0']);
  const sources = async () => JSON.parse((await shell.run(['plan', '--json'])).stdout).sources;
  expect((await apply()).status).toBe(0);
  const renamed = yaml
    .replace('api: {', 'backend: { $was: api,')
    .replace('web:\n', 'site:\n    $was: web\n')
    .replaceAll('projects.api', 'projects.backend');
  const newSource = 'field secret of projects/backend/protectionBypass/e2e';
  await shell.write({ 'trueup.yaml': renamed });
  expect(await sources()).toEqual([
    { name: 'field value of projects/site/env/BYPASS', source: newSource },
    { name: 'field value of projects/site/env/COPY', source: newSource },
  ]);
  await shell.write({
    'trueup.yaml': renamed
      .replace(
        '  backend: {',
        '  other: { protectionBypass: { e2e: { note: End-to-end tests } } }\n  backend: {',
      )
      .replace('token=${projects.backend', 'token=${projects.other'),
  });
  expect(await sources()).toEqual([
    {
      name: 'field value of projects/site/env/BYPASS',
      source: 'field secret of projects/other/protectionBypass/e2e',
      since: 'changed',
      before: source,
    },
    { name: 'field value of projects/site/env/COPY', source: newSource },
  ]);
  await shell.write({ 'trueup.yaml': renamed });
  expect((await apply()).status).toBe(0);
  expect((await shell.run(['plan', '--verbose'])).stdout).not.toMatch(/\((new|was) /);
});
