import { parentOf, secretIdOf } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import { type Address, addressOf, byAddress } from '../model/address.ts';
import { type Change, createsObject } from '../model/change.ts';
import { problem, warning } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import { makerOfId } from '../model/ledger-key.ts';
import type { NotComparedCause, NotComparedFinding } from '../model/not-compared.ts';
import { collectionId, collectionParts, type ReadFailure } from '../model/resource.ts';
import type { Comparison, Decisions } from './comparison.ts';
import { decideDeclared } from './decide-declared.ts';
import { decideUndeclared } from './decide-undeclared.ts';
import { findNeeds } from './find-dependencies.ts';
import type { PlanInput, Report } from './input.ts';
import { chooseLiveObject, isUnidentifiable } from './match.ts';
import { findJoinedUnits } from './shared-rows.ts';
import { orderObjectsFirst } from './shown-secrets.ts';

/** Decides what to do with every address that is declared (D), found (L) or known to the ledger (K). */
export function decide(input: PlanInput, report: Report): Decisions {
  const { desired, live, ledger } = input;
  const decisions: Decisions = {
    changes: [],
    unmanaged: [],
    unverifiedSecrets: new Set(),
    isIncomplete: live.unreadable.size > 0,
    notCompared: [],
    joinedUnits: findJoinedUnits(input),
  };
  const addresses = new Set([
    ...desired.resources.keys(),
    ...live.resources.keys(),
    ...Object.keys(ledger.entries),
  ]);
  const isReplaced = replacedOutside(input);
  const unseen = new Set<Address>();
  const addFinding = (address: Address, cause: NotComparedCause, why?: string) =>
    decisions.notCompared.push(...findingAt(address, input, { cause, why }));
  for (const address of orderObjectsFirst([...addresses].sort(), input)) {
    const one = caseOf(address, { input, decisions, report, isReplaced });
    if (one === 'outside' || (one && 'frozen' in one)) {
      unseen.add(address);
      if (one !== 'outside') addFinding(address, 'unread', one.frozen.cause);
    } else if (!one || isUnidentifiable(one)) {
      if (desired.resources.has(address)) addFinding(address, 'unidentified');
    } else {
      const change = one.desired ? decideDeclared({ ...one, desired: one.desired }) : decideUndeclared(one);
      if (!change || isLeftAlone(change, one)) continue;
      if (change.after) change.needs = [...findNeeds(change, input.kinds)].sort();
      decisions.changes.push(change);
    }
  }
  reportUnread(input, report);
  const changes = leaveOutUnseen(decisions.changes, unseen, input);
  if (live.unreadable.size === 0) refuseUnread(decisions.changes, changes, input, report);
  else {
    const kept = new Set(changes);
    for (const change of decisions.changes) if (!kept.has(change)) addFinding(change.address, 'dependency');
  }
  decisions.changes = changes.sort(byAddress);
  decisions.unmanaged.sort(byAddress);
  return decisions;
}

/**
 * True if an object would be deleted, or taken from its parent, because of an unverified ledger entry; reports it. Whoever can write to
 * the ledger's store can put a stranger's id there.
 */
function isLeftAlone(
  { action, exclusive, recordedAddress, before }: Change,
  { address, entry, input, report }: Comparison,
): boolean {
  const isHandedOver = before?.transfer !== undefined;
  const goes = isHandedOver || action === 'replace' || (action === 'delete' && !exclusive);
  const isKnown = entry !== undefined || recordedAddress !== undefined;
  if (!goes || !isKnown || input.unverifiedReason === undefined) return false;
  report(
    warning(
      'ledger/left-alone',
      `${address} is left alone: it would be ${isHandedOver ? 'move' : action}d because of the ledger, but ${input.unverifiedReason}`,
      { address },
    ),
  );
  return true;
}

/** Returns what could not be compared at an address; nothing where neither the configuration nor the ledger has an object. */
function findingAt(
  address: Address,
  { desired, ledger }: PlanInput,
  { cause, why }: { cause: NotComparedCause; why: string | undefined },
): NotComparedFinding[] {
  const want = desired.resources.get(address);
  const kind = want?.kind ?? ledger.entries[address]?.kind;
  if (kind === undefined) return [];
  return [
    {
      cause,
      ...(why === undefined ? {} : { why }),
      address,
      kind,
      ...(want ? { at: want.at } : { undeclared: true }),
    },
  ];
}

/**
 * Gathers all that is known of an address. Undefined if nobody can tell what is meant, `frozen` if its collection could not be read,
 * `outside` if it is not in the part of the account that was read for `--target`.
 */
