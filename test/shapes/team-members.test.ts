import { expect, it } from 'vitest';
import { expirationOf } from '../../providers/hosting/kinds/team/team-defaults.ts';
import { findSideEffects } from '../../src/plan/side-effects.ts';
import { codes, newWorld } from '../support/scene.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(7);

const nobody = { allow: [] };
const people = [
  { uid: 'user_1', email: 'grace@example.com', role: 'MEMBER' as const },
  { uid: 'user_2', email: 'alan@example.com', role: 'OWNER' as const },
];
const start = (team = {}) => newWorld({ seed: { team: { members: people, ...team } } });
const members = (given: Record<string, string>) =>
  `members: { ${Object.entries(given).map(([email, role]) => `${email}: { role: ${role} }`)} }`;

it('a lower role takes access away, a seat costs money, and both ask', async () => {
  const world = await start();
  const plan = async (role: string) =>
    (await world.plan(members({ 'grace@example.com': role }), nobody)).plan;
  expect(codes(await plan('MEMBER'))).toEqual([]);
  expect(codes(await plan('VIEWER'))).toEqual(['allow/missing']);
  expect(codes(await plan('SECURITY'))).toEqual(['allow/missing']);
  expect(codes(await plan('OWNER'))).toEqual([]);
  const invited = async (role: string) =>
    codes((await world.plan(members({ 'a@b.example': role }), nobody)).plan);
  expect(await invited('MEMBER')).toEqual(['allow/missing']);
  expect(await invited('VIEWER')).toEqual([]);
});

story(
  'an invitation that nobody accepted is withdrawn, or another one takes its place; accepted, it is the same member',
  async () => {
    const world = await start();
    const yaml = (role: string) => members({ 'new@example.com': role });
    await world.converge(yaml('VIEWER'));
    world.clear();
    await world.converge(yaml('DEVELOPER'));
    expect(world.twin.account.teamInvites).toMatchObject([{ email: 'new@example.com', role: 'DEVELOPER' }]);
    const { account } = world.twin;
    const [member] = account.teamMembers;
    const [invite] = account.teamInvites.splice(0);
    account.teamMembers.push({ ...member!, uid: 'user_3', email: invite!.email, role: invite!.role });
    expect((await world.plan(yaml('DEVELOPER'))).plan.operations).toEqual([]);
    await world.converge(yaml('MEMBER'));
    expect(account.teamMembers.at(-1)).toMatchObject({ uid: 'user_3', role: 'MEMBER' });
    await world.converge('members: { other@example.com: { role: VIEWER } }');
    expect(account.teamMembers.map(({ uid }) => uid)).toEqual(['user_1', 'user_2']);
    await world.converge('projects: { web: {} }');
    expect(account.teamInvites).toEqual([]);
  },
);

it('the directory has its own people, and who let an invitation run out is invited anew', async () => {
  const world = await start({
    invites: [
      { email: 'old@example.com', expired: true },
      { email: 'sync@example.com', isDSyncUser: true },
    ],
  });
  const { plan } = await world.plan(members({ 'old@example.com': 'VIEWER' }));
  expect(plan.changes).toMatchObject([{ action: 'create' }]);
  await world.converge(members({ 'old@example.com': 'VIEWER' }));
  expect(world.twin.account.teamInvites.map(({ email }) => email)).toEqual([
    'sync@example.com',
    'old@example.com',
  ]);
});

it('a team is created and deleted only where that is allowed, and never the one of this account', async () => {
  const world = await start();
  const yaml = 'teams: { labs: { name: Labs, requireVerifiedCommits: true } }';
  expect(codes((await world.plan(yaml, nobody)).plan)).toEqual(['allow/missing']);
  await world.converge(yaml);
  expect(world.twin.account.teams.map(({ slug }) => slug)).toEqual(['acme', 'labs']);
  expect((await world.plan('projects: { web: {} }')).plan.operations.map(({ kind }) => kind)).toEqual([
    'project',
  ]);
  const gone = { containersToDelete: ['teams/labs'], maxDeletions: 10 };
  expect(codes((await world.plan('projects: { web: {} }', { ...gone, ...nobody })).plan)).toEqual([
    'allow/missing',
  ]);
  await world.converge('projects: { web: {} }', gone);
  expect(world.twin.account.teams.map(({ slug }) => slug)).toEqual(['acme']);

  await world.converge('teams: { acme: {} }');
  const own = await world.plan('projects: { web: {} }', { ...gone, containersToDelete: ['teams/acme'] });
  expect(codes(own.plan)).toEqual(['team/own']);
});

it('changes of a team send no slug; SAML for everybody asks', async () => {
  const world = await start();
  const yaml = (saml: string) => `teams: { acme: { saml: { enforced: ${saml} } } }`;
  expect(codes((await world.plan(yaml('true'), nobody)).plan)).toEqual(['allow/missing']);
  await world.converge(yaml('true'));
  const bodies = world.twin.requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
  expect(bodies).toEqual([{ saml: { enforced: true } }]);
});

