import { defineKind } from '#kind';
import { batch } from '#shapes';
import { memberWrites } from './access-group-member-writes.ts';
import { namedByPerson, personFields, personOf } from './people.ts';

/** A member of an access group. All changes of one group are one request. */
export const accessGroupMember = defineKind({
  name: 'accessGroupMember',
  doc: 'A member of an access group, who must already be in the team.',
  section: 'members',
  parent: 'accessGroup',
  key: ['user'],
  form: 2,
  id: 'uid',
  lifecycle: { replace: 'free', asks: { 'remove-access': 'delete' } },
  fields: personFields,
  example: { 'grace@example.com': {} },
  shape: batch(memberWrites),
  read: {
    endpoint: 'GET /v1/access-groups/{accessGroup}/members',
    items: 'members',
    facts: namedByPerson.facts,
  },
  decode: personOf,
  create: 'POST /v1/access-groups/{accessGroup}',
  delete: 'POST /v1/access-groups/{accessGroup}',
});
