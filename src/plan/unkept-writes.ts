/**
 * Finds writes that the platform accepted and did not keep: after the apply, the account still shows other values. The ledger records
 * digests of the values that it shows (the memory of an entry), so that later plans do not call these a change outside. If the account
 * later shows yet other values, somebody has changed it.
 */

import { comparedFields, schemaAt } from '../kind/compare.ts';
import { digestLiveValue } from '../kind/digests.ts';
import type { Kinds } from '../kind/kind.ts';
import { hasTargets, targetOf } from '../kind/row-target.ts';
import { traitsOf } from '../kind/traits.ts';
import { type Address, indexByAddress } from '../model/address.ts';
import {
  asksForWrite,
  type Change,
  createsObject,
  type FieldChange,
  isJoinedOutside,
} from '../model/change.ts';
import { canonicalJson, type LedgerKey } from '../model/digest.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';
import {
  type CollectionId,
  collectionId,
  createIdLookup,
  type Live,
  type LiveResource,
} from '../model/resource.ts';
import { atPath, holdsSecret } from '../model/value.ts';
import { dropUndefined } from '../model/walk.ts';
import { arePathsNested } from './guesses.ts';

/** The names in the memory of an entry that are no field paths. */
export const unkeptNames = {
  /** The object was created, and the account does not show it. */
  creation: '',
  /** The item was moved, and the account shows another position. */
  order: '$order',
  /** A target was removed from a row, and the row still has it. */
  target: (target: string) => `$target ${target}`,
};

/** True if the memory of an entry has fields, because the account showed other values after the last apply. */
export const remembersFields = ({ notKept = {} }: LedgerEntry): boolean =>
  Object.keys(notKept).some((name) => name !== unkeptNames.creation && !name.startsWith('$'));

/** The memory of one entry: digests of what the account shows, by path. */
type UnkeptMemory = NonNullable<LedgerEntry['notKept']>;

/** A plan that was made right after an apply, with the states that it was made from. It shows the writes that the platform did not keep. */
interface PlanAfter {
  plan: Plan;
  live: Live;
  kinds: Kinds;
  ledger: Ledger;
  key?: LedgerKey | undefined;
}

/**
 * Finds the values that an apply sent and that the account does not show afterwards: the platform accepted
 * and ignored them. Returns digests of the values that it shows instead, by address and path (the memory of the
 * ledger's entry; `unkeptNames` has its marks for a creation, an order and a target). The ledger keeps them, so
 * that the next plan says "not kept" instead of drift. `applied`: the plan that was applied; `after`: the plan of
 * the check that follows an apply.
 */
export function findUnkeptWrites(
  applied: Pick<Plan, 'changes'>,
  after: PlanAfter,
): Map<Address, UnkeptMemory> {
  const appliedChanges = indexByAddress(applied.changes);
  const memories = new Map<Address, UnkeptMemory>();
  for (const change of after.plan.changes) {
    const appliedChange = appliedChanges.get(change.address);
    if (!appliedChange) continue;
    // A target that could not be removed is remembered by our own units in the row. These may have memories of their own.
    const removals = appliedChange.action === 'delete' ? unkeptRemovals(change, after) : [];
    const ownMemory = unkeptByObject(change, appliedChange, after);
    for (const [address, memory] of [...removals, [change.address, ownMemory] as const])
      if (Object.keys(memory).length > 0) memories.set(address, { ...memories.get(address), ...memory });
  }
  return memories;
}

/**
 * Returns what the ledger remembers about one object, because the platform did not keep its creation, its position or some of its fields.
 * Empty if it kept all, or if the ledger has no entry. `appliedChange`: the change that the apply carried out; `change`: the one at the
 * same address in the plan that was made right after it.
 */
function unkeptByObject(change: Change, appliedChange: Change, after: PlanAfter): UnkeptMemory {
  const { address, before, position, action } = change;
  const entry = after.ledger.entries[address];
  if (!entry) return {};
  // The apply created the object and recorded it, and the account does not show it.
  const isCreationLost = action === 'create' && before === undefined && createsObject(appliedChange);
  // The item is not where we put it: since this apply (`drift`), or since an earlier one (`not-kept`).
  const isOutOfOrder = position?.cause === 'drift' || position?.cause === 'not-kept';
  return {
    ...(isCreationLost ? { [unkeptNames.creation]: 'absent' } : {}),
    ...(isOutOfOrder && appliedChange.position ? { [unkeptNames.order]: 'moved' } : {}),
    ...unkeptFields(change, appliedChange, entry, after),
  };
}

