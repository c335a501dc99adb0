import { type LedgerDeed, ledgerRecord } from '../history/ledger-record.ts';
import type { Beside, Documents } from '../ledger/documents.ts';
import { keyless } from '../ledger/proof.ts';
import { Problems } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import { startedBy } from './about-run.ts';
import type { Run } from './host.ts';
import type { LedgerOptions } from './leased-ledgers.ts';
import { keyOf } from './ledger-place.ts';

/** The record of what a command does to a ledger whose lease it has, to be written with it. Throws `Problems` where there is no key. */
export async function recordDeed(
  { documents, ...ledger }: Pick<Ledger, 'baseUrl' | 'owner' | 'stack'> & { documents: Documents },
  options: LedgerOptions,
  { host }: Run,
  deed: LedgerDeed,
): Promise<Beside> {
  const key = await keyOf(options, host);
  if (!key) throw new Problems([keyless]);
  return ledgerRecord({ documents, ledger, key, by: startedBy(host.env), now: host.clock.now }, deed);
}
