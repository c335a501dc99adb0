import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import type { Scope } from '../../src/kind/provider.ts';
import { atEnd } from '../support/at-end.ts';
import { Shell } from '../support/cli.ts';
import { inFront } from '../support/in-front.ts';
import { keyText } from '../support/keys.ts';

/* A platform that answers otherwise than documented about teams, projects and lists: what commands do with a limited token and with names. */

type Json = Record<string, unknown>;
interface Answer {
  status: number;
  body: Json;
}

const token = 'token-of-ada-1234567890';
const shell = new Shell();
const twin = await shell.withTwin({
  user: { username: 'ada', version: 'northstar' },
  team: { id: 'team_acme', slug: 'acme' },
  teams: [{ id: 'team_other', slug: 'other' }],
  projects: [{ name: 'web' }],
  authTokens: [
    { name: 'web', owner: 'acme', projectId: 'web', bearer: 'of-web' },
    { name: 'ada', owner: 'personal', bearer: token },
  ],
});

/** Changes an answer of the twin on its way to the tool. */
let change: (path: string, answer: Answer) => Answer;
/** The requests that arrived, as `GET /v2/user`. */
let requests: string[];
const front = await inFront(
  () => twin.url,
  async ({ method, path }, pass) => {
    requests.push(`${method} ${path}`);
    const { status, body } = (await pass())!;
    const answer = change(path, { status, body: JSON.parse(String(body) || '{}') });
    return { status: answer.status, body: Buffer.from(JSON.stringify(answer.body)) };
  },
);
atEnd(() => front.close());
shell.env = { ...shell.env, TRUEUP_BASE_URL: front.url, TRUEUP_LEDGER_KEY: keyText() };

beforeEach(() => {
  requests = [];
  change = (_, answer) => answer;
});

/** Runs a command in a folder of its own. */
async function go(bearer: string, yaml: string | undefined, ...args: string[]) {
  const own = await new Shell().write(yaml === undefined ? {} : { 'trueup.yaml': yaml });
  own.env = { ...shell.env, TRUEUP_TOKEN: bearer };
  return { ...(await own.run(args)), folder: own.folder };
}
const writes = () => requests.filter((request) => !request.startsWith('GET '));
const yamlOf = (team: string) =>
  `stack: shop\nplatform: { team: ${team} }\nprojects:\n  web: { framework: nextjs }\n`;
const apply = ['apply', '--auto-approve', '--allow-incomplete', '--no-canary', '--settle', '0'];

it('A token of one project is only accepted if the team is named by its id and owns the project; other projects and the objects of the team are never created, changed or deleted with it.', async () => {
  // The platform does not look at the team that a request names: it shows a project of another team.
  change = (path, answer) =>
    /^\/v9\/projects\/web/.test(path)
      ? { status: 200, body: { id: 'prj_elsewhere', name: 'web', accountId: 'team_other' } }
      : answer;
  for (const [team, args] of [
    ['acme', apply],
    ['team_acme', apply],
    ['team_other', ['export', '--team', 'acme', '--target', 'projects/web']],
  ] as const) {
    const { status, stdout, stderr } = await go('of-web', yamlOf(team), ...args);
    expect([status, stdout, writes()], stderr).toEqual([1, '', []]);
    for (const text of ['[auth/scope]', 'a token of one project needs']) expect(stderr).toContain(text);
    // The id from the answer would lead to the wrong team.
    expect(stderr).not.toMatch(/team_other|prj_elsewhere/);
  }
  // The slug of the right team proves nothing either.
  change = (_, answer) => answer;
  const bySlug = await go('of-web', yamlOf('acme'), 'plan');
  expect(bySlug.stderr).toContain("needs its team's id, as the team's settings show it");

  // The lists beyond the project look empty, or the objects in them absent.
  const lists = { envs: [], data: [], domains: [], records: [], webhooks: [], projects: [] };
  for (const beyond of [
    { status: 200, body: { ...lists, pagination: { count: 0, next: null, prev: null } } },
    { status: 404, body: { error: { code: 'not_found', message: 'Not found' } } },
  ]) {
    change = (path, answer) =>
      answer.status === 403 &&
      (beyond.status === 200 || !path.startsWith('/v10/projects')) &&
      !path.startsWith('/v2/teams/')
        ? beyond
        : answer;
    const yaml = `${yamlOf('team_acme')}  api: {}
sharedEnv: { SHARED: { value: s, target: [production] } }
domains: { example.com: { records: [{ type: A, name: "@", value: 76.76.21.21 }] } }
webhooks: { hook: { url: "https://hook.example.com", events: [deployment.created], $secretTo: discard } }
`;
    const { stdout, stderr } = await go('of-web', yaml, 'plan', '--json');
    const { changes, notCompared } = JSON.parse(stdout);
    const addresses = (items: Json[]) => items.map(({ address }) => address);
    expect(addresses(changes), stderr).toEqual(['projects/web']);
    expect(notCompared.flatMap(({ items }: { items: Json[] }) => addresses(items)).sort()).toEqual([
      'domains/example.com',
      'domains/example.com/records/@/A',
      'projects/api',
      'sharedEnv/SHARED@production',
      'webhooks/hook',
    ]);
    if (beyond.status === 200) expect((await go('of-web', yaml, ...apply)).status).toBe(0);
  }
  expect(writes()).toEqual([expect.stringMatching(/^PATCH \/v9\/projects\/prj_\w+$/)]);

  // The project's own list also shows a variable of the team, which is linked to the project.
  const row = { id: 'env_team', key: 'SHARED', value: 'team', type: 'encrypted', decrypted: true };
  for (const data of [[], [{ ...row, target: ['production'], projectId: ['prj_web'] }]]) {
    requests = [];
    change = (path, answer) => {
      if (path.startsWith('/v1/env')) return { status: 200, body: { ...lists, data } };
      const { envs } = answer.body as { envs?: Json[] };
      return envs ? { ...answer, body: { envs: [{ ...row, target: ['production'] }, ...envs] } } : answer;
    };
    for (const block of [
      'env: { SHARED: { value: mine, target: [production] } }',
      'env: {}, $exclusive: [env]',
      'sharedEnvLinks: { env_team: {} }',
      'sharedEnvLinks: { env_other: {} }',
    ]) {
      const yaml = `stack: shop\nplatform: { team: team_acme }\nprojects: { web: { ${block} } }\n`;
      const { stdout } = await go('of-web', yaml, ...apply);
      expect(stdout, block).toContain('Incomplete');
      expect(writes(), block).toEqual([]);
    }
  }
});

