import type { Job } from './job.ts';

/** How often a plan that failed is made anew: it changes nothing, and what failed may have been the network. */
const mostPlans = 2;

/**
 * What follows from the exit code of a job's command. 'later': the queue gives the job out again. An apply that failed is not repeated: a
 * person looks at it. One that a signal, a rate limit or another run stopped goes on by its run record.
 */
export function nextOf(
  { action }: Pick<Job, 'action'>,
  exit: number,
  attempt: number,
): 'done' | 'failed' | 'later' {
  // With changes, or with drift.
  if (exit === 0 || (exit === 2 && action !== 'apply')) return 'done';
  // 75: a limit asks for a longer wait, or another run has the ledger. 130: the worker was asked to stop.
  if (exit === 75 || exit === 130) return 'later';
  return action !== 'apply' && attempt < mostPlans ? 'later' : 'failed';
}
