import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseDotenv } from '../../src/config/values/dotenv.ts';
import { parseValuesOutput, requireValuesOutput } from '../../src/export/write-export.ts';
import type { Host } from '../../src/host.ts';
import { Shell } from '../support/cli.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const env = [
  { key: 'API_KEY', value: 'canary-key', target: ['production' as const] },
  { key: 'OPEN', value: 'shown', type: 'plain' as const },
  { key: 'DEEP', value: 'canary-deep', type: 'sensitive' as const, target: ['production' as const] },
];

const git = (folder: string, ...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });

/** An account of three projects with equal variables. */
async function company(): Promise<Shell> {
  const shell = await new Shell().write({});
  await shell.withTwin({
    projects: ['site-at', 'site-de', 'web'].map((name) => ({
      name,
      env,
      domains: [{ name: `${name}.example.com` }],
    })),
  });
  return shell;
}

const text = (shell: Shell, file: string) => readFileSync(join(shell.folder, file), 'utf8');

async function expectNoWrite(shell: Shell, ...args: string[]): Promise<string> {
  // With a key, a plan compares the secrets.
  await shell.run(['ledger', 'key']);
  const planned = await shell.run(['plan', ...args, '--requests']);
  expect(planned.stdout, planned.all).toMatch(
    /0 to create, \d+ to adopt, 0 to update, 0 to delete\. 0 requests/,
  );
  return planned.all;
}

it('without values: nothing has to be set, nothing is sent, and no value is in it', async () => {
  const shell = await company();
  const wrote = await shell.run(['export', '--team', 'acme', '--values', 'omit', '--out', 'trueup.yaml']);
  expect(wrote.status, wrote.all).toBe(0);
  expect(wrote.stderr).not.toContain('TRUEUP_SECRET');
  const yaml = text(shell, 'trueup.yaml');
  expect(yaml).not.toMatch(/value:|secret|canary|shown/);
  expect(yaml).toMatch(/OPEN:\n +type: plain/);
  const all = await expectNoWrite(shell);
  expect(all).not.toMatch(/not compared|warning/i);
  expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
  expect((await shell.run(['plan', '--detailed-exitcode'])).status).toBe(0);
});

story(
  'plain ones in the YAML and no others: nothing has to be set, nothing is sent, and the counts add up',
  async () => {
    const shell = await company();
    const wrote = await shell.run(['export', '--team', 'acme', '--values', 'plain', '--out', 'trueup.yaml']);
    expect(wrote.stderr).toContain(
      'Values of 9 variables: 3 in the YAML, 6 secret and left in the account.\n',
    );
    expect(wrote.stderr).not.toContain('TRUEUP_SECRET');
    const yaml = text(shell, 'trueup.yaml');
    expect(yaml.match(/value: shown/g)).toHaveLength(3);
    expect(yaml).not.toMatch(/secret|canary/);
    expect(await expectNoWrite(shell)).not.toMatch(/not compared|warning/i);
    expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
    expect((await shell.run(['plan', '--detailed-exitcode'])).status).toBe(0);
  },
);

it('equal values are one secret, called by what they have in common; what is to be set is a table', async () => {
  const shell = await company();
  const { stdout, stderr } = await shell.run(['export', '--team', 'acme']);
  expect(stdout.match(/\$\{secret\.env\[API_KEY\]\}/g)).toHaveLength(3);
  expect(stdout).toContain('value: shown');
  expect(stderr).toMatch(
    /^ {2}TRUEUP_SECRET_env_API_KEY +projects\/site-at\/env\/API_KEY@production and 2 more$/m,
  );
  // Nobody can read them: one for each.
  expect(stderr).toMatch(/^ {2}TRUEUP_SECRET_env_WEB_DEEP +projects\/web\/env\/DEEP@production$/m);
  expect(Math.max(...stderr.split('\n').map((line) => line.length))).toBeLessThan(200);
});

