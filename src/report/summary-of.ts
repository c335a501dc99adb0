import type { Address } from '../model/address.ts';
import { addTo } from '../model/graph.ts';
import { countNotCompared } from '../model/not-compared.ts';
import type { Operation, Plan, Summary } from '../model/plan.ts';
import { countOf, wholesOf } from '../model/wholes.ts';
import { notComparedState } from './not-compared-text.ts';
import { takeoverTexts } from './plan-notes.ts';

/** Counts a plan's changes by sort, as people count; a forgotten object counts as released. */
export function summaryOf(plan: Plan): Summary {
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
  const sent = sentIn(plan);
  for (const [change] of wholesOf(plan.changes)) {
    const { action, address, changesLedgerOnly } = change!;
    summary[changesLedgerOnly ? 'renew' : action === 'forget' ? 'release' : action]++;
    if (action === 'adopt' && sent.has(address)) summary.adoptAndUpdate++;
  }
  return summary;
}

/** The addresses that some request is about: an adoption among them also changes something. */
export const sentIn = ({ operations }: Pick<Plan, 'operations'>): ReadonlySet<string> =>
  new Set(operations.flatMap(({ changes }) => changes));

/** The operations that carry out the change of each address, in the plan's order. */
export function carriersIn({ operations }: Pick<Plan, 'operations'>): ReadonlyMap<Address, Operation[]> {
  const carriers = new Map<Address, Operation[]>();
  for (const operation of operations)
    for (const address of operation.changes) addTo(carriers, address, operation);
  return carriers;
}

/** The number of adopted objects that are changed, for people: ` (3 of them changed)`; nothing if none is. */
export const changedText = (count: number): string => (count > 0 ? ` (${count} of them changed)` : '');

/** More than this GitLab does not show. */
const most = 999_999;

interface GitlabReport {
  create: number;
  update: number;
  delete: number;
  /** Take-overs, and the number of objects that were not compared. GitLab ignores this member. */
  notes?: string[];
}

/** The counts that GitLab shows in a merge request (`artifacts:reports:terraform`). What is replaced is deleted and created. */
export function gitlabReport(plan: Plan): GitlabReport {
  const sent = sentIn(plan);
  const number = (...actions: string[]) =>
    Math.min(most, countOf(plan.changes.filter(({ action }) => actions.includes(action))));
  const notes = [...takeoverTexts(plan.changes), ...notComparedState(plan)];
  const adopted = countOf(
    plan.changes.filter(({ action, address }) => action === 'adopt' && sent.has(address)),
  );
  return {
    create: number('create', 'replace'),
    update: Math.min(most, number('update', 'move') + adopted),
    delete: number('delete', 'replace'),
    ...(notes.length > 0 ? { notes } : {}),
  };
}
