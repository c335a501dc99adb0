import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { json, serve } from '../http/serve.ts';
import { Shell } from '../support/cli.ts';
import { git, repository } from '../support/ledger-places.ts';
import { pushHead } from '../support/push-head.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const keys = Array.from({ length: 50 }, (_, i) => `site-${i + 1}`);
const families = ['db', 'mail'];
const variables = (value: (family: string, key: string) => string) =>
  families.flatMap((family) =>
    keys.map((key) => `      ${family}_${key.replace('-', '_')}: ${value(family, key)}`),
  );

/** A stack with 100 secrets in two families, which are declared in one line. */
const yaml = `# the sites
stack: sites # of the company
platform: { team: acme }
secrets: { db: {}, token: {}, mail: { } }
projects:
  web:
    env:
      TOKEN: "\${secret.token}"
${variables((family, key) => `"\${secret.${family}[${key}]}"`).join('\n')}
`;
const grouped = yaml
  .replace('of the company\n', 'of the company\nledger: git\n')
  .replace('db: {}, token: {}, mail: { }', 'db: { json: {} }, token: {}, mail: { json: {} }');

const secretsOf = (value: (family: string, key: string) => string) =>
  Object.fromEntries(
    families.flatMap((family) =>
      keys.map((key) => [`TRUEUP_SECRET_${family}_${key.replace('-', '_')}`, value(family, key)]),
    ),
  );
const value = (family: string, key: string) => `value-of-${family}-${key}`;

/** A clone in which the stack was applied, with its ledger in a file. */
async function appliedSites() {
  const { bare, clone } = repository();
  const shell = await new Shell(clone()).write({
    'trueup.yaml': yaml,
    'package-lock.json': '{"packages":{"node_modules/trueup":{}}}',
  });
  await shell.withTwin();
  const secrets = { ...secretsOf(value), TRUEUP_SECRET_token: 'value-of-token' };
  shell.env = { ...shell.env, ...secrets };
  const applied = await shell.run(['apply', '--auto-approve', '--settle', '0', '--no-canary']);
  expect(applied.status, applied.all).toBe(0);
  const read = (name: string) => readFileSync(join(shell.folder, name), 'utf8');
  return { bare, shell, read, secrets };
}

/** All files of a folder with their texts, without those of git. */
const snapshot = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('.git/') && statSync(join(folder, name)).isFile())
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')]);

/** The settings of a repository on GitHub, as a server that only answers reads. */
async function githubWith(settings: Record<string, unknown>) {
  const asked: string[] = [];
  const url = await serve(async ({ method, url: path, headers }, response) => {
    asked.push(`${method} ${path} ${headers.authorization}`);
    const answer = settings[path!.replace('/repos/acme/sites', '').replace(/\?.*/, '')];
    if (answer === undefined) return json(response, 404, { message: 'Not Found' });
    json(response, 200, answer);
  });
  return { asked, env: { GITHUB_API_URL: url, GITHUB_REPOSITORY: 'acme/sites', GITHUB_TOKEN: 'reads' } };
}

