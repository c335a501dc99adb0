/*
 * Makes the ledger's entries. An entry is the record of one object as this stack last applied it: digests of the applied values, no values.
 *
 *   | function           | entry                                                                           |
 *   | `createLedgerEntry`| after a change is done                                                          |
 *   | `unfinishedEntry`  | while requests of the change are still to come                                  |
 *   | `intentEntry`      | of an object that is about to be created, in case the answer gets lost          |
 */

import { comparedFields, leavesOf } from '../kind/compare.ts';
import { secretIdOf } from '../kind/define-kind.ts';
import { digestFields } from '../kind/digests.ts';
import type { Kind } from '../kind/kind.ts';
import { isUpdateOnly } from '../kind/step.ts';
import { type Change, type ChangeAction, createsObject } from '../model/change.ts';
import { digest, type LedgerKey, newSalt, secretId } from '../model/digest.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import { isIgnored, type Resource } from '../model/resource.ts';
import { type Fields, isHole } from '../model/value.ts';
import { dropUndefined } from '../model/walk.ts';

/**
 * Returns the ledger's entry of an object after its change is done; undefined if the address leaves the ledger, because the object was
 * deleted or is no longer managed. Later plans compare with its digests to tell an edit of the configuration from a change outside.
 * `recordedEntry`: the entry before the change. `ids`: the ids of the object in the answers. An object that is handed over to another stack
 * keeps its entry, with a mark. Without `key`, secrets are recorded as declared, but without a digest. `LedgerEntry` explains the members.
 */
export function createLedgerEntry(
  change: Change,
  kind: Kind,
  ids: string[],
  recordedEntry: LedgerEntry | undefined,
  key: LedgerKey | undefined,
): LedgerEntry | undefined {
  const { action, after, declared = [], uncompared = [], needs = [], handover } = change;
  if (handover !== undefined) return recordedEntry && { ...recordedEntry, handover };
  const isRemoved = action === 'delete' || action === 'forget' || change.leavesLedger;
  if (isRemoved || !after) return undefined;
  const salt = recordedEntry?.salt ?? newSalt();
  const { meta } = after;
  const digests = meta.existing
    ? { fields: {}, secrets: {} }
    : digestFields(comparedFields(kind), after.fields, new Set(declared), salt, key);
  // A secret that the plan could not compare was not sent, so what the ledger has about it stays true.
  for (const path of uncompared)
    digests.secrets[path] ??= recordedEntry?.secrets[path] ?? unknownSecretDigest;
  // An id that is a secret is recorded as a digest, and a digest needs the key.
  const hasUnrecordableId = secretIdOf(kind) !== undefined && !key;
  return dropUndefined({
    kind: kind.name,
    ids: hasUnrecordableId ? (recordedEntry?.ids ?? []) : recordableIds(change, kind, ids, key),
    origin: recordedEntry?.origin ?? entryOriginOf(action),
    salt,
    form: kind.form ?? 1,
    ...digests,
    hidden: hiddenPaths(digests, recordedEntry, after, kind),
    targets: recordedEntry?.targets,
    notKept: keepTrueDigests(change, recordedEntry),
    tainted: recordedEntry?.tainted && (true as const),
    secretOf: meta.secretOf && digest(salt, meta.secretOf.form),
    protect: meta.protect ? (true as const) : undefined,
    allow: meta.allow,
    position: meta.position,
    existing: meta.existing ? (true as const) : undefined,
    dependsOn: needs.length > 0 ? needs : undefined,
  });
}

/**
 * Returns the paths of secrets that the account may have although the new entry (with the digests `fields` and `secrets`) has no digest of
 * them, so that plans never show these fields: secrets that are no longer declared, and those that only the creation sends (`$ignore`).
 * Undefined if there are none.
 */
function hiddenPaths(
  { fields, secrets }: Pick<LedgerEntry, 'fields' | 'secrets'>,
  recordedEntry: LedgerEntry | undefined,
  resource: Resource,
  kind: Kind,
): string[] | undefined {
  const hasDigest = (path: string) => fields[path] !== undefined || secrets[path] !== undefined;
  const paths = [
    ...(recordedEntry?.hidden ?? []),
    ...Object.keys(recordedEntry?.secrets ?? {}),
    ...ignoredSecretsOf(resource, kind),
  ].filter((path) => !hasDigest(path));
  return paths.length > 0 ? [...new Set(paths)].sort() : undefined;
}

/**
 * Returns the part of an entry's `notKept` that is still true, for the new entry; undefined if nothing is. These are digests of the values
 * that the account showed instead of those that we wrote, because the platform did not keep ours. The plan marks a field
 * (`FieldChange.notKept`) if the account still shows that same value. Any other value means that somebody has changed the account since, so
 * the digest is outdated.
 */
function keepTrueDigests(
  { fields, position }: Change,
  recordedEntry: LedgerEntry | undefined,
): LedgerEntry['notKept'] {
  // A name in the entry's `notKept` is a field path, `$order` for the position, or `$target NAME` for a removed target of a variable.
  const isStillTrue = (name: string) => {
    if (name === '$order') return position?.cause === 'not-kept';
    // A change is about one target of the variable, so it does not show what became of another one.
    if (name.startsWith('$target ')) return true;
    return fields.some((field) => field.path === name && field.notKept);
  };
  const trueDigests = Object.entries(recordedEntry?.notKept ?? {}).filter(([name]) => isStillTrue(name));
  return trueDigests.length > 0 ? Object.fromEntries(trueDigests) : undefined;
}

