import type { Beside, Documents } from '../ledger/documents.ts';
import type { Ledger } from '../model/ledger.ts';
import { type DeedOptions, ledgerRecord } from './ledger-record.ts';

interface CopyOptions extends Pick<DeedOptions, 'key' | 'by' | 'now'> {
  from: Pick<Documents, 'history' | 'place'>;
  to: Pick<Documents, 'history' | 'place'>;
  ledger: Ledger;
}

/** The history of a stack whose ledger is copied: all of it arrives, and both places end with the record of that. */
export async function copiedHistory({
  from,
  to,
  ledger,
  ...how
}: CopyOptions): Promise<{ arriving: Beside; leaving: Beside }> {
  const { history, message } = await ledgerRecord(
    { documents: from, ledger, ...how },
    { command: 'copy', to: to.place },
  );
  const texts = await from.history.read(await from.history.names());
  const others = (await to.history.names()).map((name) => [name, undefined] as const);
  return {
    arriving: { history: new Map([...others, ...texts, ...history]), message },
    leaving: { history, message },
  };
}