story('mappings of a directory that nobody declared stay, and a lower role asks', async () => {
  const world = await start();
  const [team] = world.twin.account.teams;
  team!.settings = { saml: { enforced: false, roles: { other: 'MEMBER' } } };
  const yaml = (role: string) => `directoryRoles: { ours: { role: ${role} } }`;
  await world.converge(yaml('DEVELOPER'));
  expect(codes((await world.plan(yaml('VIEWER'), nobody)).plan)).toEqual(['allow/missing']);
  expect(codes((await world.plan(yaml('{ accessGroupId: ag_1 }'), nobody)).plan)).toEqual(['allow/missing']);
  await world.converge(yaml('VIEWER'));
  const roles = () => (team!.settings!.saml as { roles: object }).roles;
  expect(roles()).toEqual({ other: 'MEMBER', ours: 'VIEWER' });
  await world.converge('projects: { web: {} }');
  expect(roles()).toEqual({ other: 'MEMBER' });
});

const inProjects = (given: string, role = 'MEMBER') =>
  `projects: { web: {}, docs: {} }\nmembers: { grace@example.com: { role: ${role}, projects: [${given}] } }`;
const has = (project: string, role: string) => `{ projectId: "\${projects.${project}.id}", role: ${role} }`;

it('roles in projects are given and taken one by one, and what is less takes access away', async () => {
  const world = await start();
  const { account } = world.twin;
  const roles = () =>
    account.projects.map(({ name, members }) => [name, members.map(({ uid, role }) => `${uid} ${role}`)]);
  await world.converge(inProjects(has('web', 'PROJECT_VIEWER')));
  expect(roles()).toEqual([
    ['web', ['user_1 PROJECT_VIEWER']],
    ['docs', []],
  ]);

  const both = `${has('web', 'ADMIN')}, ${has('docs', 'PROJECT_DEVELOPER')}`;
  expect(codes((await world.plan(inProjects(both), nobody)).plan)).toEqual([]);
  await world.converge(inProjects(both));
  // A guest is read, and is nobody's to write.
  account.projects[0]!.members.push({ uid: 'user_2', role: 'PROJECT_GUEST', createdAt: 1 });
  for (const less of [has('web', 'ADMIN'), both.replace('ADMIN', 'PROJECT_DEVELOPER'), ''])
    expect(codes((await world.plan(inProjects(less), nobody)).plan)).toEqual(['allow/missing']);

  const since = world.twin.requests.length;
  await world.converge(inProjects(has('web', 'ADMIN')));
  const [write] = world.twin.requests.slice(since).filter(({ method }) => method === 'PATCH');
  const docs = account.projects.find(({ name }) => name === 'docs')!;
  expect(write!.body).toEqual({ role: 'MEMBER', projects: [{ projectId: docs.id, role: null }] });
  await world.converge(inProjects(''));
  expect(roles()).toEqual([
    ['web', ['user_2 PROJECT_GUEST']],
    ['docs', []],
  ]);
});

story('who has not confirmed shows no projects, and nothing is sent again for that', async () => {
  const world = await start();
  const yaml = inProjects(has('web', 'ADMIN'));
  await world.converge(yaml);
  world.twin.account.teamMembers[0]!.confirmed = false;
  expect((await world.plan(yaml)).plan.operations).toEqual([]);
});

story('another role of an invitation keeps the projects that nobody declares', async () => {
  const world = await start();
  await world.converge(inProjects(has('web', 'ADMIN')).replace('grace', 'new'));
  const [before] = world.twin.account.teamInvites.map(({ projects }) => projects);
  await world.converge('projects: { web: {}, docs: {} }\nmembers: { new@example.com: { role: DEVELOPER } }');
  expect(world.twin.account.teamInvites).toMatchObject([{ role: 'DEVELOPER', projects: before }]);
});

story('days are read as the words that they are written in, and what no word says is left out', async () => {
  const world = await start();
  const yaml = 'teams: { acme: { defaultExpirationSettings: { expiration: 3m } } }';
  await world.converge(yaml);
  const settings = world.twin.account.teams[0]!.settings!;
  settings.defaultExpirationSettings = { expiration: '1y' };
  expect((await world.plan(yaml)).plan.changes.at(-1)).toMatchObject({
    fields: [{ path: 'defaultExpirationSettings.expiration', before: '1y', after: '3m' }],
  });
  const found = { expirationDays: 45, expirationDaysErrored: 36_500 };
  expect(expirationOf({ defaultExpirationSettings: found })).toEqual({
    defaultExpirationSettings: { expirationErrored: 'unlimited' },
  });
});

story(
  'a role that a project gives is no news of the member; one that somebody else gave meanwhile is',
  async () => {
    const world = await start();
    const yaml = (more: string) =>
      `projects: { web: { ${more} } }\nmembers: { grace@example.com: { role: MEMBER } }`;
    await world.converge(yaml(''));
    await world.converge(yaml('members: { user_1: { role: ADMIN } }'));
    expect(world.beside).toEqual([]);
    const planned = await world.plan(yaml('members: { user_1: { role: ADMIN } }, framework: nextjs'));
    world.twin.account.projects[0]!.members[0]!.role = 'PROJECT_VIEWER';
    await world.apply(planned);
    const after = await world.plan(yaml('members: { user_1: { role: ADMIN } }, framework: nextjs'));
    const known = { ...planned.input, desired: planned.configuration.desired };
    expect(findSideEffects(planned.plan, planned.live, after.live, known)).toMatchObject([
      { address: 'members/grace%40example.com', path: 'projects' },
      { address: 'projects/web/members/user_1', path: 'role' },
    ]);
  },
);
