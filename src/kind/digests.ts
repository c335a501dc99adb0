/*
 * Digests of field values in the ledger. The ledger holds no values, only digests, so a later plan compares by digesting again.
 *
 * | Term          | Meaning                                                                                              |
 * | ------------- | ---------------------------------------------------------------------------------------------------- |
 * | leaf          | One value that is compared on its own, see `leavesOf` in `compare.ts`.                                |
 * | plain digest  | Of an open value: needs only the salt of the ledger entry.                                            |
 * | keyed digest  | Of a secret: needs the ledger key, so that the secret cannot be guessed from the ledger.              |
 * | form          | The version of a kind's normal form. Digests of another form say nothing about today's values.        |
 * | itemwise set  | A set whose items may lack the members in `whereDeclared` (here: optional members). It has one digest per item, space-separated. |
 *
 * References are digested as the ids of their objects, so that a rename keeps the digest. Earlier versions digested their addresses, so
 * comparisons accept both.
 */

import type { Address } from '../model/address.ts';
import {
  type DigestKey,
  digest,
  findDigestKey,
  hasUnresolvedHole,
  keyedDigest,
  type LedgerKey,
} from '../model/digest.ts';
import { subsetsOf } from '../model/graph.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import { revealed } from '../model/sealed.ts';
import { type Fields, holesIn, isRef, mapHoles, namesInPath, type Value } from '../model/value.ts';
import {
  comparedFields,
  identityOf,
  isItemwise,
  isSameValue,
  type Leaf,
  leavesOf,
  omitMembers,
  toComparable,
} from './compare.ts';
import { isPartOfAddress } from './define-kind.ts';
import type { FieldSchemas, Kind } from './kind.ts';
import { type FieldTraits, traitsOf } from './traits.ts';

/**
 * Makes the digest of one value: plain or keyed, with the salt of a ledger entry. `isUnordered`: true if the value is a set in its
 * comparable order.
 */
type Digester = (value: Value, isUnordered?: boolean) => string;
/** Returns the id of the object at an address; undefined if it is unknown. */
type ValueIdLookup = (address: Address) => Value | undefined;
/** Converts a value to the form in which its references were digested. */
type ConvertReferences = <T extends Value>(value: T) => T;

/**
 * Returns the digests that a ledger entry stores after an apply: of each declared value, changed or not, by its dotted path. Later plans
 * compare with them to tell an edit of the configuration from a change in the account. Leaves out values that matter only for a creation
 * (`createOnly`), values with a secret that this run does not have, and all secrets if there is no `key`.
 */
export function digestFields(
  schemas: FieldSchemas,
  fields: Fields,
  declared: ReadonlySet<string>,
  salt: string,
  key: LedgerKey | undefined,
): Pick<LedgerEntry, 'fields' | 'secrets'> {
  const entry: Pick<LedgerEntry, 'fields' | 'secrets'> = { fields: {}, secrets: {} };
  for (const { path, value, traits, isSecret } of leavesOf(schemas, fields)) {
    if (!declared.has(path) || traits.createOnly || hasUnresolvedSecret(value)) continue;
    if (!isSecret) entry.fields[path] = digestLeaf(value, traits, (item) => digest(salt, item));
    else if (key) {
      const leafDigest = digestLeaf(value, traits, (item, isUnordered) =>
        keyedDigest(key, salt, item, isUnordered),
      );
      entry.secrets[path] = { key: key.id, digest: leafDigest };
    }
  }
  return entry;
}

/** True if a value contains a secret that this run does not have. */
const hasUnresolvedSecret = (value: Value): boolean =>
  holesIn(value).some((hole) => '$secret' in hole || (isRef(hole) && hole.isSecret));

/**
 * Returns a copy of a value in which references to objects are the ids of these objects, as far as `idOf` has them. Used before digesting,
 * so that renaming a referenced object does not look like a change of the field.
 */
