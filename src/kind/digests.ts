import type { Address } from '../model/address.ts';
import { digest, hasUnknown } from '../model/digest.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import { type DigestKey, keyedDigest, type LedgerKey, makerOf } from '../model/ledger-key.ts';
import { revealed } from '../model/sealed.ts';
import { type Fields, holesIn, isRef, mapHoles, namesInPath, type Value } from '../model/value.ts';
import { identityOf, isItemwise, isSameValue, omitMembers, toComparable } from './compare.ts';
import type { FieldSchemas, Kind } from './kind.ts';
import { comparedFields, type Leaf, leavesOf } from './leaves.ts';
import { type FieldTraits, traitsOf } from './traits.ts';

/** The digests of all declared leaves of what is applied, changed or not. Undefined if a secret needs a key that is missing. */
export function digestFields(
  schemas: FieldSchemas,
  fields: Fields,
  declared: ReadonlySet<string>,
  salt: string,
  key: LedgerKey | undefined,
): Pick<LedgerEntry, 'fields' | 'secrets'> {
  const entry: Pick<LedgerEntry, 'fields' | 'secrets'> = { fields: {}, secrets: {} };
  for (const { path, value, traits, isSecret } of leavesOf(schemas, fields)) {
    if (
      !declared.has(path) ||
      traits.createOnly ||
      holesIn(value).some((hole) => '$secret' in hole || (isRef(hole) && hole.isSecret))
    )
      continue;
    const digested = (one: (value: Value) => string) => leafDigest(value, traits, one);
    if (!isSecret) entry.fields[path] = digested((value) => digest(salt, value));
    else if (key)
      entry.secrets[path] = { key: key.id, digest: digested((value) => keyedDigest(key, salt, value)) };
  }
  return entry;
}

/**
 * Replaces the addresses that a value refers to by ids, if known. The ledger keeps digests of that, which stay the same when these objects
 * are renamed.
 */
export const withIds = <T extends Value | undefined>(
  value: T,
  idOf: (address: Address) => Value | undefined,
): T =>
  typeof value === 'object'
    ? (mapHoles(value, (hole) => (isRef(hole) && hole.attr === 'id' ? (idOf(hole.$ref) ?? hole) : hole)) as T)
    : value;

/** The digest of `SecretOf.form`, which changes with the text, and with the object whose secret it contains. */
export const digestOfForm = (
  form: Value,
  salt: string,
  idOf: (address: Address) => Value | undefined,
): string => digest(salt, withIds(form, idOf));

/** The digest that the ledger holds of a value: plain or keyed, made of ids or of addresses. */
interface RecordedDigest {
  /** It holds something. */
  isRecorded: boolean;
  /** It can be compared: it was made in today's normal form and, for a secret, with a key that is here. */
  isComparable: boolean;
  matches(value: Value | undefined, traits: FieldTraits): boolean;
  /** True if `found` is the kept value, or lies between it and `wanted`. */
  leadsTo(wanted: Value, found: Value | undefined, traits: FieldTraits): boolean;
  /** True if the kept value contains `found`, or each of its items if a set may be declared in part. */
  includes(found: Value, traits: FieldTraits): boolean;
}

export interface RecordedDigestOptions {
  /** The normal form in use. */
  form: number;
  key?: LedgerKey | undefined;
  idOf?: ((address: Address) => Value | undefined) | undefined;
}

/** The digest that an entry holds at a path, be it of a secret or not. */
export function recordedDigestAt(
  entry: Pick<LedgerEntry, 'fields' | 'secrets' | 'form' | 'salt'> | undefined,
  path: string,
  { form, key, idOf = () => undefined }: RecordedDigestOptions,
): RecordedDigest {
  const plain = entry?.fields[path];
  const keyed = entry?.secrets[path];
  const maker = keyed && makerOf(key, keyed.key);
  const usable = entry?.form === form && (keyed ? maker !== undefined : plain !== undefined);
  const kept = keyed?.digest ?? plain!;
  const one = (value: Value) =>
    keyed ? keyedDigest(maker!, entry!.salt, value) : digest(entry!.salt, revealed(value));
  const asIds = <T extends Value>(value: T): T => withIds(value, idOf);
  const asItIs = <T extends Value>(value: T): T => value;
  /** Tries both forms: digests are made of ids now, and were once made of addresses. */
  const inAnyForm = (value: Value, is: (as: typeof asItIs) => boolean): boolean =>
    usable &&
    !hasUnknown(value) &&
    (is(asItIs) || (typeof value === 'object' && value !== null && is(asIds)));
  return {
    isRecorded: plain !== undefined || keyed !== undefined,
    isComparable: usable,
    matches: (value = null, traits) => inAnyForm(value, (as) => leafDigest(as(value), traits, one) === kept),
    leadsTo: (wanted, found = null, traits) =>
      inAnyForm(found, (as) => isOnTheWay(as(found), as(wanted), kept, traits, one)),
    includes: (value, traits) => inAnyForm(value, (as) => isPartOf(as(value), kept, traits, one)),
  };
}

