import type { Change } from './change.ts';
import type { Plan } from './plan.ts';

/**
 * Whether somebody changed outside what this change is about: a field, or the object itself; what `$exclusive` deletes was made there.
 * Of an order it is not known who changed it, and of what the ledger does not know neither.
 */
export const isDrift = ({ action, fields, outside, exclusive }: Change): boolean =>
  outside === true ||
  (exclusive === true && action === 'delete') ||
  fields.some(({ cause }) => cause === 'drift' || cause === 'conflict');

/** How many objects were changed outside since the last apply, whatever the configuration has changed. */
export function driftCount({ changes, diagnostics }: Plan): number {
  // Of what cannot be read only the time of a later write is known.
  const isSuspected = diagnostics.some(({ code }) => code === 'secret/changed-outside');
  const drifted = changes.filter((change) => isDrift(change) || (isSuspected && change.touched === true));
  return drifted.length || Number(isSuspected);
}

/** Whether any was. */
export const hasDrift = (plan: Plan): boolean => driftCount(plan) > 0;

/** All that it does is to take back what somebody did outside. */
export function putsBack({ fields }: Change): boolean {
  const sent = fields.filter(({ cause }) => cause !== 'recorded' && cause !== 'released');
  return sent.length > 0 && sent.every(({ cause }) => cause === 'drift');
}