export const withIds = <T extends Value | undefined>(value: T, idOf: ValueIdLookup): T =>
  typeof value === 'object'
    ? (mapHoles(value, (hole) => (isRef(hole) && hole.attr === 'id' ? (idOf(hole.$ref) ?? hole) : hole)) as T)
    : value;

/**
 * Returns the digest of `SecretOf.form`, the text that surrounds a secret which another object shows once. Used to notice that the text has
 * changed, or that the secret comes from another object.
 */
export const digestOfForm = (form: Value, salt: string, idOf: ValueIdLookup): string =>
  digest(salt, withIds(form, idOf));

/**
 * The recorded digest of one leaf, plain or keyed, with the comparisons by which a plan tells an edit of the configuration from a change in
 * the account. All comparisons are false if it is not comparable.
 */
interface DigestComparison {
  /** True if the ledger entry has a digest for the leaf. */
  isRecorded: boolean;
  /** True if the digest can be compared: it has today's form and, if it is keyed, its key is available. */
  isComparable: boolean;
  /** True if the digest was made of `value`: the value is the one that was applied last. */
  matches(value: Value | undefined, traits: FieldTraits): boolean;
  /** True if `live` is the applied value, or a set on the way from the applied to the desired one. Then the difference is our own edit. */
  isOwnEdit(desired: Value, live: Value | undefined, traits: FieldTraits): boolean;
  /** True if the applied value contains `live`: all items of an itemwise set, otherwise the whole value. */
  includes(live: Value, traits: FieldTraits): boolean;
}

/** The form and the key that decide whether a recorded digest can be compared, and the ids of referenced objects. */
export interface RecordedDigestOptions {
  /** The form that the kind has today. */
  form: number;
  key?: LedgerKey | undefined;
  idOf?: ValueIdLookup | undefined;
}

/**
 * Returns the digest that a ledger entry has at a path, with functions which compare values with the one that was applied last, so that a
 * plan tells an edit of the configuration from drift of the account: `matches` (is it that value), `isOwnEdit` (did only we change it), and
 * `includes` (is it a part of it). All are false if there is no digest, if it was made for another version of the kind (`form`), or if the
 * key of a secret is not available here.
 */
export function recordedDigestAt(
  entry: Pick<LedgerEntry, 'fields' | 'secrets' | 'form' | 'salt'> | undefined,
  path: string,
  { form, key, idOf = () => undefined }: RecordedDigestOptions,
): DigestComparison {
  const isRecorded = entry?.fields[path] !== undefined || entry?.secrets[path] !== undefined;
  const recorded = entry?.form === form ? readDigest(entry, path, key) : undefined;
  if (!recorded) return { isRecorded, isComparable: false, ...noMatches };
  const { recordedDigest, digester } = recorded;
  const toIds: ConvertReferences = (value) => withIds(value, idOf);
  /** Earlier versions digested a reference as an address, today it is digested as an id. So a comparison tries both. */
  const conversionsFor = (value: Value): ConvertReferences[] => {
    // A value that is not known yet matches no digest.
    if (hasUnresolvedHole(value)) return [];
    return typeof value === 'object' && value !== null ? [asWritten, toIds] : [asWritten];
  };
  return {
    isRecorded,
    isComparable: true,
    matches: (value = null, traits) =>
      conversionsFor(value).some(
        (convert) => digestLeaf(convert(value), traits, digester) === recordedDigest,
      ),
    isOwnEdit: (desired, live = null, traits) =>
      conversionsFor(live).some((convert) =>
        isAppliedOrOnTheWay(convert(live), { desired: convert(desired), recordedDigest, traits, digester }),
      ),
    includes: (value, traits) =>
      conversionsFor(value).some((convert) => isContained(convert(value), recordedDigest, traits, digester)),
  };
}

/** The comparisons of a digest that is missing or cannot be compared. */
const noMatches = { matches: () => false, isOwnEdit: () => false, includes: () => false };

