import { hash } from 'node:crypto';
import * as z from 'zod';
import {
  canonicalJson,
  findSigningKey,
  isValidSignature,
  type LedgerKey,
  type SigningKey,
  signatureOf,
} from '../model/digest.ts';

/**
 * The name of a repository in the worker's file, such as `acme/shop`. It is never a URL or a path, so a job cannot make a worker fetch from
 * elsewhere.
 */
const repositoryNamePattern = /^\w[\w.-]*(?:\/\w[\w.-]*)*$/;
export const isRepositoryName = (name: string): boolean => repositoryNamePattern.test(name);
const commit = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/);
/** A folder in the repository, without `..`. The worker checks in its checkout that it does not lead out through a link. */
const folder = z
  .string()
  .max(1000)
  .refine((path) => !/^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)|\0/.test(path));
const name = z.string().min(1).max(500);

const about = {
  format: z.literal(1),
  id: z.uuid(),
  /** Shared by the jobs that were enqueued together. */
  batch: z.uuid(),
  repository: z.string().max(300).regex(repositoryNamePattern),
  /** The folder of the workspace in the repository; empty for its top. */
  folder,
  /** The name of the person who enqueued it, for messages. */
  by: z.string().max(300).optional(),
  /** The id of the key that made the MAC. */
  key: z.string().max(100).optional(),
  mac: z.string().max(100).optional(),
};

const ofStack = {
  ...about,
  commit,
  /** The id of the stack in the workspace: `shop`, or `shop@staging`. */
  stack: name,
  /** The name of the stack in its configuration. Its ledger has the same name. */
  ledger: name,
  /** The ids of the jobs that must be done before. */
  needs: z.array(z.uuid()).max(1000),
  /** The number of the pull request that the job is about. */
  pull: z.int().positive().optional(),
};

const job = z.discriminatedUnion('action', [
  /** `canary`: false for `--no-canary`, see `PlanningOptions`. */
  z.strictObject({ action: z.literal('plan'), ...ofStack, canary: z.literal(false).optional() }),
  z.strictObject({ action: z.literal('drift'), ...ofStack }),
  /** `plan`: the digest of the approved plan that is stored beside the ledger. */
  z.strictObject({ action: z.literal('apply'), ...ofStack, plan: z.string().min(1).max(100) }),
  /** Enqueues looks for drift in all stacks of the protected branch that match the glob `stacks`. */
  z.strictObject({ action: z.literal('round'), ...about, stacks: z.string().min(1).max(500) }),
]);

/**
 * A request to a fleet worker. It contains only names and digests, no plan, no secret and no command, because anyone who can write to the
 * queue can read and change it.
 */
export type Job = z.infer<typeof job>;
/** A job that is about one stack. */
export type StackJob = Exclude<Job, { action: 'round' }>;

/**
 * Parses an entry of the fleet's queue, which anyone with access to the database could have written; undefined if it is no job that this
 * version understands.
 */
export const parseJob = (value: unknown): Job | undefined => job.safeParse(value).data;

/**
 * Returns a fleet job with a MAC (a signature) of the ledger key, by which workers know that it was not changed. Unchanged without a key.
 */
export const signJob = <J extends Job>(job: J, key: SigningKey | undefined): J => addMac(job, 'job', key);

/** True if the key here, or the key before it, signed all of a fleet job. A worker with a key does no other jobs. */
export const isSignedJob = (job: Job, key: LedgerKey | undefined): boolean => hasValidMac(job, 'job', key);

/** An entry of the queue that can have a MAC. `key`: the id of the key that made it. */
interface Signable {
  key?: string | undefined;
  mac?: string | undefined;
}

/** Returns the text that the MAC covers: the whole entry and its type, so that an outcome cannot be passed off as a job. */
const signedTextOf = ({ mac: _, ...entry }: Signable, type: EntryType): string =>
  type === 'job' ? canonicalJson(entry) : `${type}\n${canonicalJson(entry)}`;

/** The type of an entry of the queue. */
type EntryType = 'job' | 'outcome';

/**
 * Returns an entry of the fleet's queue (a job or an outcome) with a MAC (a signature with the key), so that
 * readers notice changes. Unchanged without a key.
 */
function addMac<T extends Signable>(entry: T, type: EntryType, key: SigningKey | undefined): T {
  if (!key) return entry;
  const withKeyId = { ...entry, key: key.id };
  return { ...withKeyId, mac: signatureOf(key, 'job', [signedTextOf(withKeyId, type)]) };
}

/** True if a MAC of the key here, or of the key before it, covers all of an entry. */
function hasValidMac(entry: Signable, type: EntryType, key: LedgerKey | undefined): boolean {
  const signer = entry.key === undefined ? undefined : findSigningKey(key, entry.key);
  return (
    signer !== undefined && isValidSignature(entry.mac ?? '', signer, 'job', [signedTextOf(entry, type)])
  );
}

const outcomeCount = z.int().min(0);

const outcome = z.strictObject({
  /** The id of the job. */
  job: z.uuid(),
  /**
   * `failed`: its command or the work around it failed. `refused`: the worker may not do it. `skipped`: a job that it needs is not known to
   * be done.
   */
  state: z.enum(['done', 'failed', 'refused', 'skipped']),
  /** The exit code of the command, if one ran. */
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
  /** The digest of the plan that was applied or made. A sealed one is stored for its approval. */
  plan: z.string().max(100).optional(),
  /** The number of jobs that a round enqueued. */
  enqueued: outcomeCount.optional(),
  /** The reason for the state, for people. */
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
 * Returns the outcome of a fleet job with a MAC (a signature) of the ledger key, by which others know that a trusted worker wrote it.
 * Unchanged without a key.
 */
export const signOutcome = (outcome: JobOutcome, key: SigningKey | undefined): JobOutcome =>
  addMac(outcome, 'outcome', key);

/**
 * True if a fleet worker with the key here, or the key before it, wrote all of the outcome. Only then does a worker with a key start jobs
 * that need its job.
 */
export const isSignedOutcome = (outcome: JobOutcome, key: LedgerKey | undefined): boolean =>
  hasValidMac(outcome, 'outcome', key);

/** The number of further attempts at a plan that failed. A plan changes nothing, and the cause may have been the network. */
const maxPlanRetries = 2;

/**
 * Decides by the exit code of a fleet job's command what becomes of the job. `later`: the queue gives it out again.
 * A failed plan is repeated a few times. A failed apply is not, so that a person looks at it; one that a signal, a
 * rate limit or another run stopped is repeated, and continues its work.
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

/**
 * Returns one digest for the plans of several stacks, by id. A person who passes it to `fleet enqueue apply --digest` approves each of the
 * plans.
 */
export const digestPlans = (plans: ReadonlyMap<string, string>): string =>
  hash('sha256', canonicalJson(Object.fromEntries(plans)), 'base64url').slice(0, 22);
