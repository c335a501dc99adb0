import type { Change } from './change.ts';
import type { Plan } from './plan.ts';

/**
 * True if somebody changed the subject of a change outside: a field, the object itself, or an object made outside that
 * `$exclusive` deletes. An order never counts, nor does an object that the ledger does not know: nobody can tell who changed
 * them.
 */
export const isDrift = ({ action, fields, outside, exclusive }: Change): boolean =>
  outside === true ||
  (exclusive === true && action === 'delete') ||
  fields.some(({ cause }) => cause === 'drift' || cause === 'conflict');

/** How many objects were changed outside since the last apply, whatever the configuration has changed. */
export function driftCount({ changes, diagnostics }: Plan): number {
  // For a value that cannot be read, only the time of a later write is known.
  const isSuspected = diagnostics.some(({ code }) => code === 'secret/changed-outside');
  const drifted = changes.filter((change) => isDrift(change) || (isSuspected && change.touched === true));
  return drifted.length || Number(isSuspected);
}

/** True if any object was changed outside since the last apply. */
export const hasDrift = (plan: Plan): boolean => driftCount(plan) > 0;

/** All that it does is to take back what somebody did outside. */
export function putsBack({ fields }: Change): boolean {
  const sent = fields.filter(({ cause }) => cause !== 'recorded' && cause !== 'released');
  return sent.length > 0 && sent.every(({ cause }) => cause === 'drift');
}
