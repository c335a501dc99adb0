import { comparedFields } from '../kind/compare.ts';
import { canDo, isSingleton, secretIdOf } from '../kind/define-kind.ts';
import { digestOfForm } from '../kind/digests.ts';
import { secretFinderOf } from '../kind/disclosure.ts';
import type { Kind } from '../kind/kind.ts';
import { asksForWrite, type DecidedChange, type FieldChange, fieldReasons } from '../model/change.ts';
import { type DigestKey, findDigestKey, findDigestKeyOfId, type LedgerKey } from '../model/digest.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import { createIdLookup, fieldsWhileExisting, type LiveResource, type Resource } from '../model/resource.ts';
import { atPath } from '../model/value.ts';
import { createChange, type DeclaredComparison, isExclusive } from './comparison.ts';
import { type DiffInput, diff, ignoredFieldsOfReplacement } from './diff.ts';
import { arePathsNested } from './guesses.ts';
import { reportUncomparedSecrets } from './report-uncompared-secrets.ts';
import { matchesAny } from './select-changes.ts';
import { lostSecretProblem, reportKeptSecret } from './shown-secrets.ts';
import { remembersFields } from './unkept-writes.ts';

/** A declared object that exists. */
type ExistingComparison = DeclaredComparison & { live: LiveResource };

/** A comparison with the undeclared fields (`widened`) that somebody switched on outside, so that our value reaches more targets. */
type WidenedComparison = ExistingComparison & { widened: readonly string[] };

/** The members of a change that the decision about a compared object adds to the result of the comparison. */
type ComparedDecision = Pick<DecidedChange, 'reason'> &
  (
    | { action: 'update' | 'replace' | 'move' | 'release' | 'noop' }
    | { action: 'adopt'; changesLedgerOnly?: true }
  );

/** The result of comparing the fields of an object. */
interface FieldDecision {
  /** The fields that differ, with those that only change the ledger. */
  fields: FieldChange[];
  /** The paths whose values the ledger records: declared, compared and not ignored. */
  recordedPaths: string[];
  /** The paths of secrets that could not be compared. */
  uncompared: string[];
  /** True if somebody else may have changed a secret that cannot be read. */
  isSecretMaybeOverwritten: boolean;
}

/**
 * Decides what a plan does with an object that is declared and exists: nothing, an adoption, an update, a replacement, a move or a release.
 * Returns undefined and reports the reason if the object would have to be replaced and must not be. `unmarked`: the desired, live and
 * recorded object, without the mark `ours` on the rows (objects of the platform that the live object consists of) that this stack created.
 * `declared`: the paths that the configuration declares.
 */
export function decideByComparison(
  unmarked: WidenedComparison,
  declared: string[],
): DecidedChange | undefined {
  const comparison = unmarked.live.rows ? { ...unmarked, live: markOwnRows(unmarked) } : unmarked;
  const compared = decideFields(comparison, declared);
  const { fields, recordedPaths, uncompared, isSecretMaybeOverwritten } = compared;
  const outsideReason = reasonChangedOutside(comparison, fields);
  const decision = decideAction(comparison, compared, outsideReason);
  if (!decision) return undefined;
  const isReplacement = decision.action === 'replace';
  return createChange(comparison, {
    declared: recordedPaths,
    uncompared: uncompared.length > 0 ? uncompared : undefined,
    // A replacement sends all secrets, so none of them stays in doubt.
    writtenOutside: isSecretMaybeOverwritten && !isReplacement ? (true as const) : undefined,
    outside: outsideReason === undefined ? undefined : (true as const),
    before: comparison.live,
    ...(isReplacement ? creationOf(comparison, fields) : { after: resourceAfter(comparison), fields }),
    ...decision,
  });
}

/**
 * Decides the action of a plan for an object that is declared and exists. The first reason that fits decides: a lost secret, a move to
 * another parent, fields that differ, an object that is new to the ledger, a field that is no longer declared, a value to record. Undefined
 * if the object would have to be replaced and must not be; that is reported. `outsideReason`: set if somebody replaced or renamed it.
 */
