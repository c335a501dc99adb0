import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
beforeEach(async () => {
  twin = await startTwin({ seed: { projects: [{ name: 'web' }, { name: 'other' }] } });
});
afterEach(() => twin.close());

const at = (path = '', index = 0) =>
  `/v1/vcr/repository${path}?slug=acme&projectId=${twin.account.projects[index]!.id}`;
const create = (name: string) =>
  send(twin, 'POST', '/v1/vcr/repository?slug=acme', { projectId: twin.account.projects[0]!.id, name });

it('repositories are made in a project, read by id or name, and deleted later', async () => {
  const { status, body } = await create('api');
  expect([status, body]).toEqual([
    200,
    {
      repository: {
        id: expect.any(String),
        name: 'api',
        projectId: twin.account.projects[0]!.id,
        public: false,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    },
  ]);
  for (const name of ['api', body.repository.id])
    expect((await send(twin, 'GET', at(`/${name}`))).body).toEqual(body);
  expect(refusal(await send(twin, 'GET', at('/api', 1)))).toEqual([404, 'not_found']);
  expect(refusal(await create('api'))).toEqual([409, 'conflict']);
  expect((await send(twin, 'DELETE', at('/api'))).status).toBe(202);
  expect((await send(twin, 'GET', at())).body).toEqual({ repositories: [] });
});

it('repositories come in pages by a cursor', async () => {
  for (const name of ['a', 'b', 'c']) await create(name);
  const first = (await send(twin, 'GET', `${at()}&limit=2`)).body;
  const rest = (await send(twin, 'GET', `${at()}&limit=2&cursor=${first.nextCursor}`)).body;
  expect(rest).not.toHaveProperty('nextCursor');
  const names = [...first.repositories, ...rest.repositories].map(({ name }: { name: string }) => name);
  expect(names.sort()).toEqual(['a', 'b', 'c']);
});

it('permissions are given to a team by id or slug, read with both, and taken away by a body', async () => {
  const { id } = (await create('api')).body.repository;
  const path = at('/api/permissions');
  const given = await send(twin, 'POST', path, { teamSlug: 'other' });
  expect(given.body.permission).toMatchObject({ repositoryId: id, teamSlug: 'other', teamId: 'team_other' });
  expect((await send(twin, 'POST', path, { teamId: 'team_other' })).body).toEqual(given.body);
  expect((await send(twin, 'GET', path)).body).toEqual({ permissions: [given.body.permission] });
  for (const body of [{}, { teamId: 'team_other', teamSlug: 'other' }])
    expect(refusal(await send(twin, 'POST', path, body))).toEqual([400, 'bad_request']);
  expect((await send(twin, 'DELETE', path, { teamId: 'team_other' })).status).toBe(204);
  expect(refusal(await send(twin, 'DELETE', path, { teamId: 'team_other' }))).toEqual([404, 'not_found']);
  await send(twin, 'POST', path, { teamSlug: 'other' });
  expect((await send(twin, 'DELETE', at('/api/permissions/all'))).status).toBe(204);
  expect((await send(twin, 'GET', path)).body).toEqual({ permissions: [] });
});