story('groups secrets that CI cannot keep, moves the ledger, and verifies every step', async () => {
  const { bare, shell, read, secrets } = await appliedSites();
  const before = snapshot(shell.folder);

  // Without a terminal and without consent, nothing is changed; nor with a no.
  await shell.write({ '.github/workflows/trueup-plan.yml': 'name: mine\n' });
  const hindered = await shell.run(['init', '--ci', 'github', '--yes']);
  expect(hindered.stderr).toContain('[init/ci-exists]');
  expect(read('trueup.yaml')).toBe(yaml);
  rmSync(join(shell.folder, '.github'), { recursive: true });
  const unattended = await shell.run(['init', '--ci', 'github']);
  expect(unattended.status).toBe(1);
  expect(unattended.stderr).toContain('[init/unattended]');
  expect(unattended.stderr).toContain(
    'trueup.yaml:4: keep the 50 members of db in one secret, a JSON object in TRUEUP_SECRET_db: db: { json: {} }',
  );
  const declined = await shell.run(['init', '--ci', 'github'], { isTerminal: true, input: 'no\n' });
  expect(declined.stderr).toContain(
    'Move the ledger of sites to git, where CI looks for it: .trueup/ledger/sites.json.',
  );
  expect(declined.status).toBe(1);
  const checked = await shell.run(['init', '--ci', 'github', '--check']);
  expect(checked.status).toBe(1);
  expect(checked.stdout).toContain(
    'OPEN 1. Configuration and ledgers: as CI needs them\n   run `trueup init --ci github --yes`',
  );
  expect(snapshot(shell.folder)).toEqual(before);

  const ran = await shell.run(['init', '--ci', 'github', '--yes']);
  expect(ran.status, ran.all).toBe(0);
  expect(read('trueup.yaml')).toBe(grouped);
  expect(read('.gitignore')).toBe('node_modules/\n');
  expect(git(bare, 'for-each-ref', 'refs/trueup')).toContain('refs/trueup/sites');
  expect(JSON.parse(read('.trueup/ledger/sites.json')).copiedTo).toBe('refs/trueup/sites at origin');
  const workflow = read('.github/workflows/trueup-apply.yml');
  expect(workflow.match(/TRUEUP_SECRET_\w+(?=:)/g)).toEqual([
    ...['TRUEUP_SECRET_db', 'TRUEUP_SECRET_mail', 'TRUEUP_SECRET_token'],
    ...['TRUEUP_SECRET_db', 'TRUEUP_SECRET_mail', 'TRUEUP_SECRET_token'],
  ]);
  expect(ran.stdout).toContain(
    'TRUEUP_SECRET_DB     plan-main, production  the secret db: a JSON object with 50 members',
  );
  const fill = (name: string, file: string) =>
    `for env in plan-main production; do gh secret set ${name} --env "$env" < ${file}; done`;
  expect(ran.stdout).toContain(fill('TRUEUP_SECRET_DB', '.trueup/ci/TRUEUP_SECRET_DB.json'));
  expect(ran.stdout).toContain(fill('TRUEUP_LEDGER_KEY', '.trueup/key'));
  expect(ran.stdout).not.toContain('--print');
  // The form has no value, only its owner can read it, and git ignores it.
  const form = '.trueup/ci/TRUEUP_SECRET_DB.json';
  expect(JSON.parse(read(form))).toEqual(Object.fromEntries(keys.map((key) => [key, null])));
  expect(statSync(join(shell.folder, form)).mode & 0o777).toBe(0o600);
  // Nor does it see what a killed run leaves beside a ledger, or beside the ownership index of these.
  const ignored = [
    form,
    ...['ledger/a', 'ledger/.ownership/k/0'].map((path) => `.trueup/${path}.json.writing`),
  ];
  expect(git(shell.folder, 'check-ignore', ...ignored)).toBe(ignored.join('\n'));
  for (const text of [ran.all, ...snapshot(shell.folder).map(([, text]) => text!)])
    expect(text).not.toMatch(/value-of-(db|mail|token)/);

  // Both lists of steps have the same numbers.
  const numbered = (text: string) => text.match(/(?<=^(done |OPEN |[?] {4})?)\d+\. .*/gm);
  const steps = numbered((await shell.run(['init', '--ci', 'github', '--check'])).stdout)!;
  expect(numbered(ran.stdout)).toEqual([...steps, expect.stringContaining('Verify it')]);

  // A second run changes nothing.
  const after = snapshot(shell.folder);
  expect((await shell.run(['init', '--ci', 'github', '--yes'])).stdout).toMatch(/^Already up to date:/);
  expect(snapshot(shell.folder)).toEqual(after);

  // An empty form is no secret; with it filled, the account is as the configuration.
  const plan = (db: string) => {
    const ofMail = JSON.stringify(Object.fromEntries(keys.map((key) => [key, value('mail', key)])));
    const TRUEUP_SECRET_token = secrets.TRUEUP_SECRET_token;
    const { TRUEUP_BASE_URL = '', TRUEUP_TOKEN = '' } = shell.env;
    shell.env = {
      TRUEUP_BASE_URL,
      TRUEUP_TOKEN,
      TRUEUP_SECRET_db: db,
      TRUEUP_SECRET_mail: ofMail,
      TRUEUP_SECRET_token,
    };
    return shell.run(['plan', '--detailed-exitcode']);
  };
  expect((await plan(read(form))).stderr).toContain('its source has null under the key');
  const ofDb = JSON.stringify(Object.fromEntries(keys.map((key) => [key, value('db', key)])));
  const planned = await plan(ofDb);
  expect(planned.status, planned.all).toBe(0);

  // The last steps are on GitHub: unknown without a token, open until they are done.
  const check = (env: Record<string, string> = {}) => {
    const other = new Shell(shell.folder);
    other.env = env;
    return other.run(['init', '--ci', 'github', '--check']);
  };
  git(shell.folder, 'add', '.');
  git(shell.folder, 'commit', '--quiet', '-m', 'CI');
  pushHead(shell.folder, bare, 'main');
  git(shell.folder, 'fetch', '--quiet', 'origin');
  const local = await check();
  expect(local.stdout).toMatch(/^11 steps: 6 done, 0 open, 5 not visible from here\.$/m);
  expect(local.stdout.match(/set GITHUB_TOKEN/g)).toHaveLength(1);
  expect(local.status).toBe(0);
  // The token is for no other server than that of the repository.
  expect((await check({ GITHUB_TOKEN: 'reads' })).stdout).toContain('set GITHUB_REPOSITORY to OWNER/NAME');

  const environment = (name: string) => ({ name, protection_rules: [], deployment_branch_policy: {} });
  const production = { ...environment('production'), protection_rules: [{ type: 'required_reviewers' }] };
  const all = [
    'TRUEUP_TOKEN',
    'TRUEUP_LEDGER_KEY',
    'TRUEUP_SECRET_DB',
    'TRUEUP_SECRET_MAIL',
    'TRUEUP_SECRET_TOKEN',
  ];
  const names = (list: string[]) => ({ secrets: list.map((name) => ({ name })) });
  const settings = {
    '/branches/main': { protected: true },
    '/actions/permissions/workflow': { can_approve_pull_request_reviews: true },
    '/actions/variables': { variables: [] },
    '/environments': { environments: [environment('plan'), environment('plan-main'), production] },
    '/environments/plan/secrets': names(['TRUEUP_TOKEN']),
    '/environments/plan-main/secrets': names(all),
    '/environments/production/secrets': names(all),
  };
  const github = await githubWith(settings);
  const complete = await check(github.env);
  expect(complete.stdout).toMatch(/^11 steps: 11 done, 0 open, 0 not visible from here\.$/m);
  expect(complete.status).toBe(0);
  expect(new Set(github.asked.map((line) => line.replace(/ \S+ /, ' ')))).toEqual(
    new Set(['GET Bearer reads']),
  );
  const lacking = await githubWith({
    ...settings,
    '/environments': {
      environments: [{ ...environment('plan'), deployment_branch_policy: null }, environment('production')],
    },
    '/environments/production/secrets': names(all.slice(1)),
    '/branches/main': { protected: false },
  });
  const open = await check(lacking.env);
  expect(open.stdout).toContain(
    'plan is open to all branches; plan-main is missing; production has no required reviewers',
  );
  expect(open.stdout).toContain(
    'missing: TRUEUP_TOKEN in plan-main, TRUEUP_LEDGER_KEY in plan-main, ... (4 more)',
  );
  expect(open.status).toBe(1);

  // A key that did not sign the ledger, and workflows that somebody changed.
  rmSync(join(shell.folder, '.trueup/key'));
  writeFileSync(join(shell.folder, '.trueup/key'), `${randomBytes(32).toString('base64url')}\n`);
  writeFileSync(join(shell.folder, '.github/workflows/trueup-plan.yml'), 'name: mine\n');
  const broken = await check();
  expect(broken.stdout).toContain('it does not verify the ledgers of: sites');
  expect(broken.stdout).toContain('.github/workflows/trueup-plan.yml already exists with another text');
  expect(broken.status).toBe(1);
});

