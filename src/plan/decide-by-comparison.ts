import { canDo, secretIdOf } from '../kind/define-kind.ts';
import { digestOfForm } from '../kind/digests.ts';
import { secretFinderOf } from '../kind/disclosure.ts';
import type { Kind } from '../kind/kind.ts';
import { comparedFields, withoutPaths } from '../kind/leaves.ts';
import { asksForWrite, type Change, type FieldChange } from '../model/change.ts';
import { problem } from '../model/diagnostic.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import { type DigestKey, type LedgerKey, makerOf, makerOfId } from '../model/ledger-key.ts';
import { createIdLookup, type LiveResource } from '../model/resource.ts';
import { atPath } from '../model/value.ts';
import { createChange, type DeclaredComparison, isExclusive } from './comparison.ts';
import { type Difference, diff } from './diff.ts';
import { arePathsNested } from './guesses.ts';
import { reportUncomparedSecrets } from './report-uncompared-secrets.ts';
import { matchesAny } from './select.ts';
import { lostSecretProblem, reportKeptSecret } from './shown-secrets.ts';
import { remembersFields } from './unkept-writes.ts';

/** The change of an existing object. `widened`: undeclared fields that somebody switched on, which are switched off again. */
export function decideByComparison(
  one: DeclaredComparison & { live: LiveResource; widened: readonly string[] },
  declared: string[],
): Change | undefined {
  const { kind, desired, entry, decisions, isReplacedOutside, input } = one;
  const isOurs = (id: string) => !isReplacedOutside && (entry?.ids.includes(id) ?? false);
  const { rows } = one.live;
  const resource = rows
    ? { ...one.live, rows: rows.map((row) => ({ ...row, ours: isOurs(row.id) })) }
    : one.live;
  const difference = compared({ ...one, live: resource });
  reportUncomparedSecrets(difference, one);
  if (difference.unverified.length > 0 || difference.touched.length > 0)
    decisions.unverifiedSecrets.add(desired.address);

  const kept = keptFields(one);
  const isTouchedSecret = kept.length > 0 && isTouched(resource, entry) && isSameRow(one);
  if (kept.length > 0) reportKeptSecret(one, isTouchedSecret);
  const uncompared = [...difference.unverified, ...difference.unavailable, ...kept];
  const notOurs = [...uncompared, ...difference.ignored];
  const ours = notOurs.length > 0 ? declared.filter((path) => !notOurs.includes(path)) : declared;
  // What is ignored stays as it was found, also where the whole object is sent.
  const after = kind.shape.byAddress
    ? desired
    : { ...desired, fields: withoutPaths(desired.fields, desired.meta.ignore) };
  const fields = difference.fields
    .filter(({ path, cause }) => cause !== 'recorded' || ours.includes(path))
    .map((field) => (one.widened.includes(field.path) ? { ...field, cause: 'drift' as const } : field));
  const rest: Partial<Change> = {
    after,
    fields,
    declared: ours,
    ...(uncompared.length > 0 ? { uncompared } : {}),
  };
  // A `$was` renames as well: then the old name is what was last applied.
  const isRenamedOutside = !fields.some(({ path, cause }) => kind.key.includes(path) && cause === 'edit');
  const outside = isReplacedOutside
    ? 'replaced outside'
    : resource.renamedTo && entry && isRenamedOutside && 'renamed outside';
  const make = (action: Change['action'], reason: string | undefined) =>
    createChange({ ...one, live: resource }, action, {
      ...rest,
      ...((difference.touched.length > 0 || isTouchedSecret) && action !== 'replace'
        ? { writtenOutside: true }
        : {}),
      ...(reason === undefined ? {} : { reason }),
      ...(outside ? { outside: true } : {}),
    });

  const writes = fields.filter(asksForWrite);
  if (entry?.tainted && !isReplacedOutside)
    return make('replace', 'the secret shown at its creation was not delivered');
  const lost = input.lostSecrets?.get(desired.address);
  if (lost !== undefined)
    return mayRecreate({ ...one, live: resource }, lost) ? make('replace', lost) : undefined;
  const isNew = !entry || isReplacedOutside;
  const stuck = writes.filter(({ replaces }) => replaces || !canDo(kind, 'update'));
  if (stuck.length > 0 && !mayReplace({ ...one, live: resource }, stuck)) return undefined;
  if (resource.transfer) return make('move', whyMoved(resource.transfer));
  if (writes.length > 0)
    return make(
      stuck.length > 0 ? 'replace' : isNew ? 'adopt' : 'update',
      outside || whyChanged(writes, entry),
    );
  if (isNew) return make('adopt', outside || undefined);
  const claimed = input.recordedAddresses?.get(desired.address);
  const isTaken = input.takenOver?.has(desired.address) ?? false;
  if (fields.some(({ cause }) => cause === 'released')) return make('release', undefined);
  const isKeptByNow = entry !== undefined && remembersFields(entry);
  const reason =
    claimed === undefined
      ? (reasonToRecord(one, fields, ours) ??
        (isKeptByNow ? 'the account now shows what was applied' : undefined))
      : `renamed from ${claimed}`;
  const change = make(reason === undefined && !isTaken ? 'noop' : 'adopt', reason);
  const isOnlyBehind = () => claimed === undefined && !isTaken && reasonToRecord(one, [], ours) === undefined;
  const isBehind = entry !== undefined && (isRenewed(fields, entry) || (isKeptByNow && fields.length === 0));
  return isBehind && isOnlyBehind() ? { ...change, changesLedgerOnly: true } : change;
}

