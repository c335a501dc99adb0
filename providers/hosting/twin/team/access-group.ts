import * as z from 'zod';
import { Answer, type Bodies, type Call, type Handlers } from '../call.ts';
import { badRequest } from '../errors.ts';
import { checkProjectIds } from '../projects/project-references.ts';
import { parseBody, strings } from '../validate.ts';
import {
  type AccessGroup,
  checkGroupName,
  findGroup,
  readGroup,
  teamOf,
  writableProjectRoles,
} from './access-group-state.ts';
import { checkMember } from './team-member.ts';

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

/** Refuses what cannot be changed, before anything is: no request is half applied. */
function checkChanges(call: Call, group: AccessGroup, changes: Changes): void {
  const { projects = [], membersToAdd = [], membersToRemove = [] } = changes;
  if (group.isDsyncManaged && membersToAdd.length + membersToRemove.length > 0) {
    throw badRequest(`The members of "${group.name}" are managed by the directory of the team.`);
  }
  const given = projects.filter((one) => one.role !== null);
  checkProjectIds(
    call,
    given.map((one) => one.projectId),
  );
  for (const uid of membersToAdd) checkMember(call, teamOf(call), uid);
}

function applyChanges(call: Call, group: AccessGroup, changes: Changes): void {
  const { projects = [], membersToAdd = [], membersToRemove = [] } = changes;
  for (const { projectId, role } of projects) {
    const held = group.projects.find((one) => one.projectId === projectId);
    const at = call.time();
    if (role === null) group.projects = group.projects.filter((one) => one !== held);
    else if (held === undefined) group.projects.push({ projectId, role, createdAt: at, updatedAt: at });
    else Object.assign(held, { role, updatedAt: at });
  }
  group.members = group.members.filter((one) => !membersToRemove.includes(one.uid));
  for (const uid of membersToAdd) {
    if (group.members.some((one) => one.uid === uid)) continue;
    group.members.push({ uid, createdAt: call.time() });
  }
  group.updatedAt = call.time();
}

function create(call: Call): unknown {
  const team = teamOf(call);
  const { name, ...changes } = parseBody(createBody, call.body, call.outside);
  checkGroupName(call.account, team.id, name);
  const at = call.time();
  const group: AccessGroup = {
    id: call.id('ag_', 24),
    ownerId: team.id,
    name,
    isDsyncManaged: false,
    teamRoles: [],
    teamPermissions: [],
    entitlements: [],
    members: [],
    projects: [],
    createdAt: at,
    updatedAt: at,
  };
  checkChanges(call, group, changes);
  call.account.accessGroups.push(group);
  applyChanges(call, group, changes);
  return readGroup(call, group);
}

function update(call: Call): unknown {
  const group = findGroup(call, call.params.idOrName!);
  const { name, ...changes } = parseBody(updateBody, call.body, call.outside);
  if (name !== undefined) checkGroupName(call.account, group.ownerId, name, group);
  checkChanges(call, group, changes);
  if (name !== undefined) group.name = name;
  applyChanges(call, group, changes);
  return readGroup(call, group);
}

/** Access groups; their members and projects are also changed here, by deltas. */
export const accessGroupHandlers: Handlers = {
  createAccessGroup: create,
  readAccessGroup(call) {
    const group = findGroup(call, call.params.idOrName!);
    return { ...readGroup(call, group), isDsyncManaged: group.isDsyncManaged };
  },
  updateAccessGroup: update,
  deleteAccessGroup(call) {
    const group = findGroup(call, call.params.idOrName!);
    call.account.accessGroups.splice(call.account.accessGroups.indexOf(group), 1);
    return new Answer(200);
  },
};

/** The schemas of their request bodies. */
export const accessGroupBodies: Bodies = { createAccessGroup: createBody, updateAccessGroup: updateBody };