export interface FoundDigestOptions {
  salt: string;
  traits: FieldTraits;
  idOf?: ((address: Address) => Value | undefined) | undefined;
  /** For a secret. */
  key?: DigestKey | undefined;
}

/** Returns the digest of a live value, so that a later plan recognises it. */
export function digestLiveValue(
  value: Value | undefined,
  { salt, traits, idOf = () => undefined, key }: FoundDigestOptions,
): string {
  const digestPart = (value: Value) => (key ? keyedDigest(key, salt, value) : digest(salt, revealed(value)));
  return leafDigest(withIds(value ?? null, idOf), traits, digestPart);
}

/** The digest of a value. A set whose items may be declared in part has one for each item. */
function leafDigest(value: Value, traits: FieldTraits, one: (value: Value) => string): string {
  return isItemwise(value, traits) ? value.map(one).sort().join(' ') : one(toComparable(value, traits));
}

/**
 * True if a found value is the one last applied, or lies between that and the wanted one (a half-written set): then nobody else has
 * changed it. `last` is the digest of the value applied; `one` makes such digests.
 */
function isOnTheWay(
  value: Value | undefined,
  wanted: Value,
  last: string,
  traits: FieldTraits,
  one: (value: Value) => string,
): boolean {
  if (!isItemwise(value, traits) || !isItemwise(wanted, traits))
    return leafDigest(value ?? null, traits, one) === last;
  const open = traits.whereDeclared!;
  const applied = new Set(last.split(' '));
  // What was declared of an item then is not known now: any part of it may have been.
  const wasApplied = (item: Fields) =>
    subsets(open).some((names) => applied.has(one(omitMembers(item, names))));
  const fits = (item: Fields | undefined, fields: Fields | undefined) =>
    item !== undefined && fields !== undefined && isSameValue([item], [fields], traits);
  const byIdentity = (items: Fields[]) => new Map(items.map((item) => [identityOf(item, open), item]));
  const [wantedBy, foundBy] = [byIdentity(wanted), byIdentity(value)];
  return (
    value.every((item) => wasApplied(item) || fits(wantedBy.get(identityOf(item, open)), item)) &&
    wanted.every((item) => fits(item, foundBy.get(identityOf(item, open))) || !applied.has(one(item)))
  );
}

/**
 * True if these digests were made of a found value, or of each of its items if a set may be declared in part. `one` makes such
 * digests.
 */
function isPartOf(
  value: Value,
  applied: string,
  traits: FieldTraits,
  one: (value: Value) => string,
): boolean {
  if (!isItemwise(value, traits)) return leafDigest(value, traits, one) === applied;
  const items = new Set(applied.split(' '));
  return value.every((item) =>
    subsets(traits.whereDeclared!).some((names) => items.has(one(omitMembers(item, names)))),
  );
}

const subsets = (names: readonly string[]): string[][] =>
  names.reduce<string[][]>((sets, name) => sets.flatMap((set) => [set, [...set, name]]), [[]]);

/**
 * True if an entry was made of these fields. Fields that cannot be read do not count; if several rows make one object, a part is
 * enough.
 */
export function isEntryMadeOf(
  fields: Fields,
  entry: Pick<LedgerEntry, 'form' | 'salt' | 'fields' | 'secrets'>,
  kind: Kind,
  known: Pick<RecordedDigestOptions, 'key' | 'idOf'>,
  isWhole = !kind.shape.mergeRows,
): boolean {
  const { form = 1 } = kind;
  if (entry.form !== form) return false;
  const schemas = comparedFields(kind);
  const told = new Set([...kind.key, ...kind.shape.addressFields]);
  const leaves = leavesOf(schemas, fields);
  const isSame = ({ path, value, traits }: Leaf) => {
    const keptDigest = recordedDigestAt(entry, path, { form, ...known });
    return (
      !keptDigest.isComparable ||
      (isWhole ? keptDigest.matches(value, traits) : keptDigest.includes(value, traits))
    );
  };
  const found = new Set(leaves.map(({ path }) => path));
  const isLacking = (path: string) => {
    const traits = traitsOf(schemas[namesInPath(path)[0]!]!);
    return !traits.writeOnly && !traits.readMayLack && entry.fields[path] !== digest(entry.salt, null);
  };
  return (
    leaves.every((leaf) => told.has(leaf.path) || isSame(leaf)) &&
    Object.keys(entry.fields).every((path) => told.has(path) || found.has(path) || !isLacking(path))
  );
}