it('into a dotenv file, which git must not see', async () => {
  const shell = await company();
  const args = ['export', '--team', 'acme', '--values', 'dotenv', '.env.live', '--out', 'trueup.yaml'];
  git(shell.folder, 'init');
  const seen = await shell.run(args);
  expect([seen.status, seen.stderr]).toEqual([1, expect.stringContaining('would be visible to git')]);
  expect(existsSync(join(shell.folder, 'trueup.yaml'))).toBe(false);

  await shell.write({ '.gitignore': '.env.*\n', '.env.live': 'A=b\n' });
  git(shell.folder, 'add', '-f', '.env.live');
  const tracked = await shell.run([...args, '--force']);
  expect([tracked.status, tracked.stderr]).toEqual([1, expect.stringContaining('would be visible to git')]);
  git(shell.folder, 'rm', '-q', '--cached', '.env.live');
  const there = await shell.run(args);
  expect([there.status, there.stderr]).toEqual([1, expect.stringContaining('already exists')]);
  rmSync(join(shell.folder, '.env.live'));

  const wrote = await shell.run(args);
  expect(wrote.status, wrote.all).toBe(0);
  expect(wrote.all).not.toContain('canary');
  expect(wrote.stderr).toContain('trueup plan --allow-files .env.live');
  expect(text(shell, '.env.live')).toBe('API_KEY=canary-key\n');
  expect(statSync(join(shell.folder, '.env.live')).mode & 0o777).toBe(0o600);
  expect(text(shell, 'trueup.yaml')).not.toContain('canary');
  expect(text(shell, 'trueup.yaml')).toMatch(/env: \{ dotenv: \.env\.live \}|dotenv: \.env\.live/);
  expect(await expectNoWrite(shell, '--allow-files', '.env.live')).not.toContain('not compared');
});

/** Encrypts by turning letters; stands in for the program. */
const turning = `#!/bin/sh
echo "$@" >> "$OUT/args"
case "$1" in
  encrypt) printf 'enc: '; tr 'a-z' 'n-za-m' ;;
  --decrypt) sed 's/^enc: //' "$4" | tr 'a-z' 'n-za-m' ;;
esac
`;

it('into a SOPS file, by the program, with nothing in the clear on the way', async () => {
  const shell = await company();
  const args = ['export', '--team', 'acme', '--values', 'sops', 'secrets.yaml', '--out', 'trueup.yaml'];
  const bin = await new Shell().write({ sops: '' });
  shell.env = { ...shell.env, PATH: bin.folder, OUT: bin.folder };
  const none = await shell.run(args);
  expect([none.status, none.stderr]).toEqual([1, expect.stringContaining('`sops` is not installed')]);

  await bin.write({ sops: turning });
  chmodSync(join(bin.folder, 'sops'), 0o755);
  shell.env.PATH = `${bin.folder}:/usr/bin:/bin`;
  const wrote = await shell.run(args);
  expect(wrote.status, wrote.all).toBe(0);
  const allowing = ['--allow-command', 'sops --decrypt --output-type json secrets.yaml'];
  expect(wrote.stderr).toContain(`trueup plan ${allowing[0]} '${allowing[1]}'`);
  expect(text(shell, 'secrets.yaml')).toBe('enc: {"API_KEY":"pnanel-xrl"}');
  expect(text(bin, 'args')).toBe('encrypt --filename-override secrets.yaml --input-type json\n');
  expect((await shell.run(args)).stderr).toContain('secrets.yaml already exists');
  expect(await expectNoWrite(shell, ...allowing)).not.toContain('not compared');

  // A path below a file is refused before the account is read, and before the file of values is written.
  const place = parseValuesOutput(['sops', 'trueup.yaml/a/values.yaml']);
  const host = { cwd: shell.folder, env: shell.env } as unknown as Host;
  await expect(requireValuesOutput({ place, host, force: false })).rejects.toMatchObject({
    diagnostics: [{ code: 'file/unwritable' }],
  });
  const below = [...args.slice(0, 3), '--values', 'sops', 'b.yaml', '--out', 'trueup.yaml/b.yaml'];
  expect((await shell.run(below)).stderr).toContain('trueup.yaml/b.yaml cannot be written');
  expect(existsSync(join(shell.folder, 'b.yaml'))).toBe(false);

  for (const [program, message] of [
    ['#!/bin/sh\ncat\n', 'left values of secrets.yaml unencrypted'],
    ['#!/bin/sh\ncat >&2\nexit 3\n', 'sops ended with exit code 3'],
    ['#!/bin/sh\ncat >/dev/null\n', 'sops printed nothing'],
  ]) {
    await bin.write({ sops: program! });
    const failed = await shell.run([...args, '--force']);
    expect([failed.status, failed.stderr]).toEqual([1, expect.stringContaining(message!)]);
    expect(failed.all).not.toContain('canary');
    expect(text(shell, 'secrets.yaml')).toContain('enc: ');
  }
});

it.each([[['nonsense']], [['dotenv']], [['sops']], [['omit', 'x']], [['dotenv', 'a', 'b']]])(
  '--values %j is refused',
  async (words) => {
    const { status, stderr } = await new Shell().run([
      'export',
      '--twin',
      '--team',
      'acme',
      '--values',
      ...words,
    ]);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('--values inline, --values plain, --values omit'),
    ]);
  },
);

