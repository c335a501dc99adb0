import type { Host } from '../host.ts';
import type { Documents, HistoryUpdate } from '../ledger/documents.ts';
import { missingKeyProblem } from '../ledger/proof.ts';
import { Problems } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import type { LedgerChoice } from '../stores/ledger-choice.ts';
import { findLedgerKey } from '../stores/open-ledger.ts';
import { findStarter } from './find-starter.ts';
import { composeLedgerRecord, type LedgerCommandFacts } from './ledger-record.ts';

/**
 * Composes the history record of a command that changes a ledger but no object, such as `ledger forget`. The caller writes it together with the
 * ledger. Throws `Problems` if there is no ledger key.
 */
export async function composeCommandRecord(
  { documents, ...ledger }: Pick<Ledger, 'baseUrl' | 'owner' | 'stack'> & { documents: Documents },
  options: LedgerChoice,
  { host }: { host: Host },
  facts: LedgerCommandFacts,
): Promise<HistoryUpdate> {
  const key = await findLedgerKey(options, host);
  if (!key) throw new Problems([missingKeyProblem]);
  return composeLedgerRecord(
    { documents, ledger, key, by: findStarter(host.env), now: host.clock.now },
    facts,
  );
}
