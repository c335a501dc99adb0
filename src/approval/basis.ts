import { holdsSecret } from '../kind/compare.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { canonical, digest } from '../model/digest.ts';
import { atPath } from '../model/field-path.ts';
import { groupBy } from '../model/graph.ts';
import { collectionId, type Meta } from '../model/resource.ts';
import type { Fields } from '../model/value.ts';
import type { Conceal } from './encode.ts';
import type { Basis, Mark, SavedPlan } from './saved-plan.ts';

/** Stands among the found fields for where an item of an ordered list was. */
export const place = '$place';

/** What stood before each found item of an ordered list, of what is in the plan; null before the first. */
type Places = ReadonlyMap<Address, Address | null>;

export function placesOf(changes: Change[], kinds: Kinds): Places {
  const ordered = changes.filter(({ kind, before }) => before && kinds.get(kind)?.shape.orderDecides);
  const lists = groupBy(ordered, ({ kind, parent }) => collectionId(kind, parent)).values();
  return new Map(
    [...lists].flatMap((list) => {
      const items = list.sort((a, b) => a.before!.index - b.before!.index);
      return items.map(({ address }, index) => [address, items[index - 1]?.address ?? null] as const);
    }),
  );
}

/**
 * What a change was planned on. Only what is declared counts, since nothing else is touched; of an object that is deleted, all
 * that was shown.
 */
export function basisOf(change: Change, salt: string, conceal: Conceal, places: Places): Basis {
  const { address, action, before, after, declared = [], uncompared = [] } = change;
  const mark = (place: string, value: unknown): Mark =>
    holdsSecret(value)
      ? { secret: conceal(`${address}#${place}`, value) }
      : digest(`${salt}\n${address}#${place}`, value ?? null);
  const marks = (side: string, values: [name: string, value: unknown][]): Record<string, Mark> =>
    Object.fromEntries(values.map(([name, value]) => [name, mark(`${side}/${name}`, value)]));
  const at = (fields: Fields, paths: string[]) =>
    paths.map((path): [string, unknown] => [path, atPath(fields, path)]);
  const metaOf = (meta: Meta) =>
    Object.entries(meta)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, unknown] => [`$${name}`, value]);
  const whole = action === 'delete' && before ? Object.entries(before.fields) : undefined;
  return {
    address,
    ids: before?.ids ?? [],
    ...(after
      ? {
          wanted: marks('wanted', [...at(after.fields, [...declared, ...uncompared]), ...metaOf(after.meta)]),
        }
      : {}),
    found: before
      ? marks('found', [
          ...(whole ?? at(before.fields, declared)),
          ...(places.has(address) ? [[place, places.get(address)] as [string, unknown]] : []),
        ])
      : {},
  };
}

/** What a run says of the machine that it runs on, and not of the plan: it may be applied on another one. */
const ofTheMachine = new Set(['ledger/ephemeral']);

type Judged = Omit<SavedPlan, 'key' | 'salt' | 'seal' | 'checksum'>;

/**
 * What of a plan has to be the same for it to be the approved one. Where in the files something stands is no part of it, so that
 * comments may come and go; nor what is nobody's business here: the account may have more of it by now. A team may be renamed, too.
 */
export function judged(plan: Judged): unknown {
  const {
    changes,
    diagnostics,
    sources = [],
    unmanaged: _,
    unlisted: ______,
    account: __,
    ...rest
  } = plan as SavedPlan;
  const { key: ___, seal: ____, checksum: _____, generation: _______, ...compared } = rest;
  return {
    ...compared,
    changes: changes.map(unplaced),
    // Not what the ledger remembered of them.
    sources: sources.map(({ name, source }) => [name, source]),
    diagnostics: diagnostics.filter(({ code }) => !ofTheMachine.has(code)).map(unplaced),
  };
}

/** Without its place. */
export function unplaced<T extends { at?: unknown; related?: { message: string }[] }>(one: T): unknown {
  const { at: _, related, ...rest } = one;
  return related ? { ...rest, related: related.map(({ message }) => ({ message })) } : rest;
}

/** Whether two parts of plans are the same; the order of members does not matter. */
export const isSame = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other);
