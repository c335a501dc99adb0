import * as z from 'zod';
import {
  Conflict,
  changeRecords,
  type DocumentName,
  type DocumentStore,
  type HistoryUpdate,
  recordNamesIn,
  type StoredDocument,
} from '../../ledger/documents.ts';
import { toStoredDocument } from '../../ledger/file-documents.ts';
import type { OtherLedgerText } from '../../ledger/other-ledgers.ts';
import { raise } from '../../model/diagnostic.ts';
import { httpOwnership, type LedgerList } from './http-ownership.ts';
import type { HttpPlace } from './http-place.ts';
import {
  formatDocument,
  formatHolder,
  httpProblem,
  parseContent,
  parseStackDocument,
  type StackDocument,
} from './protocol.ts';
import { type StateServer, stateServer } from './state-server.ts';

interface HttpOptions {
  /** Names the holder of the lock: `ada@laptop`. */
  who: string;
  env: Record<string, string | undefined>;
  /** The document that lists all ledgers. Undefined: the ledgers of other stacks are not known. */
  index: HttpPlace | undefined;
  /** Milliseconds to wait for a lock that another run holds. */
  wait?: number;
}

/**
 * Opens the documents of a stack (ledger, lease and plan) and its history for `--ledger https://...`. They are
 * members of one document on a server that can only lock. Each write takes the lock, compares the version of a member
 * with the expected one, and writes the whole document. The lease of a run is a member, too: the server's lock is
 * held only during a write, so that a killed run seldom leaves it behind. `index`: a document on the server that
 * lists all ledgers, if there is one, so that other stacks can be found.
 */
export async function httpDocuments(
  store: HttpPlace,
  { index, ...serverOptions }: HttpOptions,
): Promise<DocumentStore> {
  const server = stateServer(store, serverOptions);
  const address = store.url.href;
  const list =
    index &&
    openLedgerIndex(index, stateServer(index, serverOptions), (otherAddress) => {
      const otherPlace = { ...store, url: new URL(otherAddress), shown: otherAddress };
      return { place: otherPlace, server: stateServer(otherPlace, serverOptions) };
    });
  /** The document as it was read or written last. The history is read from it. */
  let lastRead: StackDocument | undefined;
  const readDocument = async (get = server.get) => {
    const text = await get();
    lastRead = text === undefined ? undefined : parseStackDocument(text, store);
    return lastRead;
  };
  const update = (
    name: DocumentName,
    next: string | undefined,
    { expected, historyUpdate }: { expected: string | undefined; historyUpdate?: HistoryUpdate | undefined },
  ) =>
    server.locked(async ({ get, put, requireExclusive }) => {
      const stackDocument = await readDocument(get);
      const document = documentIn(stackDocument, name);
      if (document?.version !== expected) throw new Conflict(document);
      // Before the first write: the server must refuse a second lock.
      if (!stackDocument) await requireExclusive();
      const nextDocument: StackDocument = {
        ...stackDocument,
        trueup: 1,
        serial: (stackDocument?.serial ?? 0) + 1,
        [name]: next,
        history: changeRecords(stackDocument?.history, historyUpdate?.records ?? []),
      };
      await put(formatDocument(nextDocument));
      lastRead = nextDocument;
    });
  let isListed = false;

  return {
    read: async (name) => documentIn(await readDocument(), name),
    readOtherLedgers: async () => (list ? list.readOthers(address) : []),
    ownership: list && httpOwnership(address, list),
    history: {
      names: async () => recordNamesIn(Object.keys((lastRead ?? (await readDocument()))?.history ?? {})),
      read: async (names) => {
        const { history = {} } = lastRead ?? (await readDocument()) ?? {};
        return new Map(
          names.flatMap((name) => (Object.hasOwn(history, name) ? [[name, history[name]!]] : [])),
        );
      },
    },
    write: async (name, text, options) => {
      // The address is listed before the ledger exists. Other stacks would not see a ledger that is not listed.
      if (name === 'ledger' && !isListed) {
        await list?.add(address);
        isListed = true;
      }
      await update(name, text, options);
      return toStoredDocument(text).version;
    },
    remove: async (name, options) => {
      await update(name, undefined, options);
      if (name === 'ledger') {
        await list?.remove(address);
        isListed = false;
      }
    },
    findHeldLock: async () => {
      const lock = await server.findForeignLock();
      return lock && { holder: formatHolder(lock), take: () => server.breakLock(lock) };
    },
  };
}

/**
 * Returns one document of a stack (ledger, lease or plan) with its version; undefined if it is missing. A server for Terraform's protocol
 * stores one text for each stack, so all of them are members of one JSON document (`stackDocument`).
 */
