/*
 * Reads the ledger of a stack without an account, and corrects it: the work of `trueup ledger forget` and `trueup ledger sign`.
 */
import { hash } from 'node:crypto';
import type { Host } from '../host.ts';
import type { Documents } from '../ledger/documents.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import { missingKeyProblem } from '../ledger/proof.ts';
import { raise } from '../model/diagnostic.ts';
import type { LedgerKey } from '../model/digest.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import { holdLease } from '../stores/hold-lease.ts';
import type { SettledLedgerChoice } from '../stores/ledger-choice.ts';
import {
  findLedgerKey,
  openLedgerDocuments,
  openLedgerStore,
  readStackLedger,
} from '../stores/open-ledger.ts';
import { composeCommandRecord } from './ledger-record.ts';

/** The place of a ledger. `lockWait`: the seconds to wait for its lease. */
type LeasedChoice = SettledLedgerChoice & { lockWait?: number };

/** The run of a command, which shows its messages. */
interface LedgerPort {
  run: { host: Host };
  say(text: string): void;
}

/** The ledger of a stack as it was read. `text`: the stored text, for the check of its signature. */
export interface HeldLedger {
  documents: Documents;
  text: string;
  store: LedgerStore;
  ledger: Ledger;
}

/**
 * Opens the existing ledger of a stack, with its stored text, for a command such as `trueup ledger show`. `key`:
 * used instead of the key of this machine. Throws `Problems` if there is no ledger, or that of another stack.
 */
export async function openHeldLedger(
  stack: string,
  options: LeasedChoice,
  host: Host,
  key?: LedgerKey,
): Promise<HeldLedger> {
  let text = '';
  const storedDocuments = await openLedgerDocuments(stack, options, host);
  // The store reads the ledger through these documents, and so fills `text`.
  const documents: Documents = {
    ...storedDocuments,
    read: async (name) => {
      const document = await storedDocuments.read(name);
      if (name === 'ledger') text = document?.text ?? '';
      return document;
    },
  };
  const store = await openLedgerStore(
    stack,
    options,
    host,
    key ?? (await findLedgerKey(options, host)),
    documents,
  );
  const ledger = await readStackLedger(stack, store);
  if (!ledger) {
    if (options.ledgerDoubt) raise(options.ledgerDoubt);
    raise('ledger/none', `there is no ledger at ${store.place}`, {
      hint: 'the first `trueup apply` creates it',
    });
  }
  return { documents, text, store, ledger };
}

/**
 * Returns the ledger entry of an address that a user named, for commands such as `trueup ledger forget`. Throws `Problems` if the ledger
 * has none.
 */
export function requireEntry({ entries }: Ledger, address: string): LedgerEntry {
  const entry = entries[address];
  if (!entry)
    raise('ledger/unknown', `the ledger has no entry for ${address}`, {
      hint: '`trueup ledger list` shows its entries',
    });
  return entry;
}

/**
 * Removes an entry from the ledger of a stack, for `trueup ledger forget`, so that the stack neither changes nor
 * deletes the object any more, unless its configuration declares it. The object itself is not touched. Holds the lease
 * meanwhile, and records the removal in the history. Returns the place of the ledger and its key, to index it.
 */
export async function forgetEntry(
  stack: string,
  address: string,
  options: LeasedChoice,
  port: LedgerPort,
): Promise<{ documents: Documents; key: LedgerKey }> {
  const { host } = port.run;
  const key = (await findLedgerKey(options, host)) ?? raise(missingKeyProblem);
  const lease = await holdLease(await openLedgerDocuments(stack, options, host), options, port);
  try {
    const { documents, store, ledger } = await openHeldLedger(stack, options, host, key);
    const entry = requireEntry(ledger, address);
    store.requireVerified();
    const { [address]: _, ...entries } = ledger.entries;
    const historyUpdate = await composeCommandRecord({ ...ledger, documents }, options, port.run, {
      command: 'forget',
      changes: { action: 'forget', entries: { [address]: entry } },
    });
    await lease.confirm();
    await store.write({ ...ledger, entries }, { historyUpdate });
    return { documents, key };
  } finally {
    await lease.release();
  }
}

/**
 * Returns the SHA-256 of a ledger's stored bytes, as `sha256sum` prints it, so that a reviewer can compare it. A journal of changes follows
 * the ledger.
 */
export const digestOfLedger = ({ text, store }: HeldLedger): string =>
  hash('sha256', `${text}${store.journalText() ?? ''}`, 'hex');

/**
 * Signs the ledger of a stack that a person has reviewed, for `trueup ledger sign`, and returns it as written, with its place. No
 * other run can write it meanwhile, because this one holds its lease. `digest`: of the reviewed ledger. Throws
 * `Problems` if the ledger has changed since the review.
 */
export async function signReviewedLedger(
  stack: string,
  { key, digest }: { key: LedgerKey; digest: string },
  options: LeasedChoice,
  port: LedgerPort,
): Promise<Pick<HeldLedger, 'documents' | 'store' | 'ledger'>> {
  const { host } = port.run;
  const lease = await holdLease(await openLedgerDocuments(stack, options, host), options, port);
  try {
    const current = await openHeldLedger(stack, options, host, key);
    const { store, ledger } = current;
    if (digestOfLedger(current) !== digest)
      raise('sign/changed', `the ledger ${store.place} changed after it was shown, so it was not signed`, {
        hint: 'review it again',
      });
    const historyUpdate = await composeCommandRecord(
      { ...ledger, documents: current.documents },
      options,
      port.run,
      {
        command: 'sign',
      },
    );
    await lease.confirm();
    const signed = await store.write(ledger, { trusted: true, historyUpdate });
    await store.close();
    return { documents: current.documents, store, ledger: signed };
  } finally {
    await lease.release();
  }
}
