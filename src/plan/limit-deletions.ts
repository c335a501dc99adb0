/**
 * Limits how many objects one plan may delete, so that a mistake in the configuration cannot empty an account.
 *
 * Objects count as lost if the plan deletes or replaces them, if it recreates them because somebody deleted them outside or because they
 * are in a replaced object, and if they are parts of an object that stays (see `countLosses`). A deleted container counts with everything
 * in it. The objects of an entry of `removed` with `objects` do not count, because that entry has a limit of its own: see
 * `report-removals.ts`.
 */

import { formatKindCounts } from '../model/deletion-count.ts';
import type { Reporter } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import type { DeletedObject } from '../model/plan.ts';
import { formatRemoval } from '../model/removal.ts';
import type { PreparedInput } from './comparison.ts';
import { countingKeyOf, countKinds, groupByRemoval } from './count-deletions.ts';
import type { PlanInput } from './input.ts';

/** The most objects that a plan may delete, unless `--max-deletions` says otherwise. */
const maxDeletions = 10;
/** The largest share of the objects of one kind that a plan may delete. */
const maxShareOfKind = 0.3;
/** The share is only checked for a kind if the stack owns at least this many objects of it. */
const minOwnedForShare = 10;

/**
 * Reports a problem if a plan deletes too many objects, in total or of one kind, unless `--max-deletions`
 * allows it or the stack is destroyed: a wrong file or branch would look like that. `deletedObjects`: all objects
 * that count, each once. Those that an entry of `removed` with `objects: N` deletes have a limit of their own. The
 * share of a kind is not checked with `--max-deletions`, or if the stack owns only a few objects of the kind.
 */
export function limitDeletions(
  deletedObjects: readonly DeletedObject[],
  input: PreparedInput,
  report: Reporter,
): void {
  const { options = {}, findRemoval } = input;
  if (options.destroy) return;
  const hasOwnLimit = ({ cause }: DeletedObject) =>
    cause !== undefined && findRemoval(cause)?.objects !== undefined;
  const deleted = deletedObjects.filter((object) => !hasOwnLimit(object));
  const limit = options.maxDeletions ?? maxDeletions;
  const hint = createLimitHint(deleted, input);
  const phrase = 'would be deleted, replaced or recreated';
  if (deleted.length > limit) {
    report.error(
      'guard/deletions',
      `${deleted.length} objects ${phrase} (${formatKindCounts(countKinds(deleted))}); the limit is ${limit}`,
      { hint },
    );
  }
  if (options.maxDeletions !== undefined) return;
  for (const [kind, objects] of groupBy(deleted, (object) => object.kind)) {
    const ownedCount = countOwned(kind, input);
    if (ownedCount >= minOwnedForShare && objects.length > ownedCount * maxShareOfKind)
      report.error(
        'guard/share',
        `${objects.length} of ${ownedCount} ${kind} objects ${phrase}; the limit is 30 % of a kind`,
        { hint },
      );
  }
}

/**
 * Returns the hint of the problem that a plan deletes too many objects, with the ways to allow it: `objects` in the entries of `removed`
 * that delete them, ready to be pasted, and the option of the command line. A pull request can only have the former.
 */
function createLimitHint(deleted: readonly DeletedObject[], { desired, findRemoval }: PreparedInput): string {
  const option = `run with --max-deletions ${deleted.length}, which lets them be deleted`;
  const deletedByRemoval = groupByRemoval(deleted, findRemoval);
  const lines = (desired.removed ?? []).flatMap((removal) => {
    const objects = deletedByRemoval.get(removal)?.length;
    return objects === undefined ? [] : [`  ${formatRemoval({ ...removal, objects })}`];
  });
  return lines.length === 0
    ? `if this is intended, ${option}`
    : [`if this is intended, ${option}, or say in \`removed\` how many objects may go:`, ...lines].join('\n');
}

/**
 * Returns the number of objects of a kind that this stack owns, as people count: a variable in three targets
 * is one. A plan may delete at most a share of that number.
 */
function countOwned(kind: string, input: PlanInput): number {
  const ownedKeys = Object.entries(input.ledger.entries)
    .filter(([, entry]) => entry.kind === kind && !entry.existing)
    .map(([address]) => countingKeyOf(address, input));
  return new Set(ownedKeys).size;
}