story(
  'values that are empty, quoted or long arrive in a dotenv file, and are read from it again',
  async () => {
    const values = { EMPTY: '', KEY: '-----BEGIN\nkey\n', LIST: '{"a": "b#c"}', ID: '0123456789012345678' };
    const shell = await new Shell().write({ '.gitignore': '.env.live\n' });
    git(shell.folder, 'init');
    const env = Object.entries(values).map(([key, value]) => ({ key, value }));
    await shell.withTwin({ projects: [{ name: 'web', env }] });
    const args = ['export', '--team', 'acme', '--values', 'dotenv', '.env.live', '--out', 'trueup.yaml'];
    const wrote = await shell.run(args);
    expect(wrote.status, wrote.all).toBe(0);
    const written = [...parseDotenv(text(shell, '.env.live')).values];
    expect(written.map(([name, value]) => [name.replace('WEB_', ''), value]).sort()).toEqual(
      Object.entries(values).sort(),
    );
    expect(await expectNoWrite(shell, '--allow-files', '.env.live')).not.toContain('not compared');
  },
);

it('what the account does not show has a line in the table of what is to be added', async () => {
  const shell = await new Shell().write({});
  await shell.withTwin({ webhooks: [{ url: 'https://hooks.example.com/a', events: ['domain.created'] }] });
  shell.env.TRUEUP_SECRET_x = 'canary-of-a-hook';
  const { stderr, status } = await shell.run(['export', '--team', 'acme', '--values', 'dotenv', '.env.live']);
  expect([status, stderr]).toEqual([0, expect.stringContaining('exported')]);
  expect(existsSync(join(shell.folder, '.env.live'))).toBe(false);
});

story('files for teams: what matches goes there, and all together plan to nothing', async () => {
  const shell = await company();
  const wrote = await shell.run([
    ...['export', '--team', 'acme', '--values', 'omit', '--out', 'infra/trueup.yaml'],
    ...['--by', 'projects/site-*=sites.yaml', '--by', 'projects/web/domains/WEB.example.com=dns/names.yaml'],
    ...['--by', 'projects/web/env/OPEN=names.yaml'],
  ]);
  expect(wrote.status, wrote.all).toBe(0);
  const [main, sites, names] = ['trueup', 'sites', 'dns/names'].map((name) =>
    text(shell, `infra/${name}.yaml`),
  );
  expect(main).toContain('stack: acme');
  expect(main).not.toMatch(/site-|domains:|OPEN/);
  expect(main).toMatch(/^ {2}web:$/m);
  expect(sites).toMatch(/^ {2}site-at:$[\s\S]*^ {2}site-de:$/m);
  expect(sites).not.toMatch(/stack|platform|web/);
  expect(names).toBe('projects:\n  web:\n    domains:\n      web.example.com: {}\n');
  expect(text(shell, 'infra/names.yaml')).toBe(
    'projects:\n  web:\n    env:\n      OPEN:\n        type: plain\n',
  );
  await expectNoWrite(shell, '-f', 'infra');
});

story('`--by` can name a file `trueup.yaml` if the main file has another name', async () => {
  const shell = await company();
  const { status, stderr } = await shell.run([
    ...['export', '--team', 'acme', '--out', 'main.yaml', '--by', 'projects/web=trueup.yaml'],
  ]);
  expect([status, stderr]).toEqual([0, expect.stringContaining('Wrote main.yaml, trueup.yaml.')]);
});

oneRowIn(5)([
  [['--by', 'projects/*=a.yaml'], 'needs somewhere to put them'],
  [['--by', 'projects/*', '--out', 'x.yaml'], 'names no file'],
  [['--by', 'projects/*=../a.yaml', '--out', 'x.yaml'], 'not a YAML file next to the main one'],
  [['--by', 'projects/*=a.txt', '--out', 'x.yaml'], 'not a YAML file next to the main one'],
  [['--by', 'projects/*=a/.b.yaml', '--out', 'x.yaml'], 'a/.b.yaml is hidden'],
  [['--by', 'projects/*=x.yaml', '--out', 'y/x.yaml'], 'is the main file'],
  [['--by', 'projects/w*=projects.yaml', '--out-dir', 'y'], 'is already the file of an area'],
  [['--by', 'projects/nope=a.yaml', '--out', 'x.yaml'], 'no address matches projects/nope'],
  [['--values', 'dotenv', './x.yaml', '--out', 'x.yaml'], './x.yaml is a file of the configuration'],
])('%j is refused', async (args, message) => {
  const shell = await company();
  const { status, stderr } = await shell.run(['export', '--team', 'acme', ...args]);
  expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
});
