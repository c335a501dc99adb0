import * as z from 'zod';
import {
  type ApiObject,
  asksForWrite,
  atomic,
  type BatchContext,
  type Change,
  type Draft,
  defineKind,
  membersOfMap,
  openEnum,
  request,
  requireObject,
  type Step,
} from '#kind';
import { batch } from '#shapes';
import { isLowered, teamRoles } from './team-roles.ts';

/**
 * Returns one request that writes all mappings from directory groups to roles, because the platform replaces the
 * whole list. Undeclared mappings are sent as they were read.
 */
function roleWrites(steps: Step[], { live }: BatchContext): Draft[] {
  const roles = new Map(live.map(({ fields }) => [String(fields.group), fields.role]));
  for (const { action, before, after } of steps) {
    if (action === 'delete') roles.delete(String(before!.fields.group));
    else roles.set(String(after!.fields.group), after!.fields.role);
  }
  const created = steps.filter(({ action }) => action === 'create' || action === 'replace');
  const deleted = steps.filter(({ action }) => action === 'delete');
  return [
    {
      changes: steps.map(({ address }) => address),
      requests: [
        {
          ...request('POST /v1/teams/{teamId}/dsync-roles', { roles: Object.fromEntries(roles) }),
          returns: created.map(({ address, after }) => ({ address, id: after!.fields.group! })),
          drops: deleted.flatMap(({ address, before }) => before!.ids.map((id) => ({ address, id }))),
        },
      ],
    },
  ];
}

/**
 * True if a change of a directory group's role may take permissions away, so that the user has to permit it. The
 * permissions of an access group are unknown, so a change from or to one counts.
 */
function takesAway({ action, fields, before, after }: Change): boolean {
  if (action === 'delete') return true;
  if (action === 'create' || !fields.some(asksForWrite)) return false;
  return isLowered(before?.fields.role, after?.fields.role);
}

/** The role in the team of a group in the company's directory. */
export const directoryRole = defineKind({
  name: 'directoryRole',
  doc: "Maps a group of the company's directory to a team role or access group.",
  section: 'directoryRoles',
  otherWords: ['scim', 'directorySync'],
  key: ['group'],
  id: 'group',
  lifecycle: {
    replace: 'free',
    // The team's own settings are written with the roles as they were found.
    after: ['team'],
    asks: { 'remove-access': takesAway },
  },
  fields: () => ({
    group: z.string().min(1).describe('The id of the group in the directory.'),
    role: atomic(
      z.union([openEnum(teamRoles), z.strictObject({ accessGroupId: z.string().min(1) })]),
    ).describe('The role of its members, or the id of their access group.'),
  }),
  example: `directoryRoles:
  directory_group_01H: { role: DEVELOPER }
  directory_group_02H: { role: { accessGroupId: ag_1a9GFrontend } }`,
  rules: {
    grade: (change) =>
      takesAway(change)
        ? { grade: 'destructive', reason: 'members of the group may lose access' }
        : undefined,
  },
  shape: batch(roleWrites),
  read: {
    endpoint: 'GET /v2/teams/{teamId}',
    items: ({ saml }) =>
      membersOfMap(requireObject(saml ?? {}, 'saml').roles, 'roles').map(
        ([group, role]): ApiObject => ({ group, role }),
      ),
  },
  create: 'POST /v1/teams/{teamId}/dsync-roles',
  update: 'POST /v1/teams/{teamId}/dsync-roles',
  delete: 'POST /v1/teams/{teamId}/dsync-roles',
});
