/*
 * Compares two sides of `trueup diff` object by object. See `compared-side.ts` for the terms.
 *
 * Not a difference, because it cannot be equal: an id, the address that a reference gets in the other side, and a secret value. Of a
 * secret, only its source is compared.
 */
import { comparedFields, isSameValue, type Leaf, leavesOf, sealValue } from '../kind/compare.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { FieldTraits } from '../kind/traits.ts';
import { type Address, byAddress } from '../model/address.ts';
import { jsonWithoutPlaces } from '../model/diagnostic.ts';
import { canonicalJson } from '../model/digest.ts';
import { byText } from '../model/graph.ts';
import type { Meta } from '../model/resource.ts';
import { mapRefs, type Value } from '../model/value.ts';
import { compareSecret, type SecretComparison } from './compare-secret.ts';
import type { ComparedObject, ComparedSide } from './compared-side.ts';
import { findMovedItems, type PlaceDifference } from './find-moved-items.ts';
import { type AddressPairs, pairAddresses } from './pair-addresses.ts';

/** A setting that differs. A side that does not declare it has undefined. */
export interface SettingDifference {
  /** The dotted path of a field, or a `$` key. */
  path: string;
  a: Value | undefined;
  b: Value | undefined;
}

/** An object of A and the object of B that is the same thing. */
export interface ComparedPair {
  a: ComparedObject;
  b: ComparedObject;
  settings: SettingDifference[];
  secrets: SecretComparison[];
  place: PlaceDifference | undefined;
}

/** The pairs of objects of two sides with their differences, and the objects without a partner. */
export interface SideComparison {
  a: ComparedSide;
  b: ComparedSide;
  onlyInA: ComparedObject[];
  onlyInB: ComparedObject[];
  pairs: ComparedPair[];
  /** Objects of one side that the other may have or lack, because its account could not be read completely. */
  unread: ComparedObject[];
}

/**
 * Compares the two sides of `trueup diff`: pairs their objects, and returns the differences of each pair, and the objects without a
 * partner. An object whose partner may be in a list that could not be read counts as `unread`, not as missing. The result has addresses in
 * order, so that equal sides give equal reports.
 */
export function compareSides(a: ComparedSide, b: ComparedSide, kinds: Kinds): SideComparison {
  const pairs = pairAddresses(a, b);
  const objectsOfA = [...a.objects.values()].sort(byAddress);
  const objectsOfB = [...b.objects.values()].sort(byAddress);
  const paired = objectsOfA.flatMap((object) => {
    const partner = b.objects.get(pairs.toB.get(object.address) ?? '');
    return partner ? [{ a: object, b: partner }] : [];
  });
  const isUnreadInA = createUnreadTest(a, pairs.toA);
  const isUnreadInB = createUnreadTest(b, pairs.toB);
  const onlyInA = objectsOfA.filter(({ address }) => !pairs.toB.has(address));
  const onlyInB = objectsOfB.filter(({ address }) => !pairs.toA.has(address));
  const places = findMovedItems(paired, kinds);
  return {
    a,
    b,
    onlyInA: onlyInA.filter((object) => !isUnreadInB(object)),
    onlyInB: onlyInB.filter((object) => !isUnreadInA(object)),
    unread: [...onlyInA.filter(isUnreadInB), ...onlyInB.filter(isUnreadInA)],
    pairs: paired.map((pair) => ({
      ...pair,
      ...compareFieldsOfPair(a, b, pair, kinds.get(pair.a.kind)!, pairs),
      place: places.get(pair.a.address),
    })),
  };
}

/**
 * Returns a test for objects of the other side of `trueup diff`: true if `side` may have the same object, since the list of its account
 * that would contain it could not be read. `toSide`: addresses of `side` by those of the other one, because the parent may have another
 * name.
 */
function createUnreadTest(side: ComparedSide, toSide: ReadonlyMap<Address, Address>) {
  return ({ parent, address, kind }: ComparedObject): boolean => {
    if (parent === undefined) return side.isUnread({ kind, parent, address });
    const parentInSide = toSide.get(parent) ?? parent;
    const addressInSide = `${parentInSide}${address.slice(parent.length)}`;
    return side.isUnread({ kind, parent: parentInSide, address: addressInSide });
  };
}

/**
 * Returns the differences of a pair (the same object on both sides of `trueup diff`) in its fields and `$` settings, and the results for
 * its secrets, whose values are never shown. A field that only one side declares is a difference. If one side is an account, only the
 * fields that the other one declares count, since the others are not managed. `toB`: addresses of B by those of A, because a reference to
 * the same object may have another address in A.
 */
