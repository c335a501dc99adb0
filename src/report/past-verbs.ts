import type { Change, ChangeAction } from '../model/change.ts';

/** The past verb of each action of a change. */
export const pastVerbs: Record<ChangeAction, string> = {
  create: 'created',
  adopt: 'adopted',
  update: 'updated',
  replace: 'replaced',
  move: 'moved',
  release: 'released',
  forget: 'released',
  delete: 'deleted',
  noop: 'checked',
};

/** Returns the past verb of a change. A change that only updates the ledger is `noted`. */
export const pastVerbOf = ({
  action,
  changesLedgerOnly,
}: Pick<Change, 'action' | 'changesLedgerOnly'>): string => (changesLedgerOnly ? 'noted' : pastVerbs[action]);

/** All past verbs, each once, in the order in which reports list them. */
export const orderedPastVerbs = [...new Set([...Object.values(pastVerbs), 'noted'])];
