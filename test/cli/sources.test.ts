import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { initRepository } from '../support/init-repository.ts';

const yaml = (secrets: string, more = '') => `stack: demo
platform: { team: acme }
secrets: { database: ${secrets} }
projects: { web: { env: { A: { value: "\${secret.database}", target: [production] } } } }
${more}`;
const region =
  'variables: { region: { env: DEPLOY_REGION, default: fra1 } }\nglobalConfigs: { "c-${var.region}": {} }\n';

async function begin(text: string) {
  const shell = await new Shell().write({ 'trueup.yaml': text });
  await shell.withTwin({ projects: [{ name: 'web' }] });
  const state = `${shell.folder}-state`;
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  shell.env = { ...shell.env, TERM: 'dumb', XDG_STATE_HOME: state };
  return shell;
}
const newSources = 'Sources: new or changed since the last apply';

test('where an allowance is missing: a note, not compared, an error; each names the flag and the line for a workflow', async () => {
  const shell = await begin(yaml('{ env: DATABASE_URL }'));
  shell.env.DATABASE_URL = 'canary-of-the-database';
  const flag = '--allow-env DATABASE_URL; in a workflow, under `env:`, `TRUEUP_ALLOW_ENV: DATABASE_URL`';
  const validated = await shell.run(['validate']);
  expect([validated.status, validated.stderr]).toEqual([
    0,
    expect.stringContaining('Note: the secret `database`'),
  ]);
  expect(validated.stderr).toContain(flag);
  const planned = await shell.run(['plan']);
  expect([planned.status, planned.stderr]).toEqual([
    0,
    expect.stringContaining(`Warning: the secret \`database\` is not available`),
  ]);
  expect(planned.stderr).toContain(flag);
  const applied = await shell.run(['apply', '--auto-approve']);
  expect([applied.status, applied.stderr]).toEqual([
    1,
    expect.stringContaining(`Error: the secret \`database\` is not available`),
  ]);
  expect(applied.stderr).toContain('write `database: {}` and set TRUEUP_SECRET_database');
  const json = await shell.run(['validate', '--format', 'json']);
  expect(json.stdout).toContain('source/env');
  for (const { all } of [validated, planned, applied, json]) expect(all).not.toContain('canary');
  expect((await shell.run(['apply', '--auto-approve', '--allow-env', 'DATABASE_URL'])).status).toBe(0);
});

test('a variable without its allowance is an error of plan and apply, and a note of validate', async () => {
  const shell = await begin(yaml('{}', region));
  shell.env = { ...shell.env, TRUEUP_SECRET_database: 'x', DEPLOY_REGION: 'canary-region' };
  const validated = await shell.run(['validate']);
  expect([validated.status, validated.stderr]).toEqual([
    0,
    expect.stringContaining('Note: the variable `region`'),
  ]);
  for (const args of [['plan'], ['apply', '--auto-approve']]) {
    const { status, stderr, all } = await shell.run([...args, '--allow-env', 'DEPLOY_REGION']);
    expect([status, stderr]).toEqual([1, expect.stringContaining('--allow-env-shown DEPLOY_REGION')]);
    expect(stderr).toContain('TRUEUP_VAR_region');
    expect(all).not.toContain('canary');
  }
  const allowed = await shell.run(['plan', '--allow-env-shown', 'DEPLOY_REGION']);
  expect([allowed.status, allowed.stdout]).toEqual([0, expect.stringContaining('c-canary-region')]);
  shell.env.TRUEUP_VAR_region = 'own';
  expect((await shell.run(['plan'])).stdout).toContain('c-own');
});

