import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Seed, type Switches, startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { actions, newWorld } from '../support/scene.ts';
import { oneRowIn } from '../support/sweep.ts';
import { type Reply, send } from '../twin/client.ts';

/*
 * Facts about users and tokens: who may do what, with which answer. Each row: the fact, the token, the request, and the expected answer. The scope of
 * a request is in its path: `?personal` stands for none.
 */

const seed: Seed = {
  user: { id: 'user_ada', username: 'ada' },
  team: { id: 'team_acme', slug: 'acme' },
  teams: [{ id: 'team_other', slug: 'other' }],
  projects: [
    { id: 'prj_web', name: 'web', env: [{ key: 'A', value: '1', target: ['production'] }] },
    { id: 'prj_api', name: 'api' },
    { id: 'prj_mine', name: 'mine', owner: 'personal' },
  ],
  domains: [{ name: 'example.com' }],
  authTokens: [
    { id: 'tok_full', name: 'full', owner: 'personal', bearer: 'full' },
    { id: 'tok_login', name: 'login', owner: 'personal', origin: 'oauth', bearer: 'login' },
    { id: 'tok_team', name: 'team', owner: 'acme', bearer: 'team' },
    { id: 'tok_web', name: 'web', owner: 'acme', projectId: 'web', bearer: 'web' },
    { id: 'tok_plain', name: 'plain', owner: 'personal', bearer: 'plain', withoutSso: true },
  ],
};

type Method = Parameters<typeof send>[1];

/** Sends a request `GET /path` with a token of the seed. */
const ask = (twin: Twin, token: string, request: string, body?: unknown): Promise<Reply> => {
  const [method, path] = request.split(' ') as [Method, string];
  return send(twin, method, path, body, { authorization: `Bearer ${token}` });
};

/** Returns the body of a 403 for a scope that the token does not reach. */
const outside = (scope: string) => ({
  error: {
    code: 'team_unauthorized',
    message: `Not authorized: Trying to access resource under scope "${scope}".`,
  },
});
const mayNotCreate = 'To create a token you must be authenticated to scope "ada".';

let twin: Twin;
beforeAll(async () => {
  twin = await startTwin({ seed });
});
afterAll(() => twin.close());

describe('what a token reaches', () => {
  it.each<[fact: string, token: string, request: string, status: number, body: unknown, sent?: unknown]>([
    // A token of a team: the platform infers the team.
    ['PF31', 'team', 'GET /v9/projects/web?personal', 200, { id: 'prj_web' }],
    ['PF31', 'team', 'GET /v10/projects?personal', 200, { projects: [{ name: 'api' }, { name: 'web' }] }],
    ['PF31', 'team', 'PATCH /v9/projects/prj_web?personal', 200, { id: 'prj_web' }, { framework: null }],
    ['PF31', 'team', 'GET /v2/teams/acme?personal', 200, { id: 'team_acme' }],
    ['section 5', 'team', 'GET /v10/projects?teamId=team_other', 403, outside('team_other')],
    ['section 5', 'team', 'GET /v2/teams/other?personal', 403, outside('other')],
    // A token of the full account needs the team, except for a project by its id.
    ['PF31', 'full', 'GET /v10/projects?personal', 200, { projects: [{ name: 'mine' }] }],
    ['PF31', 'full', 'GET /v9/projects/prj_web/env?personal', 200, { envs: [{ key: 'A' }] }],
    ['PF31', 'full', 'PATCH /v9/projects/prj_web?personal', 200, { id: 'prj_web' }, { framework: null }],
    ['PF31', 'full', 'PATCH /v9/projects/web?personal', 404, {}, { framework: null }],
    // A token of one project: everything else is denied.
    ['section 5', 'web', 'GET /v9/projects/web?personal', 200, { id: 'prj_web', accountId: 'team_acme' }],
    ['section 5', 'web', 'GET /v9/projects/prj_web?slug=acme', 200, { id: 'prj_web' }],
    ['section 5', 'web', 'GET /v10/projects/prj_web/env?personal', 200, { envs: [{ key: 'A' }] }],
    ['section 5', 'web', 'GET /v1/security/firewall/bypass?personal&projectId=prj_web', 200, {}],
    ['section 5', 'web', 'GET /v1/security/firewall/bypass?personal&projectId=prj_api', 403, outside('acme')],
    ['section 5', 'web', 'PATCH /v9/projects/web?personal', 200, { id: 'prj_web' }, { framework: null }],
    ['section 5', 'web', 'GET /v9/projects/api?personal', 403, outside('acme')],
    ['section 5', 'web', 'GET /v9/projects/web?slug=other', 403, outside('other')],
    ['section 5', 'web', 'GET /v10/projects?slug=acme', 403, outside('acme')],
    ['section 5', 'web', 'GET /v2/teams/acme?personal', 403, outside('acme')],
    ['section 5', 'web', 'GET /v2/user?personal', 403, outside('acme')],
    ['section 5', 'web', 'GET /v1/env?personal', 403, outside('acme')],
    ['section 5', 'web', 'GET /v5/domains/example.com/records?personal', 403, outside('acme')],
    ['section 5', 'web', 'GET /v1/webhooks?personal&projectId=prj_web', 403, outside('acme')],
    ['section 5', 'web', 'POST /v11/projects?personal', 403, outside('acme'), { name: 'new' }],
    // Only a token of the full account creates tokens.
    [
      'section 5',
      'full',
      'POST /v3/user/tokens?personal',
      200,
      { bearerToken: expect.any(String) },
      { name: 'a' },
    ],
    [
      'section 5',
      'team',
      'POST /v3/user/tokens?slug=acme',
      403,
      { error: { message: mayNotCreate } },
      { name: 'a' },
    ],
    [
      'section 5',
      'web',
      'POST /v3/user/tokens?slug=acme',
      403,
      { error: { message: mayNotCreate } },
      { name: 'a' },
    ],
    [
      'section 5',
      'login',
      'POST /v3/user/tokens?personal',
      403,
      { error: { message: 'Only user authentication tokens can be used to create new tokens.' } },
      { name: 'a' },
    ],
    // Tokens are listed without a team.
    ['section 5', 'full', 'GET /v6/user/tokens?personal', 200, { tokens: expect.any(Array) }],
    ['section 5', 'full', 'GET /v6/user/tokens?slug=acme', 400, { error: { code: 'bad_request' } }],
    // A team with single sign-on refuses a token that was made without it.
    [
      'section 5',
      'plain',
      'GET /v10/projects?slug=acme',
      403,
      { error: { code: 'forbidden', saml: true, teamId: 'team_acme', scope: 'acme', enforced: true } },
    ],
    ['section 5', 'plain', 'GET /v10/projects?personal', 200, {}],
    // The command line reads the owner of a personal project as a team.
    ['section 4', 'full', 'GET /teams/user_ada?personal', 200, { id: 'user_ada', slug: 'ada', name: 'ada' }],
    ['section 4', 'full', 'GET /teams/user_bob?personal', 404, {}],
  ])('%s: %s, %s is %i', async (_, token, request, status, body, sent) => {
    const reply = await ask(twin, token, request, sent);
    expect([reply.status, reply.body]).toMatchObject([status, body as object]);
  });

  it('PF76: v2 and v1 of an invitation take an array and an object', async () => {
    const invite = async (version: string, body: unknown) =>
      (await ask(twin, 'full', `POST ${version}/teams/acme/members?personal`, body)).status;
    const person = (name: string) => ({ email: `${name}@example.com` });
    expect(await invite('/v2', [person('ada1')])).toBe(200);
    expect(await invite('/v1', person('ada2'))).toBe(200);
    expect(await invite('', person('ada3'))).toBe(200);
    expect(await invite('/v2', person('ada4'))).toBe(400);
  });

  it('a token that was just made works, within its limits', async () => {
    const sent = { name: 'new', projectId: 'prj_api' };
    const { body } = await ask(twin, 'full', 'POST /v3/user/tokens?slug=acme', sent);
    const statusOf = async (path: string) => (await ask(twin, body.bearerToken, `GET ${path}`)).status;
    expect(await statusOf('/v9/projects/api?personal')).toBe(200);
    expect(await statusOf('/v9/projects/web?personal')).toBe(403);
  });
});

