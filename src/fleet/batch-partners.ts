import { parseRecord, type RecordedChange, type RecordHead } from '../history/record.ts';
import type { Host } from '../host.ts';
import { isVerified } from '../ledger/proof.ts';
import type { Address } from '../model/address.ts';
import type { LedgerKey } from '../model/digest.ts';
import { deletedIn } from '../run/run-effects.ts';
import type { SettledLedgerChoice } from '../stores/ledger-choice.ts';
import { openLedgerDocuments } from '../stores/open-ledger.ts';
import type { StackJob } from './job.ts';
import { isSignedJob } from './job.ts';
import type { Queue } from './queue.ts';

/** The part of a worker that finds partners: the queue with their jobs, the key that verifies them, and the place of their ledgers. */
interface PartnerSearch {
  queue: Pick<Queue, 'jobs'>;
  key: LedgerKey | undefined;
  options: SettledLedgerChoice;
}

/** An apply of the same batch. */
type PartnerApplyJob = Extract<StackJob, { action: 'apply' }>;

/** The number of newest records to read. An apply that was interrupted leaves a record for each attempt. */
const recentRecords = 20;

/**
 * Returns the partners of a fleet job: the stacks of the other applies in its batch. All were approved together, so
 * that their changes are not taken for changes by other people. Only jobs and records that the worker's key
 * verifies are used. `account`: that of the job's plan, because the stacks of a batch may be in different accounts.
 */
export function partnersInBatch(
  job: StackJob,
  account: Pick<RecordHead, 'baseUrl' | 'owner'>,
  worker: PartnerSearch,
  host: Host,
): NonNullable<Host['partners']> {
  return {
    names: async () => new Set((await otherApplies(job, worker)).map(({ ledger }) => ledger)),
    deleted: async () => {
      const deleted = new Set<Address>();
      for (const partner of await otherApplies(job, worker))
        for (const address of await findDeletionsOf(partner, account, worker, host)) deleted.add(address);
      return deleted;
    },
  };
}

/**
 * Returns the other apply jobs in the batch of a fleet job (the jobs that were approved and enqueued together), if
 * the key verifies them. Their changes count as expected when the job plans again. Plans and looks for drift change
 * nothing, so they do not count.
 */
async function otherApplies(
  { id, batch }: StackJob,
  { queue, key }: PartnerSearch,
): Promise<PartnerApplyJob[]> {
  const queued = await queue.jobs(batch);
  return queued
    .map(({ job }) => job)
    .filter(
      (job): job is PartnerApplyJob =>
        job.action === 'apply' && job.batch === batch && job.id !== id && isSignedJob(job, key),
    );
}

/**
 * Returns the addresses that another apply of the batch has deleted or may have deleted in this account, so that this
 * job does not take the deletions for changes made outside. They come from the history of its stack: from the records
 * of runs of its `plan`, including deletions that were tried without success.
 */
async function findDeletionsOf(
  { ledger, plan }: PartnerApplyJob,
  { baseUrl, owner }: Pick<RecordHead, 'baseUrl' | 'owner'>,
  { key, options }: PartnerSearch,
  host: Host,
): Promise<Address[]> {
  const { history, place } = await openLedgerDocuments(ledger, options, host);
  const texts = await history.read((await history.names()).slice(-recentRecords));
  return [...texts.values()].flatMap((text) => {
    const record = parseRecord(text, key, `a record at ${place}`);
    if (!record || !isVerified(record.proof)) return [];
    const { head, details } = record;
    if (head.stack !== ledger || head.plan !== plan || head.baseUrl !== baseUrl || head.owner !== owner)
      return [];
    return deletedIn({ changes: (details?.changes ?? []).filter(wasTried) });
  });
}

/**
 * True if a request of this recorded change may have reached the platform, so that another stack of the fleet's batch may have deleted its
 * object.
 */
const wasTried = ({ result }: RecordedChange): boolean => result !== 'not tried' && result !== 'left';