test('a plan has a section for new and changed sources in each form, and the ledger remembers them', async () => {
  const shell = await begin(yaml('{}'));
  shell.env = {
    ...shell.env,
    TRUEUP_SECRET_database: 'canary-value',
    OTHER: 'canary-value',
    TRUEUP_ALLOW_ENV: 'OTHER',
  };
  const name = 'secret database';
  const forms = async () => ({
    text: (await shell.run(['plan'])).stdout,
    markdown: (await shell.run(['plan', '--format', 'markdown'])).stdout,
    html: (await shell.run(['plan', '--format', 'html'])).stdout,
    json: JSON.parse((await shell.run(['plan', '--json'])).stdout),
  });
  const first = await forms();
  for (const text of [first.text, first.markdown, first.html]) expect(text).toContain(newSources);
  expect(first.text).toContain(`${name}: env TRUEUP_SECRET_database (new)`);
  expect(first.json.sources).toEqual([{ name, source: 'env TRUEUP_SECRET_database', since: 'new' }]);
  expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
  const ledger = () => JSON.parse(readFileSync(join(shell.folder, '.trueup/ledger/demo.json'), 'utf8'));
  expect(ledger().sources).toEqual({ [name]: 'env TRUEUP_SECRET_database' });
  const second = await forms();
  for (const text of [second.text, second.markdown, second.html]) expect(text).not.toContain(newSources);
  expect(second.json.sources).toEqual([{ name, source: 'env TRUEUP_SECRET_database' }]);

  await shell.write({ 'trueup.yaml': yaml('{ env: OTHER }') });
  const changed = await forms();
  expect(changed.text).toContain(`${name}: env OTHER (was env TRUEUP_SECRET_database)`);
  for (const text of [changed.markdown, changed.html])
    expect(text).toContain('env OTHER (was env TRUEUP_SECRET_database)');
  expect(changed.text).toContain('No changes.');
  expect(changed.json.sources).toEqual([
    { name, source: 'env OTHER', since: 'changed', before: 'env TRUEUP_SECRET_database' },
  ]);
  // Nothing is sent, and the next plan does not tell it again.
  const applied = await shell.run(['apply', '--auto-approve']);
  expect([applied.status, applied.stderr]).toEqual([0, expect.stringContaining('The ledger now records')]);
  expect((await forms()).text).not.toContain(newSources);
  expect(JSON.stringify([first, second, changed, ledger()])).not.toContain('canary');
});

test('the source of a secret stands beside the changes that need it', async () => {
  const shell = await begin(yaml('{}'));
  shell.env.TRUEUP_SECRET_database = 'one';
  expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
  shell.env.TRUEUP_SECRET_database = 'two';
  const plan = await shell.run(['plan', '--out', 'plan.json']);
  const expected = 'Read for these changes:\n  secret database: env TRUEUP_SECRET_database';
  expect(plan.stdout).toContain(expected);
  expect((await shell.run(['show', 'plan.json'])).stdout).toContain(expected);
});

test('a plan is approved with its sources: another one is another plan', async () => {
  const shell = await begin(yaml('{}'));
  shell.env = { ...shell.env, TRUEUP_SECRET_database: 'same', OTHER: 'same', TRUEUP_ALLOW_ENV: 'OTHER' };
  expect((await shell.run(['plan', '--out', 'plan.json'])).status).toBe(0);
  await shell.write({ 'trueup.yaml': yaml('{ env: OTHER }') });
  const { status, stderr } = await shell.run(['apply', 'plan.json']);
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining(
      'is read from env OTHER; the approved plan read it from env TRUEUP_SECRET_database',
    ),
  ]);
});

test('at a terminal a new source is asked for once', async () => {
  const shell = await begin(yaml('{ env: DATABASE_URL }'));
  shell.env.DATABASE_URL = 'canary';
  const question = 'secret database: env DATABASE_URL (trueup.yaml:3)';
  const no = await shell.run(['plan'], { input: 'no\n', isTerminal: true });
  expect(no.stderr).toContain(question);
  expect(no.stderr).toContain('is not available');
  const yes = await shell.run(['plan'], { input: 'yes\n', isTerminal: true });
  expect(yes.stderr).toContain('Remembered in ');
  expect(yes.stderr).not.toContain('is not available');
  for (const isTerminal of [true, false]) {
    const again = await shell.run(['plan'], { isTerminal });
    expect([again.status, again.stderr]).toEqual([0, '']);
  }
  expect(existsSync(join(shell.folder, '.trueup/sources'))).toBe(false);
  // In CI nobody is asked, terminal or not.
  shell.env = {
    ...shell.env,
    XDG_STATE_HOME: join(shell.folder, 'elsewhere'),
    CI: 'true',
    TRUEUP_LEDGER: 'l.json',
  };
  expect((await shell.run(['plan'], { input: 'yes\n', isTerminal: true })).stderr).toContain(
    'is not available',
  );
});

test('a secret whose source is not allowed names the flag, also for many secrets at once', async () => {
  const shell = await begin(yaml('{ command: [op, read, "op://deploy/db"] }'));
  const plan = await shell.run(['plan']);
  expect(plan.stderr).toContain("--allow-command 'op read op://deploy/db'");
  const many = Array.from({ length: 30 }, (_, at) => `s${at}: { env: OLD_${at} }`).join(', ');
  const uses = Array.from({ length: 30 }, (_, at) => `V${at}: "\${secret.s${at}}"`).join(', ');
  await shell.write({
    'trueup.yaml': `stack: demo\nplatform: { team: acme }\nsecrets: { ${many} }\nprojects: { web: { env: { ${uses} } } }\n`,
  });
  const { stderr } = await shell.run(['plan']);
  expect(stderr).toContain('30 secrets are not available');
  expect(stderr).toContain(`TRUEUP_ALLOW_ENV: OLD_0,OLD_1,`);
});

