import { isSameValue, reduceToDeclared, sealValue } from '../kind/compare.ts';
import { digestLiveValue, recordedDigestAt } from '../kind/digests.ts';
import { holdsSecretOfRun, isAppliedOpenly } from '../kind/disclosure.ts';
import type { FieldSchemas, Kind } from '../kind/kind.ts';
import { comparedFields, type Leaf, leavesOf } from '../kind/leaves.ts';
import { traitsOf } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import type { FieldChange } from '../model/change.ts';
import { hasUnknown } from '../model/digest.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import { type LedgerKey, makersOf } from '../model/ledger-key.ts';
import { revealed } from '../model/sealed.ts';
import type { SecretFinder } from '../model/secret-finder.ts';
import { atPath, type Fields, holdsSecret, holesIn, isRef, namesInPath, type Value } from '../model/value.ts';
import { arePathsNested, decideGuess, isGuess } from './guesses.ts';

/** A wanted resource and the found one, in normal form. */
export interface DiffInput {
  schemas: FieldSchemas;
  form: number;
  desired: Fields;
  live: Fields;
  ignore?: string[] | undefined;
  entry?: LedgerEntry | undefined;
  key?: LedgerKey | undefined;
  /** See `PlanInput`. */
  isWritingRun?: boolean | undefined;
  /** The id of an object that exists. */
  idOf?: (address: Address) => Value | undefined;
  /** Somebody else wrote the object since, so the ledger is not sure about unreadable values any more. */
  isTouched?: boolean;
  /** Finds the secrets of this run. */
  isSecretOfRun?: SecretFinder;
  /** Sends secrets that cannot be compared, too. */
  sendUnverified?: boolean;
  /** Fields whose secret the platform shows in this run: they certainly differ. */
  newSecrets?: readonly string[];
}

export interface Difference {
  /** The fields that differ, and those that are only released or recorded. */
  fields: FieldChange[];
  /** Paths of secrets that could not be compared, for lack of a digest. */
  unverified: string[];
  /** Paths of secrets that cannot be read, and that somebody else may have changed since. */
  touched: string[];
  /** Paths of secrets that are not available here. */
  unavailable: string[];
  /** Paths that `$ignore` names. */
  ignored: string[];
}

/**
 * Compares declared fields one by one. With the value of the last apply in the ledger, the comparison is three-way: it tells edits, drift
 * and conflicts apart.
 */
export function diff(pair: DiffInput): Difference {
  const leaves = leavesOf(pair.schemas, pair.desired);
  const wanted = pair.ignore ? leaves.filter(({ path }) => !isIgnored(path, pair.ignore)) : leaves;
  const ignored = pair.ignore
    ? leaves.map(({ path }) => path).filter((path) => isIgnored(path, pair.ignore))
    : [];
  const result: Difference = { fields: [], unverified: [], touched: [], unavailable: [], ignored };
  for (const leaf of wanted) compareLeaf(leaf, pair, result);
  result.fields.push(...released(wanted, pair));
  return result;
}

/** The fields of an object that does not exist yet: all are our edit. Fields that its address states are left out. */
export function createdFields(kind: Kind, fields: Fields): FieldChange[] {
  const told = [...kind.key, ...kind.shape.addressFields];
  return leavesOf(comparedFields(kind), fields)
    .filter(({ path, value }) => value !== null && !told.includes(path))
    .map(({ path, value, isSecret: secret }) => ({
      path,
      after: secret ? sealValue(value)! : value,
      cause: 'edit',
      ...(secret ? { secret } : {}),
    }));
}