function caseOf(
  address: Address,
  around: Pick<Comparison, 'input' | 'decisions' | 'report'> & { isReplaced(address: Address): boolean },
): Comparison | { frozen: ReadFailure } | 'outside' | undefined {
  const { input, decisions, report } = around;
  const { desired, live, ledger, kinds } = input;
  const want = desired.resources.get(address);
  const ledgerEntry = ledger.entries[address];
  const resource = live.resources.get(address);
  if (live.scope && !live.scope.has(address) && (want || ledgerEntry)) return 'outside';
  const kind = kinds.get((want ?? ledgerEntry ?? resource)!.kind);
  if (!kind) {
    report(
      warning(
        'ledger/unknown-kind',
        `the ledger has ${address}, a ${ledgerEntry?.kind}, which this version does not support`,
        {
          address,
          hint: 'it is left alone; use the version of trueup that applied it',
        },
      ),
    );
    return undefined;
  }
  const parent = want?.parent ?? resource?.parent ?? parentOf(address, kind);
  const frozen = live.unreadable.get(collectionId(kind.name, parent));
  if (frozen) return want || ledgerEntry ? { frozen } : undefined;
  const { chosen, others, problem } = chooseLiveObject(resource, want, ledgerEntry);
  decisions.unmanaged.push(...others.filter(({ id }) => !ledgerEntry?.ids.includes(id)));
  if (problem) {
    report(problem);
    return undefined;
  }
  return {
    input,
    address,
    kind,
    parent,
    desired: want,
    live: chosen,
    entry: ledgerEntry?.existing ? undefined : ledgerEntry,
    isRecordedAsExisting: ledgerEntry?.existing ?? false,
    isReplacedOutside: around.isReplaced(address),
    decisions,
    report,
  };
}

/** Reports each collection that could not be read. Those below it were not asked for, so they are not reported. */
function reportUnread({ live, desired, kinds }: PlanInput, report: Report): void {
  for (const [id, { why, cause, below, isForLater }] of live.unreadable) {
    if (below !== undefined) continue;
    const [parent, kind] = collectionParts(id);
    const resource = desired.resources.get(parent ?? '');
    const address = addressOf(parent, kinds.get(kind)!.section, []);
    const next = isForLater
      ? 'run again later, or go on with the rest: --allow-incomplete (without it, the exit code is 75 and nothing is applied)'
      : 'run again, or go on with the rest: --allow-incomplete (without it, the exit code is 1 and nothing is applied)';
    report(
      problem('observe/incomplete', `${address} could not be read: ${why}`, {
        address: address,
        ...(resource ? { at: resource.at } : {}),
        ...(isForLater ? { isForLater } : {}),
        hint: `it, its contents and its dependents are not planned; ${next}`,
        alike: {
          cause: `${kind} ${cause}`,
          are: `lists could not be read (${cause})`,
          hint: `they, their contents and their dependents are not planned; ${next}`,
        },
      }),
    );
  }
}

/** Reports changes that need something that a partial read left out. It should have everything; nothing is done on a guess. */
function refuseUnread(before: Change[], changes: Change[], { live }: PlanInput, report: Report): void {
  if (!live.scope || before.length === changes.length) return;
  const kept = new Set(changes);
  for (const { address, needs = [] } of before.filter((change) => !kept.has(change)))
    report(
      problem(
        'target/unread',
        `${address} needs ${needs.find((need) => !live.scope!.has(need)) ?? 'something'}, which was not read`,
        { address, hint: 'plan without --target, or target that too' },
      ),
    );
}

/** The changes without those that need something unseen, whose existence and id are unknown. */
function leaveOutUnseen(
  changes: Change[],
  unseen: ReadonlySet<Address>,
  { desired, kinds }: PlanInput,
): Change[] {
  if (unseen.size === 0) return changes;
  const out = new Set(unseen);
  const variables = groupBy(desired.resources.values(), ({ meta }) => meta.secretOf?.object);
  // Nobody would have the secret of a new object.
  const losesSecret = (change: Change) =>
    createsObject(change) && (variables.get(change.address) ?? []).some(({ address }) => out.has(address));
  let left = changes;
  for (let before = -1; before !== left.length; ) {
    before = left.length;
    left = left.filter((change) => {
      const isOut =
        change.after !== undefined &&
        ([...findNeeds(change, kinds)].some((address) => out.has(address)) || losesSecret(change));
      if (isOut) out.add(change.address);
      return !isOut;
    });
  }
  return left;
}

/**
 * Makes a test for addresses whose object was replaced outside: its id, or that of its parent, is not the one in the ledger. The last
 * apply then says nothing about today's object, even if ids are names.
 */
function replacedOutside({ live, ledger, kinds, key }: PlanInput): (address: Address) => boolean {
  const known = new Map<Address, boolean>();
  const isReplaced = (address: Address): boolean => {
    const entry = ledger.entries[address];
    const kind = kinds.get(entry?.kind ?? '');
    // That it is the one in the ledger, in the parent that it is in, was seen when it was found.
    if (!entry || !kind || live.resources.get(address)?.transfer) return false;
    const parent = parentOf(address, kind);
    return hasOtherId(address, entry.ids, kind) || (parent !== undefined && test(parent));
  };
  const hasOtherId = (address: Address, ids: string[], kind: Kind): boolean => {
    const resource = live.resources.get(address);
    // A singleton has no id of its own, and a unit is the same in whatever row it is.
    if (!resource || kind.shape.byAddress || kind.key.length === 0) return false;
    // An id that is kept as the digest of a missing key cannot be compared.
    if (secretIdOf(kind) !== undefined && !ids.some((id) => makerOfId(key, id))) return false;
    return !(resource.alternatives ?? [resource]).some((alternative) =>
      alternative.ids.some((id) => ids.includes(id)),
    );
  };
  const test = (address: Address): boolean => {
    const answer = known.get(address) ?? isReplaced(address);
    known.set(address, answer);
    return answer;
  };
  return test;
}
