import { can, comparedFields, placesOf } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import { leavesOf } from '../kind/leaves.ts';
import { type Address, isWithin } from '../model/address.ts';
import type { Change, FieldChange } from '../model/change.ts';
import { problem, warning } from '../model/diagnostic.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import { collectionId, type LiveResource, type Resource } from '../model/resource.ts';
import { asksForWrite, diff, everything } from './diff.ts';
import { grade } from './grade.ts';
import type { PlanInput, Report } from './input.ts';
import { needsOf } from './needs.ts';
import { resolveFields } from './resolve.ts';
import { matchesAny } from './select.ts';

export interface Decisions {
  changes: Change[];
  /** Live objects that nothing here owns. */
  unmanaged: LiveResource[];
  /** Resources whose secret could not be compared. */
  unverified: Set<Address>;
  /** A collection was frozen. */
  incomplete: boolean;
}

/** What is to become of every address that is declared (D), found (L) or known to the ledger (K). */
export function decide(input: PlanInput, report: Report): Decisions {
  const decisions: Decisions = { changes: [], unmanaged: [], unverified: new Set(), incomplete: false };
  const { desired, live, ledger } = input;
  const addresses = new Set([
    ...desired.resources.keys(),
    ...live.resources.keys(),
    ...Object.keys(ledger.entries),
  ]);
  const released = releasedContainers(input);
  const frozenReported = new Set<string>();
  for (const address of [...addresses].sort()) {
    const want = desired.resources.get(address);
    const entry = ledger.entries[address];
    const found = pick(live.resources.get(address), want, entry, report);
    if (found === 'ambiguous') continue;
    const kindName = want?.kind ?? entry?.kind ?? found?.kind;
    const kind = kindName === undefined ? undefined : input.kinds.get(kindName);
    if (!kind) continue;
    const parent = want?.parent ?? found?.parent ?? placesOf(address, kind.name, input.kinds).at(-1)?.[1];
    const collection = collectionId(kind.name, parent);
    const why = live.frozen.get(collection);
    if (why !== undefined && (want || entry)) {
      decisions.incomplete = true;
      if (!frozenReported.has(why)) {
        frozenReported.add(why);
        report(
          problem('observe/incomplete', `${collectionName(kind, parent)} could not be read: ${why}`, {
            address,
            ...(want ? { at: want.at } : {}),
            hint: 'nothing in it is planned; run again, or apply the rest with --allow-incomplete',
          }),
        );
      }
      continue;
    }
    const change = want
      ? wantedChange({ ...input, kind, want, found, entry, decisions, report })
      : unwantedChange({ ...input, kind, address, parent, found, entry, released, decisions });
    if (change)
      decisions.changes.push(want ? { ...change, needs: [...needsOf(change, input.kinds)].sort() } : change);
  }
  return decisions;
}

const collectionName = (kind: Kind, parent: Address | undefined) =>
  parent === undefined ? kind.section : `${parent}/${kind.section}`;

/** Of several live objects under one name, the one that is meant. */
function pick(
  live: LiveResource | undefined,
  want: Resource | undefined,
  entry: LedgerEntry | undefined,
  report: Report,
): LiveResource | 'ambiguous' | undefined {
  if (!live?.alternatives) {
    if (live && want?.meta.id !== undefined && !entry && !live.ids.includes(want.meta.id)) return undefined;
    return live;
  }
  const ids = entry?.ids ?? (want?.meta.id === undefined ? [] : [want.meta.id]);
  const meant = live.alternatives.find(({ id }) => ids.includes(id));
  if (meant || !want) return meant ?? (entry ? undefined : live);
  report(
    problem(
      'match/ambiguous',
      `${live.alternatives.length} live objects are called ${live.address}: ${live.alternatives.map(({ id }) => id).join(', ')}`,
      { address: live.address, at: want.at, hint: 'write `$id: ID` in the block to say which one is meant' },
    ),
  );
  return 'ambiguous';
}

interface Case extends PlanInput {
  kind: Kind;
  entry: LedgerEntry | undefined;
  found: LiveResource | undefined;
  decisions: Decisions;
}

