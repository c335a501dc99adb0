import type { Address } from '../model/address.ts';
import { addTo } from '../model/graph.ts';
import { countLogicalChanges, groupLogicalChanges } from '../model/logical-changes.ts';
import { countNotCompared } from '../model/not-compared.ts';
import type { Operation, Plan, Summary } from '../model/plan.ts';
import { notComparedState } from './not-compared-text.ts';
import { takeoverTexts } from './plan-notes.ts';

/**
 * Counts the changes of a plan by action. Used by every report for its totals, so that text, JSON, page and comment show the same numbers.
 *
 * A variable in several targets counts once, as people count. A forgotten object (it is gone, and only the ledger still has it) counts as
 * released. A change that only updates the ledger counts under `renew` and under nothing else.
 */
export function summarizePlan(plan: Plan): Summary {
  const { objects, secrets } = countNotCompared(plan.notCompared);
  const summary: Summary = {
    create: 0,
    adopt: 0,
    adoptAndUpdate: 0,
    update: 0,
    replace: 0,
    delete: 0,
    move: 0,
    release: 0,
    noop: 0,
    renew: 0,
    unmanaged: plan.unmanaged.filter(({ kind }) => !plan.unlisted?.includes(kind)).length,
    notCompared: objects,
    secretsNotCompared: secrets,
  };
  const sentAddresses = sentAddressesIn(plan);
  for (const [change] of groupLogicalChanges(plan.changes)) {
    const { action, address, changesLedgerOnly } = change!;
    summary[changesLedgerOnly ? 'renew' : action === 'forget' ? 'release' : action]++;
    if (action === 'adopt' && sentAddresses.has(address)) summary.adoptAndUpdate++;
  }
  return summary;
}

/** Returns the addresses that some request of the plan writes. Shows whether an adoption also changes the object, or only records it. */
export const sentAddressesIn = ({ operations }: Pick<Plan, 'operations'>): ReadonlySet<string> =>
  new Set(operations.flatMap(({ changes }) => changes));

/** Returns the operations that carry out the change of each address, in the plan's order. Used to print requests below their change. */
export function indexOperationsByAddress({
  operations,
}: Pick<Plan, 'operations'>): ReadonlyMap<Address, Operation[]> {
  const operationsByAddress = new Map<Address, Operation[]>();
  for (const operation of operations)
    for (const address of operation.changes) addTo(operationsByAddress, address, operation);
  return operationsByAddress;
}

/** Formats how many of the adopted objects are also changed: ` (3 of them changed)`; empty for none. */
export const alsoChangedText = (count: number): string => (count > 0 ? ` (${count} of them changed)` : '');

/** GitLab does not show greater numbers. */
const maxGitlabCount = 999_999;

/** The file that GitLab reads as `artifacts:reports:terraform`. */
interface GitlabCounts {
  create: number;
  update: number;
  delete: number;
  /** Take-overs, and the number of objects that were not compared. GitLab ignores this member. */
  notes?: string[];
}

/**
 * Counts the changes of a plan for the widget of a GitLab merge request. GitLab knows three actions only, so a replacement counts as one
 * deletion and one creation, and a move or an adoption that changes the object as an update.
 */
export function createGitlabCounts(plan: Plan): GitlabCounts {
  const sentAddresses = sentAddressesIn(plan);
  const countActions = (...actions: string[]) =>
    Math.min(
      maxGitlabCount,
      countLogicalChanges(plan.changes.filter(({ action }) => actions.includes(action))),
    );
  const notes = [...takeoverTexts(plan.changes), ...notComparedState(plan)];
  const changedAdoptions = countLogicalChanges(
    plan.changes.filter(({ action, address }) => action === 'adopt' && sentAddresses.has(address)),
  );
  return {
    create: countActions('create', 'replace'),
    update: Math.min(maxGitlabCount, countActions('update', 'move') + changedAdoptions),
    delete: countActions('delete', 'replace'),
    notes: notes.length > 0 ? notes : undefined,
  };
}
