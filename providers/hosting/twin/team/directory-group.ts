import * as z from 'zod';
import type { Call } from '../call.ts';
import { text } from '../http/query.ts';
import { ofOwner } from '../kept.ts';
import { operation, seedOwned } from '../resource.ts';

const seed = z.strictObject({ ...seedOwned, name: z.string() });

/** A group of the directory that is connected to a team. */
export interface DirectoryGroup {
  id: string;
  name: string;
  ownerId: string;
}

declare module '../account.ts' {
  interface AccountParts extends Keeps<'directoryGroups', DirectoryGroup> {}
  interface AccountSeed extends Seeds<'directoryGroups', typeof seed> {}
}

const groups = ofOwner('directoryGroups', {
  what: 'Directory group',
  shows: (_, { id, name }) => ({ id, name }),
});

/** Returns a page of the groups of a team: those after the group whose id is `after` in the query. */
function page(call: Call): unknown {
  const teamGroups = groups.all(call, call.owner);
  const first = teamGroups.findIndex(({ id }) => id === call.query.get('after')) + 1;
  const shown = teamGroups.slice(first, first + Math.min(call.pageSize, 100));
  const after = first + shown.length < teamGroups.length ? shown.at(-1)!.id : null;
  return {
    groups: shown.map((group) => groups.show(call, group, call.owner)),
    pagination: { before: null, after },
  };
}

/** The groups of a team's directory. Another system manages them, so they come from the seed alone. */
export const directoryGroup = groups.resource(
  seed,
  (making, { name }) => ({ id: making.id('directory_group_'), name, ownerId: making.owner.id }),
  {},
  {
    clientOperations: {
      'GET /teams/{teamId}/dsync/groups': operation({ query: { after: text } }, page),
    },
  },
);
