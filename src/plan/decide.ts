import { parentOf } from '../kind/define-kind.ts';
import { type Address, byAddress } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { warning } from '../model/diagnostic.ts';
import { collectionId } from '../model/resource.ts';
import type { Case, Decisions } from './case.ts';
import { leaveOutUnseen, reportFrozen } from './frozen.ts';
import type { PlanInput, Report } from './input.ts';
import { match } from './match.ts';
import { needsOf } from './needs.ts';
import { replacedOutside } from './replaced.ts';
import { unidentifiable } from './unidentifiable.ts';
import { unwantedChange } from './unwanted.ts';
import { wantedChange } from './wanted.ts';

/** Decides what to do with every address that is declared (D), found (L) or known to the ledger (K). */
export function decide(input: PlanInput, report: Report): Decisions {
  const { desired, live, ledger } = input;
  const decisions: Decisions = {
    changes: [],
    unmanaged: [],
    unverified: new Set(),
    incomplete: live.frozen.size > 0,
  };
  const addresses = new Set([
    ...desired.resources.keys(),
    ...live.resources.keys(),
    ...Object.keys(ledger.entries),
  ]);
  const isReplaced = replacedOutside(input);
  const unseen = new Set<Address>();
  for (const address of [...addresses].sort()) {
    const one = caseOf(address, { input, decisions, report, isReplaced });
    if (one === 'unseen') unseen.add(address);
    else if (one && !unidentifiable(one)) {
      const change = one.want ? wantedChange({ ...one, want: one.want }) : unwantedChange(one);
      if (!change || isLeftAlone(change, one)) continue;
      if (change.after) change.needs = [...needsOf(change, input.kinds)].sort();
      decisions.changes.push(change);
    }
  }
  reportFrozen(input, report);
  decisions.changes = leaveOutUnseen(decisions.changes, unseen, input.kinds);
  decisions.unmanaged.sort(byAddress);
  return decisions;
}

/**
 * True if an object would be deleted because of a ledger entry that is not verified; reports it. Whoever can write to the
 * ledger's store can put a stranger's id there.
 */
function isLeftAlone(
  { action, exclusive, claims }: Change,
  { address, entry, input, report }: Case,
): boolean {
  const goes = action === 'replace' || (action === 'delete' && !exclusive);
  const isKnown = entry !== undefined || claims !== undefined;
  if (!goes || !isKnown || input.unverified === undefined) return false;
  report(
    warning(
      'ledger/left-alone',
      `${address} is left alone: it would be ${action}d because of what the ledger says, and ${input.unverified}`,
      { address },
    ),
  );
  return true;
}

/** Gathers all that is known of an address; undefined if nothing can be decided, `unseen` if its collection could not be read. */
function caseOf(
  address: Address,
  around: Pick<Case, 'input' | 'decisions' | 'report'> & { isReplaced(address: Address): boolean },
): Case | 'unseen' | undefined {
  const { input, decisions, report } = around;
  const { desired, live, ledger, kinds } = input;
  const want = desired.resources.get(address);
  const known = ledger.entries[address];
  const there = live.resources.get(address);
  const kind = kinds.get((want ?? known ?? there)!.kind);
  if (!kind) {
    report(
      warning(
        'ledger/unknown-kind',
        `the ledger has ${address}, a ${known?.kind}, which this version does not know`,
        {
          address,
          hint: 'it is left alone; use the version of trueup that applied it',
        },
      ),
    );
    return undefined;
  }
  const parent = want?.parent ?? there?.parent ?? parentOf(address, kind);
  if (live.frozen.has(collectionId(kind.name, parent))) return want || known ? 'unseen' : undefined;
  const { found, others, problem } = match(there, want, known);
  decisions.unmanaged.push(...others.filter(({ id }) => !known?.ids.includes(id)));
  if (problem) {
    report(problem);
    return undefined;
  }
  return {
    input,
    address,
    kind,
    parent,
    want,
    found,
    entry: known?.existing ? undefined : known,
    wasExisting: known?.existing ?? false,
    isReplaced: around.isReplaced(address),
    decisions,
    report,
  };
}