function decideAction(
  comparison: ExistingComparison,
  compared: FieldDecision,
  outsideReason: string | undefined,
): ComparedDecision | undefined {
  const { kind, desired, entry, live, isReplacedOutside, input } = comparison;
  const { fields } = compared;
  // A secret that is shown only at creation comes back only with a new object, even if nothing else differs.
  if (entry?.tainted && !isReplacedOutside)
    return { action: 'replace', reason: 'the secret shown at its creation was not delivered' };
  const lostSecretReason = input.lostSecrets.get(desired.address);
  if (lostSecretReason !== undefined)
    return mayRecreate(comparison, lostSecretReason)
      ? { action: 'replace', reason: lostSecretReason }
      : undefined;
  const writes = fields.filter(asksForWrite);
  const unchangeable = writes.filter(({ replaces }) => replaces || !canDo(kind, 'update'));
  if (unchangeable.length > 0 && !mayReplace(comparison, unchangeable)) return undefined;
  // The live object is still in another parent.
  if (live.transfer) return { action: 'move', reason: formatTransfer(live.transfer) };
  const isNewToUs = !entry || isReplacedOutside;
  if (writes.length > 0) {
    // An adoption with differing fields also sends them.
    const actionInPlace = isNewToUs ? 'adopt' : 'update';
    return {
      action: unchangeable.length > 0 ? 'replace' : actionInPlace,
      reason: outsideReason ?? reasonOfWrites(writes, entry),
    };
  }
  if (isNewToUs) return { action: 'adopt', reason: outsideReason };
  if (fields.some(({ cause }) => cause === 'released')) return { action: 'release' };
  return decideRecording(comparison, entry, compared);
}

/**
 * Returns the live object with a mark (`ours`) on those of its rows (objects of the platform) that the ledger
 * has, so that the requests of an update leave the rows of others as they are.
 */
function markOwnRows({ live, entry, isReplacedOutside }: ExistingComparison): LiveResource {
  if (!live.rows) return live;
  const isOurs = (id: string) => !isReplacedOutside && (entry?.ids.includes(id) ?? false);
  return { ...live, rows: live.rows.map(({ id, fields }) => ({ id, fields, ours: isOurs(id) })) };
}

/**
 * Compares the fields of an object that exists, reports secrets that could not be compared, and decides which
 * fields the ledger records: those that are declared, compared and not ignored. `decideByComparison` then
 * chooses the action: update, replace, adopt or nothing. `declared`: the paths of the declared fields. `widened`:
 * undeclared fields that somebody switched on outside, so that our value reaches more targets; they count as drift.
 */
function decideFields(comparison: WidenedComparison, declared: string[]): FieldDecision {
  const { desired, entry, live, notes, widened } = comparison;
  const difference = diff(diffInputOf(comparison));
  reportUncomparedSecrets(difference, comparison);
  if (difference.unverified.length > 0 || difference.maybeOverwritten.length > 0)
    notes.unverifiedSecrets.add(desired.address);

  // The fields of a variable that keep the secret of another object, because the platform showed it only at its creation.
  const keptSecrets = keptSecretFields(comparison);
  const isKeptSecretMaybeOverwritten =
    keptSecrets.length > 0 && isWrittenLater(live, entry) && isInRecordedRow(comparison);
  if (keptSecrets.length > 0) reportKeptSecret(comparison, isKeptSecretMaybeOverwritten);

  const uncompared = [...difference.unverified, ...difference.unavailable, ...keptSecrets];
  const unrecorded = [...uncompared, ...difference.ignored];
  const recordedPaths =
    unrecorded.length > 0 ? declared.filter((path) => !unrecorded.includes(path)) : declared;
  // A field with the cause `recorded` only changes the ledger, so it is left out if the ledger does not record it.
  const fields = difference.fields
    .filter(({ path, cause }) => cause !== 'recorded' || recordedPaths.includes(path))
    .map((field): FieldChange => (widened.includes(field.path) ? { ...field, cause: 'drift' } : field));
  const isSecretMaybeOverwritten = difference.maybeOverwritten.length > 0 || isKeptSecretMaybeOverwritten;
  return { fields, recordedPaths, uncompared, isSecretMaybeOverwritten };
}

/**
 * Returns the resource as it is after the change of a plan, without the fields that `$ignore` names: these
 * keep their live values, even where the whole object is sent.
 */
const resourceAfter = ({ desired }: ExistingComparison): Resource =>
  desired.meta.ignore ? { ...desired, fields: fieldsWhileExisting(desired) } : desired;

/**
 * Returns the resource and the fields of a replacement. It creates a new object, so it also sends the fields that `$ignore` names.
 * `fields`: the differences of the others.
 */
const creationOf = (
  comparison: ExistingComparison,
  fields: FieldChange[],
): { after: Resource; fields: FieldChange[] } => ({
  after: comparison.desired,
  fields: [
    ...fields,
    ...ignoredFieldsOfReplacement({ ...diffInputOf(comparison), ignore: comparison.desired.meta.ignore }),
  ],
});

