import { asksForWrite, type Change } from '../model/change.ts';
import { createDraft, type Draft } from './draft.ts';
import type { Kind } from './kind.ts';
import type { Shape } from './shape.ts';
import { verbOf } from './step.ts';

/** One object is one row, found by its name: the shape of most kinds. */
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

/** The same for objects of which the platform itself makes many: undeclared ones are left alone. */
export const onlyDeclared: Shape = { ...plain, onlyDeclared: true };

/** Lowers each change by itself. `replacement`: the drafts of an object that is made anew. */
export function oneByOne(replacement: (kind: Kind, change: Change) => Draft[]): Shape['arrange'] {
  return ({ kind, changes: siblings }) => ({
    changes: siblings,
    draft: (changes) =>
      changes.flatMap((change) => {
        const transfer = change.before?.transfer;
        if (transfer) return transfer.with === undefined ? handedOver(kind, change, changes) : [];
        const verb = verbOf(change);
        if (verb === undefined) return [];
        return verb === 'replace' ? replacement(kind, change) : createDraft(kind, verb, change);
      }),
  });
}

/** Hands an object over to its new parent. The objects that come along get their other changes there. */
function handedOver(kind: Kind, change: Change, changes: Change[]): Draft {
  const { parent } = change.before!.transfer!;
  const draft = createDraft(kind, 'move', change, { from: { $ref: parent, attr: 'id' } });
  const along = changes.filter(({ before }) => before?.transfer?.with === change.address);
  const verbDrafts = along
    .filter(({ fields }) => fields.some(asksForWrite))
    .map((change) => createDraft(kind, 'update', change));
  const drafts = [draft, ...verbDrafts];
  const problem = drafts.map((draft) => draft.problem).find((diagnostic) => diagnostic !== undefined);
  return {
    ...draft,
    changes: [change, ...along].map(({ address }) => address),
    requests: problem ? [] : drafts.flatMap(({ requests }) => requests),
    disrupts: `it leaves ${parent}`,
    ...(problem ? { problem } : {}),
  };
}
