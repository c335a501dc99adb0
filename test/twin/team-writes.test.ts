import { afterEach, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { send } from './client.ts';

let twin: Twin;
afterEach(() => twin.close());

it('writes settings of a team, and shows them in the list as well; a new invite code is an action', async () => {
  twin = await startTwin();
  const settings = {
    strictShareableLinks: { enabled: true },
    saml: { enforced: true },
    emailDomain: 'a.example',
  };
  const { body } = await send(twin, 'PATCH', '/v2/teams/acme', { ...settings, regenerateInviteCode: true });
  expect(body).toMatchObject(settings);
  expect(body).not.toHaveProperty('regenerateInviteCode');
  await send(twin, 'POST', '/v1/teams/acme/dsync-roles', { roles: { group: 'MEMBER' } });
  expect((await send(twin, 'GET', '/v2/teams')).body.teams).toMatchObject([
    { ...settings, saml: { enforced: true, roles: { group: 'MEMBER' } } },
  ]);
});

it('makes and deletes teams, whose slugs are unique', async () => {
  twin = await startTwin();
  const { body } = await send(twin, 'POST', '/v1/teams', { slug: 'labs' });
  expect(Object.keys(body)).toEqual(['id', 'slug']);
  expect((await send(twin, 'POST', '/v1/teams', { slug: 'labs' })).status).toBe(409);
  expect((await send(twin, 'DELETE', `/v1/teams/${body.id}?newDefaultTeamId=none`, {})).body).toEqual({
    id: body.id,
    newDefaultTeamIdError: true,
  });
  expect((await send(twin, 'GET', '/v2/teams/labs?slug=labs')).status).toBe(404);
});

it('invites by e-mail, keeps the last owner, and withdraws invitations', async () => {
  twin = await startTwin();
  const at = '/v1/teams/acme';
  const email = 'new@example.com';
  const invite = () => send(twin, 'POST', '/v2/teams/acme/members', [{ email }]);
  expect((await invite()).body).toMatchObject({ email, role: 'VIEWER' });
  expect((await invite()).status).toBe(400);
  const list = async () => (await send(twin, 'GET', '/v3/teams/acme/members')).body;
  const { members, emailInviteCodes } = await list();
  expect(members).toHaveLength(1);
  expect(emailInviteCodes).toMatchObject([{ email, role: 'VIEWER', isDSyncUser: false }]);
  expect((await send(twin, 'DELETE', `${at}/invites/${emailInviteCodes[0].id}`)).status).toBe(200);
  expect(await list()).not.toHaveProperty('emailInviteCodes');
  const owner = `${at}/members/${members[0].uid}`;
  expect((await send(twin, 'PATCH', owner, { role: 'MEMBER' })).status).toBe(403);
  expect((await send(twin, 'DELETE', owner)).status).toBe(403);
});
