import { isEmptyValue, isSameValue, sealValue } from '../kind/compare.ts';
import { secretIdOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { comparedFields, hasField, type Leaf, leavesOf } from '../kind/leaves.ts';
import { sealLive } from '../kind/seal-live.ts';
import { traitsOf } from '../kind/traits.ts';
import { type Address, byAddress, lastNameOf } from '../model/address.ts';
import { asksForWrite, type Change, type SideEffect } from '../model/change.ts';
import { groupBy } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import {
  type CollectionId,
  collectionId,
  groupByCollection,
  type Live,
  type LiveResource,
  withAlternatives,
} from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';
import { atPath, holdsSecret, isRef, mapHoles, namesInPath, type Value } from '../model/value.ts';
import type { PlanInput } from './input.ts';

/**
 * Finds the differences in `after` that applying the plan made from `before` did not write: the platform or somebody else did. Compares
 * only collections that were read whole both times, and ignores order. `known` is the plan's input; it tells which values have to stay
 * secret.
 */
export function findSideEffects(
  plan: Plan,
  before: Live,
  after: Live,
  known: Pick<PlanInput, 'desired' | 'ledger' | 'kinds'>,
): SideEffect[] {
  const { kinds } = known;
  const [old, now] = [before, after].map((live) => sealLive({ ...known, live }).live) as [Live, Live];
  const written = writtenBy(plan);
  return beforeAndAfter(old, now, kinds)
    .filter((example) => !written.object(example))
    .flatMap((example): SideEffect[] => {
      const { address, kind } = (example.after ?? example.before)!;
      if (!example.after) return [{ address, kind, type: 'gone' }];
      if (!example.before) return [{ address, kind, type: 'appeared' }];
      const isSame = (a: Value, b: Value, leaf: Leaf) =>
        alike(a, b, leaf) || alike(withIds(a, old), withIds(b, now), leaf);
      return differing(example.before, example.after, kinds.get(kind)!, isSame)
        .filter(({ path }) => !written.field(example, path) && !written.mirrored(kinds.get(kind)!, path))
        .map((field) => ({ address, kind, type: 'changed', ...field }));
    })
    .sort(byAddress);
}

/** The fields that differ. A field that is empty on one side differs as a whole. */
function differing(
  before: LiveResource,
  after: LiveResource,
  kind: Kind,
  isSame: (a: Value, b: Value, leaf: Leaf) => boolean,
) {
  const schemas = comparedFields(kind);
  const leaves = [before, after].flatMap(({ fields }) => leavesOf(schemas, fields));
  const fields = [...groupBy(leaves, ({ path }) => path)].flatMap(([path, found]) => {
    const [leaf] = found as [Leaf];
    const [a, b] = [before, after].map((resource) => atPath(resource.fields, path));
    const { createOnly, writeOnly, readMayLack } = leaf.traits;
    const secret = found.some(({ traits }) => traits.secret) || holdsSecret(a) || holdsSecret(b);
    const isUnread = (readMayLack || secret) && (a === undefined || b === undefined);
    if (createOnly || writeOnly || isUnread || !hasField(schemas, path)) return [];
    if (isSame(a ?? null, b ?? null, leaf)) return [];
    return [
      secret ? { path, before: sealValue(a), after: sealValue(b), secret } : { path, before: a, after: b },
    ];
  });
  const isInside = (path: string) => fields.some((field) => path.startsWith(`${field.path}.`));
  return fields.filter(({ path }) => !isInside(path));
}

/** True if two found values are the same; missing, an empty list and an empty object are equal. */
const alike = (a: Value, b: Value, { traits: { whereDeclared: _, ...traits } }: Leaf): boolean =>
  (isEmptyValue(a) && isEmptyValue(b)) || isSameValue(a, b, traits);

/** Replaces references by ids: the same object may have got another address. */
const withIds = (value: Value, { resources }: Live): Value =>
  mapHoles(value, (hole) =>
    isRef(hole) ? (resources.get(hole.$ref)?.id ?? lastNameOf(hole.$ref)) : hole,
  ) as Value;

/** The objects and fields that applying a plan writes. */
interface Written {
  /** The object as a whole: it was made or deleted, or is inside an object that was. */
  object(one: BeforeAndAfter): boolean;
  /** The field, or a part of it. A field that was empty before counts as a whole. */
  field(one: BeforeAndAfter, path: string): boolean;
  /** True for a field that tells of other objects, some of which were written. */
  mirrored(kind: Kind, path: string): boolean;
}

function writtenBy({ changes, operations }: Plan): Written {
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  // By id: under its address there may be another one by now.
  const dropped = new Set(
    operations.flatMap((operation) =>
      operation.requests.flatMap(({ drops = [] }) => drops.map(({ id }) => idAmong(operation, id))),
    ),
  );
  const wholes = new Set(changes.filter(isWhole).map(({ address }) => address));
  const written = new Set(changes.filter(({ action }) => action !== 'noop').map(({ kind }) => kind));
  const isGone = (resource: LiveResource) => resource.ids.every((id) => dropped.has(idAmong(resource, id)));
  return {
    object(example) {
      const { before, after } = example;
      return placesOf(example).some((at) => isInside(at, wholes)) || (!after && isGone(before!));
    },
    field(example, path) {
      const [top] = namesInPath(path) as [string];
      const at = isEmptyValue(example.before?.fields[top]) ? top : path;
      const changed = placesOf(example).flatMap((place) => byAddress.get(place)?.fields ?? []);
      return changed.filter(asksForWrite).some((field) => isPart(field.path, at) || isPart(at, field.path));
    },
    mirrored(kind, path) {
      const schema = comparedFields(kind)[namesInPath(path)[0]!];
      const other = schema && traitsOf(schema).mirrors?.kind;
      return other !== undefined && written.has(other);
    },
  };
}

/** The addresses of an object before and after. */
const placesOf = ({ before, after }: BeforeAndAfter): Address[] =>
  [after, before].flatMap((resource) => (resource ? [resource.address] : []));

/** An id with its collection: natural ids can be the same in two collections. */
const idAmong = ({ kind, parent }: Pick<Change, 'kind' | 'parent'>, id: string): string =>
  `${collectionId(kind, parent)} ${id}`;

/** True if a change writes the whole object. Untouched settings may be listed as empty or not at all: their first update creates them. */
const isWhole = ({ action, before }: Change): boolean =>
  action === 'create' ||
  action === 'replace' ||
  action === 'delete' ||
  (action === 'update' && isEmptyValue(before?.fields));

const isPart = (path: string, of: string): boolean => path === of || path.startsWith(`${of}.`);

/** True if the address is one of `places` or below one. */
function isInside(address: Address, places: ReadonlySet<Address>): boolean {
  const names = address.split('/');
  return names.some((_, index) => places.has(names.slice(0, index + 1).join('/')));
}

/** One object at two times. A new object has no `before`, a deleted one no `after`. */
interface BeforeAndAfter {
  before?: LiveResource;
  after?: LiveResource;
}

/**
 * Pairs the objects of the collections that were read whole both times; from other collections, only objects that were read both
 * times. Pairs them by id, and then by address, since ids may be given anew.
 */
function beforeAndAfter(before: Live, after: Live, kinds: Kinds): BeforeAndAfter[] {
  const isComplete = (id: CollectionId) => before.complete.has(id) && after.complete.has(id);
  const isRead = (id: CollectionId) =>
    [before, after].every((live) => live.complete.has(id) || live.partial.has(id));
  const [old, now] = [groupByCollection(before.resources), groupByCollection(after.resources)];
  const ids = [...new Set([...old.keys(), ...now.keys()])].filter(isRead);
  const sameId = ({ kind: name, address, id, fields }: LiveResource): string => {
    const kind = kinds.get(name);
    // An id stands for several units.
    if (kind?.shape.byAddress) return `${address} ${id}`;
    // As it is kept it depends on a key, which there may not have been before.
    const secretId = kind && secretIdOf(kind);
    return secretId === undefined ? id : String(revealed(fields[secretId]));
  };
  return ids.flatMap((id) =>
    paired(withAlternatives(old.get(id)), withAlternatives(now.get(id)), [
      sameId,
      ({ address }) => address,
    ]).filter((example) => isComplete(id) || (example.before && example.after)),
  );
}

function paired(
  before: LiveResource[],
  after: LiveResource[],
  [key, ...others]: ((one: LiveResource) => string)[],
): BeforeAndAfter[] {
  if (!key)
    return [
      ...before.map((resource) => ({ before: resource })),
      ...after.map((resource) => ({ after: resource })),
    ];
  const group = groupBy(after, key);
  const pairs = before.map((resource) => ({ before: resource, after: group.get(key(resource))?.shift() }));
  const open = pairs.filter((pair) => pair.after === undefined).map((pair) => pair.before);
  return [
    ...pairs.flatMap(({ before, after }) => (after ? [{ before, after }] : [])),
    ...paired(open, [...group.values()].flat(), others),
  ];
}
