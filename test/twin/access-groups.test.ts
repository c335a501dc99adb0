import { afterEach, describe, expect, it } from 'vitest';
import { type Seed, type Switches, startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
afterEach(() => twin.close());
const path = '/v1/access-groups';

const standard: Seed = {
  teams: [
    {
      slug: 'acme',
      members: [
        { email: 'bea@example.com', uid: 'user_bea', name: 'Bea' },
        { email: 'cy@example.com', uid: 'user_cy', role: 'VIEWER' },
      ],
    },
    { slug: 'other' },
  ],
  projects: [
    { name: 'web', id: 'prj_web', framework: 'nextjs' },
    { name: 'docs', id: 'prj_docs' },
    { name: 'far', id: 'prj_far', owner: 'other' },
  ],
};
const start = async (seed: Seed = {}, switches: Partial<Switches> = {}) => {
  twin = await startTwin({ seed: { ...standard, ...seed }, switches });
};
const group = (fields: object) => ({ accessGroups: [{ name: 'Editors', id: 'ag_1', ...fields }] }) as Seed;
const uids = async (query = '') =>
  (await send(twin, 'GET', `${path}/Editors/members?${query}`)).body.members.map(
    (one: { uid: string }) => one.uid,
  );
const held = async (name = 'Editors') =>
  (await send(twin, 'GET', `${path}/${name}/projects`)).body.projects.map(
    (one: { projectId: string; role: string }) => [one.projectId, one.role],
  );

describe('a group', () => {
  it('is created with members and projects, read by id and name, renamed, deleted', async () => {
    await start();
    const created = await send(twin, 'POST', path, {
      name: 'Editors',
      projects: [{ projectId: 'prj_web', role: 'ADMIN' }],
      membersToAdd: ['user_bea'],
    });
    expect(created.status).toBe(200);
    const { accessGroupId: id } = created.body;
    expect(created.body).toEqual({
      accessGroupId: expect.stringMatching(/^ag_/),
      teamId: twin.account.teams[0]?.id,
      name: 'Editors',
      createdAt: expect.stringMatching(/^\d{13}$/),
      updatedAt: expect.stringMatching(/^\d{13}$/),
      membersCount: 1,
      projectsCount: 1,
      teamRoles: [],
      teamPermissions: [],
      entitlements: [],
    });
    const read = await send(twin, 'GET', `${path}/${id}`);
    expect(read.body).toEqual({ ...created.body, isDsyncManaged: false });
    expect((await send(twin, 'GET', `${path}/Editors`)).body).toEqual(read.body);
    const renamed = await send(twin, 'POST', `${path}/Editors`, { name: 'The editors' });
    expect(renamed.body).toMatchObject({ accessGroupId: id, name: 'The editors', membersCount: 1 });
    expect(Number(renamed.body.updatedAt)).toBeGreaterThan(Number(read.body.updatedAt));
    expect((await send(twin, 'GET', `${path}/The%20editors`)).status).toBe(200);
    const deleted = await send(twin, 'DELETE', `${path}/${id}`);
    expect([deleted.status, deleted.body]).toEqual([200, undefined]);
    expect(refusal(await send(twin, 'GET', `${path}/${id}`))).toEqual([404, 'not_found']);
  });

  it.each(['', 'a/b', 'é', 'x'.repeat(51)])('cannot have the name "%s"', async (name) => {
    await start(group({}));
    expect((await send(twin, 'POST', path, { name })).status).toBe(400);
    expect((await send(twin, 'POST', `${path}/Editors`, { name })).status).toBe(400);
    expect(twin.account.accessGroups.map((one) => one.name)).toEqual(['Editors']);
  });

  it('has a name that is free in its team', async () => {
    await start(group({}));
    expect((await send(twin, 'POST', path, { name: 'Editors' })).status).toBe(400);
    expect((await send(twin, 'POST', `${path}/Editors`, { name: 'Editors' })).status).toBe(200);
    expect((await send(twin, 'POST', `${path}?slug=other`, { name: 'Editors' })).status).toBe(200);
  });

  it('belongs to a team: invisible to others, not for the personal account', async () => {
    await start(group({}));
    expect((await send(twin, 'GET', `${path}/ag_1?slug=other`)).status).toBe(404);
    expect((await send(twin, 'GET', `${path}?slug=other`)).body.accessGroups).toEqual([]);
    expect(refusal(await send(twin, 'GET', `${path}?personal`))).toEqual([403, 'forbidden']);
  });

  it.each([
    {},
    { name: 'New', colour: 'red' },
    { name: 'New', membersToRemove: [] },
    { name: 'New', projects: [{ projectId: 'prj_web', role: 'PROJECT_GUEST' }] },
    { name: 'New', projects: [{ projectId: 'prj_web' }] },
    { name: 'New', projects: [{ projectId: 'prj_far', role: 'ADMIN' }] },
    { name: 'New', projects: [{ projectId: 'web', role: 'ADMIN' }] },
  ])('is not made of %j', async (body) => {
    await start();
    expect((await send(twin, 'POST', path, body)).status).toBe(400);
    expect(twin.account.accessGroups).toEqual([]);
  });
});

describe('an update', () => {
  it('adds and removes members and projects, and leaves the others', async () => {
    const projects = [{ project: 'web', role: 'ADMIN' }];
    await start(group({ members: ['user_bea', 'ada'], projects }));
    const ada = twin.account.user.id;
    await send(twin, 'POST', `${path}/Editors`, { membersToAdd: ['user_cy', 'user_bea'] });
    expect((await uids()).sort()).toEqual([ada, 'user_bea', 'user_cy'].sort());
    const answer = await send(twin, 'POST', `${path}/Editors`, {
      membersToRemove: ['user_bea', ada, 'user_none'],
      projects: [
        { projectId: 'prj_web', role: null },
        { projectId: 'prj_docs', role: 'PROJECT_VIEWER' },
      ],
    });
    expect(answer.body).toMatchObject({ membersCount: 1, projectsCount: 1 });
    expect(await uids()).toEqual(['user_cy']);
    expect(await held()).toEqual([['prj_docs', 'PROJECT_VIEWER']]);
    await send(twin, 'POST', `${path}/Editors`, { projects: [{ projectId: 'prj_docs', role: 'ADMIN' }] });
    expect(await held()).toEqual([['prj_docs', 'ADMIN']]);
  });

  it('is not half done', async () => {
    await start(group({}));
    const projects = [{ projectId: 'prj_none', role: 'ADMIN' }];
    const refused = await send(twin, 'POST', `${path}/Editors`, {
      name: 'New',
      membersToAdd: ['user_bea'],
      projects,
    });
    expect(refused.status).toBe(400);
    expect(twin.account.accessGroups).toMatchObject([{ name: 'Editors', members: [], projects: [] }]);
  });

  it('does not touch the members that a directory manages', async () => {
    await start(group({ isDsyncManaged: true, members: ['user_bea'] }));
    expect((await send(twin, 'GET', `${path}/Editors`)).body.isDsyncManaged).toBe(true);
    for (const body of [{ membersToAdd: ['user_cy'] }, { membersToRemove: ['user_bea'] }]) {
      expect((await send(twin, 'POST', `${path}/Editors`, body)).status).toBe(400);
    }
    expect(await uids()).toEqual(['user_bea']);
    const other = { projects: [{ projectId: 'prj_web', role: 'ADMIN' }], membersToAdd: [] };
    expect((await send(twin, 'POST', `${path}/Editors`, other)).status).toBe(200);
  });

  it.each([400, 404] as const)('refuses who is not in the team with %i', async (memberNotFoundStatus) => {
    await start(group({}), { memberNotFoundStatus });
    const refused = await send(twin, 'POST', `${path}/Editors`, { membersToAdd: ['user_none'] });
    expect(refusal(refused)).toEqual([memberNotFoundStatus, 'member_not_found']);
    const created = await send(twin, 'POST', path, { name: 'New', membersToAdd: ['user_none'] });
    expect(refusal(created)).toEqual([memberNotFoundStatus, 'member_not_found']);
    expect(twin.account.accessGroups).toHaveLength(1);
  });

  it.each([2, 0])('finds who has just joined after %i refusals', async (memberPropagationTries) => {
    const team = { members: [{ email: 'new@example.com', uid: 'user_new', justJoined: true }] };
    await start({ teams: undefined, team, projects: [], ...group({}) }, { memberPropagationTries });
    const add = () => send(twin, 'POST', `${path}/Editors`, { membersToAdd: ['user_new'] });
    for (let i = 0; i < memberPropagationTries; i += 1) {
      expect((await add()).body.error.code).toBe('member_not_found');
    }
    expect((await add()).status).toBe(200);
    expect(await uids()).toEqual(['user_new']);
  });
});

describe('lists', () => {
  it('page groups by an opaque cursor, newest first, with a search', async () => {
    await start({ accessGroups: ['One', 'Two', 'Three'].map((name) => ({ name })) });
    const names = (body: { accessGroups: { name: string }[] }) => body.accessGroups.map((one) => one.name);
    const first = (await send(twin, 'GET', `${path}?limit=2`)).body;
    expect(names(first)).toEqual(['Three', 'Two']);
    expect(first.pagination).toEqual({ count: 2, next: expect.any(String) });
    // The cursor outlives the group that it points at.
    await send(twin, 'DELETE', `${path}/Two`);
    const second = (await send(twin, 'GET', `${path}?limit=2&next=${first.pagination.next}`)).body;
    expect(names(second)).toEqual(['One']);
    expect(second.pagination).toEqual({ count: 1, next: null });
    expect(names((await send(twin, 'GET', `${path}?search=THR`)).body)).toEqual(['Three']);
    expect((await send(twin, 'GET', `${path}?next=nonsense`)).status).toBe(400);
  });

  it('show the groups of a project, and the first members and projects when told how many', async () => {
    const projects = [
      { project: 'web', role: 'ADMIN' as const },
      { project: 'docs', role: 'ADMIN' as const },
    ];
    await start({ accessGroups: [{ name: 'One' }, { name: 'Two', members: ['user_bea'], projects }] });
    const query = 'projectId=prj_docs&membersLimit=5&projectsLimit=1';
    const { accessGroups } = (await send(twin, 'GET', `${path}?${query}`)).body;
    expect(accessGroups).toMatchObject([{ name: 'Two', members: ['user_bea'], projects: ['prj_web'] }]);
    const [plain] = (await send(twin, 'GET', path)).body.accessGroups;
    expect(plain).not.toHaveProperty('members');
    expect(plain).not.toHaveProperty('projects');
  });

  it('show members with their role in the team, page by page', async () => {
    await start(group({ members: ['bea@example.com', 'user_cy'] }));
    const first = (await send(twin, 'GET', `${path}/Editors/members?limit=1`)).body;
    expect(first.members).toEqual([
      {
        uid: 'user_cy',
        email: 'cy@example.com',
        username: 'cy',
        teamRole: 'VIEWER',
        createdAt: expect.stringMatching(/^\d+$/),
      },
    ]);
    expect(await uids(`limit=1&next=${first.pagination.next}`)).toEqual(['user_bea']);
    expect(await uids('search=bea')).toEqual(['user_bea']);
  });

  it('forget who has left the team, and projects that are deleted', async () => {
    const projects = [
      { project: 'web', role: 'ADMIN' },
      { project: 'docs', role: 'ADMIN' },
    ];
    await start(group({ members: ['user_bea', 'user_cy'], projects }));
    twin.account.teamMembers.splice(0, 1);
    await send(twin, 'DELETE', '/v9/projects/web');
    expect(await uids()).toEqual(['user_cy']);
    expect(await held()).toEqual([['prj_docs', 'ADMIN']]);
    expect((await send(twin, 'GET', `${path}/Editors`)).body).toMatchObject({
      membersCount: 1,
      projectsCount: 1,
    });
  });
});

describe('a project of a group', () => {
  const own = `${path}/Editors/projects`;

  it('is added, read, changed and removed by itself', async () => {
    await start(group({}));
    const created = await send(twin, 'POST', own, { projectId: 'prj_web', role: 'ADMIN' });
    expect(created.status).toBe(200);
    expect(created.body).toEqual({
      accessGroupId: 'ag_1',
      teamId: twin.account.teams[0]?.id,
      projectId: 'prj_web',
      role: 'ADMIN',
      createdAt: expect.stringMatching(/^\d{13}$/),
      updatedAt: created.body.createdAt,
    });
    expect((await send(twin, 'GET', `${path}/ag_1/projects/prj_web`)).body).toEqual(created.body);
    const changed = await send(twin, 'PATCH', `${own}/prj_web`, { role: 'PROJECT_DEVELOPER' });
    expect(changed.body).toMatchObject({ role: 'PROJECT_DEVELOPER', createdAt: created.body.createdAt });
    expect(Number(changed.body.updatedAt)).toBeGreaterThan(Number(created.body.updatedAt));
    const listed = (await send(twin, 'GET', own)).body;
    expect(listed.pagination).toEqual({ count: 1, next: null });
    expect(listed.projects).toMatchObject([
      {
        projectId: 'prj_web',
        role: 'PROJECT_DEVELOPER',
        project: { name: 'web', framework: 'nextjs' },
      },
    ]);
    expect((await send(twin, 'DELETE', `${own}/prj_web`)).status).toBe(200);
    expect((await send(twin, 'DELETE', `${own}/prj_web`)).status).toBe(404);
  });

  it('is paged like the groups', async () => {
    const projects = ['web', 'docs'].map((project) => ({ project, role: 'ADMIN' }));
    await start(group({ projects }));
    const first = (await send(twin, 'GET', `${own}?limit=1`)).body;
    const second = (await send(twin, 'GET', `${own}?limit=1&next=${first.pagination.next}`)).body;
    expect([first.projects[0].projectId, second.projects[0].projectId]).toEqual(['prj_docs', 'prj_web']);
  });

  it('can read PROJECT_GUEST, which cannot be written', async () => {
    await start(group({ projects: [{ project: 'web', role: 'PROJECT_GUEST' }] }));
    expect((await send(twin, 'GET', `${own}/prj_web`)).body.role).toBe('PROJECT_GUEST');
    expect((await send(twin, 'PATCH', `${own}/prj_web`, { role: 'PROJECT_GUEST' })).status).toBe(400);
    expect((await send(twin, 'PATCH', `${own}/prj_web`, { role: 'ADMIN' })).body.role).toBe('ADMIN');
  });

  it.each([
    { projectId: 'prj_web' },
    { projectId: 'prj_web', role: null },
    { projectId: 'prj_web', role: 'ADMIN', x: 1 },
    { projectId: 'prj_far', role: 'ADMIN' },
    { projectId: 'prj_docs', role: 'ADMIN' },
  ])('is not made of %j', async (body) => {
    await start(group({ projects: [{ project: 'docs', role: 'ADMIN' }] }));
    expect((await send(twin, 'POST', own, body)).status).toBe(400);
    expect(await held()).toEqual([['prj_docs', 'ADMIN']]);
  });
});

it('says what a seed names that is not there', async () => {
  await start();
  const failure = await startTwin({
    seed: {
      ...standard,
      accessGroups: [
        { name: 'One', members: ['nobody'] },
        { name: 'Two', projects: [{ project: 'none', role: 'ADMIN' }] },
        { name: 'Three', owner: 'personal' },
        { name: 'a/b' },
      ],
    },
  }).catch((error: unknown) => error);
  expect((failure as { problems: string[] }).problems).toEqual([
    'accessGroups[0]: There is no member "nobody" in the team acme.',
    'accessGroups[1]: There is no project "none".',
    'accessGroups[2]: Access groups belong to a team.',
    expect.stringMatching(/^accessGroups\[3\]: .*1 to 50 letters/),
  ]);
});