/**
 * True if the ledger only has to learn other values of fields that are ours already. A field that is declared for the first time, or no
 * longer, is more than that, even if nothing is sent: from now on it counts as drift, or does not.
 */
const isRenewed = (fields: FieldChange[], { fields: open, secrets }: LedgerEntry): boolean => {
  const known = [...Object.keys(open), ...Object.keys(secrets)];
  return (
    fields.length > 0 &&
    fields.every(({ path, cause }) => cause === 'recorded' && known.some((one) => arePathsNested(one, path)))
  );
};

const whyMoved = ({ from, with: leader }: NonNullable<LiveResource['transfer']>) =>
  `it was ${from}${leader === undefined ? '' : `, and moves with ${leader}`}`;

/** True if, according to the platform, it was written after our last write. */
const isTouched = ({ updatedAt }: LiveResource, entry: LedgerEntry | undefined) =>
  updatedAt !== undefined && entry?.updatedAt !== undefined && updatedAt > entry.updatedAt;

const readable = ({ secrets }: LedgerEntry, { fields }: LiveResource) =>
  Object.fromEntries(Object.entries(secrets).filter(([path]) => atPath(fields, path) !== undefined));

/** The fields that keep the secret of another object, which cannot be compared. */
const keptFields = ({ secret }: DeclaredComparison): readonly string[] =>
  secret && !secret.isWritten ? secret.names : [];

/** True unless a unit is in another row than the one that was written. */
const isSameRow = ({ kind, live, entry }: Pick<DeclaredComparison, 'kind' | 'live' | 'entry'>): boolean =>
  !kind.shape.byAddress || (live?.ids.some((id) => entry?.ids.includes(id)) ?? false);

function compared(one: DeclaredComparison & { live: LiveResource }): Difference {
  const { kind, desired, live, entry, isReplacedOutside, input, secret } = one;
  const kept = keptFields(one);
  return diff({
    schemas: comparedFields(kind),
    form: kind.form ?? 1,
    desired: desired.fields,
    live: live.fields,
    ignore: kept.length > 0 ? [...(desired.meta.ignore ?? []), ...kept] : desired.meta.ignore,
    newSecrets: secret?.isWritten ? secret.names : [],
    // A unit may be in another row than the one that was written: then its digest says nothing of a secret that cannot be read.
    entry: isReplacedOutside
      ? undefined
      : isSameRow(one)
        ? entry
        : entry && { ...entry, secrets: readable(entry, live) },
    key: input.key,
    isWritingRun: input.isWritingRun,
    isSecretOfRun: secretFinderOf(input),
    idOf: createIdLookup(input.live),
    isTouched: isSameRow(one) && isTouched(live, entry),
    sendUnverified: matchesAny(input.options?.sendUnverified, desired.address),
  });
}

