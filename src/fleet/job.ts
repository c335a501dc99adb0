import * as z from 'zod';
import type { LedgerKey, SigningKey } from '../model/ledger-key.ts';
import { addMac, hasValidMac } from './mac.ts';

/** A name of a repository, as the worker's file has it: never a URL or a path of the machine. */
const repositoryNamePattern = /^\w[\w.-]*(?:\/\w[\w.-]*)*$/;
export const isRepositoryName = (name: string): boolean => repositoryNamePattern.test(name);
const commit = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/);
/** A folder of the repository. Whether it leads out through a link is asked where it is. */
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
  /** The folder of the workspace in the repository; the repository itself is the empty one. */
  folder,
  /** The name of who enqueued it, for people. */
  by: z.string().max(300).optional(),
  /** The key behind the MAC. */
  key: z.string().max(100).optional(),
  mac: z.string().max(100).optional(),
};

const ofStack = {
  ...about,
  commit,
  /** `shop`, or `shop@staging`, as the workspace has it. */
  stack: name,
  /** The stack's own name, by which its ledger is kept. */
  ledger: name,
  /** The ids of the jobs that have to be done before. */
  needs: z.array(z.uuid()).max(1000),
  /** The pull request that it is about. */
  pull: z.int().positive().optional(),
};

const job = z.discriminatedUnion('action', [
  /** `canary`: false if the plan does no harmless change first on an account that is new to the stack's ledger. */
  z.strictObject({ action: z.literal('plan'), ...ofStack, canary: z.literal(false).optional() }),
  z.strictObject({ action: z.literal('drift'), ...ofStack }),
  /** `plan`: the digest of the sealed plan, which lies in the store of the ledger. */
  z.strictObject({ action: z.literal('apply'), ...ofStack, plan: z.string().min(1).max(100) }),
  /** Looks for drift in all stacks that match, as the protected branch has them then. */
  z.strictObject({ action: z.literal('round'), ...about, stacks: z.string().min(1).max(500) }),
]);

/** A request to a worker. It holds names and digests only: no plan, no secret, nothing that is executed. */
export type Job = z.infer<typeof job>;
/** A job that is about one stack. */
export type StackJob = Exclude<Job, { action: 'round' }>;

/** Reads an entry of the queue as a job; undefined if it is none. */
export const parseJob = (value: unknown): Job | undefined => job.safeParse(value).data;

/** A job with the MAC of a key; as it is where there is none. */
export const signJob = <J extends Job>(job: J, key: SigningKey | undefined): J => addMac(job, 'job', key);

/** True if the key here signed the job, all of it. */
export const isSignedJob = (job: Job, key: LedgerKey | undefined): boolean => hasValidMac(job, 'job', key);