test('neither the token, the ledger nor the plan of a run can be its secret', async () => {
  const shell = await begin(yaml('{ file: token.txt }'));
  shell.env.TRUEUP_SECRET_database = 'x';
  await shell.write({ 'trueup.yaml': yaml('{}'), 'token.txt': 'canary-token', 'p.json': '' });
  const given = ['--token-file', 'token.txt', '--ledger', 'l.json', '--allow-files', '*.txt'];
  delete shell.env.TRUEUP_TOKEN;
  expect((await shell.run(['apply', '--auto-approve', ...given])).status).toBe(0);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: shell.folder });
  initRepository(shell.folder);
  git('add', '-f', 'token.txt', 'l.json', 'p.json');
  const run = async (file: string, ...args: string[]) => {
    await shell.write({ 'trueup.yaml': yaml(`{ file: ${file} }`) });
    return (await shell.run([...args, ...given])).stderr;
  };
  expect(await run('token.txt', 'apply', '--auto-approve')).toContain('is never read');
  expect(await run('p.json', 'plan', '--out', 'p.json')).toContain('is never read');
  expect(await run('l.json', 'plan')).toContain('is never read');
});

test('`-f -` is standard input; files of it lie where trueup was started', async () => {
  const shell = await begin('!');
  shell.env.TRUEUP_SECRET_database = 'x';
  const input = yaml('{}');
  const valid = await shell.run(['validate', '-f', '-'], { input });
  expect([valid.status, valid.stdout]).toEqual([0, expect.stringContaining('is valid: 2 objects in 1 file')]);
  expect((await shell.run(['apply', '-f', '-', '--auto-approve'], { input })).status).toBe(0);
  expect((await shell.run(['plan', '-f', '-'], { input })).stdout).toContain('No changes.');
  const wrong = await shell.run(['validate', '-f', '-'], { input: `${input}sites: {}\n` });
  expect(wrong.stderr).toContain('<stdin>:5:1');
});

test('what a person has allowed counts for the configuration of another commit, too', async () => {
  const text = (region: string) => `stack: demo
platform: { team: acme }
variables: { region: { env: DEPLOY_REGION }, sites: { file: sites.csv } }
projects: { "${region}-\${each.key}": { $each: "\${var.sites}" } }
`;
  const shell = await begin(text('${var.region}'));
  shell.env.DEPLOY_REGION = 'fra1';
  await shell.write({ 'sites.csv': 'name\nweb\n', '.gitignore': 'sites.csv\n.trueup\n' });
  initRepository(shell.folder);
  const commit = () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', shell.folder, ...args], { stdio: 'ignore' });
    git('add', '--all');
    git('-c', 'user.name=a', '-c', 'user.email=a@b.example', 'commit', '-m', 'x');
  };
  commit();
  const allowed = await shell.run(['plan'], { input: 'yes\n', isTerminal: true });
  expect(allowed.status, allowed.all).toBe(0);
  await shell.write({ 'trueup.yaml': text('x-${var.region}') });
  commit();
  const diff = await shell.run(['render', '--diff', 'HEAD~1']);
  expect(diff.stdout, diff.all).toContain('-  fra1-web:');
  expect(diff.stdout).toContain('+  x-fra1-web:');
});

test('the stacks of a command ask one after the other, and the end of the input answers the rest', async () => {
  const stacks = ['a', 'b', 'c'];
  const shell = await begin(yaml('{}'));
  await shell.write({
    'trueup.workspace.yaml': `stacks: [${stacks.join(', ')}]\n`,
    ...Object.fromEntries(
      stacks.map((name) => [`${name}/trueup.yaml`, yaml('{ env: DATABASE_URL }').replace('demo', name)]),
    ),
  });
  const { all } = await shell.run(['plan', '--all'], { isTerminal: true, input: 'yes\n' });
  expect(all.match(/wants to use new sources/g)).toHaveLength(3);
  expect(all.match(/Remembered in/g)).toHaveLength(1);
});

test('a data file that git does not track: the hint is `git add`, but never for a file of secrets', async () => {
  const data =
    'variables: { sites: { file: data.yaml } }\nglobalConfigs: { "c-${each.value}": { $each: "${var.sites}" } }\n';
  const shell = await begin(yaml('{ file: db.txt }', data));
  await shell.write({ 'data.yaml': '[a]', 'db.txt': 'canary' });
  initRepository(shell.folder);
  const { stderr } = await shell.run(['plan']);
  expect(stderr).toContain('add it to git: `git add data.yaml`; or allow it with --allow-files data.yaml');
  execFileSync('git', ['add', 'data.yaml'], { cwd: shell.folder });
  const added = await shell.run(['plan']);
  expect(added.stderr).toContain('allow it with --allow-files db.txt; in a workflow');
  expect(added.stderr).not.toContain('git add');
});