/**
 * Returns the reason that the plan shows if somebody replaced or renamed the whole object in the account since our last apply; undefined if
 * neither happened.
 */
function reasonChangedOutside(
  { kind, live, entry, isReplacedOutside }: ExistingComparison,
  fields: FieldChange[],
): string | undefined {
  if (isReplacedOutside) return 'replaced outside';
  // A `$was` in the configuration renames as well: then the last applied name is the old one, and the new one is an edit.
  const isRenamedHere = fields.some(({ path, cause }) => kind.key.includes(path) && cause === 'edit');
  return live.renamedTo && entry && !isRenamedHere ? 'renamed outside' : undefined;
}

/**
 * Decides about an object of ours that is as desired, so that nothing is sent: no change, or an adoption, which only records something in
 * the ledger, such as a new address. If the ledger only learns new values, the change has the mark `changesLedgerOnly` and needs no
 * approval. An object that was taken over from another stack is adopted even without a reason.
 */
function decideRecording(
  comparison: ExistingComparison,
  entry: LedgerEntry,
  { fields, recordedPaths }: FieldDecision,
): ComparedDecision {
  const { address } = comparison.desired;
  const { recordedAddresses, takenOver } = comparison.input.identities ?? {};
  const oldAddress = recordedAddresses?.get(address);
  const renameReason = oldAddress === undefined ? undefined : `renamed from ${oldAddress}`;
  const isTakenOver = takenOver?.has(address) ?? false;
  // The platform did not keep the values of the last apply at first, which the ledger remembers, but shows them now.
  const isKeptByNow = remembersFields(entry);
  const keptReason = isKeptByNow ? 'the account now shows the applied values' : undefined;
  const reason = renameReason ?? reasonToRecord(comparison, fields, recordedPaths) ?? keptReason;
  if (reason === undefined && !isTakenOver) return { action: 'noop' };
  const hasNewValues = hasOnlyNewValues(fields, entry) || (isKeptByNow && fields.length === 0);
  // Something else to record, such as a new `$protect`: without the fields, a reason is left.
  const hasMoreToRecord = () =>
    renameReason !== undefined || isTakenOver || reasonToRecord(comparison, [], recordedPaths) !== undefined;
  const changesLedgerOnly = hasNewValues && !hasMoreToRecord();
  return { action: 'adopt', reason, changesLedgerOnly: changesLedgerOnly || undefined };
}

/**
 * True if the ledger only has to learn other values of fields that it has already, as after a change that somebody made both here and in
 * the account. Such a change needs no approval. A field that is declared for the first time, or no longer, is more than that: from now on,
 * changes of it outside count as drift, or no longer do.
 */
const hasOnlyNewValues = (fields: FieldChange[], { fields: open, secrets }: LedgerEntry): boolean => {
  const recordedPaths = [...Object.keys(open), ...Object.keys(secrets)];
  return (
    fields.length > 0 &&
    fields.every(
      ({ path, cause }) =>
        cause === 'recorded' && recordedPaths.some((recordedPath) => arePathsNested(recordedPath, path)),
    )
  );
};

/** Formats the reason of a transfer to another parent, for the plan. */
const formatTransfer = ({ from, with: leader }: NonNullable<LiveResource['transfer']>) =>
  `it was ${from}${leader === undefined ? '' : `, and moves with ${leader}`}`;

/**
 * True if the platform has a later write of the object than our last one, so that somebody else may have changed its unreadable secrets.
 */
const isWrittenLater = ({ updatedAt }: LiveResource, entry: LedgerEntry | undefined): boolean =>
  updatedAt !== undefined && entry?.updatedAt !== undefined && updatedAt > entry.updatedAt;

/**
 * Returns the recorded digests of those secrets whose live values the platform shows. Only these can still be compared after the object
 * moved to another row.
 */
const digestsOfShownSecrets = ({ secrets }: LedgerEntry, { fields }: LiveResource): LedgerEntry['secrets'] =>
  Object.fromEntries(Object.entries(secrets).filter(([path]) => atPath(fields, path) !== undefined));

/**
 * Returns the fields of a variable that keep the secret of another object. They cannot be compared, since the platform showed that secret
 * only once.
 */
const keptSecretFields = ({ secret }: DeclaredComparison): readonly string[] =>
  secret && !secret.isWritten ? secret.names : [];

/**
 * True unless the object is a unit (such as the value of a variable in one environment) that is now in another row than the one that we
 * wrote. Digests of values that the platform never returns are about the old row only, so they then prove nothing.
 */
