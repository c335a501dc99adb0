/*
 * Compares the declared fields of one object with the live object.
 *
 * Terms: a leaf is one value that is compared on its own, such as a field or a member of a field. A leaf has up to three values: the
 * desired one (configuration), the live one (account) and the applied one (sent by the last apply; the ledger has its digest).
 *
 * Leaves that only a creation sends (`createOnly`) count as desired. Of the others, not every one can be compared, because many are secret.
 * The first row that fits gives the state of a leaf:
 *
 *   | state       | premise                                                                     | comparison                         |
 *   | ----------- | --------------------------------------------------------------------------- | ---------------------------------- |
 *   | generated   | the platform creates the secret in this run (`$secretTo`)                    | none: it is written                |
 *   | unavailable | desired is a secret that this run does not have                              | none: it stays, with a warning     |
 *   | unreadable  | the platform never returns live, or may have left it out of this answer      | desired with applied               |
 *   | guessable   | the result would tell the author of a pull request what the live secret is   | see `guesses.ts`                   |
 *   | comparable  | none of these                                                                | desired with live and applied      |
 *
 * The comparison of three values gives the cause. Again the first row that fits decides:
 *
 *   | desired = live | applied                                               | cause    |
 *   | -------------- | ----------------------------------------------------- | -------- |
 *   | yes            | = desired, or no digest of it can be recorded         | none     |
 *   | yes            | anything else                                         | recorded |
 *   | no live value  | = desired, and the field is immutable                 | none     |
 *   | no             | nothing: the leaf was just declared                   | edit     |
 *   | no             | unknown: no digest, or one of another form or key     | unknown  |
 *   | no             | = live, or live is on the way from it to desired      | edit     |
 *   | no             | anything, and the platform did not keep our last write | edit    |
 *   | no             | = desired                                             | drift    |
 *   | no             | neither                                               | conflict |
 */

import {
  comparedFields,
  isSameValue,
  type Leaf,
  leavesOf,
  reduceToDeclared,
  sealValue,
} from '../kind/compare.ts';
import { isPartOfAddress } from '../kind/define-kind.ts';
import { digestLiveValue, recordedDigestAt } from '../kind/digests.ts';
import { holdsSecretOfRun, isAppliedOpenly } from '../kind/disclosure.ts';
import type { FieldSchemas, Kind } from '../kind/kind.ts';
import { traitsOf } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import type { FieldCause, FieldChange } from '../model/change.ts';
import { digestKeysOf, hasUnresolvedHole, type LedgerKey } from '../model/digest.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import { isIgnored } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';
import type { SecretFinder } from '../model/secret-finder.ts';
import { atPath, type Fields, holdsSecret, holesIn, isRef, namesInPath, type Value } from '../model/value.ts';
import { arePathsNested, decideGuess, isGuess } from './guesses.ts';

/** The desired and the live fields of one object in normal form, with the ledger's entry of it. */
export interface DiffInput {
  schemas: FieldSchemas;
  /** The version of the normal form. Digests that an older version made cannot be compared. */
  form: number;
  desired: Fields;
  live: Fields;
  /** The paths that are not compared: those that `$ignore` names, and secrets that only their creation showed. */
  ignore?: string[] | undefined;
  /** The ledger's entry of the object; absent if this stack has not applied it yet. */
  entry?: LedgerEntry | undefined;
  key?: LedgerKey | undefined;
  /** See `PlanInput`. */
  isWritingRun?: boolean | undefined;
  /** Returns the id of an object that exists. */
  idOf?: (address: Address) => Value | undefined;
  /** True if the platform has a later write than ours: somebody else may have written the fields that cannot be read. */
  hasLaterWrite?: boolean;
  /** Finds the secrets of this run in a text. */
  isSecretOfRun?: SecretFinder;
  /** Sends secrets that cannot be compared, too. */
  sendUnverified?: boolean;
  /** The fields whose secret the platform creates and shows in this run. */
  newSecrets?: readonly string[];
}

/** The result of comparing the fields of one object. A path can be in several lists. */
export interface FieldDifferences {
  /** The fields that differ, and those that are only released or recorded. */
  fields: FieldChange[];
  /** Paths of secrets that could not be compared with the last applied value, because the ledger has no usable digest of it. */
  unverified: string[];
  /** Paths of secrets that cannot be read, and that somebody else may have changed after our last write. */
  maybeOverwritten: string[];
  /** Paths of secrets whose desired value this run does not have. */
  unavailable: string[];
  /** Paths that `$ignore` names. */
  ignored: string[];
}

/** Why it is uncertain whether a live secret is the desired one: see the lists of `FieldDifferences`. */
type SecretDoubt = 'unverified' | 'maybeOverwritten' | 'unavailable';

