import type { Change } from '../model/change.ts';
import { type VerbDraft, written } from './draft.ts';
import type { Kind } from './kind.ts';
import type { Shape } from './shape.ts';
import { verbOf } from './step.ts';

/** One object, one row, found by its name: what most kinds are. */
export const plain: Shape = {
  byAddress: false,
  isNamed: true,
  orderDecides: false,
  byIndex: false,
  words: () => [],
  place: [],
  units: (row) => [row],
  arrange:
    ({ kind }) =>
    (changes) =>
      changes.flatMap((change) => single(kind, change)),
};

function single(kind: Kind, change: Change): VerbDraft[] {
  const verb = verbOf(change);
  if (verb === undefined) return [];
  if (verb !== 'replace') return [written(kind, verb, change)];
  // An object without a name can be there twice: nothing is missing in between, and nothing is lost if the new one cannot be made.
  if (!kind.shape.isNamed) {
    const creation = written(kind, 'create', change);
    return [creation, { ...written(kind, 'delete', change, { id: change.before!.id }), after: [creation] }];
  }
  const deletion = written(kind, 'delete', change);
  return [deletion, { ...written(kind, 'create', change), after: [deletion] }];
}