/**
 * Returns what the ledger remembers if an apply removed a target from a row of ours (one variable in several
 * targets) and the row still has it: the mark `present`, by the address of each of our targets in the row. The
 * caller has found that the apply removed the target. `change`: the change of the target in the plan that was
 * made right after; it removes the target again if the row still has it.
 */
function unkeptRemovals(
  { kind: name, action, before }: Change,
  { kinds, ledger, live }: PlanAfter,
): [unit: Address, memory: UnkeptMemory][] {
  const kind = kinds.get(name)!;
  if (action !== 'delete' || !before || !hasTargets(kind)) return [];
  const target = targetOf(kind, before.fields, createIdLookup(live));
  return Object.entries(ledger.entries)
    .filter(([, entry]) => entry.kind === name && entry.ids.some((id) => before.ids.includes(id)))
    .map(([unit]) => [unit, { [unkeptNames.target(target)]: 'present' }]);
}

/**
 * Returns digests of the live values of the fields that the platform did not keep as an apply wrote them, by path. The ledger remembers
 * them, so that the next plan says "not kept" instead of drift.
 *
 * `appliedChange` is the change of the apply that wrote the object, and `change` its change in the plan that was made right after it. The
 * `before` of `change` is the object as the account shows it then. A field was not kept if the apply wrote it and `change` reports it as
 * drift, or as not kept at an earlier apply. Empty if somebody wrote the object after us: the difference may be theirs.
 */
function unkeptFields(
  change: Change,
  appliedChange: Change,
  entry: LedgerEntry,
  after: PlanAfter,
): UnkeptMemory {
  const { before, fields } = change;
  const isWrittenLater = entry.updatedAt !== undefined && (before?.updatedAt ?? 0) > entry.updatedAt;
  if (isWrittenLater) return {};
  const schemas = comparedFields(after.kinds.get(change.kind)!);
  const unkept = fields.filter(
    ({ path, cause, notKept }) => isWrittenBy(appliedChange, path) && (cause === 'drift' || notKept),
  );
  const digests = unkept.flatMap((field) => {
    const schema = schemaAt(schemas, field.path);
    const digest = schema && digestShownValue(field, schema, { before, entry }, after);
    return digest === undefined ? [] : [[field.path, digest] as const];
  });
  return Object.fromEntries(digests);
}

/**
 * Returns the digest of the value that the account shows for a field. Without a ledger key, undefined for a secret, because it could be
 * guessed from a digest without a key.
 */
function digestShownValue(
  { path, secret }: FieldChange,
  schema: NonNullable<ReturnType<typeof schemaAt>>,
  { before, entry }: { before: LiveResource | undefined; entry: LedgerEntry },
  { live, key }: PlanAfter,
): string | undefined {
  const value = before && atPath(before.fields, path);
  // Secret in the plan, in the ledger or in the account.
  const isSecret = secret || entry.secrets[path] !== undefined || holdsSecret(value);
  if (isSecret && !key) return undefined;
  return digestLiveValue(value, {
    salt: entry.salt,
    traits: traitsOf(schema),
    idOf: createIdLookup(live),
    key: isSecret ? key : undefined,
  });
}

/**
 * True if an applied change sent the field at a path, or an object that contains it. If the account shows another value afterwards, the
 * platform did not keep the write.
 */
const isWrittenBy = (appliedChange: Change, path: string): boolean =>
  createsObject(appliedChange) ||
  appliedChange.fields.some((field) => asksForWrite(field) && arePathsNested(field.path, path));

/**
 * Returns the ledger after an apply, with digests of the values that the platform shows instead of the
 * applied ones (`memories`, by address), so that the next plan does not call these values drift. Entries of the
 * applied plan lose such digests of earlier applies. Returns the ledger itself if that changes nothing, as after most
 * applies, so that the caller neither compares nor writes it.
 */