/** Says how the desired value of a leaf can be compared with the live object. See the first table at the top. */
type Comparability = 'generated' | 'unavailable' | 'unreadable' | 'guessable' | 'comparable';

/** The result for one leaf. Without a cause and without doubts the leaf is as desired. */
interface LeafResult {
  cause?: FieldCause;
  doubts?: readonly SecretDoubt[];
  /** True if the platform did not keep the same value at the last apply. */
  isNotKept?: boolean;
}

const asDesired: LeafResult = {};

/** A leaf of the desired fields, with the two other values that it is compared with. */
interface ComparedLeaf extends Leaf {
  liveValue: Value | undefined;
  /** The value that was last applied, as a digest. */
  applied: ReturnType<typeof recordedDigestAt>;
}

/**
 * Compares the declared fields of an existing object with the live ones, and adds the fields that are no longer declared. Used to decide
 * whether the object is updated, and to show its differences in the plan. A leaf is one value that is compared on its own. Each gives a
 * cause (`edit`, `drift` and so on) if it differs, or doubts if it cannot be compared: the result lists its path in the member that the
 * doubt names.
 */
export function diff(input: DiffInput): FieldDifferences {
  const leaves = leavesOf(input.schemas, input.desired);
  const comparedLeaves = input.ignore ? leaves.filter(({ path }) => !isIgnored(path, input)) : leaves;
  const ignored = input.ignore ? leaves.map(({ path }) => path).filter((path) => isIgnored(path, input)) : [];
  const difference: FieldDifferences = {
    fields: [],
    unverified: [],
    maybeOverwritten: [],
    unavailable: [],
    ignored,
  };
  for (const leaf of comparedLeaves) {
    const result = compareLeaf(leaf, input);
    if (result.cause) difference.fields.push(createFieldChange(leaf, result.cause, result, input));
    for (const doubt of result.doubts ?? []) difference[doubt].push(leaf.path);
  }
  difference.fields.push(...releasedFields(comparedLeaves, input));
  return difference;
}

/**
 * Returns the fields of an object that does not exist yet, all as edits, so that the plan can show what a
 * creation sets. Left out are resets (null) and fields that the address of the object already shows.
 */
export function createdFields(kind: Kind, fields: Fields): FieldChange[] {
  return leavesOf(comparedFields(kind), fields)
    .filter(({ path, value }) => value !== null && !isPartOfAddress(path, kind))
    .map(({ path, value, isSecret: secret }) => ({
      path,
      after: secret ? sealValue(value)! : value,
      cause: 'edit',
      secret: secret || undefined,
    }));
}

/**
 * Returns the ignored fields that a replacement sends with the new object, although they are not compared, so that the plan shows them.
 * Fields whose live value is the desired one, and resets (null), are left out.
 */
export const ignoredFieldsOfReplacement = (input: DiffInput): FieldChange[] =>
  leavesOf(input.schemas, input.desired)
    .filter(({ path, value }) => isIgnored(path, input) && value !== null)
    .filter(({ path, value, traits }) => !isSameValue(value, atPath(input.live, path), traits))
    .map((leaf) => createFieldChange(leaf, 'edit', asDesired, input));

/**
 * Compares one leaf (a declared value that is compared separately) for the plan: with the live value if it can be read, otherwise with the
 * value that was last applied, or not at all. Returns the cause of a difference, or doubts about a secret.
 */
function compareLeaf(desiredLeaf: Leaf, input: DiffInput): LeafResult {
  const { path, traits } = desiredLeaf;
  if (traits.createOnly) return asDesired;
  const applied = recordedDigestAt(input.entry, path, input);
  const leaf: ComparedLeaf = { ...desiredLeaf, liveValue: atPath(input.live, path), applied };
  switch (comparabilityOf(leaf, input)) {
    case 'generated':
      return { cause: 'edit' };
    case 'unavailable':
      return {
        doubts: mayBeOverwritten(leaf, input) ? ['unavailable', 'maybeOverwritten'] : ['unavailable'],
      };
    case 'unreadable':
      return compareUnreadable(leaf, input);
    case 'guessable': {
      const outcome = decideGuess(leaf, applied, input);
      if (outcome !== 'not compared') return { cause: outcome };
      return input.sendUnverified ? { cause: 'unverified' } : { doubts: ['unverified'] };
    }
    case 'comparable':
      return compareReadable(leaf, input);
  }
}

/** Compares a declared value with the live one, and with the value that was last applied. */
function compareReadable(leaf: ComparedLeaf, input: DiffInput): LeafResult {
  const { value, traits, liveValue, applied } = leaf;
  const isAsApplied = () => applied.matches(value, traits);
  // An immutable value cannot have changed, so the answer only leaves it out. A replacement would delete the object for nothing.
  if (liveValue === undefined && traits.immutable === true && isAsApplied()) return asDesired;
  const isAsLive = !hasUnresolvedHole(value) && isSameValue(value, liveValue, traits);
  if (!isAsLive) return causeOfDifference(leaf, input);
  return isRecordable(leaf, input) && !isAsApplied() ? { cause: 'recorded' } : asDesired;
}