it('a colleague without the key is not advised to create another one', async () => {
  const { bare, clone } = repository();
  const head = git(bare, 'rev-parse', 'main');
  git(bare, 'update-ref', 'refs/trueup/shop', head);
  const shell = await new Shell(clone()).write({ 'trueup.yaml': 'stack: shop\nplatform: { team: acme }\n' });
  const { stdout } = await shell.run(['init', '--ci', 'github']);
  expect(stdout).toContain('the key that signed the ledgers: `.trueup/key` of the machine that applied');
  expect(stdout).not.toContain('--print');
});

story(
  'a file that the YAML names as the place of the ledger is replaced, a store is kept and passed to the jobs',
  async () => {
    const { clone } = repository();
    const shell = await new Shell(clone()).write({
      'trueup.yaml': 'stack: shop\nplatform: { team: acme }\nledger: .trueup/ledger/shop.json # here\n',
    });
    const workflow = () => readFileSync(join(shell.folder, '.github/workflows/trueup-apply.yml'), 'utf8');
    expect((await shell.run(['init', '--ci', 'github', '--yes'])).status).toBe(0);
    expect(readFileSync(join(shell.folder, 'trueup.yaml'), 'utf8')).toContain('\nledger: git # here\n');
    expect(workflow()).toContain('TRUEUP_LEDGER: git\n');

    rmSync(join(shell.folder, '.github'), { recursive: true });
    const place = 's3://bucket/trueup?region=eu-central-1';
    await shell.write({ 'trueup.yaml': `stack: shop\nplatform: { team: acme }\nledger: ${place}\n` });
    const ran = await shell.run(['init', '--ci', 'github', '--yes']);
    expect(ran.stdout).toContain(`The ledgers are in ${place}: give the jobs access to it.`);
    expect(workflow()).toContain(`TRUEUP_LEDGER: ${place}\n`);
    expect(readFileSync(join(shell.folder, 'trueup.yaml'), 'utf8')).toContain(`ledger: ${place}\n`);
  },
);

it('says so if CI cannot keep the secrets even in groups', async () => {
  const names = Array.from({ length: 120 }, (_, i) => `s${i}`);
  const { clone } = repository();
  const shell = await new Shell(clone()).write({
    'trueup.yaml': `stack: shop
platform: { team: acme }
ledger: git
secrets: { db: { json: {} }, ${names.map((name) => `${name}: {}`).join(', ')} }
projects: { web: { env: { ${names.map((name) => `${name}: "\${secret.${name}}"`).join(', ')}, DB: "\${secret.db[a]}" } } }
`,
  });
  shell.env = { TRUEUP_SECRET_db: JSON.stringify({ a: 'x'.repeat(50_000) }) };
  const { stdout } = await shell.run(['init', '--ci', 'github', '--yes']);
  expect(stdout).toContain('An environment holds 100 secrets, but 123 are needed: CI cannot keep them.');
  expect(stdout).toContain('A secret holds 48 kB, but TRUEUP_SECRET_db would be longer.');
  expect(stdout).toContain('`{ sops: secrets.yaml }`');
});
