import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(5);

const yaml = `stack: acme
platform: { team: acme }
secrets: { api: {} }
projects:
  web:
    framework: nextjs
    env: { API_KEY: "\${secret.api}", HELLO: { value: world, type: plain } }
webhooks:
  deploys: { url: https://hooks.example.com, events: [deployment.succeeded], $secretTo: discard }
`;

/** A shell with an account on a twin that has what `yaml` says: an embedded one would get other secrets. */
async function withAccount(): Promise<Shell> {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  await shell.withTwin();
  shell.env.TRUEUP_SECRET_api = 'canary-of-the-key';
  const { status, all } = await shell.run(['apply', '--auto-approve']);
  expect(status, all).toBe(0);
  return shell;
}

it('an account comes back as YAML that plans to no write, and holds no secret', async () => {
  const shell = await withAccount();
  const printed = await shell.run(['export']);
  expect(printed.status, printed.all).toBe(0);
  expect(printed.all).not.toContain('canary');
  expect(printed.stdout).toContain('framework: nextjs');
  expect(printed.stderr).toContain('set 1 environment variable:');
  expect(printed.stderr).toMatch(
    /^ {2}TRUEUP_SECRET_env_WEB_API_KEY +projects\/web\/env\/API_KEY@development$/m,
  );

  // Beside the ledger of the stack that has all of it, the copy would be refused.
  const elsewhere = ['--ledger', 'copy/.trueup/ledger/copy.json'];
  const wrote = await shell.run(['export', '--out', 'copy/trueup.yaml', '--stack', 'copy']);
  expect(wrote.status, wrote.all).toBe(0);
  shell.env = { ...shell.env, TRUEUP_SECRET_env_WEB_API_KEY: 'canary-of-the-key' };
  const planned = await shell.run(['plan', '-f', 'copy', '--requests', '--detailed-exitcode', ...elsewhere]);
  expect(planned.status, planned.all).toBe(2);
  expect(planned.stdout).toMatch(/0 to create, 5 to adopt, 0 to update, 0 to delete\. 0 requests/);
  expect(planned.stdout).not.toMatch(/POST|PATCH|PUT|DELETE/);
  expect((await shell.run(['apply', '-f', 'copy', '--auto-approve', ...elsewhere])).status).toBe(0);
  expect((await shell.run(['plan', '-f', 'copy', '--detailed-exitcode', ...elsewhere])).status).toBe(0);
});

story('one file for each area; files that are there are left alone', async () => {
  const shell = await withAccount();
  expect((await shell.run(['schema', '--out', '.trueup/schema.json'])).status).toBe(0);
  const args = ['export', '--out-dir', 'areas'];
  const first = await shell.run(args);
  expect([first.status, first.stderr]).toEqual([
    0,
    expect.stringContaining('To plan with all files: trueup plan -f areas'),
  ]);
  const folder = join(shell.folder, 'areas');
  expect(readdirSync(folder).sort()).toEqual([
    'members.yaml',
    'projects.yaml',
    'trueup.yaml',
    'webhooks.yaml',
  ]);
  const before = readFileSync(join(folder, 'projects.yaml'), 'utf8');
  expect(before.split('\n')[0]).toBe('# yaml-language-server: $schema=../.trueup/schema.json');
  const again = await shell.run(args);
  expect(again.status).toBe(1);
  expect(again.stderr).toMatch(/areas\/trueup\.yaml, .* already exist;/);
  expect((await shell.run([...args, '--force'])).status).toBe(0);
  expect(readFileSync(join(folder, 'projects.yaml'), 'utf8')).toBe(before);
  expect(statSync(folder).isDirectory()).toBe(true);
  expect((await shell.run(['validate', '-f', 'areas'])).status).toBe(0);
  const formatted = await shell.run(['fmt', '--check', 'areas']);
  expect(formatted.status, formatted.all).toBe(0);
});

story('the command that it prints plans with all of its files', async () => {
  const shell = await withAccount();
  // Beside the ledger of the stack that has all of it, the copies would be refused.
  shell.env.TRUEUP_LEDGER = 'elsewhere/ledger.json';
  for (const [index, args] of [
    ['--out', 'one/acme.yaml'],
    ['--out', 'two/trueup.yaml', '--by', 'webhooks/**=deep/hooks.yaml'],
    ['--out', 'three/trueup.yaml', '--values', 'dotenv', '.env'],
    ['--out-dir', 'four', '--values', 'dotenv', '.env', '--force'],
  ].entries()) {
    const { status, stderr } = await shell.run(['export', '--stack', `copy-${index}`, ...args]);
    expect(status, stderr).toBe(0);
    const [, command] = /trueup (plan -f .*)/.exec(stderr) ?? [];
    const planned = await shell.run([...command!.split(' '), '--json']);
    expect(planned.status, planned.all).toBe(0);
    expect(JSON.parse(planned.stdout).summary).toMatchObject({ create: 0, delete: 0 });
    expect(planned.all).toContain('webhooks/');
    expect(planned.all).not.toContain('allow/unused');
  }
});

