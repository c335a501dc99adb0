import { asksForWrite, type Change } from '../model/change.ts';
import { createDraft } from './draft.ts';
import type { Kind, Shape } from './kind.ts';
import { verbOf } from './step.ts';
import type { Draft } from './write.ts';

/** The shape of most kinds: an object is one row, and its name identifies it. */
export const plain: Shape = {
  byAddress: false,
  isNamed: true,
  orderDecides: false,
  byIndex: false,
  words: () => [],
  addressFields: [],
  units: (row) => [row],
  arrange: oneByOne((kind, change) => {
    const deletion = createDraft(kind, 'delete', change);
    return [deletion, { ...createDraft(kind, 'create', change), after: [deletion] }];
  }),
};

/** Like `plain`, for kinds with many objects that the platform itself creates: undeclared ones are left alone. */
export const onlyDeclared: Shape = { ...plain, onlyDeclared: true };

/**
 * Returns the function which plans the requests for the changes of a collection (the objects of one kind in one parent), each change
 * separately. Most kinds need nothing else; others join several changes into one request. `draftReplacement`: drafts the deletion and the
 * creation of an object that is replaced.
 */
export function oneByOne(draftReplacement: (kind: Kind, change: Change) => Draft[]): Shape['arrange'] {
  return ({ kind, changes: siblings }) => ({
    changes: siblings,
    draft: (changes) =>
      changes.flatMap((change) => {
        // An object that moves to another parent. `with`: it moves along with another one, whose draft contains its changes.
        const transfer = change.before?.transfer;
        if (transfer) return transfer.with === undefined ? draftTransfer(kind, change, changes) : [];
        const verb = verbOf(change);
        if (verb === undefined) return [];
        return verb === 'replace' ? draftReplacement(kind, change) : createDraft(kind, verb, change);
      }),
  });
}

/**
 * Drafts (plans the requests for) the transfer of an object to its new parent, such as a domain that moves to another project. Other
 * objects move along with it, such as domains that redirect to it. Their own changes follow in the same draft, because they do not exist at
 * the new parent before.
 */
function draftTransfer(kind: Kind, change: Change, changes: Change[]): Draft {
  const { parent } = change.before!.transfer!;
  const move = createDraft(kind, 'move', change, { from: { $ref: parent, attr: 'id' } });
  const movedAlong = changes.filter(({ before }) => before?.transfer?.with === change.address);
  const updates = movedAlong
    .filter(({ fields }) => fields.some(asksForWrite))
    .map((moved) => createDraft(kind, 'update', moved));
  const drafts = [move, ...updates];
  const problem = drafts.map((draft) => draft.problem).find((diagnostic) => diagnostic !== undefined);
  return {
    ...move,
    changes: [change, ...movedAlong].map(({ address }) => address),
    requests: problem ? [] : drafts.flatMap(({ requests }) => requests),
    disrupts: `it leaves ${parent}`,
    problem,
  };
}