/**
 * Returns the digest of a ledger entry at a path, and the function which digests another value in the same way. Undefined if there is none,
 * or if it is that of a secret and was made with a key that this run does not have.
 */
function readDigest(
  { fields, secrets, salt }: Pick<LedgerEntry, 'fields' | 'secrets' | 'salt'>,
  path: string,
  key: LedgerKey | undefined,
): { recordedDigest: string; digester: Digester } | undefined {
  const secret = secrets[path];
  if (secret) {
    const digestKey = findDigestKey(key, secret.key);
    return (
      digestKey && {
        recordedDigest: secret.digest,
        digester: (value, isUnordered) => keyedDigest(digestKey, salt, value, isUnordered),
      }
    );
  }
  const recordedDigest = fields[path];
  if (recordedDigest === undefined) return undefined;
  return { recordedDigest, digester: (value) => digest(salt, revealed(value)) };
}

/** Returns a value with its references as addresses. */
const asWritten: ConvertReferences = (value) => value;

/** The data that a digest of a live value depends on. */
interface LiveDigestOptions {
  salt: string;
  traits: FieldTraits;
  idOf?: ValueIdLookup | undefined;
  /** Set for a secret: its digest is keyed. */
  key?: DigestKey | undefined;
}

/**
 * Returns the digest of a value that the platform keeps although another one was applied. The ledger records it, so that a later plan
 * recognizes this value and does not report it as somebody's change. `salt`: that of the ledger entry; `key`: set for a secret; `idOf`:
 * returns the id of an object, because references are digested as ids.
 */
export function digestLiveValue(
  value: Value | undefined,
  { salt, traits, idOf = () => undefined, key }: LiveDigestOptions,
): string {
  // `keyedDigest` reveals secrets itself.
  const digester: Digester = (item, isUnordered) =>
    key ? keyedDigest(key, salt, item, isUnordered) : digest(salt, revealed(item));
  return digestLeaf(withIds(value ?? null, idOf), traits, digester);
}

/**
 * Returns the digest of a value, by which a later plan finds out whether somebody changed it. An itemwise set, such as DNS records whose
 * `ttl` need not be declared, gets one digest per item, sorted and separated by spaces. Any other value gets one digest.
 */
function digestLeaf(value: Value, traits: FieldTraits, digester: Digester): string {
  return isItemwise(value, traits)
    ? value
        .map((item) => digester(item))
        .sort()
        .join(' ')
    : digester(toComparable(value, traits), traits.unordered);
}

/**
 * True if only our side can have caused the difference between a live and a desired value. Then the plan shows it as an edit of the
 * configuration; otherwise somebody changed the account. Our side is the cause if the live value is the one that was applied last. For an
 * itemwise set, such as the DNS records of one name, it may also be a state on the way to the desired set, since an interrupted update
 * leaves such a state:
 *   1. each live item was applied or is desired, so none was added or changed by others, and
 *   2. each desired item that was applied is still live, perhaps with other optional members, so none was removed by others. Our updates
 *      delete only items that are not desired.
 * With `a b` applied and `a c` desired, `a b c` and `a` are on the way. `b c` is not: somebody removed `a`.
 */
function isAppliedOrOnTheWay(
  live: Value | undefined,
  {
    desired,
    recordedDigest,
    traits,
    digester,
  }: { desired: Value; recordedDigest: string; traits: FieldTraits; digester: Digester },
): boolean {
  if (!isItemwise(live, traits) || !isItemwise(desired, traits))
    return digestLeaf(live ?? null, traits, digester) === recordedDigest;
  const optionalMembers = traits.whereDeclared!;
  const appliedDigests = itemDigestsIn(recordedDigest);
  const wasItemApplied = (item: Fields) => wasApplied(item, appliedDigests, optionalMembers, digester);
  const identity = (item: Fields) => identityOf(item, optionalMembers);
  const desiredItems = new Map(desired.map((item) => [identity(item), item]));
  const liveIdentities = new Set(live.map(identity));
  const isDesired = (liveItem: Fields) => {
    const desiredItem = desiredItems.get(identity(liveItem));
    return desiredItem !== undefined && isSameValue([desiredItem], [liveItem], traits);
  };
  const isOfOthers = (liveItem: Fields) => !wasItemApplied(liveItem) && !isDesired(liveItem);
  const wasRemovedByOthers = (desiredItem: Fields) =>
    wasItemApplied(desiredItem) && !liveIdentities.has(identity(desiredItem));
  return !live.some(isOfOthers) && !desired.some(wasRemovedByOthers);
}

