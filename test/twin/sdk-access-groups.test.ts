import type { Vercel } from '@vercel/sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { sdkOf } from '../support/sdk.ts';

// The SDK checks every answer against its own schemas: what passes here has the shape that the public client expects.
let twin: Twin;
let sdk: Vercel;
const slug = 'acme';
beforeEach(async () => {
  const team = { members: [{ email: 'bea@example.com', uid: 'user_bea' }] };
  twin = await startTwin({ seed: { team, projects: [{ name: 'web', id: 'prj_web' }] } });
  sdk = sdkOf(twin.url);
});
afterEach(() => twin.close());

it('creates, lists, changes and deletes groups', async () => {
  const requestBody = { name: 'Editors', membersToAdd: ['user_bea'] };
  const { accessGroupId } = await sdk.accessGroups.createAccessGroup({ slug, requestBody });
  const group = { slug, idOrName: 'Editors' };
  expect(await sdk.accessGroups.readAccessGroup(group)).toMatchObject({ accessGroupId, membersCount: 1 });
  expect(await sdk.accessGroups.listAccessGroups({ slug })).toMatchObject({
    accessGroups: [{ accessGroupId }],
  });
  const { members } = await sdk.accessGroups.listAccessGroupMembers(group);
  expect(members).toMatchObject([{ uid: 'user_bea', teamRole: 'MEMBER' }]);
  const changes = { name: 'Writers', membersToRemove: ['user_bea'] };
  const changed = await sdk.accessGroups.updateAccessGroup({ ...group, requestBody: changes });
  expect(changed).toMatchObject({ accessGroupId, name: 'Writers', membersCount: 0 });
  await sdk.accessGroups.deleteAccessGroup({ slug, idOrName: accessGroupId });
  expect(await sdk.accessGroups.listAccessGroups({ slug })).toMatchObject({ accessGroups: [] });
});

it('gives and takes projects', async () => {
  await sdk.accessGroups.createAccessGroup({ slug, requestBody: { name: 'Editors' } });
  const group = { slug, accessGroupIdOrName: 'Editors' };
  const requestBody = { projectId: 'prj_web', role: 'ADMIN' } as const;
  await sdk.accessGroups.createAccessGroupProject({ ...group, requestBody });
  const one = { ...group, projectId: 'prj_web' };
  expect(await sdk.accessGroups.readAccessGroupProject(one)).toMatchObject(requestBody);
  const role = 'PROJECT_VIEWER';
  await sdk.accessGroups.updateAccessGroupProject({ ...one, requestBody: { role } });
  const { projects } = await sdk.accessGroups.listAccessGroupProjects({ slug, idOrName: 'Editors' });
  expect(projects).toMatchObject([{ projectId: 'prj_web', role, project: { name: 'web' } }]);
  await sdk.accessGroups.deleteAccessGroupProject(one);
  expect(await sdk.accessGroups.readAccessGroup({ slug, idOrName: 'Editors' })).toMatchObject({
    projectsCount: 0,
  });
});
