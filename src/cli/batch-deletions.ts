import type { Host } from '../app/host.ts';
import { documentsFor } from '../app/session/ledger-place.ts';
import type { StackJob } from '../fleet/job.ts';
import { isSignedJob } from '../fleet/job.ts';
import { parseRecord, type RecordedChange, type RecordHead } from '../history/record.ts';
import { isVerified } from '../ledger/proof.ts';
import type { Address } from '../model/address.ts';
import { deletedIn } from './run-effects.ts';
import type { Workshop } from './workshop.ts';

/** The number of newest records to look at: an apply that was interrupted leaves one for each attempt. */
const recentRecords = 20;

/**
 * Returns the objects that the other applies of a job's batch deleted. Only jobs and records that the worker's key verifies count. A record
 * belongs to a job if it is of the job's stack and plan. `account`: that of the job's own plan, since stacks may be in different ones.
 */
export async function deletedInBatch(
  job: StackJob,
  account: Pick<RecordHead, 'baseUrl' | 'owner'>,
  { queue, key, options }: Pick<Workshop, 'queue' | 'key' | 'options'>,
  host: Host,
): Promise<Set<Address>> {
  const deleted = new Set<Address>();
  for (const { job: other } of await queue.jobs(job.batch)) {
    const isBeside = other.action === 'apply' && other.batch === job.batch && other.id !== job.id;
    if (!isBeside || !isSignedJob(other, key)) continue;
    const { history, place } = documentsFor(other.ledger, options, host);
    const texts = await history.read((await history.names()).slice(-recentRecords));
    for (const text of texts.values()) {
      const record = parseRecord(text, key, `a record at ${place}`);
      if (!record || !isVerified(record.proof)) continue;
      const { head, details } = record;
      if (head.stack !== other.ledger || head.plan !== other.plan) continue;
      if (head.baseUrl !== account.baseUrl || head.owner !== account.owner) continue;
      for (const address of deletedIn({ changes: (details?.changes ?? []).filter(wasTried) }))
        deleted.add(address);
    }
  }
  return deleted;
}

/** True if the platform may have got the requests of a change. */
const wasTried = ({ result }: RecordedChange): boolean => result !== 'not tried' && result !== 'left';