function wantedChange(one: Case & { want: Resource; report: Report }): Change | undefined {
  const { kind, want, found, entry, decisions, report, desired, facts } = one;
  const { address, meta, at } = want;
  const make = (action: Change['action'], rest: Partial<Change> = {}): Change =>
    graded(kind, {
      address,
      kind: kind.name,
      action,
      ...(want.parent === undefined ? {} : { parent: want.parent }),
      ...(found ? { id: found.ids.join(','), before: found } : {}),
      after: want,
      fields: [],
      grade: 'safe',
      at,
      ...rest,
    });

  if (meta.forget) return entry ? make('forget', { reason: '`$forget` is set' }) : undefined;
  if (meta.existing) {
    if (!found)
      report(
        problem('existing/missing', `${address} is declared as existing, but the account has none`, {
          address,
          at,
          hint: 'create it first, or remove `$existing`',
        }),
      );
    return found ? make('noop') : undefined;
  }

  const schemas = comparedFields(kind);
  const resolved = resolveFields(schemas, want.fields, one);
  const aligned = kind.align?.({
    desired: { ...want, fields: resolved },
    ...(found ? { live: found } : {}),
    ownedIds: entry?.ids ?? [],
    exclusive: isExclusive(desired.resources.get(want.parent ?? ''), kind),
    facts,
  }) ?? { desired: resolved };
  aligned.problems?.forEach(report);
  if (aligned.problems?.length) return undefined;
  const after: Resource = { ...want, fields: aligned.desired };
  // What a kind fills in by itself (a default that only a creation needs) is not declared, and so not ours.
  const declared = leavesOf(schemas, resolved).map(({ path }) => path);
  const owned = (except: string[]) => ({ declared: declared.filter((path) => !except.includes(path)) });

  if (!found) {
    const fields = everything(schemas, after.fields);
    if (can(kind, 'create'))
      return make('create', { after, fields, ...owned([]), ...(entry ? { reason: 'deleted outside' } : {}) });
    // What always exists comes with its parent.
    if (want.parent !== undefined && !one.live.resources.has(want.parent))
      return make('update', { after, fields, ...owned([]) });
    report(
      problem('create/impossible', `${address} does not exist, and it cannot be created`, { address, at }),
    );
    return undefined;
  }

  const before: LiveResource = aligned.live ? { ...found, fields: aligned.live } : found;
  const difference = diff({
    schemas,
    form: kind.form ?? 1,
    desired: after.fields,
    live: before.fields,
    ignore: meta.ignore,
    entry,
    key: one.key,
    sendUnverified: matchesAny(one.options?.sendUnverified, address),
  });
  notes(difference, one);
  if (difference.unverified.length > 0) decisions.unverified.add(address);
  const writes = difference.fields.filter(asksForWrite);
  const rest = {
    after,
    before,
    fields: difference.fields,
    ...owned([...difference.unverified, ...difference.unavailable, ...difference.ignored]),
  };
  const outside = reasonOutside(found, entry, kind);
  if (writes.length === 0) {
    const released = difference.fields.some(({ cause }) => cause === 'released');
    const action = !entry || outside ? 'adopt' : released ? 'release' : 'noop';
    return make(action, { ...rest, ...(outside ? { reason: outside } : {}) });
  }
  const stuck = writes.filter(({ replaces }) => replaces || !can(kind, 'update'));
  if (stuck.length > 0 && !mayReplace(kind, want, stuck, report)) return undefined;
  const reason = outside ?? whyChanged(writes, entry);
  const action = stuck.length > 0 ? 'replace' : entry && !outside ? 'update' : 'adopt';
  return make(action, { ...rest, ...(reason ? { reason } : {}) });
}

const isExclusive = (parent: Resource | undefined, kind: Kind) =>
  parent?.meta.exclusive?.includes(kind.section) ?? false;

function reasonOutside(found: LiveResource, entry: LedgerEntry | undefined, kind: Kind): string | undefined {
  if (!entry || kind.key.length === 0 || entry.existing) return undefined;
  const known = found.ids.some((id) => entry.ids.includes(id));
  // A row may have been rearranged around a unit; the unit is the same.
  return known || kind.rows ? undefined : 'replaced outside';
}

function whyChanged(writes: FieldChange[], entry: LedgerEntry | undefined): string | undefined {
  if (writes.some(({ cause }) => cause === 'conflict')) return 'changed here and outside';
  if (writes.every(({ cause }) => cause === 'drift')) return 'changed outside';
  return entry ? undefined : 'drift and edit cannot be told apart before it was applied once';
}

