/**
 * Finds the changes in the account during an apply that no request of the plan wrote.
 *
 * Terms: an observation is one object before and after the apply. A plan covers an object if it creates, replaces or deletes it or an
 * object around it. It covers a field if it writes the field, or one in it or around it. All other differences are side effects, made by
 * the platform or by somebody else.
 */
import {
  comparedFields,
  hasField,
  isEmptyValue,
  isSameValue,
  type Leaf,
  leavesOf,
  sealValue,
} from '../kind/compare.ts';
import { secretIdOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { sealLive } from '../kind/seal-live.ts';
import { traitsOf } from '../kind/traits.ts';
import { type Address, byAddress, indexByAddress, isWithinAny, lastNameOf } from '../model/address.ts';
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
import { arePathsNested } from './guesses.ts';
import type { PlanInput } from './input.ts';

/**
 * Returns the differences between two readings of the account, before and after an apply of `plan`, that the
 * plan does not explain: the platform or somebody else made them. `apply` reports them as side effects. In
 * lists that were not read completely both times, only objects of both readings are compared. Order is
 * ignored. `planInput` says which values are secret, so that they are sealed.
 */
export function findSideEffects(
  plan: Plan,
  before: Live,
  after: Live,
  planInput: Pick<PlanInput, 'desired' | 'ledger' | 'kinds'>,
): SideEffect[] {
  const { kinds } = planInput;
  const coverage = findCoverage(plan);
  const sealedBefore = sealLive({ ...planInput, live: before }).live;
  const sealedAfter = sealLive({ ...planInput, live: after }).live;
  // A reference to an object that was recreated has the same address and another id: equal as written, or as filled in.
  const isSame = (a: Value, b: Value, leaf: Leaf) =>
    areEqual(a, b, leaf) || areEqual(fillReferences(a, sealedBefore), fillReferences(b, sealedAfter), leaf);
  return observeObjects(sealedBefore, sealedAfter, kinds)
    .filter((observation) => !coverage.coversObject(observation))
    .flatMap((observation) => sideEffectsOn(observation, { kinds, coverage, isSame }))
    .sort(byAddress);
}

/**
 * Returns the side effects on one object: it appeared or is gone, or each changed field that the plan does not explain (`coverage`): it
 * neither writes the field nor changes objects of another kind that the field shows.
 */
function sideEffectsOn(
  observation: Observation,
  { kinds, coverage, isSame }: { kinds: Kinds; coverage: PlanCoverage; isSame: LeafComparison },
): SideEffect[] {
  const { before, after } = observation;
  const { address, kind: kindName } = (after ?? before)!;
  if (!after) return [{ address, kind: kindName, type: 'gone' }];
  if (!before) return [{ address, kind: kindName, type: 'appeared' }];
  const kind = kinds.get(kindName)!;
  return findDifferingFields(before, after, kind, isSame)
    .filter(({ path }) => !coverage.coversField(observation, path) && !coverage.mayMirror(kind, path))
    .map((field) => ({ address, kind: kindName, type: 'changed', ...field }));
}

/** True if a value before and one after the apply are equal. */
type LeafComparison = (before: Value, after: Value, leaf: Leaf) => boolean;

/**
 * Returns the fields of one object that differ between the readings before and after an apply, with both
 * values: candidates for side effects, that is, for changes that the platform made and the plan did not. If a
 * field is empty on one side, the whole field is returned instead of the fields in it (`git`, not `git.branch`).
 */
function findDifferingFields(before: LiveResource, after: LiveResource, kind: Kind, isSame: LeafComparison) {
  const schemas = comparedFields(kind);
  const leaves = [before, after].flatMap(({ fields }) => leavesOf(schemas, fields));
  const differences = [...groupBy(leaves, ({ path }) => path)].flatMap(([path, leavesAtPath]) => {
    // The platform may return members that the kind does not have.
    if (!hasField(schemas, path)) return [];
    const values = { before: atPath(before.fields, path), after: atPath(after.fields, path) };
    const secret =
      leavesAtPath.some(({ traits }) => traits.secret) ||
      holdsSecret(values.before) ||
      holdsSecret(values.after);
    const leaf = leavesAtPath[0]!;
    if (mayBeUnread(leaf, values, secret) || isSame(values.before ?? null, values.after ?? null, leaf))
      return [];
    return secret
      ? [{ path, before: sealValue(values.before), after: sealValue(values.after), secret }]
      : [{ path, ...values }];
  });
  const isInOther = (path: string) => differences.some((other) => path.startsWith(`${other.path}.`));
  return differences.filter(({ path }) => !isInOther(path));
}

/** True if a difference in a leaf may only mean that an answer of the platform lacks its value, so that it is no change. */
function mayBeUnread(
  { traits: { createOnly, writeOnly, readMayLack } }: Leaf,
  { before, after }: { before: Value | undefined; after: Value | undefined },
  isSecret: boolean,
): boolean {
  const isMissing = before === undefined || after === undefined;
  const mayBeLeftOut = readMayLack || isSecret;
  return createOnly === true || writeOnly === true || (mayBeLeftOut && isMissing);
}

/**
 * True if two live values are equal, so that they are no side effect of an apply. A missing value, an empty list and an empty object count
 * as equal. The trait `whereDeclared` (compare only members that are declared) does not apply, since neither value is declared.
 */
const areEqual = (a: Value, b: Value, { traits: { whereDeclared: _, ...traits } }: Leaf): boolean =>
  (isEmptyValue(a) && isEmptyValue(b)) || isSameValue(a, b, traits);

/** Returns a value with ids instead of references, because the same object may have another address in the other reading. */
const fillReferences = (value: Value, { resources }: Live): Value =>
  mapHoles(value, (hole) =>
    isRef(hole) ? (resources.get(hole.$ref)?.id ?? lastNameOf(hole.$ref)) : hole,
  ) as Value;

/** Answers which objects and fields an apply of a plan explains. */
interface PlanCoverage {
  /** True if the plan creates, replaces or deletes the object or an object around it. */
  coversObject(observation: Observation): boolean;
  /** True if the plan writes the field, or one in it or around it. If the field was empty before, any part of it counts. */
  coversField(observation: Observation, path: string): boolean;
  /** True for a field that mirrors objects of another kind, if the plan changes objects of that kind. */
  mayMirror(kind: Kind, path: string): boolean;
}

/**
 * Creates the tests which differences between two readings of the account an applied plan explains. `apply`
 * reports all others as side effects: the platform or somebody else made them. `coversObject`: the plan wrote
 * or deleted the whole object. `coversField`: it wrote the field. `mayMirror`: the field shows objects of
 * another kind that the plan changed.
 */
function findCoverage({ changes, operations }: Plan): PlanCoverage {
  const changeAt = indexByAddress(changes);
  // `drops` of a request has the ids of the objects that it deletes. Another object may have the address of one by now.
  const deletedIds = new Set(
    operations.flatMap((operation) =>
      operation.requests.flatMap(({ drops = [] }) => drops.map(({ id }) => idInCollection(operation, id))),
    ),
  );
  const writtenWholes = new Set(changes.filter(writesWholeObject).map(({ address }) => address));
  const changedKinds = new Set(changes.filter(({ action }) => action !== 'noop').map(({ kind }) => kind));
  const isDeleted = (resource: LiveResource) =>
    resource.ids.every((id) => deletedIds.has(idInCollection(resource, id)));
  return {
    coversObject(observation) {
      const { before, after } = observation;
      const isInWritten = addressesOf(observation).some((address) => isWithinAny(address, writtenWholes));
      return isInWritten || (!after && isDeleted(before!));
    },
    coversField(observation, path) {
      const [topField] = namesInPath(path) as [string];
      // A write of a part of an empty field explains all of the field.
      const comparedPath = isEmptyValue(observation.before?.fields[topField]) ? topField : path;
      const fields = addressesOf(observation).flatMap((address) => changeAt.get(address)?.fields ?? []);
      return fields.filter(asksForWrite).some((field) => arePathsNested(field.path, comparedPath));
    },
    mayMirror(kind, path) {
      const schema = comparedFields(kind)[namesInPath(path)[0]!];
      const mirroredKind = schema && traitsOf(schema).mirrors?.kind;
      return mirroredKind !== undefined && changedKinds.has(mirroredKind);
    },
  };
}

/** Returns the addresses of an object after and before the apply. */
const addressesOf = ({ before, after }: Observation): Address[] =>
  [after, before].flatMap((resource) => (resource ? [resource.address] : []));

/** Returns an id with its collection, because ids that are names can be equal in two collections. */
const idInCollection = ({ kind, parent }: Pick<Change, 'kind' | 'parent'>, id: string): string =>
  `${collectionId(kind, parent)} ${id}`;

/**
 * True if a change writes the whole object. All differences in the object are then explained by the plan, so
 * that an apply does not report them as side effects. The first update of settings counts too, because the
 * platform shows settings without a value as empty or not at all.
 */
const writesWholeObject = ({ action, before }: Change): boolean =>
  action === 'create' ||
  action === 'replace' ||
  action === 'delete' ||
  (action === 'update' && isEmptyValue(before?.fields));

/** One object before and after an apply. A new object has no `before`, a deleted one no `after`. */
interface Observation {
  before?: LiveResource;
  after?: LiveResource;
}

/**
 * Pairs the objects of two readings of the account, before and after an apply, to find side effects. Objects
 * are paired by id, and the remaining ones by address, because a recreated object has another id. From
 * collections that were not read completely both times, only objects in both readings are returned: an absent
 * one may just not have been read.
 */
function observeObjects(before: Live, after: Live, kinds: Kinds): Observation[] {
  const isComplete = (id: CollectionId) => before.complete.has(id) && after.complete.has(id);
  const isRead = (id: CollectionId) =>
    [before, after].every((live) => live.complete.has(id) || live.partial.has(id));
  const collectionsBefore = groupByCollection(before.resources);
  const collectionsAfter = groupByCollection(after.resources);
  const ids = [...new Set([...collectionsBefore.keys(), ...collectionsAfter.keys()])].filter(isRead);
  const pairingKeys = [
    (resource: LiveResource) => stableIdOf(resource, kinds),
    ({ address }: LiveResource) => address,
  ];
  return ids.flatMap((id) => {
    // With all objects that share an address.
    const objectsBefore = withAlternatives(collectionsBefore.get(id));
    const objectsAfter = withAlternatives(collectionsAfter.get(id));
    const observations = pairObjects(objectsBefore, objectsAfter, pairingKeys);
    return isComplete(id) ? observations : observations.filter((object) => object.before && object.after);
  });
}

/** Returns an id that one object has in both readings, before and after an apply. */
function stableIdOf({ kind: name, address, id, fields }: LiveResource, kinds: Kinds): string {
  const kind = kinds.get(name);
  // Units of one row have the same id.
  if (kind?.shape.byAddress) return `${address} ${id}`;
  // A secret id is stored as a digest, which depends on the key. The key may have been set up between the two readings.
  const secretId = kind && secretIdOf(kind);
  return secretId === undefined ? id : String(revealed(fields[secretId]));
}

/**
 * Pairs the objects of two readings of the account, before and after an apply, to find its side effects. Objects pair by equal keys: first
 * by the first key function, the rest by the next one. Returns unpaired objects as well, since they appeared or disappeared.
 */
function pairObjects(
  before: LiveResource[],
  after: LiveResource[],
  [keyOf, ...otherKeys]: ((resource: LiveResource) => string)[],
): Observation[] {
  if (!keyOf)
    return [
      ...before.map((resource) => ({ before: resource })),
      ...after.map((resource) => ({ after: resource })),
    ];
  const afterByKey = groupBy(after, keyOf);
  // `shift` takes each object out, so that it is paired once.
  const pairs = before.map((resource) => ({
    before: resource,
    after: afterByKey.get(keyOf(resource))?.shift(),
  }));
  const unpairedBefore = pairs.filter((pair) => pair.after === undefined).map((pair) => pair.before);
  const unpairedAfter = [...afterByKey.values()].flat();
  return [
    ...pairs.flatMap((pair) => (pair.after ? [{ before: pair.before, after: pair.after }] : [])),
    ...pairObjects(unpairedBefore, unpairedAfter, otherKeys),
  ];
}
