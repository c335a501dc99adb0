import * as z from 'zod';
import type { LedgerKey, SigningKey } from '../model/ledger-key.ts';
import { isSigned, signed } from './signed.ts';

const count = z.int().min(0);

const outcome = z.strictObject({
  /** The job that it is of. */
  job: z.uuid(),
  /**
   * `done`: all of it. `failed`: the command said so. `refused`: the worker may not do it. `skipped`: what it needs was not done.
   */
  state: z.enum(['done', 'failed', 'refused', 'skipped']),
  /** The exit code of the command. */
  exit: z.int().optional(),
  /** What a plan would do. */
  changes: z.strictObject({ create: count, update: count, replace: count, delete: count }).optional(),
  /** A plan with nothing to do. */
  isEmpty: z.boolean().optional(),
  /** The account was changed outside. */
  drift: z.boolean().optional(),
  /** The digest of the plan: of an apply that which was done, of a plan that which was sealed and kept. */
  plan: z.string().max(100).optional(),
  /** How many jobs a round made. */
  enqueued: count.optional(),
  /** Why it is not done, for people. */
  said: z.string().max(4000).optional(),
  worker: z.string().max(300),
  seconds: z.number().min(0),
  key: z.string().max(100).optional(),
  mac: z.string().max(100).optional(),
});

/** What became of a job, as its worker says. */
export type Outcome = z.infer<typeof outcome>;

/** What lies in the queue, as an outcome; undefined for anything else. */
export const outcomeIn = (found: unknown): Outcome | undefined => outcome.safeParse(found).data;

/** An outcome with the MAC of a key; as it is where there is none. */
export const signedOutcome = (outcome: Outcome, key: SigningKey | undefined): Outcome =>
  signed(outcome, 'outcome', key);

/** True if a worker with the key here wrote the outcome, all of it. */
export const isSignedOutcome = (outcome: Outcome, key: LedgerKey | undefined): boolean =>
  isSigned(outcome, 'outcome', key);