/**
 * Returns if and how the plan can compare a leaf (a value that is compared on its own) with the live object,
 * so that no plan claims a secret to be unchanged that it could not compare. This run may not have the
 * desired value (`unavailable`), the platform may not return the live one (`unreadable`), or the result could
 * reveal the secret to the author of a pull request (`guessable`). `generated`: the platform makes the value
 * in this apply.
 */
function comparabilityOf(leaf: ComparedLeaf, input: DiffInput): Comparability {
  const { path, value } = leaf;
  const isUndetermined = hasUnresolvedHole(value);
  // A secret that the platform makes in this apply: it will differ from the live one.
  if (input.newSecrets?.includes(path)) return 'generated';
  // An attribute of another object is known as soon as that object is created. Until then it differs from every value.
  if (isUndetermined && mayBeSecret(leaf, input) && holesIn(value).some((hole) => !isRef(hole)))
    return 'unavailable';
  if (!canBeRead(leaf, input)) return 'unreadable';
  return !isUndetermined && isGuess(leaf, leaf.liveValue, input) ? 'guessable' : 'comparable';
}

/**
 * True if the field of a leaf is secret, or its desired or applied value. A value in clear text can have a keyed digest in the ledger from
 * the time when it was secret, and the platform may withhold it like a secret.
 */
const mayBeSecret = ({ path, value, traits }: Leaf, { entry }: DiffInput): boolean =>
  traits.secret !== undefined || holdsSecret(value) || entry?.secrets[path] !== undefined;

/**
 * True if the answer of the platform shows the live value of a leaf (a value that a plan compares separately). A missing value of any other
 * leaf means that it is not set.
 */
function canBeRead(leaf: ComparedLeaf, input: DiffInput): boolean {
  if (leaf.traits.writeOnly) return false;
  if (leaf.liveValue !== undefined) return true;
  const mayBeLeftOut = leaf.traits.readMayLack || mayBeWithheld(leaf, input);
  return !mayBeLeftOut;
}

/**
 * True if somebody else may have written a secret that cannot be read, after our last write. The plan then warns instead of counting it as
 * unchanged.
 */
const mayBeOverwritten = (leaf: ComparedLeaf, input: DiffInput): boolean =>
  input.hasLaterWrite === true && mayBeSecret(leaf, input) && !canBeRead(leaf, input);

/**
 * Compares a declared value that the platform does not return, such as a secret, with the value that was last applied. An edit is sent. A
 * secret is in doubt if the ledger has no usable digest of the applied one (`unverified`), or if somebody may have overwritten it
 * (`maybeOverwritten`): the plan then warns instead of sending it, because it could replace a good secret.
 */
function compareUnreadable(leaf: ComparedLeaf, input: DiffInput): LeafResult {
  const { value, traits, applied } = leaf;
  const isPossiblyOverwritten = mayBeOverwritten(leaf, input);
  const isAsApplied = applied.matches(value, traits);
  if (isAsApplied && !isPossiblyOverwritten) return asDesired;
  const isUnverified = mayBeSecret(leaf, input) && !applied.isComparable && !isNeverApplied(leaf, input);
  const isEdited = !isAsApplied && !isUnverified;
  // Without an entry, this stack never applied the object, so it is unknown whose change it is.
  if (isEdited) return { cause: applied.isComparable || input.entry ? 'edit' : 'unknown' };
  // The user has allowed this run to send a value that may be in the account already.
  if (input.sendUnverified) return { cause: 'unverified' };
  if (!isUnverified) return { doubts: ['maybeOverwritten'] };
  return { doubts: isPossiblyOverwritten ? ['unverified', 'maybeOverwritten'] : ['unverified'] };
}

/**
 * Returns why a value differs in the account, so that `plan` and `drift` can say whose change it is: an edit
 * of the configuration, drift (somebody changed the account), or both (a conflict). The last applied value
 * decides: the side that differs from it was changed. `unknown` if the ledger has no usable digest of it.
 */
function causeOfDifference(leaf: ComparedLeaf, input: DiffInput): LeafResult {
  const { value, traits, liveValue, applied } = leaf;
  if (!applied.isComparable) return { cause: isNeverApplied(leaf, input) ? 'edit' : 'unknown' };
  // The live value is the applied one, or one between it and the desired value, as after an interrupted apply.
  if (applied.isOwnEdit(value, liveValue, traits)) return { cause: 'edit' };
  const isAsApplied = applied.matches(value, traits);
  // The platform ignored our last write, so the difference is ours. `isNotKept`: the same value is sent again.
  if (isUnkeptWrite(leaf, input)) return { cause: 'edit', isNotKept: isAsApplied };
  return { cause: isAsApplied ? 'drift' : 'conflict' };
}