const isInRecordedRow = ({
  kind,
  live,
  entry,
}: Pick<DeclaredComparison, 'kind' | 'live' | 'entry'>): boolean =>
  !kind.shape.byAddress || (live?.ids.some((id) => entry?.ids.includes(id)) ?? false);

/**
 * Returns the input of `diff`, which compares the fields of an object three ways: desired, live and last applied. Fields that keep the
 * secret of another object are not compared, like ignored ones. `hasLaterWrite`: a write of the row that we wrote, later than ours.
 */
function diffInputOf(comparison: ExistingComparison): DiffInput {
  const { kind, desired, live, input, secret } = comparison;
  const keptSecrets = keptSecretFields(comparison);
  return {
    schemas: comparedFields(kind),
    form: kind.form ?? 1,
    desired: desired.fields,
    live: live.fields,
    ignore: keptSecrets.length > 0 ? [...(desired.meta.ignore ?? []), ...keptSecrets] : desired.meta.ignore,
    newSecrets: secret?.isWritten ? secret.names : [],
    entry: entryAbout(comparison),
    key: input.key,
    isWritingRun: input.isWritingRun,
    isSecretOfRun: secretFinderOf(input),
    idOf: createIdLookup(input.live),
    hasLaterWrite: isInRecordedRow(comparison) && isWrittenLater(live, comparison.entry),
    sendUnverified: matchesAny(input.options?.sendUnverified, desired.address),
  };
}

/**
 * Returns the ledger's entry as far as it describes the live object: not at all if the object was replaced outside. If the value of a
 * variable in one target was moved to another row (object of the platform) than we wrote, secrets that the platform does not show are left
 * out: their digests are about the old row, and another secret in the new row would look unchanged.
 */
function entryAbout(comparison: ExistingComparison): LedgerEntry | undefined {
  const { entry, live, isReplacedOutside } = comparison;
  if (isReplacedOutside || !entry) return undefined;
  return isInRecordedRow(comparison) ? entry : { ...entry, secrets: digestsOfShownSecrets(entry, live) };
}

/**
 * True if an object may be deleted and created again because the platform cannot change some of its fields (`unchangeable`). Otherwise
 * reports why not and what the user can do.
 */
function mayReplace(comparison: ExistingComparison, unchangeable: FieldChange[]): boolean {
  const { desired, report } = comparison;
  const { address, at } = desired;
  const names = unchangeable.map(({ path }) => `\`${path}\``).join(', ');
  const refusal = whyNotReplaced(comparison, names);
  if (!refusal) return true;
  const { code, reason = '', hint } = refusal;
  report.error(code, `${address}: the platform cannot change ${names}${reason}`, { address, at, hint });
  return false;
}

/**
 * Returns why an object must not be replaced, in words for the message; undefined if it may be. `names`: the fields that cannot be
 * changed.
 */
function whyNotReplaced(
  comparison: ExistingComparison,
  names: string,
): { code: string; reason?: string; hint: string } | undefined {
  const { kind, desired } = comparison;
  const { replace } = kind.lifecycle;
  if (replace === 'never')
    return {
      code: 'replace/refused',
      hint: `restore the live value; a ${kind.name} is never deleted in order to change it`,
    };
  if (!isOwned(comparison) && !isExclusive(comparison))
    return {
      code: 'replace/not-owned',
      reason: ', and the existing object was not created or adopted by this stack, so it is not deleted',
      hint: `adopt it first: declare it with ${names} as in the account, apply, then change it; or choose another name, or delete it in the account yourself`,
    };
  if (replace === 'free' || desired.meta.replace === 'allow') return undefined;
  return {
    code: 'replace/refused',
    hint: 'write `$replace: allow` in the block to delete and recreate it; data that only the platform has is lost',
  };
}

/**
 * True if an object may be deleted and created again because its secret is lost (`lostSecretReason`): only a new object shows a new secret.
 * Otherwise reports a problem.
 */
function mayRecreate(comparison: ExistingComparison, lostSecretReason: string): boolean {
  const { kind, desired, report } = comparison;
  const isOurs = isOwned(comparison);
  if (isOurs && (kind.lifecycle.replace === 'free' || desired.meta.replace === 'allow')) return true;
  report.add(lostSecretProblem(comparison, lostSecretReason, isOurs));
  return false;
}

/**
 * True if the ledger has this very live object; for a unit, each of its rows. Without `$exclusive`, nothing
 * else may be deleted in order to replace it.
 */