/**
 * True if an item of a set was in the set that was last applied, so that a plan can tell drift from an edit. The item, live or desired, may
 * have optional members, such as `ttl`, that the applied configuration did not declare, and the digest does not show which ones it
 * declared. So the item is digested without each combination of them, and any match counts.
 */
const wasApplied = (
  item: Fields,
  appliedDigests: ReadonlySet<string>,
  optionalMembers: readonly string[],
  digester: Digester,
): boolean =>
  subsetsOf(optionalMembers).some((names) => appliedDigests.has(digester(omitMembers(item, names))));

/** Returns the digests of the items in the recorded digest of an itemwise set, which separates them by spaces. */
const itemDigestsIn = (recordedDigest: string): ReadonlySet<string> => new Set(recordedDigest.split(' '));

/**
 * True if a live value is the applied one or, for an itemwise set, a part of it: each live item was applied. Used to recognize the rows
 * (API objects) of an object whose creation an earlier run did not finish, because one row may have only some items of the recorded set.
 */
function isContained(value: Value, recordedDigest: string, traits: FieldTraits, digester: Digester): boolean {
  if (!isItemwise(value, traits)) return digestLeaf(value, traits, digester) === recordedDigest;
  const appliedDigests = itemDigestsIn(recordedDigest);
  return value.every((item) => wasApplied(item, appliedDigests, traits.whereDeclared!, digester));
}

/**
 * True if a live object with these fields is the one that a ledger entry describes. After an interrupted run, this recognizes an object of
 * ours whose id was not recorded yet, or the version that the run staged: each live value with a comparable digest matches it, and no
 * recorded value is missing that the platform returns. The fields of the address need no comparison. `isWhole`: false if `fields` may be
 * only one of the several rows of the object, so that a recorded set has to include its items but may have more.
 */
export function isObjectOfEntry(
  fields: Fields,
  entry: Pick<LedgerEntry, 'form' | 'salt' | 'fields' | 'secrets'>,
  kind: Kind,
  digestOptions: Pick<RecordedDigestOptions, 'key' | 'idOf'>,
  { isWhole = !kind.shape.mergeRows } = {},
): boolean {
  const { form = 1 } = kind;
  if (entry.form !== form) return false;
  const schemas = comparedFields(kind);
  const isCompared = (path: string) => !isPartOfAddress(path, kind);
  const leaves = leavesOf(schemas, fields).filter(({ path }) => isCompared(path));
  const livePaths = new Set(leaves.map(({ path }) => path));
  const isAsRecorded = ({ path, value, traits }: Leaf) => {
    const recorded = recordedDigestAt(entry, path, { form, ...digestOptions });
    // A field that we did not apply, or a secret whose key this run lacks, proves nothing.
    if (!recorded.isComparable) return true;
    return isWhole ? recorded.matches(value, traits) : recorded.includes(value, traits);
  };
  /** True if the recorded field must be in an answer of the platform, unless its applied value was null. */
  const isExpected = (path: string) => {
    const traits = traitsOf(schemas[namesInPath(path)[0]!]!);
    return !traits.writeOnly && !traits.readMayLack && entry.fields[path] !== digest(entry.salt, null);
  };
  const missingPaths = Object.keys(entry.fields).filter((path) => isCompared(path) && !livePaths.has(path));
  return leaves.every(isAsRecorded) && !missingPaths.some(isExpected);
}