function compareLeaf(leaf: Leaf, pair: DiffInput, result: Difference): void {
  const { path, value, traits } = leaf;
  if (traits.createOnly) return;
  const found = atPath(pair.live, path);
  // Its digest may be keyed, and it may be kept back where it is read, though it stands in clear in the configuration.
  const secret = traits.secret !== undefined || holdsSecret(value) || pair.entry?.secrets[path] !== undefined;
  const readable =
    !traits.writeOnly && !(found === undefined && (traits.readMayLack || mayBeKeptBack(leaf, pair)));
  const unknown = hasUnknown(value);
  // Another object's attribute is known once that object is made: until then it differs from everything.
  const isUnavailable = unknown && secret && holesIn(value).some((hole) => !isRef(hole));
  const last = recordedDigestAt(pair.entry, path, pair);
  const change = (cause: FieldChange['cause'], notKept = false): void => {
    const immutable = typeof traits.immutable === 'function' ? traits.immutable(found) : traits.immutable;
    const shown = reduceToDeclared(found, value, traits);
    const before = leaf.isSecret
      ? sealValue(shown)
      : mayShowLive(leaf, pair, found)
        ? revealed(shown)
        : shown;
    result.fields.push({
      path,
      ...(before === undefined ? {} : { before: before as Value }),
      after: leaf.isSecret ? sealValue(value)! : value,
      cause,
      ...(immutable && cause !== 'recorded' ? { replaces: true } : {}),
      ...(leaf.isSecret ? { secret: true } : {}),
      ...(notKept ? { notKept: true } : {}),
    });
  };

  if (pair.newSecrets?.includes(path)) {
    change('edit');
    return;
  }
  const mayBeTheirs = secret && !readable && pair.isTouched === true;
  if (isUnavailable) {
    result.unavailable.push(path);
    if (mayBeTheirs) result.touched.push(path);
    return;
  }
  if (!readable) {
    // It never comes back: what was last applied is all there is to compare with.
    const isAsApplied = last.matches(value, traits);
    if (isAsApplied && !mayBeTheirs) return;
    const isNew = pair.entry?.form === pair.form && !last.isRecorded;
    const isUnverified = secret && !last.isComparable && !isNew;
    if (!isAsApplied && !isUnverified) change(last.isComparable || pair.entry ? 'edit' : 'unknown');
    else if (pair.sendUnverified) change('unverified');
    else {
      if (isUnverified) result.unverified.push(path);
      if (mayBeTheirs) result.touched.push(path);
    }
    return;
  }
  if (!unknown && isGuess(leaf, found, pair)) {
    const outcome = decideGuess(leaf, last, pair);
    if (outcome !== 'not compared') change(outcome);
    else if (pair.sendUnverified) change('unverified');
    else result.unverified.push(path);
    return;
  }
  if (!unknown && isSameValue(value, found, traits)) {
    if (isRecordable(leaf, pair) && !last.matches(value, traits)) change('recorded');
    return;
  }
  if (!last.isComparable)
    change(pair.entry && pair.entry.form === pair.form && !last.isRecorded ? 'edit' : 'unknown');
  else if (last.leadsTo(value, found, traits)) change('edit');
  else if (isNotKept(leaf, pair, found)) change('edit', last.matches(value, traits));
  else change(last.matches(value, traits) ? 'drift' : 'conflict');
}

/** True if a live value may be shown although its field is secret: it was applied from clear text, and is no secret of this run. */
const mayShowLive = (leaf: Leaf, pair: DiffInput, value: Value | undefined): boolean =>
  isAppliedOpenly(leaf, value, pair) && !(pair.isSecretOfRun && holdsSecretOfRun(value, pair.isSecretOfRun));

/** True if the account still shows what it showed in place of our last write. */
function isNotKept(
  { path, traits }: Leaf,
  { entry, key, idOf }: DiffInput,
  value: Value | undefined,
): boolean {
  const kept = entry?.notKept?.[path];
  if (!entry || kept === undefined) return false;
  const makers = [undefined, ...makersOf(key)];
  return makers.some(
    (maker) => digestLiveValue(value, { salt: entry.salt, traits, idOf, key: maker }) === kept,
  );
}

/** True if the ledger may get a new digest. Without a key there are no new keyed digests; those in another form stay until something is sent. */
const isRecordable = ({ path, isSecret }: Leaf, { entry, form, key }: DiffInput) =>
  entry?.form === form && (key !== undefined || !(isSecret || entry.secrets[path] !== undefined));

/**
 * True if the platform may keep back the live value of a field because it is secret. The live object decides as well as the desired one: a
 * `sensitive` variable that becomes `plain` cannot be read until it was replaced.
 */
function mayBeKeptBack({ path, traits }: Leaf, { schemas, live }: DiffInput): boolean {
  const { secret } = traitsOf(schemas[namesInPath(path)[0]!]!);
  return traits.secret !== undefined || (typeof secret === 'function' && secret(live));
}

/** Fields that were applied once and are no longer declared: they are not ours any more. */
function released(wanted: Leaf[], { entry, ignore, live }: DiffInput): FieldChange[] {
  if (!entry) return [];
  return [...Object.keys(entry.fields), ...Object.keys(entry.secrets)]
    .filter((path) => !isIgnored(path, ignore))
    .filter((path) => !wanted.some((leaf) => arePathsNested(leaf.path, path)))
    .sort()
    .map((path) => {
      const secret = entry.secrets[path] !== undefined;
      const found = atPath(live, path);
      return {
        path,
        ...(found === undefined ? {} : { before: secret ? sealValue(found)! : found }),
        cause: 'released' as const,
        ...(secret ? { secret: true } : {}),
      };
    });
}

const isIgnored = (path: string, ignore: string[] | undefined) =>
  ignore?.some((name) => path === name || path.startsWith(`${name}.`)) ?? false;