describe('the forms of a token and a user', () => {
  it.each<[fact: string, switches: Partial<Switches>, token: unknown]>([
    ['PF78', {}, { type: 'token', origin: 'manual', prefix: 'vcp_', teamId: 'team_acme' }],
    ['PF78', { authTokenForm: 'oauth2-token' }, { type: 'oauth2-token', teamId: undefined }],
    ['PF79', {}, { projectId: undefined }],
    ['PF79', { authTokenProjectReadable: true }, { projectId: 'prj_web' }],
  ])('%s: with %j a token reads %j', async (_, switches, token) => {
    const other = await startTwin({ seed, switches });
    const { body } = await ask(other, 'full', 'GET /v5/user/tokens/tok_web?personal');
    await other.close();
    expect({ teamId: undefined, projectId: undefined, ...body.token }).toMatchObject(token as object);
  });

  it('PF80: a user without a personal account names the default team, and its lists without a team are empty', async () => {
    const user = { ...seed.user, version: 'northstar' as const };
    const other = await startTwin({ seed: { user, team: seed.team!, projects: [{ name: 'web' }] } });
    const me = await ask(other, 'any', 'GET /v2/user?personal');
    const projects = await ask(other, 'any', 'GET /v10/projects?personal');
    const asTeam = await ask(other, 'any', 'GET /teams/user_ada?personal');
    await other.close();
    expect(me.body.user).toMatchObject({ version: 'northstar', defaultTeamId: 'team_acme' });
    expect([projects.status, projects.body.projects, asTeam.status]).toEqual([200, [], 404]);
  });

  oneRowIn(2)([false, true])(
    'PF79: a token of one project settles if its project reads back: %s',
    async (isReadable) => {
      const world = await newWorld({ switches: { authTokenProjectReadable: isReadable } });
      const yaml =
        'projects: { web: {} }\nauthTokens: { ci: { projectId: web, $replace: allow, $secretTo: discard } }';
      await world.converge(yaml);
      expect(actions((await world.plan(yaml)).plan)).toEqual([]);
      // A token of another project under the same name is only noticed if the platform shows the project.
      world.twin.account.authTokens[0]!.projectId = 'prj_other';
      const changed = isReadable ? ['replace authTokens/ci'] : [];
      expect(actions((await world.plan(yaml)).plan)).toEqual(changed);
    },
  );
});
