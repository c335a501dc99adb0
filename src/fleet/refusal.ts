import { compileGlob } from '../model/glob.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import type { FleetRepository } from './fleet-file.ts';
import { isSignedJob, type Job } from './job.ts';
import { isSignedOutcome, type Outcome } from './outcome.ts';

/** A worker does not do this, for the reason that it says. */
export class Refused extends Error {}

/** A worker's standing: with a key it applies, without one it only plans. */
interface FleetStanding {
  key: LedgerKey | undefined;
  repositories: ReadonlyMap<string, FleetRepository>;
}

/**
 * Why a worker does not do a job, as far as the job itself tells; undefined where it may. A worker with a key does nothing without the
 * key's MAC; one without a key plans, and can do nothing else.
 */
export function findRefusal(job: Job, { key, repositories }: FleetStanding): string | undefined {
  if (key && !isSignedJob(job, key))
    return job.mac === undefined
      ? 'it has no MAC, and a worker with a key requires one'
      : 'its MAC was not made with the key here: it was changed, or signed with another key';
  if (!key && job.action === 'apply') return 'a worker without a key only plans';
  const repository = repositories.get(job.repository);
  if (!repository) return `this worker's file does not list the repository ${job.repository}`;
  if (job.action !== 'round' && !isAllowed(job.stack, repository))
    return `this worker's file does not allow the stack ${job.stack} of ${job.repository}`;
  return undefined;
}

/** True if a repository's `stacks` have this one: `shop`, or `shop@staging`. */
export const isAllowed = (stack: string, { stacks }: FleetRepository): boolean =>
  stacks.some((glob) => matchesStack(glob, stack));

/** A glob means a stack, and a path all of its stages. */
export const matchesStack = (glob: string, stack: string): boolean => {
  const { matches } = compileGlob(glob);
  return matches(stack) || matches(stack.replace(/@[^@]*$/, ''));
};

/**
 * Which of the needed jobs was not done, or is not known to be; undefined where all were. With a key only what a worker with that key
 * wrote counts.
 */
export function findUnmetNeed(
  needs: readonly string[],
  outcomes: ReadonlyMap<string, Outcome>,
  key: LedgerKey | undefined,
): { job: string; why: 'not done' | 'not known' } | undefined {
  for (const job of needs) {
    const outcome = outcomes.get(job);
    if (!outcome || outcome.job !== job || (key && !isSignedOutcome(outcome, key)))
      return { job, why: 'not known' };
    if (outcome.state !== 'done') return { job, why: 'not done' };
  }
  return undefined;
}
