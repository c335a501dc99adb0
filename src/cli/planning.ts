import type { PlanOptions } from '../plan/input.ts';
import type { OpenPlanOptions } from '../run/open-plan.ts';
import { standardSettle } from '../run/unsettled.ts';
import { currentPullRequest } from './actions-run.ts';
import type { Host } from './host.ts';
import { isOfStacks, type PlanningOptions, type StacksOptions } from './options.ts';

/** The flags of a command as a plan takes them. */
export function planningOf(
  options: PlanningOptions & StacksOptions,
  host: Host,
  mode: Pick<PlanOptions, 'destroy' | 'part' | 'unattended'> = {},
): OpenPlanOptions {
  return {
    ...mode,
    ...(isOfStacks(options) ? { part: 'one' } : {}),
    ...(options.target ? { targets: options.target } : {}),
    ...(options.exclude ? { excludes: options.exclude } : {}),
    ...(options.delete ? { deletions: options.delete } : {}),
    ...(options.maxDeletions === undefined ? {} : { maxDeletions: options.maxDeletions }),
    ...(options.sendUnverified ? { sendUnverified: options.sendUnverified } : {}),
    ...(options.allow ? { allow: options.allow } : {}),
    noActions: options.actions === false,
    ignoreDrafts: options.ignoreDraft ?? false,
    adoptRenamed: options.adoptRenamed ?? false,
    fewerInputs: options.fewerInputs ?? false,
    overwriteConflicts: options.overwriteConflicts ?? false,
    allowIncomplete: options.allowIncomplete ?? false,
    review: isReview(host),
    settle: options.twin ? 0 : (options.settle ?? standardSettle) * 1000,
  };
}

/** True in the run of a pull request: its author has written the configuration, and nobody has agreed to it yet. */
export const isReview = (host: Host): boolean =>
  currentPullRequest(host) !== undefined || Boolean(host.env.CI_MERGE_REQUEST_IID);
