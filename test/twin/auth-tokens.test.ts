import { afterEach, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
afterEach(() => twin.close());

it('are shown once, listed with those of other teams, and deleted', async () => {
  const seed = { projects: [{ name: 'web' }], authTokens: [{ id: 'mine', name: 'a', owner: 'personal' }] };
  twin = await startTwin({ seed });
  const projectId = twin.account.projects[0]!.id;
  const made = await send(twin, 'POST', '/v3/user/tokens', { name: 'a', projectId });
  expect([made.status, made.body.bearerToken]).toEqual([200, expect.stringMatching(/^vcp_/)]);
  const { token } = made.body;
  expect(token).not.toHaveProperty('projectId');
  expect(token.scopes).toMatchObject([{ type: 'team', teamId: twin.account.teams[0]!.id }]);
  const list = await send(twin, 'GET', '/v6/user/tokens?personal');
  expect(list.body.tokens).toEqual([expect.objectContaining({ id: 'mine', name: 'a' }), token]);
  expect(list.body.tokens[0].scopes).toMatchObject([{ type: 'user' }]);
  expect((await send(twin, 'GET', `/v5/user/tokens/${token.id}`)).body).toEqual({ token });
  const gone = await send(twin, 'DELETE', `/v3/user/tokens/${token.id}`);
  expect(gone.body).toEqual({ tokenId: token.id });
  expect(refusal(await send(twin, 'GET', `/v5/user/tokens/${token.id}`))).toEqual([404, 'not_found']);
  expect(refusal(await send(twin, 'POST', '/v3/user/tokens', { name: 'a', projectId: 'prj_none' }))[0]).toBe(
    400,
  );
});