story('a part, without a configuration', async () => {
  const shell = await withAccount();
  const { stdout, status } = await shell.run(['export', '--team', 'acme', '--target', 'webhooks/*']);
  expect(status).toBe(0);
  expect(stdout).toContain('hooks.example.com:');
  expect(stdout).not.toContain('projects:');
});

it.each([
  [['--team', 'acme', '--personal'], /cannot be used with/],
  [['--out', 'a', '--out-dir', 'b'], /cannot be used with/],
  [['--nonsense'], /unknown option/],
])('%j is refused', async (args, message) => {
  const { status, stderr } = await new Shell().run(['export', '--twin', ...args]);
  expect(status).toBe(1);
  expect(stderr).toMatch(message);
});

it('an account that nobody names is asked for', async () => {
  const { status, stderr } = await new Shell().run(['export', '--twin']);
  expect(status).toBe(1);
  expect(stderr).toContain('--team SLUG');
});

const knowing = `stack: acme
platform: { team: acme }
secrets: { a: {} }
projects:
  web:
    routes:
      - name: inner
        route: { src: /in, dest: "https://in.example.com", headers: { x-pass: "\${secret.a}" } }
domains:
  example.com:
    records:
      - { type: TXT, name: verify, value: "\${secret.a}" }
webhooks:
  deploys: { url: "https://hooks.example.com/\${secret.a}", events: [deployment.error], $secretTo: discard }
globalConfigs:
  shop:
    items:
      key: "\${secret.a}"
      nested: { value: { at: { key: "\${secret.a}" }, open: plainly } }
      banner: Sale ends Sunday
`;

it.each([
  ['a ledger', true],
  ['only the configuration', false],
])('what this stack knows as secret is not written, with %s', async (_, hasLedger) => {
  const shell = await new Shell().write({ 'trueup.yaml': knowing });
  await shell.withTwin();
  shell.env.TRUEUP_SECRET_a = 'canary-of-a';
  const applied = await shell.run(['apply', '--auto-approve']);
  expect(applied.status, applied.all).toBe(0);
  if (!hasLedger) rmSync(join(shell.folder, '.trueup/ledger'), { recursive: true });
  const wrote = await shell.run(['export', '--out', 'copy/trueup.yaml', '--stack', 'copy']);
  expect(wrote.status, wrote.all).toBe(0);
  const yaml = readFileSync(join(shell.folder, 'copy/trueup.yaml'), 'utf8');
  expect(`${wrote.all}${yaml}`).not.toContain('canary');
  expect(yaml).toContain('Sale ends Sunday');
  const names = [...wrote.stderr.matchAll(/^ {2}(TRUEUP_SECRET_\w+)/gm)].map(([, name]) => name!);
  // Equal values have one name.
  expect(names).toHaveLength(3);
  // `plainly` stands beside a secret, and is sealed with it.
  const values = names.map((name) => [name, /OPEN/.test(name) ? 'plainly' : 'canary-of-a']);
  const hook = names.find((name) => name.endsWith('_URL'))!;
  shell.env = {
    ...shell.env,
    ...Object.fromEntries(values),
    [hook]: 'https://hooks.example.com/canary-of-a',
  };
  const planned = await shell.run(['plan', '-f', 'copy', '--requests']);
  expect(planned.stdout, planned.all).toMatch(
    /0 to create, \d+ to adopt, 0 to update, 0 to delete\. 0 requests/,
  );
});