const isOwned = ({ kind, entry, isReplacedOutside, live }: ExistingComparison): boolean =>
  entry !== undefined &&
  !isReplacedOutside &&
  (!kind.shape.byAddress || live.ids.every((id) => entry.ids.includes(id)));

/**
 * Returns why fields are sent, as the plan shows it: "changed outside", for example. Undefined if an edit of
 * the configuration is among the causes, and no conflict or unknown cause. `writes`: at least one field.
 */
function reasonOfWrites(writes: FieldChange[], entry: LedgerEntry | undefined): string | undefined {
  const causes = writes.map(({ cause }) => cause);
  if (causes.includes('conflict')) return fieldReasons.conflict;
  if (causes.every((cause) => cause === 'drift')) return fieldReasons.drift;
  // An object that this stack has not applied yet has no last applied values, so there is nothing to explain.
  return entry && causes.includes('unknown')
    ? 'changed here or outside: the last applied values are unknown'
    : undefined;
}

/**
 * Returns why an object of ours that is as desired has to be recorded, to show it in the plan; undefined if the ledger is up to date.
 * `recordedPaths`: the paths whose digests the ledger keeps. `fields`: the differences that only the ledger has to learn.
 */
function reasonToRecord(
  { desired, entry, live, kind, input }: DeclaredComparison,
  fields: FieldChange[],
  recordedPaths: string[],
): string | undefined {
  const { meta, address } = desired;
  if (input.identities?.resumed?.has(address)) return 'done by an interrupted run';
  const metaReason = reasonToRecordMeta(meta, entry);
  if (metaReason !== undefined) return metaReason;
  if (entry && isUnderFormerKey(entry, recordedPaths, kind, input.key))
    return 'its secrets are recorded again with the current ledger key';
  if (fields.some(({ cause }) => cause === 'recorded')) return 'the account already has it';
  // A variable that `$secretTo` of another block declares: the ledger has a digest of the form of its value, with the object's id.
  const { secretOf } = meta;
  const isOtherSecretVariable =
    entry &&
    secretOf &&
    entry.secretOf !== digestOfForm(secretOf.form, entry.salt, createIdLookup(input.live));
  if (isOtherSecretVariable) return `\`$secretTo\` of ${secretOf.object} declares it now`;
  const areAllRowsOurs = isSingleton(kind) || live?.ids.every((id) => entry?.ids.includes(id));
  return areAllRowsOurs ? undefined : 'part of it was created outside';
}

/**
 * Returns which meta key (`$protect`, `$allow`, ...) of a block differs from the ledger's entry, as the reason that the plan shows for
 * recording it. Later plans need these keys when the block is gone. A `$dependsOn` that was removed is no reason.
 */
function reasonToRecordMeta(meta: Resource['meta'], entry: LedgerEntry | undefined): string | undefined {
  const reasonFor = (name: string, { isSet }: { isSet: boolean }) =>
    `\`${name}\` is ${isSet ? 'remembered' : 'lifted'}`;
  if (Boolean(meta.protect) !== Boolean(entry?.protect))
    return reasonFor('$protect', { isSet: meta.protect === true });
  if (String(meta.allow ?? '') !== String(entry?.allow ?? ''))
    return reasonFor('$allow', { isSet: meta.allow !== undefined });
  if (JSON.stringify(meta.position) !== JSON.stringify(entry?.position))
    return reasonFor('$position', { isSet: meta.position !== undefined });
  if (meta.dependsOn?.some((address) => !entry?.dependsOn?.includes(address)))
    return reasonFor('$dependsOn', { isSet: true });
  // `decideHandover` decides about a block that has `$handover`, so this one has none.
  return entry?.handover === undefined ? undefined : reasonFor('$handover', { isSet: false });
}

/**
 * True if a digest of the entry was made with a former ledger key: that of a secret field, or that of the id of an object whose id is a
 * secret. It is then made again with the current key, so that the former one can go.
 */
function isUnderFormerKey(
  entry: LedgerEntry,
  recordedPaths: string[],
  kind: Kind,
  key: LedgerKey | undefined,
): boolean {
  const isFormer = (digestKey: DigestKey | undefined) => digestKey !== undefined && digestKey !== key;
  const isSecretUnderFormerKey = (path: string) => {
    const digest = entry.secrets[path];
    return digest !== undefined && isFormer(findDigestKey(key, digest.key));
  };
  return (
    recordedPaths.some(isSecretUnderFormerKey) ||
    (secretIdOf(kind) !== undefined && entry.ids.some((id) => isFormer(findDigestKeyOfId(key, id))))
  );
}
