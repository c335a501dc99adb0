import type { LedgerKey } from '../model/digest.ts';
import { compileGlob } from '../model/glob.ts';
import type { FleetRepository } from './fleet-file.ts';
import { isSignedJob, isSignedOutcome, type Job, type JobOutcome } from './job.ts';

/** Thrown if a worker may not do a job. The message is the reason. */
export class Refused extends Error {}

/** The permissions of a worker. With a key it may apply, without one it only plans. */
interface WorkerPermissions {
  key: LedgerKey | undefined;
  repositories: ReadonlyMap<string, FleetRepository>;
}

/**
 * Returns why a fleet worker may not do a job, as the reason that `fleet status` shows; undefined if it may. A
 * worker with a key does only jobs with a MAC (a signature) of that key, and a worker without a key only plans, so
 * that write access to the queue is not enough to apply. The repository and the stack must be in the worker's file.
 */
export function findRefusal(job: Job, { key, repositories }: WorkerPermissions): string | undefined {
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

/**
 * True if the globs `stacks` of a repository in the worker's file match a stack, so that the worker may work on it. `stack`: an id, such as
 * `shop@staging`.
 */
export const isAllowed = (stack: string, { stacks }: FleetRepository): boolean =>
  stacks.some((glob) => matchesStack(glob, stack));

/** True if a glob matches the id of a stack, or its id without the stage: `shop` matches all stages of `shop`. */
export const matchesStack = (glob: string, stack: string): boolean => {
  const { matches } = compileGlob(glob);
  return matches(stack) || matches(stack.replace(/@[^@]*$/, ''));
};

/**
 * Returns the first job that had to be done before a fleet job (`needs`), but was not done or has an unknown
 * outcome; undefined if all were done. Then the job must not run. With a key, only outcomes that a worker with that
 * key signed count.
 */
export function findUnmetNeed(
  needs: readonly string[],
  outcomes: ReadonlyMap<string, JobOutcome>,
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
