/**
 * Proposes `$was` where a plan removes one object and creates an equal one with another name beside it. The author often means a rename,
 * which would keep the object and its contents.
 *
 * Terms: a unit is a part of a row of the platform; its suffix says which one (`production` in `env/TOKEN@production`). An entry is a block
 * of the YAML, which may make several units. A likeness is a text that is equal for two objects whose values may be compared: they declare
 * the same fields, and have the same suffix. An object with a secret has none, because a plan must not reveal that two secrets are equal.
 */

import { comparedFields, isSameValue, leavesOf } from '../kind/compare.ts';
import { isPartOfAddress, isSingleton } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import { traitsOf } from '../kind/traits.ts';
import { type Address, unescapeName } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Reporter } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import { addressWithoutTarget, unitSuffixOf } from '../model/logical-changes.ts';
import { collectionId } from '../model/resource.ts';
import { atPath, holdsSecret } from '../model/value.ts';
import type { PlanInput } from './input.ts';

/** A creation and the removal of an equal object. */
interface RenameCandidate {
  created: Change;
  removed: Change;
}

/**
 * Warns about each pair of a removed and a created object that differ only in their names: it looks like a
 * rename without `$was`, and the plan would delete or release the old object. If several objects are equal, it is
 * unclear which one was renamed, so nothing is proposed. Returns the addresses of the creations, so that no
 * other check warns of them.
 */
export function proposeRenames(changes: Change[], input: PlanInput, report: Reporter): Set<string> {
  const collections = groupBy(changes, ({ kind, parent }) => collectionId(kind, parent));
  const candidates = [...collections.values()].flatMap((siblings) => findRenameCandidates(siblings, input));
  // A variable is one entry in the YAML and one object for each target. These are renamed together, by one proposal.
  const candidateByEntry = new Map(
    candidates.map((candidate) => [addressWithoutTarget(candidate.created.address), candidate]),
  );
  for (const [newEntry, { created, removed }] of candidateByEntry) {
    const kind = input.kinds.get(removed.kind)!;
    const fate = removed.action === 'delete' ? 'deleted' : 'no longer managed';
    report.warning(
      'was/proposed',
      `${newEntry} would be created, and ${addressWithoutTarget(removed.address)}, which has the same fields, ${fate}`,
      {
        address: created.address,
        at: created.at,
        hint: `if it is the same ${kind.name} under a new name, write \`$was: ${nameInYaml(kind, removed)}\` in its block: it is renamed and keeps its id and contents`,
      },
    );
  }
  return new Set(candidates.map(({ created }) => created.address));
}

/**
 * Returns the pairs of a removed and a created object among siblings (objects of one kind and parent) that
 * differ only in their names, so that the author probably meant a rename. A pair counts only if no other
 * object is like it: none has the same likeness, a text that is equal for objects with the same declared
 * fields and the same target. Then their values are compared.
 */
function findRenameCandidates(siblings: Change[], input: PlanInput): RenameCandidate[] {
  const kind = input.kinds.get(siblings[0]!.kind)!;
  if (!canBeRenamed(kind)) return [];
  const creations = siblings.filter(({ action, before }) => action === 'create' && !before);
  const removals = siblings.filter(
    ({ action, after, before }) => before && !after && (action === 'delete' || action === 'release'),
  );
  if (creations.length === 0 || removals.length === 0) return [];
  // An object with a secret has no likeness, so its change is a group of its own.
  const removalsByLikeness = groupBy(removals, (change) => likenessOfRecorded(kind, change, input) ?? change);
  const creationsByLikeness = groupBy(creations, (change) => likenessOfDesired(kind, change) ?? change);
  return [...creationsByLikeness].flatMap(([likeness, [created, ...otherCreations]]) => {
    const [removed, ...otherRemovals] = removalsByLikeness.get(likeness) ?? [];
    if (!created || !removed || otherCreations.length + otherRemovals.length > 0) return [];
    const isRename = haveEqualFields(kind, created, removed) && differInNameOnly(kind, created, removed);
    return isRename ? [{ created, removed }] : [];
  });
}

/** True if objects of a kind have names that can be changed. Only for these the plan proposes a `$was`. */
const canBeRenamed = (kind: Kind): boolean =>
  !isSingleton(kind) &&
  kind.update !== undefined &&
  kind.key.some((name) => !traitsOf(kind.fields[name]!).immutable);

/**
 * Returns a text that is equal for objects that may be one object under two names, from the block of a created object: it contains the
 * paths that the block declares (`declared`). Undefined if it has a secret, because a plan must not reveal that two secrets are equal.
 */
function likenessOfDesired(kind: Kind, { declared = [], after, address }: Change): string | undefined {
  const leaves = leavesOf(comparedFields(kind), after?.fields ?? {});
  const hasSecret = leaves.some(({ traits, value }) => traits.secret !== undefined || holdsSecret(value));
  return hasSecret ? undefined : likenessOf(kind, address, declared);
}

/**
 * Returns the likeness of an object that is removed, from its ledger entry: a text that is equal for objects
 * with the same declared paths and, for a variable, the same target (environment). If a new block has the same text
 * (`likenessOfDesired`), the plan compares their values, and may propose a rename (`$was`). Undefined if it has a secret or no entry.
 */
function likenessOfRecorded(kind: Kind, { address }: Change, { ledger }: PlanInput): string | undefined {
  const entry = ledger.entries[address];
  if (!entry || Object.keys(entry.secrets).length > 0) return undefined;
  return likenessOf(kind, address, Object.keys(entry.fields));
}

/**
 * Returns a text from the target of an object and the paths that it declares. Paths that the address contains are left out, since they
 * differ in a rename.
 */
const likenessOf = (kind: Kind, address: Address, paths: readonly string[]): string =>
  JSON.stringify([unitSuffixOf(address), paths.filter((path) => !isPartOfAddress(path, kind)).sort()]);

/**
 * True if the desired fields of the created object equal the live ones of the removed object, apart from fields in the address. The plan
 * then proposes to rename it with `$was`.
 */
const haveEqualFields = (kind: Kind, { after }: Change, { before }: Change): boolean =>
  leavesOf(comparedFields(kind), after!.fields)
    .filter(({ path }) => !isPartOfAddress(path, kind))
    .every(({ path, value, traits }) => isSameValue(value, atPath(before!.fields, path), traits));

/**
 * True if only the first field of the key (the name) differs, so that `$was` can rename the object: a DNS record with the same name and
 * another type is a different object.
 */
const differInNameOnly = ({ key }: Kind, { after }: Change, { before }: Change): boolean =>
  key.slice(1).every((name) => after!.fields[name] === before!.fields[name]);

/** Returns the name of a change's object as the proposed `$was` takes it: for a key of two fields, two names joined by `/`. */
const nameInYaml = (kind: Kind, change: Change): string =>
  addressWithoutTarget(change.address).split('/').slice(-kind.key.length).map(unescapeName).join('/');