/** True if an object may be deleted and created anew because the platform cannot change `stuck`. Reports a refusal. */
function mayReplace(one: DeclaredComparison & { live: LiveResource }, stuck: FieldChange[]): boolean {
  const { kind, desired, report } = one;
  const { replace } = kind.lifecycle;
  const names = stuck.map(({ path }) => `\`${path}\``).join(', ');
  const refuse = (code: string, message: string, hint: string) => {
    report(
      problem(code, `${desired.address}: ${message}`, { address: desired.address, at: desired.at, hint }),
    );
    return false;
  };
  const cannot = `the platform cannot change ${names}`;
  if (replace === 'never')
    return refuse(
      'replace/refused',
      cannot,
      `restore the live value; a ${kind.name} is never deleted in order to change it`,
    );
  if (!isOwned(one) && !isExclusive(one))
    return refuse(
      'replace/not-owned',
      `${cannot}, and the existing object was not created or adopted by this stack, so it is not deleted`,
      `adopt it first: declare it with ${names} as in the account, apply, then change it; or choose another name, or delete it in the account yourself`,
    );
  if (replace === 'free' || desired.meta.replace === 'allow') return true;
  return refuse(
    'replace/refused',
    cannot,
    'write `$replace: allow` in the block to delete and recreate it; data that only the platform has is lost',
  );
}

/** True if an object may be deleted and created again because nobody has its secret. Reports a refusal. */
function mayRecreate(one: DeclaredComparison & { live: LiveResource }, lost: string): boolean {
  const isOurs = isOwned(one);
  if (isOurs && (one.kind.lifecycle.replace === 'free' || one.desired.meta.replace === 'allow')) return true;
  one.report(lostSecretProblem(one, lost, isOurs));
  return false;
}

/** True if the ledger has the very object found; for a unit, each of its rows. */
const isOwned = ({ kind, entry, isReplacedOutside, live }: DeclaredComparison & { live: LiveResource }) =>
  entry !== undefined &&
  !isReplacedOutside &&
  (!kind.shape.byAddress || live.ids.every((id) => entry.ids.includes(id)));

/** Why something is sent, for people. */
function whyChanged(writes: FieldChange[], entry: LedgerEntry | undefined): string | undefined {
  const causes = writes.map(({ cause }) => cause);
  if (causes.includes('conflict')) return 'changed here and outside';
  if (causes.every((cause) => cause === 'drift')) return 'changed outside';
  // An object met for the first time has no last apply, so this is no news.
  return entry && causes.includes('unknown')
    ? 'changed here or outside: what was last applied is unknown'
    : undefined;
}

/**
 * The reason for recording an object of ours that is as it should be; undefined if the ledger knows everything. `declared`: the paths that
 * it keeps digests of.
 */
function reasonToRecord(
  { desired, entry, live, kind, input }: DeclaredComparison,
  fields: FieldChange[],
  declared: string[],
): string | undefined {
  const { meta, address } = desired;
  if (input.resumedAddresses?.has(address)) return 'done by an interrupted run';
  const has = (name: string, isNow: boolean) => `\`${name}\` is ${isNow ? 'remembered' : 'lifted'}`;
  if (Boolean(meta.protect) !== Boolean(entry?.protect)) return has('$protect', meta.protect === true);
  if (meta.onRemove !== entry?.onRemove) return has('$onRemove', meta.onRemove !== undefined);
  if (String(meta.allow ?? '') !== String(entry?.allow ?? '')) return has('$allow', meta.allow !== undefined);
  if (JSON.stringify(meta.position) !== JSON.stringify(entry?.position))
    return has('$position', meta.position !== undefined);
  if (meta.dependsOn?.some((address) => !entry?.dependsOn?.includes(address))) return has('$dependsOn', true);
  if (entry?.handover !== undefined) return has('$handover', false);
  if (entry && isUnderFormer(entry, declared, kind, input.key))
    return 'its secrets are recorded again with the current ledger key';
  if (fields.some(({ cause }) => cause === 'recorded')) return 'the account already has it';
  const { secretOf } = meta;
  if (
    entry &&
    secretOf &&
    entry.secretOf !== digestOfForm(secretOf.form, entry.salt, createIdLookup(input.live))
  )
    return `\`$secretTo\` of ${secretOf.object} declares it now`;
  const isKnown = kind.key.length === 0 || live?.ids.every((id) => entry?.ids.includes(id));
  return isKnown ? undefined : 'part of it was created outside';
}

/** True if a digest was made in a former way, and can be made anew. */
const isUnderFormer = (entry: LedgerEntry, declared: string[], kind: Kind, key: LedgerKey | undefined) => {
  const isFormer = (maker: DigestKey | undefined) => maker !== undefined && maker !== key;
  return (
    declared.some((path) => isFormer(makerOf(key, entry.secrets[path]?.key ?? ''))) ||
    (secretIdOf(kind) !== undefined && entry.ids.some((id) => isFormer(makerOfId(key, id))))
  );
};
