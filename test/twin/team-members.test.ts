import { afterEach, expect, it } from 'vitest';
import { type Seed, startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { send } from './client.ts';

let twin: Twin;
afterEach(() => twin.close());
const path = '/v3/teams/acme/members';
const emails = async (query = '') =>
  (await send(twin, 'GET', `${path}?${query}`)).body.members.map((one: { email: string }) => one.email);

const members = [
  { email: 'bea@example.com', uid: 'user_bea', name: 'Bea', role: 'DEVELOPER' as const },
  { email: 'cy@example.com', username: 'cyrus' },
];

it('lists the user as the owner of a team, and the members that the seed names', async () => {
  twin = await startTwin({ seed: { team: { members } } });
  const { body } = await send(twin, 'GET', path);
  expect(body.members).toMatchObject([
    { email: 'cy@example.com', username: 'cyrus', role: 'MEMBER', confirmed: true },
    { email: 'bea@example.com', username: 'bea', uid: 'user_bea', name: 'Bea', role: 'DEVELOPER' },
    { uid: twin.account.user.id, role: 'OWNER' },
  ]);
  expect(body.pagination).toEqual({ count: 3, hasNext: false, next: null, prev: null });
  expect((await send(twin, 'GET', '/v2/teams/acme')).body).not.toHaveProperty('members');
});

it('shows no state of its own, and no name where there is none', async () => {
  const seed = { team: { members: [{ email: 'bea@example.com', justJoined: true }] } };
  twin = await startTwin({ seed });
  const [bea] = (await send(twin, 'GET', path)).body.members;
  expect(Object.keys(bea).sort()).toEqual(['confirmed', 'createdAt', 'email', 'role', 'uid', 'username']);
});

it('keeps the teams apart', async () => {
  twin = await startTwin({ seed: { teams: [{ slug: 'acme' }, { slug: 'other', members }] } });
  expect(await emails()).toEqual(['ada@example.com']);
  expect((await send(twin, 'GET', '/v3/teams/other/members')).body.members).toHaveLength(3);
  expect((await send(twin, 'GET', '/v3/teams/none/members?slug=none')).status).toBe(404);
});

it('filters by role and by a text in any of the names', async () => {
  twin = await startTwin({ seed: { team: { members } } });
  expect(await emails('role=DEVELOPER')).toEqual(['bea@example.com']);
  expect(await emails('search=CYR')).toEqual(['cy@example.com']);
  expect((await send(twin, 'GET', `${path}?role=boss`)).status).toBe(400);
});

it('is paged by time, with hasNext', async () => {
  twin = await startTwin({ seed: { team: { members } } });
  const first = (await send(twin, 'GET', `${path}?limit=2`)).body;
  expect(first.pagination).toMatchObject({ count: 2, hasNext: true, next: expect.any(Number) });
  expect(await emails(`limit=2&until=${first.pagination.next}`)).toEqual(['ada@example.com']);
});

it('takes no member twice from a seed', async () => {
  twin = await startTwin();
  const problems = async (seed: Seed) =>
    ((await startTwin({ seed }).catch((error: unknown) => error)) as { problems: string[] }).problems;
  const twice = [members[0]!, members[0]!];
  expect(await problems({ team: { members: twice } })).toEqual([
    'team.members[1]: bea@example.com is in the team acme twice.',
  ]);
  expect(await problems({ teams: [{ slug: 'a' }, { slug: 'b', members: twice }] })).toEqual([
    'teams[1].members[1]: bea@example.com is in the team b twice.',
  ]);
});
