import { type Address, isWithin } from '../model/address.ts';
import { canonical } from '../model/canonical.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { emptyLedger, type Ledger, type LedgerEntry } from '../model/ledger.ts';
import { shellQuoted } from '../model/shell-word.ts';
import type { LeasedLedger } from './copy-ledger.ts';
import type { HistoryUpdate } from './documents.ts';

/** Makes the record of what leaves a ledger, or comes into it. */
type RecordEntries = (
  ledger: LeasedLedger,
  written: Ledger,
  entries: Readonly<Record<Address, LedgerEntry>>,
) => Promise<HistoryUpdate | undefined>;

const unrecorded: RecordEntries = async () => undefined;

/**
 * Moves entries of one stack to another, with all that is remembered of them, and gives back their addresses. The new home is written
 * before the old one: whatever interrupts it, both have them for a while, which only makes their plans refuse, and the same call ends it.
 * Throws `Problems`.
 */
export async function moveEntries(
  from: LeasedLedger,
  to: LeasedLedger,
  isMoved: (address: Address) => boolean,
  record: RecordEntries = unrecorded,
): Promise<Address[]> {
  const old = await owned(from);
  const ledger = await to.store.read();
  if (ledger && ledger.stack !== to.stack)
    throw refused(
      'ledger/foreign',
      `the ledger ${to.store.place} belongs to ${ledger.stack}`,
      'check --ledger',
    );
  to.store.requireVerified();
  const addresses = Object.keys(old.entries).filter(
    (address) => !old.entries[address]!.existing && isMoved(address),
  );
  if (addresses.length === 0)
    throw refused(
      'ledger/nothing',
      `the stack ${from.stack} owns nothing that matches`,
      '`trueup ledger list` shows what it owns',
    );
  const unsettled = [old, ledger].find((ledger) => ledger && (ledger.begun || ledger.staged));
  if (unsettled)
    throw refused(
      'ledger/unsettled',
      `a run of ${unsettled.stack} was interrupted, and its outcome is not known yet`,
      'run `trueup apply` for it first',
    );
  const home = ledger ?? emptyLedger(old.baseUrl, old.owner, to.stack);
  const entries = { ...home.entries };
  const moved: Record<Address, LedgerEntry> = {};
  for (const address of addresses) {
    const [entry, known] = [old.entries[address]!, entries[address]];
    if (known && !known.existing && canonical({ ...known, handover: entry.handover }) !== canonical(entry))
      throw refused(
        'ledger/both',
        `${address} is in both ledgers with different content`,
        `forget it in one of them: \`trueup ledger forget ${shellQuoted(address)}\``,
      );
    // The operator's word replaces what the stack had written about its next owner.
    const { handover: _, ...kept } = entry;
    entries[address] = kept;
    moved[address] = kept;
  }
  for (const address of addresses) borrowAround(address, old.entries, entries);
  // Where an interrupted call got so far, this one goes on.
  if (canonical(entries) !== canonical(ledger?.entries ?? {})) {
    const historyUpdate = await record(to, home, moved);
    await to.lease.confirm();
    await to.store.write({ ...home, entries }, { historyUpdate });
  }
  const left = { ...old.entries };
  for (const address of addresses) delete left[address];
  for (const address of Object.keys(left)) borrowAround(address, old.entries, left);
  dropUnused(left);
  const historyUpdate = await record(from, old, moved);
  await from.lease.confirm();
  await from.store.write({ ...old, entries: left }, { historyUpdate });
  await from.store.close();
  await to.store.close();
  return addresses;
}

/** Ends the claims of a stack that is gone, and gives back how many there were. Its objects stay, and so does its history. Throws `Problems`. */
export async function retireLedger(
  ledger: LeasedLedger,
  record: RecordEntries = unrecorded,
): Promise<number> {
  const old = await owned(ledger, { allowCopied: true });
  const { begun: _, staged: __, orders: ___, ...rest } = old;
  const claims = Object.entries(old.entries).filter(([, { existing }]) => !existing);
  const historyUpdate = await record(ledger, old, Object.fromEntries(claims));
  await ledger.lease.confirm();
  await ledger.store.write({ ...rest, entries: {} }, { historyUpdate, allowCopied: true });
  await ledger.store.close();
  return claims.length;
}

async function owned({ stack, store }: LeasedLedger, how?: { allowCopied?: true }): Promise<Ledger> {
  const ledger = await store.read();
  if (!ledger || ledger.stack !== stack)
    throw refused(
      'ledger/none',
      `there is no ledger of ${stack} at ${store.place}`,
      'check the name, and --ledger',
    );
  store.requireVerified(how);
  return ledger;
}

/** Knows a container by its id, as one that is not ours, for objects that stay or come without it. */
function borrowAround(
  address: Address,
  known: Ledger['entries'],
  entries: Record<Address, LedgerEntry>,
): void {
  for (const [around, entry] of Object.entries(known))
    if (around !== address && isWithin(address, around))
      entries[around] ??= { ...entry, fields: {}, secrets: {}, existing: true };
}

/** A container that is not ours is kept for what is in it only. */
function dropUnused(entries: Record<Address, LedgerEntry>): void {
  const addresses = Object.keys(entries);
  for (const address of addresses)
    if (entries[address]!.existing && !addresses.some((one) => one !== address && isWithin(one, address)))
      delete entries[address];
}

const refused = (code: string, message: string, hint: string) =>
  new Problems([problem(code, message, { hint })]);
