import * as z from 'zod';
import type { LedgerKey, SigningKey } from '../model/ledger-key.ts';
import { addMac, hasValidMac } from './mac.ts';

/** The name of a repository in the worker's file, such as `acme/shop`. It is never a URL or a path, so a job cannot make a worker fetch from elsewhere. */
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

/** A request to a fleet worker. It contains only names and digests, no plan, no secret and no command, because anyone who can write to the queue can read and change it. */
export type Job = z.infer<typeof job>;
/** A job that is about one stack. */
export type StackJob = Exclude<Job, { action: 'round' }>;

/**
 * Parses an entry of the fleet's queue, which anyone with access to the database could have written; undefined if it is no job that this version
 * understands.
 */
export const parseJob = (value: unknown): Job | undefined => job.safeParse(value).data;

/** Returns a fleet job with a MAC (a signature) of the ledger key, by which workers know that it was not changed. Unchanged without a key. */
export const signJob = <J extends Job>(job: J, key: SigningKey | undefined): J => addMac(job, 'job', key);

/** True if the key here signed all of a fleet job. A worker with a key does no other jobs. */
export const isSignedJob = (job: Job, key: LedgerKey | undefined): boolean => hasValidMac(job, 'job', key);
