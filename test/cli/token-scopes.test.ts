import { beforeAll, expect, it } from 'vitest';
import type { Seed, Twin } from '../../providers/hosting/twin/index.ts';
import { Shell } from '../support/cli.ts';
import { keyText } from '../support/keys.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

/* What commands do with a token that does not reach all that the configuration declares, and with a user who has no personal account. */

const yaml = (projects: string, team = 'team_acme') => `stack: shop
platform: { team: ${team} }
projects:
  web: { framework: nextjs, env: { A: { value: a, target: [production] } } }
${projects}sharedEnv: { SHARED: { value: s, target: [production] } }
domains:
  example.com:
    records: [{ type: A, name: "@", value: 76.76.21.21 }]
`;
const seed: Seed = {
  user: { username: 'ada', version: 'northstar' },
  team: { id: 'team_acme', slug: 'acme' },
  teams: [{ id: 'team_other', slug: 'other' }],
  projects: [{ name: 'web' }, { name: 'api' }, { name: 'site', owner: 'other' }],
  domains: [{ name: 'example.com' }],
  authTokens: [
    { name: 'web', owner: 'acme', projectId: 'web', bearer: 'of-web' },
    { name: 'api', owner: 'acme', projectId: 'api', bearer: 'of-api' },
    { name: 'site', owner: 'other', projectId: 'site', bearer: 'of-site' },
    { name: 'plain', owner: 'acme', bearer: 'without-sso', withoutSso: true },
  ],
};

let twin: Twin;
let shell: Shell;
/** Runs a command with a token. */
const go = (token: string, ...args: string[]) => {
  shell.env = { ...shell.env, TRUEUP_TOKEN: token };
  twin.clearRequests();
  return shell.run(args);
};
const writes = () => twin.requests.filter(({ method }) => method !== 'GET');

beforeAll(async () => {
  shell = await new Shell().write({
    'trueup.yaml': yaml(''),
    'two.yaml': yaml('  api: {}\n  new: {}\n'),
    'less.yaml': 'stack: shop\nplatform: { team: team_acme }\nprojects: { web: { framework: nextjs } }\n',
    'slug.yaml': yaml('', 'acme'),
    'other.yaml': 'stack: shop\nplatform: { team: team_other }\nprojects: { web: {} }\n',
    'personal.yaml': 'stack: shop\nplatform: { personal: true }\nprojects: { web: {} }\n',
    'nobody.yaml': 'stack: shop\nprojects: { web: {} }\n',
  });
  twin = await shell.withTwin(seed);
  shell.env = { ...shell.env, TRUEUP_LEDGER_KEY: keyText() };
});

