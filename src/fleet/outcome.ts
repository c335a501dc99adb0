import { hash } from 'node:crypto';
import * as z from 'zod';
import { canonical } from '../model/canonical.ts';
import type { LedgerKey, SigningKey } from '../model/ledger-key.ts';
import type { Job } from './job.ts';
import { addMac, hasValidMac } from './mac.ts';

const outcomeCount = z.int().min(0);

const outcome = z.strictObject({
  /** The job that it is of. */
  job: z.uuid(),
  /**
   * `done`: all of it. `failed`: the command said so. `refused`: the worker may not do it. `skipped`: what it needs was not done.
   */
  state: z.enum(['done', 'failed', 'refused', 'skipped']),
  /** The exit code of the command. */
  exit: z.int().optional(),
  /** The changes of a plan. */
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
  /** A plan with nothing to do. */
  isEmpty: z.boolean().optional(),
  /** The account was changed outside. */
  drift: z.boolean().optional(),
  /** The digest of the plan: of an apply that which was done, of a plan that which was sealed and kept. */
  plan: z.string().max(100).optional(),
  /** The number of jobs that a round enqueued. */
  enqueued: outcomeCount.optional(),
  /** Why it is not done, for people. */
  said: z.string().max(4000).optional(),
  worker: z.string().max(300),
  seconds: z.number().min(0),
  key: z.string().max(100).optional(),
  mac: z.string().max(100).optional(),
});

/** The end of a job, as reported by its worker. */
export type Outcome = z.infer<typeof outcome>;

/** Reads an entry of the queue as an outcome; undefined if it is none. */
export const parseOutcome = (value: unknown): Outcome | undefined => outcome.safeParse(value).data;

/** An outcome with the MAC of a key; as it is where there is none. */
export const signOutcome = (outcome: Outcome, key: SigningKey | undefined): Outcome =>
  addMac(outcome, 'outcome', key);

/** True if a worker with the key here wrote the outcome, all of it. */
export const isSignedOutcome = (outcome: Outcome, key: LedgerKey | undefined): boolean =>
  hasValidMac(outcome, 'outcome', key);

/** Attempts after a plan has failed: a plan changes nothing, and the network may have been the cause. */
const mostPlans = 2;

/**
 * Decides by the exit code of a job's command. 'later': the queue gives the job out again. A failed apply is not repeated: a person looks
 * at it. An apply that a signal, a rate limit or another run stopped continues from its run record.
 */
export function decideNextStep(
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

/** One digest for the plans of several stacks: whoever agrees to it agrees to each of them. */
export const digestPlans = (plans: ReadonlyMap<string, string>): string =>
  hash('sha256', canonical(Object.fromEntries(plans)), 'base64url').slice(0, 22);
