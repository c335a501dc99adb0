import * as z from 'zod';
import { type Call, type Making, times } from '../call.ts';
import { badRequest } from '../errors.ts';
import { checkProjectIds, projectIdsOf } from '../find-project.ts';
import { operation, type Resource, seedList, seedOwned } from '../resource.ts';
import { strings } from '../validate.ts';
import {
  type AccessGroup,
  checkGroupName,
  findGroup,
  projectRoles,
  readGroup,
  teamOf,
  writableProjectRoles,
} from './access-group-state.ts';
import { checkMember, membersOf } from './team-member-state.ts';

declare module '../account.ts' {
  interface AccountSeed extends Seeds<'accessGroups', typeof seed> {}
}

const createBody = z.strictObject({
  name: z.string(),
  // A role of null takes the project out.
  projects: z
    .array(z.strictObject({ projectId: z.string(), role: z.enum(writableProjectRoles).nullable() }))
    .optional(),
  membersToAdd: strings.optional(),
});
const updateBody = createBody.partial({ name: true }).extend({ membersToRemove: strings.optional() });

type Changes = Omit<z.infer<typeof updateBody>, 'name'>;

/** Throws for changes that are not possible. Called before the first change is made, so that no request takes effect in part. */
function checkChanges(call: Call, group: AccessGroup, changes: Changes): void {
  const { projects = [], membersToAdd = [], membersToRemove = [] } = changes;
  if (group.isDsyncManaged && membersToAdd.length + membersToRemove.length > 0) {
    throw badRequest(`The members of "${group.name}" are managed by the directory of the team.`);
  }
  const grantedProjects = projects.filter((project) => project.role !== null);
  checkProjectIds(
    call,
    grantedProjects.map((project) => project.projectId),
  );
  for (const uid of membersToAdd) checkMember(call, teamOf(call), uid);
}

/** Applies checked changes to a group's projects and members. */
function applyChanges(call: Call, group: AccessGroup, changes: Changes): void {
  const { projects = [], membersToAdd = [], membersToRemove = [] } = changes;
  for (const { projectId, role } of projects) {
    const held = group.projects.find((project) => project.projectId === projectId);
    const timestamp = call.time();
    if (role === null) group.projects = group.projects.filter((project) => project !== held);
    else if (held === undefined)
      group.projects.push({ projectId, role, createdAt: timestamp, updatedAt: timestamp });
    else Object.assign(held, { role, updatedAt: timestamp });
  }
  group.members = group.members.filter((member) => !membersToRemove.includes(member.uid));
  for (const uid of membersToAdd) {
    if (group.members.some((member) => member.uid === uid)) continue;
    group.members.push({ uid, createdAt: call.time() });
  }
  group.updatedAt = call.time();
}

/** Returns a new group without members, not yet in the account. */
function newGroup(making: Making, name: string, id = making.id('ag_')): AccessGroup {
  const { account, owner } = making;
  checkGroupName(account, owner.id, name);
  return {
    ...{ id, ownerId: owner.id, name, isDsyncManaged: false, ...times(making) },
    ...{ teamRoles: [], teamPermissions: [], entitlements: [], members: [], projects: [] },
  };
}

const seed = z.strictObject({
  ...seedOwned,
  name: z.string(),
  /** Each by uid, username or email. */
  members: strings.optional(),
  /** Each by the project's name or id. */
  projects: z.array(z.strictObject({ project: z.string(), role: z.enum(projectRoles) })).optional(),
  isDsyncManaged: z.boolean().optional(),
  teamRoles: strings.optional(),
  teamPermissions: strings.optional(),
  entitlements: strings.optional(),
});

/** Adds a group of a seed, with its members and projects. */
function load(making: Making, seeded: Omit<z.infer<typeof seed>, 'owner'>): void {
  const { account } = making;
  const { id, name, members = [], projects = [], ...fields } = seeded;
  const team = teamOf(making);
  const group = newGroup(making, name, id);
  const inTeam = membersOf(account, team);
  group.members = members.map((wanted) => {
    const teamMember = inTeam.find((teamMember) =>
      [teamMember.uid, teamMember.username, teamMember.email].includes(wanted),
    );
    if (teamMember === undefined) throw new Error(`There is no member "${wanted}" in the team ${team.slug}.`);
    return { uid: teamMember.uid, createdAt: making.time() };
  });
  group.projects = projects.map(({ project, role }) => {
    const [projectId] = projectIdsOf(making, [project]);
    return { projectId: projectId!, role, ...times(making) };
  });
  account.accessGroups.push(Object.assign(group, fields));
}

/** Access groups. A change of a group can also add and remove members and projects. */
export const accessGroup: Resource = {
  keeps: { account: { accessGroups: [] } },
  operations: {
    createAccessGroup: operation({ on: teamOf, body: createBody }, (call, _, { name, ...changes }) => {
      const group = newGroup(call, name);
      checkChanges(call, group, changes);
      call.account.accessGroups.push(group);
      applyChanges(call, group, changes);
      return readGroup(call, group);
    }),
    readAccessGroup: operation({ on: findGroup }, (call, group) => ({
      ...readGroup(call, group),
      isDsyncManaged: group.isDsyncManaged,
    })),
    updateAccessGroup: operation({ on: findGroup, body: updateBody }, (call, group, { name, ...changes }) => {
      if (name !== undefined) checkGroupName(call.account, group.ownerId, name, group);
      checkChanges(call, group, changes);
      if (name !== undefined) group.name = name;
      applyChanges(call, group, changes);
      return readGroup(call, group);
    }),
    deleteAccessGroup: operation(
      { on: findGroup, answers: 'none' },
      ({ account: { accessGroups } }, group) => {
        accessGroups.splice(accessGroups.indexOf(group), 1);
      },
    ),
  },
  after: ['projects', 'team.members'],
  seed: { account: { accessGroups: seedList(seed, load) } },
};
