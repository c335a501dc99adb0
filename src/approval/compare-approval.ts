import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { canonical } from '../model/canonical.ts';
import { type Change, followsHandover } from '../model/change.ts';
import { digest } from '../model/digest.ts';
import { groupBy } from '../model/graph.ts';
import { collectionId, type Meta } from '../model/resource.ts';
import { atPath, type Fields, holdsSecret } from '../model/value.ts';
import type { Conceal } from './encode.ts';
import type { Basis, Mark, SavedAction, SavedPlan } from './saved-plan.ts';

/** True for what is said of the plan itself, not of the machine, which may be another one, nor by guards, which judge it again. */
const isOfThePlan = ({ code }: { code: string }): boolean =>
  code !== 'ledger/ephemeral' && !code.startsWith('guards/');

/**
 * The part of a plan that has to be the same for it to be the approved one. Where in the files something stands is no part of it, so that
 * comments may come and go; nor what is nobody's business here: the account may have more of it by now. A team may be renamed, too, and what
 * was waited for may be ready. The change that is done first is taken from the approved plan, and is not needed any more once it is done.
 */
export function approvedPart(plan: Omit<SavedPlan, 'key' | 'salt' | 'seal' | 'checksum'>): unknown {
  const {
    changes,
    actions,
    notCompared,
    diagnostics,
    sources = [],
    unmanaged: _,
    unlisted: ______,
    waiting: ________,
    changedBy: _________,
    guards: __________,
    account: __,
    firstContact: ___________,
    ...rest
  } = plan as SavedPlan;
  const { key: ___, seal: ____, checksum: _____, generation: _______, ...compared } = rest;
  return {
    ...compared,
    changes: changes.filter((change) => !followsHandover(change)).map(unplaced),
    ...(notCompared
      ? { notCompared: notCompared.map(({ items, ...group }) => ({ ...group, items: items.map(unplaced) })) }
      : {}),
    ...(actions ? { actions: actions.map(agreedAction) } : {}),
    // Not what the ledger remembered of them.
    sources: sources.map(({ name, source }) => [name, source]),
    diagnostics: diagnostics.filter(isOfThePlan).flatMap(agreedProblems),
  };
}

/**
 * Returns what was agreed to in a problem: its instances, since those that an interrupted run has solved are not folded into it any more.
 * Hints and places say nothing about the account.
 */
const agreedProblems = ({ severity, code, message, address, folded }: SavedPlan['diagnostics'][number]) =>
  (folded ?? [{ message, address }]).map((instance) => ({
    severity,
    code,
    message: instance.message,
    ...(instance.address === undefined ? {} : { address: instance.address }),
  }));

/**
 * The agreed part of an action that follows: its object and its input. The values from the account are taken when it is sent,
 * and whether it can be sent then nobody knows before.
 */
export const agreedAction = ({
  id,
  action,
  about,
  input,
  grade,
  state,
}: Pick<SavedAction, 'id' | 'action' | 'about' | 'grade' | 'state'> & { input: unknown }): unknown => ({
  ...{ id, action, about, input, grade },
  isLeft: state === 'left',
});

/**
 * Without its place in the files or in an ordered list, without what follows from the rest, such as how far it could be undone (an older version did not tell), and without what
 * the object has beside the declared fields: that is nobody's business here.
 */
export function unplaced<
  T extends {
    at?: unknown;
    undo?: unknown;
    renews?: unknown;
    beside?: unknown;
    position?: unknown;
  },
>(one: T): unknown {
  const { at: _, undo: __, renews: ___, beside: ____, position: _____, ...rest } = one;
  return rest;
}

/** True if two parts of plans are the same; the order of members does not matter. */
export const isSame = (value: unknown, other: unknown): boolean => canonical(value) === canonical(other);

/** True if a plan is the approved one. Both have to be saved under one salt and key. */
export const isApproved = (approved: SavedPlan, current: SavedPlan): boolean =>
  isSame(approvedPart(approved), approvedPart(current));

/**
 * True if a plan is what is left of the approved one after a part of it was carried out: the same is wanted, and all that it
 * does was approved, of objects that nobody has touched since. That the part was done by that plan is for the ledger to say.
 * An operation of which only a part is left is another one, and so not approved.
 */
export function isRest(approved: SavedPlan, current: SavedPlan): boolean {
  const basisOf = new Map(approved.basis.map((basis) => [basis.address, basis]));
  const changeOf = new Map(approved.changes.map((change) => [change.address, change]));
  const operationOf = new Map(approved.operations.map((operation) => [operation.id, operation]));
  const left = new Set(current.basis.map(({ address }) => address));
  const agreed = new Set(approved.diagnostics.flatMap(agreedProblems).map(canonical));
  const untouched = new Set(
    current.changes.flatMap((change) => {
      const before = changeOf.get(change.address);
      return before && isSame(unplaced(before), unplaced(change)) ? [change.address] : [];
    }),
  );
  const sent = new Set(current.operations.flatMap(({ changes }) => changes));
  // Done by that run, though it did not get to record it: nothing is sent for it now.
  const isHeard = (address: string) => {
    const before = changeOf.get(address);
    return before !== undefined && before.action !== 'noop' && !sent.has(address);
  };
  return (
    isSame(headOf(approved), headOf(current)) &&
    current.basis.every((basis) => {
      const before = basisOf.get(basis.address);
      return untouched.has(basis.address)
        ? isSame(before, basis)
        : before !== undefined && isSame(before.wanted, basis.wanted);
    }) &&
    current.changes.every(
      ({ address, action }) => action === 'noop' || untouched.has(address) || isHeard(address),
    ) &&
    (current.actions ?? []).every(
      (action) =>
        action.state === 'over' ||
        approved.actions?.some((other) => isSame(agreedAction(other), agreedAction(action))),
    ) &&
    approved.changes.every(({ address, action }) => left.has(address) || goesBy.has(action)) &&
    current.operations.every(({ dependsOn, ...operation }) => {
      const { dependsOn: before = [], ...rest } = operationOf.get(operation.id) ?? {};
      return isSame(rest, operation) && dependsOn.every((id) => before.includes(id));
    }) &&
    current.diagnostics
      .filter(isOfThePlan)
      .flatMap(agreedProblems)
      .every((problem) => agreed.has(canonical(problem)))
  );
}

/** After these an address is in no plan any more. */
const goesBy: ReadonlySet<string> = new Set(['delete', 'forget', 'release']);

const headOf = ({ stack, baseUrl, owner, options, complete, partial }: SavedPlan) => ({
  stack,
  baseUrl,
  owner,
  options,
  complete,
  partial,
});

/** Stands among the found fields for where an item of an ordered list was. */
export const place = '$place';

/** The address in front of each found item of an ordered list, among those in the plan; null for the first. */
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
 * The state that a change was planned on. Only what is declared counts, since nothing else is touched; of an object that is deleted, all
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