/**
 * True if this stack has applied the object, but never this leaf of it: the leaf was just added to the configuration, so the difference is
 * an edit.
 */
const isNeverApplied = ({ applied }: ComparedLeaf, { entry, form }: DiffInput): boolean =>
  entry?.form === form && !applied.isRecorded;

/**
 * Creates the change of one differing value, which the plan shows and the requests of an apply send. Secrets are sealed, so that no output
 * can show them.
 */
function createFieldChange(
  leaf: Leaf,
  cause: FieldCause,
  { isNotKept }: LeafResult,
  input: DiffInput,
): FieldChange {
  const { path, value, traits, isSecret } = leaf;
  const liveValue = atPath(input.live, path);
  const isImmutable = typeof traits.immutable === 'function' ? traits.immutable(liveValue) : traits.immutable;
  const liveAsDeclared = reduceToDeclared(liveValue, value, traits);
  // A live value that was sealed as a precaution is opened if plans may show it.
  const openOrSealed = mayShowLive(leaf, liveValue, input) ? revealed(liveAsDeclared) : liveAsDeclared;
  const before = isSecret ? sealValue(liveAsDeclared) : openOrSealed;
  return {
    path,
    before: before as Value | undefined,
    after: isSecret ? sealValue(value)! : value,
    cause,
    replaces: isImmutable && cause !== 'recorded' ? true : undefined,
    secret: isSecret ? true : undefined,
    notKept: isNotKept ? true : undefined,
  };
}

/** True if a live value may be shown although its field is secret: it was applied from clear text, and is no secret of this run. */
const mayShowLive = (leaf: Leaf, liveValue: Value | undefined, input: DiffInput): boolean =>
  isAppliedOpenly(leaf, liveValue, input) &&
  !(input.isSecretOfRun && holdsSecretOfRun(liveValue, input.isSecretOfRun));

/**
 * True if the platform ignored our last write of a value: the account still shows the value that it showed right after that write. Used to
 * report such a difference as ours and not as drift.
 */
function isUnkeptWrite({ path, traits, liveValue }: ComparedLeaf, { entry, key, idOf }: DiffInput): boolean {
  const shownAfterApply = entry?.notKept?.[path];
  if (!entry || shownAfterApply === undefined) return false;
  // The digest is keyed only if the value was a secret.
  const digestKeys = [undefined, ...digestKeysOf(key)];
  return digestKeys.some(
    (digestKey) =>
      digestLiveValue(liveValue, { salt: entry.salt, traits, idOf, key: digestKey }) === shownAfterApply,
  );
}

/**
 * True if the ledger can get a new digest of a leaf (a value that is compared on its own) whose live value is as desired: the plan then
 * says that only the ledger changes. The digest of a secret needs the key. An entry of an older form (version of the kind's normal form)
 * stays until the next write, since its digests cannot be compared.
 */
function isRecordable({ path, isSecret }: Leaf, { entry, form, key }: DiffInput): boolean {
  if (entry?.form !== form) return false;
  const needsKey = isSecret || entry.secrets[path] !== undefined;
  return key !== undefined || !needsKey;
}

/**
 * True if the platform may leave a live value out of its answer because it is secret. The live object decides as well as the desired one: a
 * `sensitive` variable that becomes `plain` cannot be read until it is replaced.
 */
function mayBeWithheld({ path, traits }: Leaf, { schemas, live }: DiffInput): boolean {
  const { secret } = traitsOf(schemas[namesInPath(path)[0]!]!);
  return traits.secret !== undefined || (typeof secret === 'function' && secret(live));
}

/**
 * Returns the fields that were applied once and are no longer declared. The account keeps their values, but
 * the ledger drops them, so that later changes of them outside are no drift. The plan shows this as a
 * release.
 */
function releasedFields(declared: Leaf[], input: DiffInput): FieldChange[] {
  const { entry, live } = input;
  if (!entry) return [];
  return [...Object.keys(entry.fields), ...Object.keys(entry.secrets)]
    .filter((path) => !isIgnored(path, input))
    .filter((path) => !declared.some((leaf) => arePathsNested(leaf.path, path)))
    .sort()
    .map((path) => {
      const isSecret = entry.secrets[path] !== undefined;
      const liveValue = atPath(live, path);
      return {
        path,
        before: isSecret ? sealValue(liveValue) : liveValue,
        cause: 'released' as const,
        secret: isSecret ? true : undefined,
      };
    });
}