it('a token of one project changes this project; the rest is counted and named as not compared', async () => {
  const plan = await go('of-web', 'apply', '--auto-approve');
  expect([plan.status, writes()]).toEqual([1, []]);
  expect(plan.stdout.replace(/\s+/g, ' ')).toMatch(
    /not compared: - 3 objects could not be read \(answered 403 team_unauthorized: this token is limited to another team or to one project: .* domains\/example.com, domains\/example.com\/records\/@\/A and sharedEnv\/SHARED/,
  );
  expect(plan.stdout).toContain('Plan: 1 to create, 1 to adopt (1 of them changed)');
  expect(plan.stderr).toContain('use a token of this team, or of the full account, or go on with the rest');
  const applied = await go('of-web', 'apply', '--auto-approve', '--allow-incomplete', '--settle', '0');
  expect(applied.status, applied.all).toBe(0);
  expect(new Set(writes().map(({ path }) => /projects\/prj_\w+(\/env)?/.exec(path)?.[1]))).toEqual(
    new Set([undefined, '/env']),
  );
  // The platform knows the team of the token.
  expect(writes().filter(({ path }) => path.includes('teamId'))).toEqual([]);
});

it('objects that the full account applied are neither deleted nor forgotten with such a token', async () => {
  expect((await go('full', 'apply', '--auto-approve', '--settle', '0')).status).toBe(0);
  expect(twin.account.sharedEnv).toHaveLength(1);
  const { status, stdout } = await go('of-web', 'plan', '-f', 'less.yaml', '--format', 'json');
  const { changes, notCompared, summary } = JSON.parse(stdout);
  expect([status, summary.notCompared]).toEqual([1, 3]);
  expect(changes.map(({ action, address }: Record<string, string>) => `${action} ${address}`)).toEqual([
    'noop projects/web',
    'delete projects/web/env/A@production',
  ]);
  expect(notCompared[0].items.map(({ address }: { address: string }) => address)).toContain(
    'sharedEnv/SHARED@production',
  );
});

it('of several projects, one is compared, and the others are not created', async () => {
  const { status, stdout } = await go('of-web', 'plan', '-f', 'two.yaml', '--format', 'json');
  const { changes, notCompared, diagnostics } = JSON.parse(stdout);
  expect([status, changes.map(({ address }: { address: string }) => address)]).toEqual([
    1,
    ['projects/web', 'projects/web/env/A@production'],
  ]);
  const addresses = ({ items }: { items: { address: string }[] }) => items.map(({ address }) => address);
  expect(notCompared.flatMap(addresses).sort()).toEqual([
    'domains/example.com',
    'domains/example.com/records/@/A',
    'projects/api',
    'projects/new',
    'sharedEnv/SHARED@production',
  ]);
  expect(diagnostics.map(({ message }: { message: string }) => message)).toContainEqual(
    expect.stringContaining('projects could not be read, except for projects/web: '),
  );
});

it('several stacks share the account that one of them finds by its project', async () => {
  const workspace = await new Shell().write({
    'trueup.workspace.yaml': 'stacks: [a, b]\n',
    'a/trueup.yaml': 'stack: a\nplatform: { team: team_acme }\nprojects: { api: {} }\n',
    'b/trueup.yaml': 'stack: b\nplatform: { team: team_acme }\nprojects: { web: { framework: nextjs } }\n',
  });
  workspace.env = { ...shell.env, TRUEUP_TOKEN: 'of-web' };
  const { status, stdout, all } = await workspace.run(['plan', '--all', '--allow-incomplete', '--json']);
  const { stacks } = JSON.parse(stdout);
  expect(status, all).toBe(0);
  expect(
    stacks.map(({ id, plan }: { id: string; plan: { changes: unknown[] } }) => [id, plan.changes]),
  ).toEqual([
    ['a', []],
    ['b', [expect.objectContaining({ address: 'projects/web', action: 'adopt' })]],
  ]);
});

it('an export has the project of the token, and says what it lacks', async () => {
  const { status, stdout, stderr } = await go('of-api', 'export', '--target', 'projects/api');
  expect([status, stdout.match(/^ {2}\w+:/gm)]).toEqual([0, ['  api:']]);
  expect(stderr).toContain('this token is limited to another team or to one project');
  expect((await go('of-web', 'get', 'project', 'web')).status).toBe(0);
  expect((await go('of-web', 'get', 'project')).stderr).toContain('this token is limited to');
});

it.each<[which: string, token: string, options: string[], texts: string[]]>([
  [
    'of another project',
    'of-api',
    [],
    [
      'cannot read the team "team_acme", nor any of these projects in it: web',
      'a token of one project needs a configuration that declares this project',
    ],
  ],
  [
    'of a project elsewhere',
    'of-site',
    ['-f', 'two.yaml'],
    ['nor any of these projects in it: api, new and web'],
  ],
  [
    'of another team than the YAML says',
    'of-web',
    ['-f', 'other.yaml'],
    ['cannot read the team "team_other"'],
  ],
  [
    'of one project, with the slug of its team',
    'of-web',
    ['-f', 'slug.yaml'],
    ['cannot read the team "acme" at', "a token of one project needs its team's id"],
  ],
  ['of one project, in a personal account', 'of-web', ['-f', 'personal.yaml'], ['name its team']],
  [
    'without single sign-on',
    'without-sso',
    [],
    ['needs single sign-on (SSO) for the scope acme', 'log in to acme with SSO, create a token for it then'],
  ],
])('refuses a token %s', async (_, token, options, texts) => {
  const { status, stderr } = await go(token, 'plan', ...options);
  expect([status, stderr]).toEqual([1, expect.stringContaining('[auth/scope]')]);
  for (const text of texts) expect(stderr).toContain(text);
});

it.each([
  [
    'plan',
    ['-f', 'personal.yaml'],
    'name the default team of this user, `platform: { team: acme }` or --team acme',
  ],
  ['plan', ['-f', 'nobody.yaml'], "write `platform: { team: acme }`, the default team of the token's user"],
  ['export', ['--personal'], 'or --team acme'],
])('a user without a personal account: %s %j names the default team', async (command, options, text) => {
  const { status, stderr } = await go('full', command, ...options);
  expect([status, stderr]).toEqual([1, expect.stringContaining(text)]);
});

story(
  'a user without a personal account: without a configuration, `init` and `export` propose the default team',
  async () => {
    const empty = new Shell();
    empty.env = { ...shell.env, TRUEUP_TOKEN: 'full' };
    expect((await empty.run(['export'])).stderr).toContain(
      "pass --team acme, the default team of the token's user",
    );
    expect((await empty.run(['init'])).stdout).toContain('trueup.yaml names acme');
  },
);
