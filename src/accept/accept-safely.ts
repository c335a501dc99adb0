import { allProblemsOf, type WrittenConfiguration } from '../config/configuration.ts';
import { jsonWithoutPlaces } from '../model/diagnostic.ts';
import { revealed } from '../model/sealed.ts';
import { atPath, pathOfNames } from '../model/value.ts';
import type { AcceptResult } from './accept.ts';
import { type ChangedFile, newTextsOf, type Reload } from './changed-files.ts';
import { findOtherDifferences, renameResources } from './find-defects.ts';
import { unescapeText } from './format-yaml-text.ts';
import type { OriginEdit, RefusedOrigins } from './origin-edit.ts';

/*
 * Changes data only if nothing but the accepted values depends on it.
 *
 * `accept` counts the values that come from a cell or a variable, but data can also decide in other ways: by `$when`, by a name in brackets
 * (`var.regions[each.value.region]`), by the name of the stack. So the new texts are read, and their resources are compared with those of
 * the old texts. If anything but an accepted field differs, the data that causes it is found by halving. It stays as it is, and its values
 * are written in a block or a patch.
 */

/** Returns how new texts would change something elsewhere, such as in another stack; undefined if they do not. */
type CheckFiles = (files: readonly ChangedFile[]) => Promise<string | undefined>;

/**
 * Computes the new texts of `trueup accept` without the edits of data (such as cells of a CSV file) that would change other values as well.
 * `compute`: computes the texts; gets the data that must stay, with the reasons (`refused`). `checkElsewhere`: returns why another stack
 * that reads the edited files does not allow the texts; undefined if it does.
 */
export async function acceptSafely(
  compute: (refused: RefusedOrigins) => AcceptResult,
  before: WrittenConfiguration,
  reload: Reload,
  checkElsewhere: CheckFiles = async () => undefined,
): Promise<AcceptResult> {
  const result = compute(new Map());
  if (result.originEdits.length === 0) return result;
  const findDefect = async (candidate: AcceptResult) =>
    (await findDefectOf(candidate, before, reload)) ?? (await checkElsewhere(candidate.files));
  if ((await findDefect(result)) === undefined) return result;
  // Without any edit of data. The reasons do not matter for this test.
  const withoutData = compute(new Map(result.originEdits.map(({ id }) => [id, ''])));
  // If a defect remains, data is not its cause, and the caller reports the defect.
  if ((await findDefect(withoutData)) !== undefined) return result;
  const refused = new Map<string, string>();
  await refuseUnsafe(result.originEdits, { all: result.originEdits, compute, findDefect, refused });
  return compute(refused);
}

interface UnsafeEditSearch {
  all: readonly OriginEdit[];
  compute(refused: RefusedOrigins): AcceptResult;
  findDefect(candidate: AcceptResult): Promise<string | undefined>;
  /** Gets the data that must stay, with the reason. */
  refused: Map<string, string>;
}

/**
 * Finds the edits of data that change other values than the accepted ones, and adds them to `refused`. Tries all edits together, then
 * halves of them, because each try loads the configuration.
 */
async function refuseUnsafe(edits: readonly OriginEdit[], context: UnsafeEditSearch): Promise<void> {
  const { all, compute, findDefect, refused } = context;
  // All other edits are left out of this try (their reason does not matter), so a defect comes from one of these.
  const untriedEdits = all.filter((edit) => !edits.includes(edit));
  const defect = await findDefect(compute(new Map(untriedEdits.map(({ id }) => [id, '']))));
  if (defect === undefined) return;
  const [first, ...more] = edits;
  if (more.length === 0) {
    refused.set(first!.id, defect);
    return;
  }
  const middle = edits.length >> 1;
  await refuseUnsafe(edits.slice(0, middle), context);
  await refuseUnsafe(edits.slice(middle), context);
}

/**
 * Returns the first defect of the new texts of `accept`, for a note such as "... is not written at hosts.csv:3, because DEFECT"; undefined
 * if there is none. The texts are read like a configuration (`reload`). They must change nothing but the accepted fields (`paths`) and
 * renames (`moves`), and each edit of data must make the value that it is for. `acceptSafely` leaves out the edits that cause a defect.
 */
async function findDefectOf(
  { files, paths, moves, originEdits }: AcceptResult,
  before: WrittenConfiguration,
  reload: Reload,
): Promise<string | undefined> {
  if (files.length === 0) return undefined;
  const after = await reload(newTextsOf(files));
  const error = allProblemsOf(after).find(({ severity }) => severity === 'error');
  if (error) return `the configuration would be wrong: ${error.message}`;
  const [difference] = findOtherDifferences(renameResources(before.desired, moves), after.desired, paths);
  if (difference !== undefined) return difference;
  if (comparableHeader(before) !== comparableHeader(after))
    return 'the header of the configuration depends on it';
  return originEdits.every((edit) => makesIntendedValue(edit, after))
    ? undefined
    : 'it would not make the new value';
}

/**
 * True if the new texts of `trueup accept` give the objects the value that an edit of data was made for; otherwise that edit is left out.
 * Only texts, numbers and booleans are compared: a list may have another order, and the name of an object is a reference. Any other value,
 * and a missing one, counts as intended.
 */
function makesIntendedValue({ value }: OriginEdit, { desired }: WrittenConfiguration): boolean {
  if (!value || typeof value.after === 'object') return true;
  const expected = typeof value.after === 'string' ? unescapeText(value.after) : value.after;
  return value.addresses.every((address) => {
    const actual = revealed(atPath(desired.resources.get(address)?.fields ?? {}, pathOfNames(value.path)));
    const isComparable = typeof actual !== 'object' && actual !== undefined;
    return !isComparable || actual === expected;
  });
}

/** Returns everything that a configuration declares apart from resources, as text without places. `trueup accept` must not change it. */
const comparableHeader = ({ desired, platform, secrets }: WrittenConfiguration): string => {
  const { stack, allow, owns, findingRules, removed, lookups } = desired;
  const header = [stack, allow, owns, findingRules, removed, [...(lookups ?? [])], platform, [...secrets]];
  return jsonWithoutPlaces(header);
};
