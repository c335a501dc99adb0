import { can } from '../kind/define-kind.ts';
import { digestsOf, withIds } from '../kind/digests.ts';
import { comparedFields, leavesOf, without } from '../kind/leaves.ts';
import { knownFields } from '../kind/resolve.ts';
import { asksForWrite, type Change } from '../model/change.ts';
import { problem } from '../model/diagnostic.ts';
import { atPath } from '../model/field-path.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import { idIn, type LiveResource, type Resource } from '../model/resource.ts';
import { type Fields, holesIn, isRef } from '../model/value.ts';
import { attributeIn } from './attribute.ts';
import { type Case, changeOf, isExclusive } from './case.ts';
import { type Difference, diff, everything } from './diff.ts';
import { factsUnder } from './facts.ts';
import { noteSecrets } from './note-secrets.ts';
import { divided } from './parts.ts';
import { reasonToRecord, whyChanged } from './reasons.ts';
import { mayReplace } from './replacement.ts';
import { matchesAny } from './select.ts';

export type Wanted = Case & { want: Resource };

/** Decides what to do with an object that the configuration names. */
export function wantedChange(one: Wanted): Change | undefined {
  const { want, found, entry, report } = one;
  const { address, meta, at } = want;
  if (meta.forget) return forgetting(one);
  if (!meta.existing) return managedChange(one);
  if (found)
    return entry
      ? changeOf(one, 'release', { reason: 'it is declared as existing now; the object stays as it is' })
      : changeOf(one, 'noop');
  report(
    problem('existing/missing', `${address} is declared as existing, but the account has none`, {
      address,
      at,
      hint: 'create it first, or remove `$existing`',
    }),
  );
  return undefined;
}

/** Forgets an object. It is not created either, so an absent one that something needs is a problem. */
function forgetting(one: Wanted): Change | undefined {
  const { want, found, entry, input, report } = one;
  if (entry) return changeOf(one, 'forget', { reason: '`$forget` is set' });
  const { address, at } = want;
  const needs = ({ parent, fields, meta }: Resource) =>
    !meta.forget &&
    (parent === address || holesIn(fields).some((hole) => isRef(hole) && hole.$ref === address));
  const holder = found ? undefined : [...input.desired.resources.values()].find(needs);
  if (holder)
    report(
      problem(
        'forget/missing',
        `${address} is to be forgotten and is not there, but ${holder.address} needs it`,
        {
          address,
          at,
          hint: 'remove `$forget`, or what needs it',
        },
      ),
    );
  return undefined;
}

function managedChange(one: Wanted): Change | undefined {
  const { kind, want, decisions, report, input } = one;
  const schemas = comparedFields(kind);
  const resolved = knownFields(kind, want, { secrets: input.secrets, attribute: attributeIn(input.live) });
  const aligned = kind.rules.align?.({
    desired: { ...want, fields: resolved },
    ...(one.found ? { live: one.found } : {}),
    ownedIds: one.entry?.ids ?? [],
    exclusive: isExclusive(one),
    facts: factsUnder(one.parent, input),
    now: input.now,
  }) ?? { desired: resolved };
  aligned.problems?.forEach(report);
  if (aligned.problems?.length) return undefined;

  let { found, entry } = one;
  if (found && aligned.live) found = { ...found, fields: aligned.live };
  if (found && aligned.strangers?.length) {
    const [theirs, ours] = divided(found, kind, (id) => aligned.strangers!.includes(id));
    if (theirs) decisions.unmanaged.push(theirs);
    found = ours;
  }
  // What a kind fills in by itself (a default that only a creation needs) is not declared, and so not ours.
  const declared = leavesOf(schemas, resolved).map(({ path }) => path);
  // What was applied ran its course as well: what is found beside what is left of it is drift.
  if (aligned.over !== undefined && entry)
    entry = {
      ...entry,
      ...digestsOf(
        schemas,
        withIds(aligned.desired, idIn(input.live)) as Fields,
        new Set(declared),
        entry.salt,
        input.key,
      ),
    };
  const settled = { ...one, entry, want: { ...want, fields: aligned.desired } };
  const change = found
    ? comparedChange({ ...settled, found }, declared)
    : newChange({ ...settled, found }, declared);
  return change?.action === 'noop' && aligned.over !== undefined
    ? { ...change, reason: aligned.over }
    : change;
}

