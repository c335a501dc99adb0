import { isSameValue } from '../kind/compare.ts';
import type { Kind } from '../kind/kind.ts';
import { comparedFields, leavesOf } from '../kind/leaves.ts';
import { traitsOf } from '../kind/traits.ts';
import { unescapeName } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { warning } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import { collectionId } from '../model/resource.ts';
import { atPath, holdsSecret } from '../model/value.ts';
import type { PlanInput, Report } from './input.ts';

/**
 * Finds objects that go, each with the one that is created beside it and has the very same declared fields but for the name: often that is
 * a rename. Where several are alike nobody can tell, and what holds a secret is never compared for this: that two secrets are equal is
 * nobody's business.
 * @returns the addresses of creations that a rename was proposed for
 */
export function proposeRenames(changes: Change[], input: PlanInput, report: Report): Set<string> {
  const proposed = new Set<string>();
  const entries = new Map<string, { one: Change; old: string; now: string; name: string }>();
  for (const siblings of groupBy(changes, ({ kind, parent }) => collectionId(kind, parent)).values()) {
    const kind = input.kinds.get(siblings[0]!.kind)!;
    if (!mayBeRenamed(kind)) continue;
    const made = siblings.filter(({ action, before }) => action === 'create' && !before);
    const left = siblings.filter(
      ({ action, after, before }) => before && !after && (action === 'delete' || action === 'release'),
    );
    if (made.length === 0 || left.length === 0) continue;
    const likeOf = groupBy(left, (change) => likeness(kind, change, input) ?? change);
    for (const [likeness, of] of groupBy(made, (change) => wantedLikeness(kind, change) ?? change)) {
      const [one, ...others] = of;
      const [old, ...more] = likeOf.get(likeness) ?? [];
      if (
        !old ||
        others.length + more.length > 0 ||
        !isEqual(kind, one!, old) ||
        !isNameAlone(kind, one!, old)
      )
        continue;
      proposed.add(one!.address);
      const entry = { one: one!, old: entryOf(old), now: entryOf(one!), name: nameOf(kind, old) };
      entries.set(entry.now, entry);
    }
  }
  for (const { one, old, now, name } of entries.values())
    report(
      warning('was/proposed', `${now} looks like ${old}: to rename it, write \`$was: ${name}\``, {
        address: one.address,
        ...(one.at ? { at: one.at } : {}),
        hint: 'in its block; otherwise the old one is removed and a new one is created',
      }),
    );
  return proposed;
}

/** True if objects of a kind have names, and may get other ones. */
const mayBeRenamed = (kind: Kind): boolean =>
  kind.key.length > 0 &&
  kind.update !== undefined &&
  kind.key.some((name) => !traitsOf(kind.fields[name]!).immutable);

/** The declared paths and the place of a unit, which have to be equal before values are compared. Undefined if values may not be compared. */
function wantedLikeness(kind: Kind, { declared = [], after, address }: Change): string | undefined {
  const leaves = leavesOf(comparedFields(kind), after?.fields ?? {});
  const isSecret = leaves.some(({ traits, value }) => traits.secret !== undefined || holdsSecret(value));
  return isSecret ? undefined : JSON.stringify([placeOf(address), pathsOf(kind, declared)]);
}

/** The same for an object that is deleted, as it was applied last. */
function likeness(kind: Kind, { address }: Change, { ledger }: PlanInput): string | undefined {
  const entry = ledger.entries[address];
  if (!entry || Object.keys(entry.secrets).length > 0) return undefined;
  return JSON.stringify([placeOf(address), pathsOf(kind, Object.keys(entry.fields))]);
}

const pathsOf = ({ key, shape }: Kind, paths: readonly string[]): string[] =>
  paths.filter((path) => !key.includes(path) && !shape.addressFields.includes(path)).sort();

function isEqual(kind: Kind, { after }: Change, { before }: Change): boolean {
  return leavesOf(comparedFields(kind), after!.fields)
    .filter(({ path }) => !kind.key.includes(path) && !kind.shape.addressFields.includes(path))
    .every(({ path, value, traits }) => {
      const found = atPath(before!.fields, path);
      // What a kind fills in for a creation only is not among what it had.
      return isSameValue(value, found, traits);
    });
}

/** A record under the same name with another type is another thing, though both are in its key. */
const isNameAlone = ({ key }: Kind, { after }: Change, { before }: Change): boolean =>
  key.slice(1).every((name) => after!.fields[name] === before!.fields[name]);

/** The place of a unit in its row: `@production`. */
const placeOf = (address: string): string => /(?<=[^/])@[^/@]*$/.exec(address)?.[0] ?? '';

const entryOf = ({ address }: Change): string => address.slice(0, address.length - placeOf(address).length);

const nameOf = (kind: Kind, change: Change): string =>
  entryOf(change).split('/').slice(-kind.key.length).map(unescapeName).join('/');