it('The name of a team or user from an answer is only proposed, written or shown if it looks like a slug, an id or an e-mail address and has no part of a secret.', async () => {
  const nonsense = [
    token,
    `acme-${token}`,
    token.slice(3, 12),
    Buffer.from(token).toString('base64url'),
    '--auto-approve',
    '-y',
    'acme; rm',
    'acme } # ',
    'acme\nstack',
    'a'.repeat(101),
    '',
    7,
  ];
  const personal = 'stack: shop\nplatform: { personal: true }\nprojects: { web: {} }\n';
  const answered = (member: 'user' | 'team', changed: Json) => {
    const pattern = member === 'user' ? /^\/v2\/user/ : /^\/v2\/teams\/team_acme/;
    change = (path, answer) => {
      if (!pattern.test(path)) return answer;
      const inside = (answer.body.user ?? {}) as Json;
      const body = member === 'user' ? { user: { ...inside, ...changed } } : { ...answer.body, ...changed };
      return { ...answer, body };
    };
  };
  const ownerOf = async (scope: Scope) => {
    const connection = await hosting.connect({ baseUrl: front.url, token, scope });
    return connection.owner().finally(() => connection.close());
  };
  for (const name of nonsense) {
    // The id stands in for a slug that may not be shown. A default team whose id may not be shown is not proposed.
    answered('team', { slug: name });
    expect(await ownerOf({ personal: true })).toMatchObject({ slug: 'ada', standIn: 'team_acme' });
    if (typeof name === 'string')
      expect(await ownerOf({ team: 'team_acme' })).toMatchObject({ slug: 'team_acme' });
    answered('user', { defaultTeamId: name });
    expect(await ownerOf({ personal: true })).toMatchObject({ standIn: null });
  }
  // `init` writes the team into a file.
  answered('team', { slug: '--auto-approve' });
  const named = await go(token, undefined, 'init');
  expect(readFileSync(join(named.folder, 'trueup.yaml'), 'utf8')).toContain(
    'platform: { team: team_acme } #',
  );
  answered('user', { defaultTeamId: token, username: token });
  const unnamed = await go(token, undefined, 'init');
  expect(readFileSync(join(unnamed.folder, 'trueup.yaml'), 'utf8')).toContain('{ team: acme } # the slug of');
  const refused = await go(token, personal, 'plan');
  expect(refused.stderr).toMatch(/the user \w+ has no personal account .*\s.*`platform: { team: SLUG }`/);
  // Another team than the one that was asked for.
  answered('team', { id: token, slug: token });
  const other = await go(token, yamlOf('team_acme'), 'plan');
  expect(other.stderr).toContain('answered with another team when asked for "team_acme"');
  // The team that asks for single sign-on.
  const error = { code: 'forbidden', saml: true, scope: '--auto-approve', message: 'No.' };
  change = () => ({ status: 403, body: { error } });
  const withoutSso = await go(token, yamlOf('team_acme'), 'plan');
  expect(withoutSso.stderr).toContain('single sign-on (SSO) for the scope of this team');
  for (const { all } of [named, unnamed, refused, other, withoutSso])
    expect(all).not.toMatch(/--auto-approve|token-of/);
});