/** The change of an object that is not there. */
function newChange(one: Wanted, declared: string[]): Change {
  const { kind, want, entry } = one;
  const fields = everything(kind, want.fields);
  if (can(kind, 'create'))
    return changeOf(one, 'create', {
      fields,
      declared,
      ...(entry ? { reason: 'deleted outside', outside: true } : {}),
    });
  // What cannot be created always exists: it comes with its parent, or is not told of before it was touched.
  return changeOf(one, 'update', { fields, declared });
}

/** The change of an object that is there. */
function comparedChange(one: Wanted & { found: LiveResource }, declared: string[]): Change | undefined {
  const { kind, want, entry, decisions, isReplaced, input } = one;
  const isOurs = (id: string) => !isReplaced && (entry?.ids.includes(id) ?? false);
  const { rows } = one.found;
  const found = rows
    ? { ...one.found, rows: rows.map((row) => ({ ...row, ours: isOurs(row.id) })) }
    : one.found;
  const difference = compared({ ...one, found });
  noteSecrets(difference, one);
  if (difference.unverified.length > 0 || difference.touched.length > 0)
    decisions.unverified.add(want.address);

  const uncompared = [...difference.unverified, ...difference.unavailable];
  const notOurs = [...uncompared, ...difference.ignored];
  const ours = notOurs.length > 0 ? declared.filter((path) => !notOurs.includes(path)) : declared;
  // What is ignored stays as it was found, also where the whole object is sent.
  const after = kind.shape.byAddress ? want : { ...want, fields: without(want.fields, want.meta.ignore) };
  const fields = difference.fields.filter(({ path, cause }) => cause !== 'recorded' || ours.includes(path));
  const rest: Partial<Change> = {
    after,
    fields,
    declared: ours,
    ...(uncompared.length > 0 ? { uncompared } : {}),
  };
  // A `$was` renames as well: then the old name is what was last applied.
  const isRenamedOutside = !fields.some(({ path, cause }) => kind.key.includes(path) && cause === 'edit');
  const outside = isReplaced
    ? 'replaced outside'
    : found.renamedTo && entry && isRenamedOutside && 'renamed outside';
  const make = (action: Change['action'], reason: string | undefined) =>
    changeOf({ ...one, found }, action, {
      ...rest,
      ...(difference.touched.length > 0 && action !== 'replace' ? { touched: true } : {}),
      ...(reason === undefined ? {} : { reason }),
      ...(outside ? { outside: true } : {}),
    });

  const writes = fields.filter(asksForWrite);
  if (entry?.tainted && !isReplaced)
    return make('replace', 'the secret that it showed when it was created did not arrive');
  const isNew = !entry || isReplaced;
  if (writes.length > 0) {
    const stuck = writes.filter(({ replaces }) => replaces || !can(kind, 'update'));
    if (stuck.length > 0 && !mayReplace(one, stuck)) return undefined;
    return make(
      stuck.length > 0 ? 'replace' : isNew ? 'adopt' : 'update',
      outside || whyChanged(writes, entry),
    );
  }
  if (isNew) return make('adopt', outside || undefined);
  if (fields.some(({ cause }) => cause === 'released')) return make('release', undefined);
  const claimed = input.claims?.get(want.address);
  const reason = claimed === undefined ? reasonToRecord(one, fields, ours) : `it was ${claimed} here`;
  return make(reason === undefined ? 'noop' : 'adopt', reason);
}

/** True if, as the platform says, it was written after our last write. */
const isTouched = ({ updatedAt }: LiveResource, entry: LedgerEntry | undefined) =>
  updatedAt !== undefined && entry?.updatedAt !== undefined && updatedAt > entry.updatedAt;

const readable = ({ secrets }: LedgerEntry, { fields }: LiveResource) =>
  Object.fromEntries(Object.entries(secrets).filter(([path]) => atPath(fields, path) !== undefined));

function compared({
  kind,
  want,
  found,
  entry,
  isReplaced,
  input,
}: Wanted & { found: LiveResource }): Difference {
  const isSameRow = !kind.shape.byAddress || found.ids.some((id) => entry?.ids.includes(id));
  return diff({
    schemas: comparedFields(kind),
    form: kind.form ?? 1,
    desired: want.fields,
    live: found.fields,
    ignore: want.meta.ignore,
    // A unit may be in another row than the one that was written: then its digest says nothing of a secret that cannot be read.
    entry: isReplaced
      ? undefined
      : isSameRow
        ? entry
        : entry && { ...entry, secrets: readable(entry, found) },
    key: input.key,
    idOf: idIn(input.live),
    touched: isSameRow && isTouched(found, entry),
    sendUnverified: matchesAny(input.options?.sendUnverified, want.address),
  });
}
