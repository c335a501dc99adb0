import { type Address, isWithin } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { formatKindCounts } from '../model/deletion-count.ts';
import { groupBy } from '../model/graph.ts';
import { countLogicalChanges } from '../model/logical-changes.ts';
import { pluralOfKind } from '../model/plural-of-kind.ts';
import type { AnchoredFindings } from './finding-text.ts';
import { topLevelOf } from './fold-changes.ts';
import { count } from './text.ts';

/*
 * Finds changes that a report only counts, because nothing is sent for them and a reader need not see each: the first plan of an existing
 * account adopts hundreds of objects as they are, and a project that another stack takes over has a change for everything in it.
 *
 * Two groups of changes are counted, if they have three changes or more:
 *
 *   - adoptions without details, by kind: `60 projects adopted as they are`;
 *   - changes of ownership for one reason, by the top-level object that contains them:
 *     `projects/web and 16 objects in it (13 projectEnvVars, 3 projectDomains): handed over to the stack shop`.
 */

/** Changes that a report shows as one line. */
export interface CountedChanges {
  action: 'adopt' | 'release';
  /** The number of changes as people count them. */
  number: number;
  /** The top-level object that contains them; absent for adoptions that are counted by kind. It is in front of the text. */
  address?: Address;
  text: string;
}

/** The facts about the plan that decide if a change is only counted. */
interface CountingOptions {
  /** The addresses that some request writes. */
  sentAddresses: { has(address: Address): boolean };
  /** The findings below changes. A change with a finding is shown. */
  findings?: AnchoredFindings;
  /** True for a verbose report, which lists every change. */
  isFull?: boolean;
}

/** Fewer changes than this are shown, because they are read as quickly. */
const minCounted = 3;

/**
 * Splits the changes of a plan into those that a report only counts, because there are many alike and nothing is sent for them, and those
 * that it shows: the first plan of an existing account adopts hundreds of objects as they are. A change is shown in any case if a request
 * writes it (`sentAddresses`) or if a finding is about it. `isFull`: all are shown.
 */
export function splitCountedChanges(
  changes: readonly Change[],
  { sentAddresses, findings, isFull = false }: CountingOptions,
): { counted: CountedChanges[]; otherChanges: Change[] } {
  const quiet = isFull
    ? []
    : changes.filter(
        (change) => isQuiet(change) && !sentAddresses.has(change.address) && !findings?.has(change.address),
      );
  const byReason = groupBy(quiet, (change) =>
    JSON.stringify([change.action, change.reason ?? '', groupNameOf(change)]),
  );
  const isCountedByKind = ({ address }: CountedChanges) => address === undefined;
  const groups = [...byReason.values()].filter((group) => countLogicalChanges(group) >= minCounted);
  const countedChanges = new Set(groups.flat());
  return {
    // The counts by kind come last.
    counted: groups.map(toCounted).sort((a, b) => Number(isCountedByKind(a)) - Number(isCountedByKind(b))),
    otherChanges: changes.filter((change) => !countedChanges.has(change)),
  };
}

/** Returns the name of the group of a change: adoptions without a reason are counted by kind, all others by their top-level object. */
const groupNameOf = ({ kind, address, reason }: Change): string =>
  reason === undefined ? kind : topLevelOf(address);

/**
 * True for a change of ownership without details that a reader needs, so that it may only be counted:
 * - an adoption whose declared fields already have their values in the account (their cause is `recorded`: only the ledger learns them). It
 *   has a reason only if the object comes from another stack.
 * - an object that this stack stops managing for a stated reason, if all of its fields are only released.
 */
function isQuiet({ action, reason, fields, grade, outside, position, takenFrom }: Change): boolean {
  // Shown in any case: deleted, replaced or renamed outside since the last apply, in a list whose order is declared, or risky.
  if (outside || position || grade !== 'safe') return false;
  if (action === 'release' || action === 'forget')
    return reason !== undefined && fields.every(({ cause }) => cause === 'released');
  const isAsItIs = action === 'adopt' && fields.every(({ cause }) => cause === 'recorded');
  return isAsItIs && (reason === undefined || takenFrom !== undefined);
}

/**
 * Returns a group of similar changes as one line with their number, so that a plan with hundreds of them stays readable: `60 projects
 * adopted as they are` or, for changes of ownership, the top-level object and `and 16 objects in it (13 projectEnvVars, 3
 * projectDomains): handed over to ...`.
 */
function toCounted(group: Change[]): CountedChanges {
  const [{ kind, action, address, reason }] = group as [Change];
  const number = countLogicalChanges(group);
  const counted = { action: action === 'adopt' ? ('adopt' as const) : ('release' as const), number };
  // See `groupNameOf`: a group without a reason has adoptions of one kind, any other has objects of one top-level object.
  if (reason === undefined)
    return { ...counted, text: `${number} ${pluralOfKind(kind)} adopted as they are` };
  const topLevel = topLevelOf(address);
  const inside = group.filter((change) => change.address !== topLevel && isWithin(change.address, topLevel));
  const objects = count(countLogicalChanges(inside), 'object');
  const subject = inside.length < group.length ? `and ${objects} in it` : `with ${objects}`;
  return { ...counted, address: topLevel, text: `${subject} (${kindCountsText(inside)}): ${reason}` };
}

/**
 * Counts changes by the kind of their objects, for one line of a report: `13 projectEnvVars, 1 firewall`. A variable with several targets
 * counts once.
 */
const kindCountsText = (changes: readonly Change[]): string =>
  formatKindCounts(
    Object.fromEntries(
      [...groupBy(changes, ({ kind }) => kind)].map(([kind, ofKind]) => [kind, countLogicalChanges(ofKind)]),
    ),
  );
