import { hash } from 'node:crypto';
import * as z from 'zod';
import { canonicalJson } from '../model/canonical.ts';
import type { LedgerKey, SigningKey } from '../model/ledger-key.ts';
import type { Job } from './job.ts';
import { addMac, hasValidMac } from './mac.ts';

const outcomeCount = z.int().min(0);

const outcome = z.strictObject({
  /** The id of the job. */
  job: z.uuid(),
  /** `failed`: by the exit code of the command. `refused`: the worker may not do the job. `skipped`: a job that it needs was not done. */
  state: z.enum(['done', 'failed', 'refused', 'skipped']),
  /** The exit code of the command. */
  exit: z.int().optional(),
  /** The numbers of changes of a plan. */
  changes: z
    .strictObject({
      create: outcomeCount,
      update: outcomeCount,
      replace: outcomeCount,
      delete: outcomeCount,
      takeOver: outcomeCount.optional(),
      takenFrom: z.array(z.string().max(300)).max(20).optional(),
      notCompared: outcomeCount.optional(),
      secretsNotCompared: outcomeCount.optional(),
    })
    .optional(),
  /** True if a plan has nothing to do. */
  isEmpty: z.boolean().optional(),
  /** True if the account was changed outside of trueup. */
  drift: z.boolean().optional(),
  /** The digest of the plan that was applied, or that was sealed and stored for its approval. */
  plan: z.string().max(100).optional(),
  /** The number of jobs that a round enqueued. */
  enqueued: outcomeCount.optional(),
  /** The reason why it is not done, for people. */
  said: z.string().max(4000).optional(),
  worker: z.string().max(300),
  seconds: z.number().min(0),
  key: z.string().max(100).optional(),
  mac: z.string().max(100).optional(),
});

/** The result of a job, as its worker reports it to the queue. */
export type JobOutcome = z.infer<typeof outcome>;

/** Parses the result of a fleet job in an entry of the queue; undefined if it is no outcome that this version understands. */
export const parseOutcome = (value: unknown): JobOutcome | undefined => outcome.safeParse(value).data;

/**
 * Returns the outcome of a fleet job with a MAC (a signature) of the ledger key, by which others know that a trusted worker wrote it. Unchanged
 * without a key.
 */
export const signOutcome = (outcome: JobOutcome, key: SigningKey | undefined): JobOutcome =>
  addMac(outcome, 'outcome', key);

/** True if a fleet worker with the key here wrote all of the outcome. Only then may jobs that need its job start. */
export const isSignedOutcome = (outcome: JobOutcome, key: LedgerKey | undefined): boolean =>
  hasValidMac(outcome, 'outcome', key);

/** The number of further attempts at a plan that failed. A plan changes nothing, and the cause may have been the network. */
const maxPlanRetries = 2;

/**
 * Decides by the exit code of a job's command what becomes of the job. 'later': the queue gives the job out again. A failed apply is not repeated, so that
 * a person looks at it. An apply that a signal, a rate limit or another run stopped is repeated, and continues from its run record.
 */
export function decideNextStep(
  { action }: Pick<Job, 'action'>,
  exit: number,
  attempt: number,
): 'done' | 'failed' | 'later' {
  // A plan exits with 2 if there are changes or drift.
  if (exit === 0 || (exit === 2 && action !== 'apply')) return 'done';
  // 75: a rate limit requires a longer wait, or another run has the lease. 130: the worker was asked to stop.
  if (exit === 75 || exit === 130) return 'later';
  return action !== 'apply' && attempt < maxPlanRetries ? 'later' : 'failed';
}

/** Returns one digest for the plans of several stacks, by id. A person who passes it to `fleet enqueue apply --digest` approves each of the plans. */
export const digestPlans = (plans: ReadonlyMap<string, string>): string =>
  hash('sha256', canonicalJson(Object.fromEntries(plans)), 'base64url').slice(0, 22);
