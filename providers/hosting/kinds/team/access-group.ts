import * as z from 'zod';
import { defineKind } from '#kind';

/** People of the team with the same access to projects. */
export const accessGroup = defineKind({
  name: 'accessGroup',
  doc: "Team members with the same access to projects. A group's roles in the team itself (`teamRoles`, `teamPermissions`) cannot be set by API.",
  section: 'accessGroups',
  key: ['name'],
  id: 'accessGroupId',
  lifecycle: { replace: 'never', container: true, asks: { 'remove-access': 'delete' } },
  fields: () => ({
    name: z
      .string()
      .regex(/^[\w -]{1,50}$/, 'a name can have up to 50 letters, digits, spaces, underscores and hyphens')
      .describe('Its name, unique in the team.'),
  }),
  example: { Frontend: {} },
  read: {
    endpoint: 'GET /v1/access-groups',
    items: 'accessGroups',
    facts: ['isDsyncManaged'],
    single: { endpoint: 'GET /v1/access-groups/{id}', within: 'teamId' },
  },
  create: 'POST /v1/access-groups',
  update: { endpoint: 'POST /v1/access-groups/{id}', sends: 'changed' },
  delete: 'DELETE /v1/access-groups/{id}',
});