export function rememberUnkept(
  ledger: Ledger,
  applied: Pick<Plan, 'changes'>,
  memories: ReadonlyMap<Address, UnkeptMemory>,
  { plan, live }: Pick<PlanAfter, 'plan' | 'live'>,
): Ledger {
  const addresses = new Set([...applied.changes.map((change) => change.address), ...memories.keys()]);
  const changedEntries = [...addresses].flatMap((address) => {
    const entry = ledger.entries[address];
    const memory = memories.get(address);
    if (!entry || canonicalJson(entry.notKept) === canonicalJson(memory)) return [];
    return [[address, dropUndefined({ ...entry, notKept: memory })] as const];
  });
  // A list whose moves were not kept is recorded as it is, so that only a later change of it counts as one outside.
  const changedOrders = [...unkeptLists(plan, memories)].flatMap((id) => {
    const order = ledger.orders?.[id];
    const liveOrder = order && inLiveOrder(order, live);
    return liveOrder && canonicalJson(order) !== canonicalJson(liveOrder) ? [[id, liveOrder] as const] : [];
  });
  if (changedEntries.length === 0 && changedOrders.length === 0) return ledger;
  return {
    ...ledger,
    entries: { ...ledger.entries, ...Object.fromEntries(changedEntries) },
    orders: ledger.orders && { ...ledger.orders, ...Object.fromEntries(changedOrders) },
  };
}

/**
 * Sorts the addresses of a list by their live position, to record it in the ledger if the platform did not keep a move. Addresses that are
 * not in the account are left out.
 */
const inLiveOrder = (addresses: Address[], { resources }: Live): Address[] =>
  addresses
    .filter((address) => resources.has(address))
    .sort((a, b) => resources.get(a)!.index - resources.get(b)!.index);

/**
 * Returns the plan that checks an apply, with the right causes: a value that the platform accepted but did
 * not keep was not changed outside, so the check must not report it as drift. `memories`: for each address, the
 * parts of our write that were not kept, by field path or by a name of `unkeptNames`.
 */
export function relabelUnkept(
  plan: Plan,
  memories: ReadonlyMap<Address, UnkeptMemory>,
  { live, kinds }: Pick<PlanAfter, 'live' | 'kinds'>,
): Plan {
  const idOf = createIdLookup(live);
  const namesInMemories = new Set([...memories.values()].flatMap((memory) => Object.keys(memory)));
  const changes = plan.changes.map((change): Change => {
    // The plan takes a target out of a row of ours. If the apply did so already, the memories of our own targets in the row have its mark.
    if (isJoinedOutside(change)) {
      const mark = unkeptNames.target(targetOf(kinds.get(change.kind)!, change.before.fields, idOf));
      return namesInMemories.has(mark) ? becauseRepeated(change, repeatReasons.narrowing) : change;
    }
    const memory = memories.get(change.address);
    return memory ? relabelChange(change, memory) : change;
  });
  return { ...plan, changes };
}

/** Returns a change with other causes of its differences, where the memory says that the platform did not keep our write. */
function relabelChange(change: Change, memory: UnkeptMemory): Change {
  const relabelled: Change = {
    ...(unkeptNames.creation in memory ? becauseRepeated(change, repeatReasons.creation) : change),
    // Such a difference is one between our configuration and the account, like an edit.
    fields: change.fields.map(
      (field): FieldChange => (field.path in memory ? { ...field, cause: 'edit', notKept: true } : field),
    ),
  };
  const { position } = relabelled;
  return position && unkeptNames.order in memory
    ? { ...relabelled, position: { ...position, cause: 'not-kept' } }
    : relabelled;
}

/** The reasons of changes that repeat an earlier one because the platform did not keep it. */
export const repeatReasons = {
  creation: 'created at the last apply, but the account does not show it',
  narrowing: 'taken away at the last apply, but the platform did not keep that',
};

/**
 * Returns a change with another reason: the repetition of a write that the platform did not keep, instead of a change that somebody made
 * outside.
 */
const becauseRepeated = ({ outside: _, ...change }: Change, reason: string): Change => ({
  ...change,
  reason,
});

/**
 * Returns the ordered lists in which the platform did not keep some move of an apply. The ledger then records their live order, so that the
 * next plan does not report it as drift.
 */
const unkeptLists = ({ changes }: Plan, memories: ReadonlyMap<Address, UnkeptMemory>): Set<CollectionId> =>
  new Set(
    changes
      .filter(({ address }) => unkeptNames.order in (memories.get(address) ?? {}))
      .map(({ kind, parent }) => collectionId(kind, parent)),
  );