function mayReplace(kind: Kind, want: Resource, stuck: FieldChange[], report: Report): boolean {
  if (kind.replace === 'free' || (kind.replace !== 'never' && want.meta.replace === 'allow')) return true;
  const names = stuck.map(({ path }) => `\`${path}\``).join(', ');
  report(
    problem('replace/refused', `${want.address}: the platform cannot change ${names}`, {
      address: want.address,
      at: want.at,
      hint:
        kind.replace === 'never'
          ? `go back to the live value; a ${kind.name} is never deleted in order to change it`
          : 'write `$replace: allow` in the block to have it deleted and created anew; what only the platform knows of it is lost',
    }),
  );
  return false;
}

function notes(
  { unverified, unavailable }: { unverified: string[]; unavailable: string[] },
  one: Case & { want: Resource; report: Report },
) {
  const { want, report } = one;
  for (const path of unavailable)
    report(
      warning(
        'secret/not-compared',
        `${want.address}: the secret in \`${path}\` is not available here, so it was not compared`,
        { address: want.address, at: want.at },
      ),
    );
  for (const path of unverified)
    report(
      warning(
        'secret/unverified',
        `${want.address}: \`${path}\` cannot be read back, and nothing here says what it was last set to`,
        {
          address: want.address,
          at: want.at,
          hint: `it is left as it is; send it once with --send-unverified '${want.address}'`,
        },
      ),
    );
}

function unwantedChange(
  one: Case & { address: Address; parent: Address | undefined; released: Address[] },
): Change | undefined {
  const { kind, address, parent, found, entry, decisions, desired, options = {} } = one;
  const make = (action: Change['action'], reason: string, before?: LiveResource): Change =>
    graded(kind, {
      address,
      kind: kind.name,
      action,
      ...(parent === undefined ? {} : { parent }),
      ...(before ? { id: before.ids.join(','), before } : {}),
      fields: [],
      reason,
      grade: 'safe',
    });
  const ours = entry && !entry.existing;
  const mine = found && ours ? ownPart(found, entry, kind) : undefined;
  if (found && !mine) {
    if (isExclusive(desired.resources.get(parent ?? ''), kind) && can(kind, 'delete'))
      return make('delete', 'not declared, and `$exclusive` is set', found);
    if (can(kind, 'delete')) decisions.unmanaged.push(found);
  }
  if (!entry) return undefined;
  if (!mine)
    return existsForChildren(one)
      ? undefined
      : make('forget', found ? 'another object has its name now' : 'it is gone');
  const named = options.deletions?.includes(address) || entry.onRemove === 'delete';
  if (kind.container && !named) return make('release', 'it is not declared any more; the object stays', mine);
  if (!can(kind, 'delete'))
    return make('release', 'it is not declared any more; the platform keeps it', mine);
  if (one.released.some((container) => isWithin(address, container)))
    return make('release', 'what it belongs to is not declared any more; the object stays', mine);
  return make('delete', 'it is not declared any more', mine);
}

/** A parent that is not ours stays in the ledger while something below it does. */
const existsForChildren = ({ address, entry, ledger }: Case & { address: Address }) =>
  entry?.existing === true &&
  Object.keys(ledger.entries).some((other) => other !== address && isWithin(other, address));

/** The part of a found object that the ledger knows as ours. */
function ownPart(found: LiveResource, entry: LedgerEntry, kind: Kind): LiveResource | undefined {
  if (kind.key.length === 0) return found;
  const ids = found.ids.filter((id) => entry.ids.includes(id));
  if (ids.length === 0) return undefined;
  return found.rows ? { ...found, ids, rows: found.rows.filter(({ id }) => ids.includes(id)) } : found;
}

/** Containers of ours whose block is gone, and that stay: so does everything in them. */
function releasedContainers({ desired, ledger, kinds, options = {} }: PlanInput): Address[] {
  if (options.destroy) return [];
  return Object.entries(ledger.entries)
    .filter(
      ([address, entry]) =>
        kinds.get(entry.kind)?.container && !entry.existing && !desired.resources.has(address),
    )
    .filter(([address, entry]) => entry.onRemove !== 'delete' && !options.deletions?.includes(address))
    .map(([address]) => address);
}

function graded(kind: Kind, change: Change): Change {
  const { grade: level, reason } = grade(kind, change);
  return { ...change, grade: level, ...(reason === undefined ? {} : { gradeReason: reason }) };
}