it('what could hold a secret that nobody declared is named', async () => {
  const shell = await new Shell().write({});
  await shell.withTwin({
    globalConfigs: [{ slug: 'shop', items: { key: 'canary-of-an-item', on: true } }],
    webhooks: [
      { url: 'https://hooks.example.com/a?token=canary-of-a-hook', events: ['domain.created'] },
      { url: 'https://hooks.example.com/b', events: ['domain.created'] },
    ],
  });
  const { status, stderr, all } = await shell.run(['export', '--team', 'acme']);
  expect(status, all).toBe(0);
  expect(stderr).toContain('Written as found');
  expect(stderr).toContain('  globalConfigs/shop/items/key (value)\n');
  expect(stderr.match(/\((value|url)\)/g)).toHaveLength(1);
  // A URL with a token in it is not written at all.
  expect(stderr).toMatch(/TRUEUP_SECRET_\w+_URL +webhooks\//);
  expect(all).not.toContain('canary-of-a-hook');
  expect(stderr).not.toContain('canary');
});

oneRowIn(2)([['--target'], ['--exclude']])('%s that matches nothing is an error', async (flag) => {
  const shell = await new Shell().write({});
  await shell.withTwin({ projects: [{ name: 'web' }] });
  const { status, stderr, stdout } = await shell.run(['export', '--team', 'acme', flag, 'web']);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain('no address matches web');
  expect((await shell.run(['export', '--team', 'acme', flag, 'projects/web/**'])).status).toBe(0);
});

story('an export that cannot be read back is no success, and says what is wrong', async () => {
  const shell = await new Shell().write({});
  const twin = await shell.withTwin({ projects: [{ name: 'web' }], globalConfigs: [{ slug: 'shop' }] });
  const deep = JSON.parse(`${'['.repeat(150)}${']'.repeat(150)}`);
  twin.account.globalConfigs[0]!.items.push({ key: 'deep', value: deep, createdAt: 1, updatedAt: 1 });
  for (const args of [[], ['--out', 'copy/trueup.yaml'], ['--out-dir', 'areas']]) {
    const { status, stderr } = await shell.run(['export', '--team', 'acme', ...args]);
    expect([status, stderr]).toEqual([1, expect.stringContaining('The result is not valid')]);
    expect(stderr).toContain('levels deep');
  }
  const without = ['export', '--team', 'acme', '--exclude', '**/deep'];
  expect((await shell.run(without)).status).toBe(0);
  // Running it again later helps only if nothing else is wrong.
  const limit = { type: 'rateLimit', retryAfter: 2580 } as const;
  twin.setFaults({ faults: [{ at: { operation: 'filterProjectEnvs' }, do: limit }] });
  expect((await shell.run(without)).status).toBe(75);
  expect((await shell.run(['export', '--team', 'acme'])).status).toBe(1);
});

story('what no block can be called is left out, and told', async () => {
  const shell = await new Shell().write({});
  const twin = await shell.withTwin({ globalConfigs: [{ slug: 'shop' }] });
  const item = JSON.parse('{"key":"__proto__","value":"text"}');
  twin.account.globalConfigs[0]!.items.push({ ...item, createdAt: 1, updatedAt: 1 });
  const { status, stderr } = await shell.run(['export', '--team', 'acme']);
  expect([status, stderr]).toEqual([0, expect.stringContaining('no block can have the name "__proto__"')]);
});

it('a secret is not called like one that is there for something else', async () => {
  const shell = await new Shell().write({});
  await shell.withTwin({
    projects: [
      { name: 'node', env: [{ key: 'ENV', value: 'canary' }] },
      { name: 'web', env: ['TAKEN', 'SAME', 'FREE'].map((key) => ({ key, value: `canary-${key}` })) },
    ],
  });
  shell.env = {
    ...shell.env,
    TRUEUP_SECRET_env_WEB_TAKEN: 'of somebody else',
    TRUEUP_SECRET_env_WEB_SAME: 'canary-SAME',
  };
  const { status, stderr, all } = await shell.run(['export', '--team', 'acme']);
  expect(status, all).toBe(0);
  expect([...stderr.matchAll(/^ {2}(TRUEUP_SECRET_\w+)/gm)].map(([, name]) => name)).toEqual([
    'TRUEUP_SECRET_env_EXPORTED_WEB_TAKEN',
    'TRUEUP_SECRET_env_NODE_ENV',
    'TRUEUP_SECRET_env_WEB_FREE',
    'TRUEUP_SECRET_env_WEB_SAME',
  ]);
});

it('what cannot be declared is told by its name, without a reason that nobody knows', async () => {
  const shell = await new Shell().write({});
  await shell.withTwin({
    globalConfigs: [{ slug: 'flags-of-web', purpose: { flagsOf: 'web' } }],
    projects: [{ name: 'web' }],
  });
  const { stderr } = await shell.run(['export', '--team', 'acme']);
  expect(stderr).toContain('globalConfigs: 1 object is left out because it cannot be declared: flags-of-web');
});