/**
 * Returns the paths of the secrets of an object that `$ignore` names. A creation sends them, but later plans do not compare them, so the
 * ledger has no digest of them. It records their paths instead, so that plans hide these fields.
 */
const ignoredSecretsOf = ({ fields, meta }: Resource, kind: Kind): string[] =>
  meta.ignore
    ? leavesOf(comparedFields(kind), fields)
        .filter(({ path, isSecret }) => isSecret && isIgnored(path, meta))
        .map(({ path }) => path)
    : [];

/** The digest of a declared secret whose last applied value is unknown. No key can produce it, so it equals no value. */
const unknownSecretDigest = { key: '', digest: '' };

/**
 * Returns the ids for the entry of a finished change. An id that is a secret is a keyed digest, so that the ledger never has it in plain
 * text: ids from answers are digests already, and that of an object that was read is computed again from its field. If the platform
 * returned no id, the name is used where names are ids.
 */
function recordableIds(
  { before, after }: Change,
  kind: Kind,
  ids: string[],
  key: LedgerKey | undefined,
): string[] {
  const field = secretIdOf(kind);
  const secret = field !== undefined && key ? before?.fields[field] : undefined;
  // The reading may have been without a key or with an earlier one. Its id is then no digest by the current key.
  const isIdOfReading = ids.length > 0 && before?.ids.includes(ids[0]!);
  if (secret !== undefined && isIdOfReading) return [secretId(key!, secret)];
  return ids.length > 0 ? sortUnitIds(kind, ids) : naturalIds(kind, after!.fields);
}

/**
 * Sorts the ids of an object that the platform keeps in several rows (`byAddress`), so that the ledger's entry does not change with the
 * order in which the platform lists the rows. The ids of other objects stay in the order of their creation, in which the last one is
 * current.
 */
const sortUnitIds = (kind: Kind, ids: string[]): string[] => (kind.shape.byAddress ? [...ids].sort() : ids);

/**
 * Returns the id of an object for which no answer had one, such as a setting that always exists, so that later runs
 * recognize it: its name, if the kind uses names as ids, otherwise none.
 */
function naturalIds(kind: Kind, fields: Fields): string[] {
  const name = typeof kind.id === 'string' ? kind.id : 'id';
  return kind.key.includes(name) && !isHole(fields[name]) ? [String(fields[name])] : [];
}

/**
 * Returns the ledger entry of an object while requests of its change are still to come. A new object has the values
 * that its first request sends. Any other keeps its former values, so that the next plan sends the remaining ones
 * again if the run is interrupted.
 */
export function unfinishedEntry(
  change: Change | undefined,
  kind: Kind,
  ids: string[],
  recordedEntry: LedgerEntry | undefined,
  key: LedgerKey | undefined,
): LedgerEntry {
  if (recordedEntry) return { ...recordedEntry, ids };
  // The rows of an object `byAddress` are written one by one, so it has its values only after the last request.
  const isNewObject = change && !kind.shape.byAddress && createsObject(change);
  const newEntry = isNewObject
    ? createLedgerEntry(asFirstSent(change, kind), kind, ids, undefined, key)
    : undefined;
  return newEntry ?? emptyEntry(kind, ids, entryOriginOf(change?.action ?? 'create'));
}

/**
 * Returns the ledger entry, without ids, that an object gets if its creation is answered. Stored before the creation is sent, so that the
 * next run recognizes the object by its content. A creation may take several requests, so the entry has only the fields of the first one;
 * an object that is stored in rows (`byAddress`) has all. If only the answer shows a secret of the object, the entry is `tainted`: the
 * next run replaces the object, unless the secret is to be discarded.
 */
export function intentEntry(
  change: Change,
  kind: Kind,
  key: LedgerKey | undefined,
  salt = newSalt(),
): LedgerEntry {
  const empty = emptyEntry(kind, [], 'created', salt);
  const creation = kind.shape.byAddress ? change : asFirstSent(change, kind);
  const entry = createLedgerEntry(creation, kind, [], empty, key) ?? empty;
  // A secret that the answer shows only once is lost with it.
  const isSecretOwed = kind.shows !== undefined && change.after?.meta.secretTo !== 'discard';
  // No spread, because `tainted` is a new member (CONTRIBUTING.md, "Memory").
  return isSecretOwed ? Object.assign({}, entry, { ids: [], tainted: true as const }) : { ...entry, ids: [] };
}

/**
 * Returns a creation with only the fields that its first request sends. The account has no more than these until the
 * next request, so the ledger must not claim more.
 */
const asFirstSent = (change: Change, kind: Kind): Change =>
  change.declared
    ? { ...change, declared: change.declared.filter((path) => !isUpdateOnly(kind, path.split('.')[0]!)) }
    : change;

/**
 * Returns an entry without any applied values. Used for an object of ours whose content is not known to be applied,
 * so that the next plan sends all its fields.
 */
const emptyEntry = (
  kind: Kind,
  ids: string[],
  origin: LedgerEntry['origin'],
  salt = newSalt(),
): LedgerEntry => ({
  kind: kind.name,
  ids,
  origin,
  salt,
  form: kind.form ?? 1,
  fields: {},
  secrets: {},
});

const entryOriginOf = (action: ChangeAction) => (createsObject({ action }) ? 'created' : 'adopted');