const documentIn = (
  stackDocument: StackDocument | undefined,
  name: DocumentName,
): StoredDocument | undefined => {
  const text = stackDocument?.[name];
  return text === undefined ? undefined : toStoredDocument(text);
};

/** A document on the server that lists the addresses of all ledgers. Needed because the protocol cannot list documents. */
interface LedgerIndex extends LedgerList {
  /** Adds an address unless it is listed already. */
  add(address: string): Promise<void>;
  remove(address: string): Promise<void>;
  /** Reads all ledgers in the list except the one at this address. */
  readOthers(address: string): Promise<OtherLedgerText[]>;
}

const indexSchema = z.looseObject({
  trueup: z.literal(1),
  serial: z.number(),
  ledgers: z.array(z.string()),
  /** The shards of the ownership index. Earlier versions keep members that they do not know. */
  ownership: z.record(z.string(), z.string()).optional(),
});

type IndexDocument = z.infer<typeof indexSchema>;

/** Parses the text of an index; a missing one is empty. Throws `Problems` if there is something else at its address. */
const parseIndex = (text: string | undefined, store: HttpPlace): IndexDocument =>
  text === undefined
    ? { trueup: 1, serial: 0, ledgers: [] }
    : parseContent(text, store, (json) => indexSchema.safeParse(json).data);

/**
 * Throws `Problems` if an index names a ledger on another server: anybody may have written the index, and that server would get the
 * credentials.
 */
function refuseForeignAddresses(addresses: readonly string[], store: HttpPlace): void {
  const isForeign = (text: string) => !URL.canParse(text) || new URL(text).origin !== store.url.origin;
  if (addresses.some(isForeign))
    raise(
      httpProblem(
        store,
        'ledger/content',
        'the index of ledgers names a ledger on another server, which trueup does not contact',
        'remove it from the index; until then nothing is planned, because the objects of that stack are not known',
      ),
    );
}

/**
 * Opens the index: a document on a server that lists the addresses of all ledgers there, because Terraform's protocol cannot list
 * documents. A plan reads the other ledgers through it, so that it does not touch objects of other stacks. Writes of ledgers keep it up to
 * date. It also has the shards of the ownership index (which stack owns which objects). `open`: gives access to another address of the same
 * server.
 */
function openLedgerIndex(
  store: HttpPlace,
  server: StateServer,
  open: (address: string) => { place: HttpPlace; server: StateServer },
): LedgerIndex {
  const readList = async () => parseIndex(await server.get(), store);
  /** Replaces the list while its lock is held. `next` returns undefined if nothing is to be changed. */
  const replace = (next: (list: IndexDocument) => IndexDocument | undefined) =>
    server.locked(async ({ get, put, requireExclusive }) => {
      const text = await get();
      if (text === undefined) await requireExclusive();
      const list = parseIndex(text, store);
      const changed = next(list);
      if (changed) await put(formatDocument({ ...changed, serial: list.serial + 1 }));
    });
  /** Replaces the addresses by `next` if `isNeeded`. Looks first without the lock, because the change is seldom needed. */
  const change = async (isNeeded: (ledgers: string[]) => boolean, next: (ledgers: string[]) => string[]) => {
    if (!isNeeded((await readList()).ledgers)) return;
    await replace((list) =>
      isNeeded(list.ledgers) ? { ...list, ledgers: next(list.ledgers).sort() } : undefined,
    );
  };
  const listAddresses = async (): Promise<string[]> => {
    const { ledgers } = await readList();
    refuseForeignAddresses(ledgers, store);
    return ledgers;
  };
  const read: LedgerList['read'] = async (address) => {
    const { place, server: ledgerServer } = open(address);
    const stored = await ledgerServer.getTagged();
    const ledger = stored && parseStackDocument(stored.text, place).ledger;
    return ledger === undefined ? undefined : { place: place.shown, text: ledger, version: stored!.tag };
  };
  return {
    list: listAddresses,
    findVersion: (address) => open(address).server.findTag(),
    read,
    readShards: async () => (await readList()).ownership ?? {},
    changeShards: (next) => replace((list) => ({ ...list, ownership: next(list.ownership ?? {}) })),
    add: (address) =>
      change(
        (ledgers) => !ledgers.includes(address),
        (ledgers) => [...ledgers, address],
      ),
    remove: (address) =>
      change(
        (ledgers) => ledgers.includes(address),
        (ledgers) => ledgers.filter((ledger) => ledger !== address),
      ),
    readOthers: async (address) => {
      const otherAddresses = (await listAddresses()).filter((ledger) => ledger !== address);
      const otherTexts = await Promise.all(otherAddresses.map(read));
      return otherTexts.flatMap((ledger) => (ledger ? [{ place: ledger.place, text: ledger.text }] : []));
    },
  };
}