function compareFieldsOfPair(
  a: ComparedSide,
  b: ComparedSide,
  pair: { a: ComparedObject; b: ComparedObject },
  kind: Kind,
  { toB }: AddressPairs,
): Pick<ComparedPair, 'settings' | 'secrets'> {
  const toAddressInB = (address: Address) => toB.get(address) ?? withoutId(address);
  // If one side is a configuration and the other an account, a field that only the account has is not managed.
  const isUnmanaged = ({ inA, inB }: PairedLeaf) =>
    (a.isLive && !b.isLive && !inB) || (b.isLive && !a.isLive && !inA);
  const compared = pairLeaves(pair, kind).filter((leaf) => !isUnmanaged(leaf));
  const settings: SettingDifference[] = [];
  const secrets: SecretComparison[] = [];
  for (const { path, traits, inA, inB } of compared) {
    // The references of A become addresses of B, so that they can be compared.
    const valueOfA = inA && mapRefs(inA.value, toAddressInB);
    const valueOfB = inB && mapRefs(inB.value, withoutId);
    if (inA && inB && (inA.isSecret || inB.isSecret))
      secrets.push(
        compareSecret(
          path,
          { side: a, object: pair.a, value: valueOfA! },
          { side: b, object: pair.b, value: valueOfB! },
        ),
      );
    else if (!isEqualSetting(valueOfA, valueOfB, traits, [a, b]))
      settings.push({ path, a: inA && sealIfSecret(inA), b: inB && sealIfSecret(inB) });
  }
  if (!a.isLive && !b.isLive) settings.push(...compareMeta(pair, toAddressInB));
  return { settings, secrets };
}

/** One of the innermost settings of a pair, such as `build.command`, on both sides; undefined on a side that does not have it. */
interface PairedLeaf {
  path: string;
  traits: FieldTraits;
  inA: Leaf | undefined;
  inB: Leaf | undefined;
}

/**
 * Returns the innermost settings that at least one object of a pair has, by path, for `trueup diff`. Leaves out those that the address is
 * made of, because a pair can differ in them only as its addresses do.
 */
function pairLeaves(pair: { a: ComparedObject; b: ComparedObject }, kind: Kind): PairedLeaf[] {
  const schemas = comparedFields(kind);
  const leavesOfA = new Map(leavesOf(schemas, pair.a.fields).map((leaf) => [leaf.path, leaf]));
  const leavesOfB = new Map(leavesOf(schemas, pair.b.fields).map((leaf) => [leaf.path, leaf]));
  const byPath = new Map([...leavesOfB, ...leavesOfA]);
  return [...byPath.values()]
    .filter(({ path }) => !isOfAddress(kind, path))
    .map(({ path, traits }) => ({ path, traits, inA: leavesOfA.get(path), inB: leavesOfB.get(path) }))
    .sort((first, second) => byText(first.path, second.path));
}

/** Returns the value of a field as a report may show it: sealed if it is secret. */
const sealIfSecret = ({ value, isSecret }: Leaf): Value | undefined => (isSecret ? sealValue(value) : value);

/** Returns the address of an object that was not read (`#kind/ID`) without its id, which differs between accounts. */
const withoutId = (address: Address): Address =>
  address.startsWith('#') ? address.slice(0, address.indexOf('/')) : address;

/**
 * True if `trueup diff` takes a setting for equal in both sides. Two configurations differ if only one of them declares a field. In an
 * account a missing value means that nothing is set, or that the platform does not return the value; then nothing is known, and no
 * difference is shown.
 */
function isEqualSetting(
  a: Value | undefined,
  b: Value | undefined,
  traits: FieldTraits,
  sides: readonly ComparedSide[],
): boolean {
  const isMissing = a === undefined || b === undefined;
  if (!isMissing) return isSameValue(a, b, traits);
  if (!sides.some(({ isLive }) => isLive)) return false;
  // The platform may not return such a field, although it is set.
  const isWithheld =
    traits.writeOnly || traits.readMayLack || traits.createOnly || traits.secret !== undefined;
  return isWithheld === true || isSameValue(a ?? b, undefined, traits);
}

/** True for a field that is a part of the address: a pair can differ in it only because its addresses do. */
const isOfAddress = ({ key, yaml, shape }: Kind, path: string): boolean =>
  key.includes(path) || yaml.mapBy === path || shape.addressFields.includes(path);

/** The `$` settings that say how an object is treated. Others are about a transition, such as a rename. */
const comparedMeta: Partial<Record<keyof Meta, string>> = {
  existing: '$existing',
  protect: '$protect',
  ignore: '$ignore',
  exclusive: '$exclusive',
  replace: '$replace',
  allow: '$allow',
  wait: '$wait',
  dependsOn: '$dependsOn',
  actions: '$then',
};

/**
 * Returns the `$` settings, such as `$protect`, in which the two objects of a pair differ, for `trueup diff`. The addresses in `$dependsOn`
 * are those of each side, so the ones of A are compared by their pairs in B (`toAddressInB`).
 */
function compareMeta(
  pair: { a: ComparedObject; b: ComparedObject },
  toAddressInB: (address: Address) => Address,
): SettingDifference[] {
  return Object.entries(comparedMeta).flatMap(([name, path]): SettingDifference[] => {
    const [valueInA, valueInB] = [pair.a.meta, pair.b.meta].map((meta) =>
      metaValueOf(meta[name as keyof Meta]),
    );
    const expectedInB =
      name === 'dependsOn' ? metaValueOf(pair.a.meta.dependsOn?.map(toAddressInB)) : valueInA;
    return canonicalJson(expectedInB ?? null) === canonicalJson(valueInB ?? null)
      ? []
      : [{ path, a: valueInA, b: valueInB }];
  });
}

/**
 * Returns a `$` setting as plain data for the comparison of two sides of `trueup diff`, without the places of its texts in the files.
 * Undefined for one that is off or empty, because that is no difference from an absent one.
 */
function metaValueOf(value: unknown): Value | undefined {
  if (value === undefined || value === false || (Array.isArray(value) && value.length === 0))
    return undefined;
  return JSON.parse(jsonWithoutPlaces(value)) as Value;
}
