import type { Beside, Documents } from '../ledger/documents.ts';
import type { Ledger } from '../model/ledger.ts';
import { type DeedOptions, ledgerRecord } from './ledger-record.ts';

interface RenameOptions extends Pick<DeedOptions, 'key' | 'by' | 'now'> {
  from: Pick<Documents, 'history' | 'place'>;
  to: Pick<Documents, 'history' | 'place'>;
  /** The ledger under its old name. */
  ledger: Ledger;
  /** The new name. */
  stack: string;
}

/**
 * The history of a stack that gets another name: what arrives in the new place, with a record that vouches for the old name, and what goes
 * from the old one.
 */
export async function renamedHistory({
  from,
  to,
  ledger,
  stack,
  ...how
}: RenameOptions): Promise<{ arriving: Beside; leaving: Beside }> {
  const names = await from.history.names();
  const { history, message } = await ledgerRecord(
    { documents: from, ledger: { ...ledger, stack }, ...how },
    { command: 'rename', was: ledger.stack },
  );
  if (from.place === to.place)
    return { arriving: { history, message }, leaving: { history: new Map(), message } };
  const texts = await from.history.read(names);
  // Of a stack that had this name before nothing is left.
  const others = (await to.history.names()).map((name) => [name, undefined] as const);
  return {
    arriving: { history: new Map([...others, ...texts, ...history]), message },
    leaving: { history: new Map(names.map((name) => [name, undefined])), message },
  };
}

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
