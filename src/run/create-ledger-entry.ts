import { secretIdOf } from '../kind/define-kind.ts';
import { digestFields } from '../kind/digests.ts';
import type { Kind } from '../kind/kind.ts';
import { comparedFields } from '../kind/leaves.ts';
import { traitsOf } from '../kind/traits.ts';
import { type Action, type Change, createsObject } from '../model/change.ts';
import { digest, newSalt } from '../model/digest.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import { type LedgerKey, secretId } from '../model/ledger-key.ts';
import { type Fields, isHole } from '../model/value.ts';

/** The ledger's entry after a change; undefined if the address leaves the ledger. */
export function createLedgerEntry(
  change: Change,
  kind: Kind,
  ids: string[],
  old: LedgerEntry | undefined,
  key: LedgerKey | undefined,
): LedgerEntry | undefined {
  const { action, after, declared = [], uncompared = [], needs = [], handover } = change;
  if (handover !== undefined) return old && { ...old, handover };
  if (action === 'delete' || action === 'forget' || !after || change.leavesLedger) return undefined;
  const salt = old?.salt ?? newSalt();
  const { meta } = after;
  const digests = meta.existing
    ? { fields: {}, secrets: {} }
    : digestFields(comparedFields(kind), after.fields, new Set(declared), salt, key);
  for (const path of uncompared) digests.secrets[path] ??= old?.secrets[path] ?? notKnown;
  // What we put there is still there, though it is not ours any more.
  const hidden = [...(old?.hidden ?? []), ...Object.keys(old?.secrets ?? {})].filter(
    (path) => digests.fields[path] === undefined && digests.secrets[path] === undefined,
  );
  return {
    kind: kind.name,
    ids: secretIdOf(kind) !== undefined && !key ? (old?.ids ?? []) : ownIds(change, kind, ids, key),
    origin: old?.origin ?? originOf(action),
    salt,
    form: kind.form ?? 1,
    ...digests,
    ...(hidden.length > 0 ? { hidden: [...new Set(hidden)].sort() } : {}),
    ...(old?.targets ? { targets: old.targets } : {}),
    ...stillUnkept(change, old),
    ...(old?.tainted ? { tainted: true as const } : {}),
    ...(meta.secretOf ? { secretOf: digest(salt, meta.secretOf.form) } : {}),
    ...(meta.protect ? { protect: true as const } : {}),
    ...(meta.onRemove ? { onRemove: meta.onRemove } : {}),
    ...(meta.allow ? { allow: meta.allow } : {}),
    ...(meta.position ? { position: meta.position } : {}),
    ...(meta.existing ? { existing: true as const } : {}),
    ...(needs.length > 0 ? { dependsOn: needs } : {}),
  };
}

/** What is remembered of writes that the platform did not keep, as far as this change finds the account unchanged since. */
function stillUnkept(
  { fields, position }: Change,
  old: LedgerEntry | undefined,
): Pick<LedgerEntry, 'notKept'> {
  const isStill = (name: string) =>
    name === '$order'
      ? position?.cause === 'not-kept'
      : name.startsWith('$target ') || fields.some(({ path, notKept }) => notKept && path === name);
  const memory = Object.entries(old?.notKept ?? {}).filter(([name]) => isStill(name));
  return memory.length > 0 ? { notKept: Object.fromEntries(memory) } : {};
}

/** Marks a declared secret whose last applied value is unknown: no key makes this digest. */
const notKnown = { key: '', digest: '' };

function ownIds({ before, after }: Change, kind: Kind, ids: string[], key: LedgerKey | undefined): string[] {
  const field = secretIdOf(kind);
  const secret = field !== undefined && key ? before?.fields[field] : undefined;
  // Found while there was no key yet, it had no id that could be kept.
  if (secret !== undefined && ids.length > 0 && before!.ids.includes(ids[0]!))
    return [secretId(key!, secret)];
  return ids.length > 0 ? idsOf(kind, ids) : naturalIds(kind, after!.fields);
}

/** Sorts the ids of a unit, whose rows come in any order; other ids stay in the order of their creation. */
const idsOf = (kind: Kind, ids: string[]): string[] => (kind.shape.byAddress ? [...ids].sort() : ids);

/** The id of an object that exists without having been created: its name, if the name is its id. */
function naturalIds(kind: Kind, fields: Fields): string[] {
  const name = typeof kind.id === 'string' ? kind.id : 'id';
  return kind.key.includes(name) && !isHole(fields[name]) ? [String(fields[name])] : [];
}

/**
 * The entry of an object while some requests of its change are still to come. A new object has the values sent so far; any other keeps its
 * former ones, so that those sent next count as edits.
 */
export function unfinishedEntry(
  change: Change | undefined,
  kind: Kind,
  ids: string[],
  old: LedgerEntry | undefined,
  key: LedgerKey | undefined,
): LedgerEntry {
  if (old) return { ...old, ids };
  const isWhole = change && !kind.shape.byAddress && createsObject(change);
  const entry = isWhole && createLedgerEntry(atFirst(change, kind), kind, ids, undefined, key);
  return entry || emptyEntry(kind, ids, originOf(change?.action ?? 'create'));
}

/** The entry that an object gets once its creation is answered: with the fields of the first request; for a unit of a row, all fields. */
export function intentEntry(
  change: Change,
  kind: Kind,
  key: LedgerKey | undefined,
  salt = newSalt(),
): LedgerEntry {
  const empty = emptyEntry(kind, [], 'created', salt);
  const entry = createLedgerEntry(
    kind.shape.byAddress ? change : atFirst(change, kind),
    kind,
    [],
    empty,
    key,
  );
  const isOwed = kind.shows !== undefined && change.after?.meta.secretTo !== 'discard';
  return {
    ...(entry ?? empty),
    ids: [],
    ...(isOwed ? { tainted: true as const } : {}),
  };
}

/** The part of a creation that its first request sends. */
const atFirst = (change: Change, kind: Kind): Change => ({
  ...change,
  declared: (change.declared ?? []).filter((path) => !isSentLater(kind, path)),
});

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

const isSentLater = (kind: Kind, path: string) =>
  traitsOf(kind.fields[path.split('.')[0]!]!).updateOnly === true;

const originOf = (action: Action) => (createsObject({ action }) ? 'created' : 'adopted');
