import * as z from 'zod';
import {
  Conflict,
  type DocumentName,
  type DocumentStore,
  type HistoryUpdate,
  isRecordFileName,
  type StoredDocument,
} from '../../ledger/documents.ts';
import { toStoredDocument } from '../../ledger/file-documents.ts';
import type { OtherLedgerText } from '../../ledger/other-ledgers.ts';
import { httpProblem } from './http-error.ts';
import type { HttpPlace } from './http-place.ts';
import { documentText, holderText, parsed, type StackDocument, stackDocument } from './protocol.ts';
import { type StateServer, stateServer } from './state-server.ts';

interface HttpOptions {
  /** Says for whom the LOCK is: `ada@laptop`. */
  who: string;
  env: Record<string, string | undefined>;
  /** The list of ledgers; without it nothing is known of other stacks. */
  index: HttpPlace | undefined;
  /** Milliseconds to wait for another one's LOCK. */
  wait?: number;
}

/**
 * Documents of a stack in one document of a server. The server only locks; what is compared and set is ours, and the LOCK is held
 * just for that. Our lease is a part of the document, so that a run which was killed does not lock the document itself.
 */
export async function httpDocuments(
  store: HttpPlace,
  { index, ...how }: HttpOptions,
): Promise<DocumentStore> {
  const server = stateServer(store, how);
  const address = store.url.href;
  const list =
    index &&
    ledgerIndex(index, stateServer(index, how), (other) => {
      const there = { ...store, url: new URL(other), shown: other };
      return { place: there, server: stateServer(there, how) };
    });
  /** The document as it was last seen. */
  let seen: StackDocument | undefined;
  const look = async (get = server.get) => {
    const text = await get();
    seen = text === undefined ? undefined : stackDocument(text, store);
    return seen;
  };
  const update = (
    name: DocumentName,
    next: string | undefined,
    { expected, historyUpdate }: { expected: string | undefined; historyUpdate?: HistoryUpdate | undefined },
  ) =>
    server.locked(async ({ get, put, requireExclusive }) => {
      const stackDocument = await look(get);
      const document = documentIn(stackDocument, name);
      if (document?.version !== expected) throw new Conflict(document);
      if (!stackDocument) await requireExclusive();
      const history = { ...stackDocument?.history };
      for (const [record, text] of historyUpdate?.records ?? [])
        if (text === undefined) delete history[record];
        else history[record] = text;
      const now: StackDocument = {
        ...stackDocument,
        trueup: 1,
        serial: (stackDocument?.serial ?? 0) + 1,
        [name]: next,
        history,
      };
      await put(documentText(now));
      seen = now;
    });
  let isListed = false;

  return {
    read: async (name) => documentIn(await look(), name),
    readOtherLedgers: async () => (list ? list.others(address) : []),
    history: {
      names: async () =>
        Object.keys((seen ?? (await look()))?.history ?? {})
          .filter(isRecordFileName)
          .sort(),
      read: async (names) => {
        const { history = {} } = seen ?? (await look()) ?? {};
        return new Map(
          names.flatMap((name) => (Object.hasOwn(history, name) ? [[name, history[name]!]] : [])),
        );
      },
    },
    write: async (name, text, how) => {
      // Before the ledger is there: one that is not listed would be nobody's neighbour.
      if (name === 'ledger' && !isListed) await list?.add(address);
      isListed ||= name === 'ledger';
      await update(name, text, how);
      return toStoredDocument(text).version;
    },
    remove: async (name, how) => {
      await update(name, undefined, how);
      if (name === 'ledger') await list?.drop(address);
      if (name === 'ledger') isListed = false;
    },
    findHeldLock: async () => {
      const lock = await server.lockOfAnother();
      return (
        lock && {
          holder: holderText(lock),
          take: () => server.takeAway(lock),
        }
      );
    },
  };
}

const documentIn = (
  stackDocument: StackDocument | undefined,
  name: DocumentName,
): StoredDocument | undefined => {
  const text = stackDocument?.[name];
  return text === undefined ? undefined : toStoredDocument(text);
};

/** A second document, which lists the addresses of all ledgers: the protocol itself cannot list anything. */
interface LedgerIndex {
  /** Makes sure that an address is listed. */
  add(address: string): Promise<void>;
  drop(address: string): Promise<void>;
  /** The ledgers that are listed, without this one. */
  others(address: string): Promise<OtherLedgerText[]>;
}

const schema = z.looseObject({ trueup: z.literal(1), serial: z.number(), ledgers: z.array(z.string()) });

/** `open` gives access to an address of the same server. */
function ledgerIndex(
  store: HttpPlace,
  server: StateServer,
  open: (address: string) => { place: HttpPlace; server: StateServer },
): LedgerIndex {
  const listIn = (text: string | undefined) =>
    text === undefined
      ? { trueup: 1 as const, serial: 0, ledgers: [] }
      : parsed(text, store, (json) => schema.safeParse(json).data);
  const change = async (isNeeded: (ledgers: string[]) => boolean, next: (ledgers: string[]) => string[]) => {
    if (!isNeeded(listIn(await server.get()).ledgers)) return;
    await server.locked(async ({ get, put, requireExclusive }) => {
      const text = await get();
      if (text === undefined) await requireExclusive();
      const list = listIn(text);
      if (isNeeded(list.ledgers))
        await put(documentText({ ...list, serial: list.serial + 1, ledgers: next(list.ledgers).sort() }));
    });
  };
  return {
    add: (address) =>
      change(
        (ledgers) => !ledgers.includes(address),
        (ledgers) => [...ledgers, address],
      ),
    drop: (address) =>
      change(
        (ledgers) => ledgers.includes(address),
        (ledgers) => ledgers.filter((ledger) => ledger !== address),
      ),
    others: async (address) => {
      const { ledgers } = listIn(await server.get());
      const listed = ledgers.filter((ledger) => ledger !== address);
      // Credentials go nowhere else, whoever wrote the list.
      const strange = listed.find((one) => !URL.canParse(one) || new URL(one).origin !== store.url.origin);
      if (strange !== undefined)
        throw httpProblem(
          store,
          'ledger/http-content',
          'this index of ledgers names one at another server, which is not asked',
          'take it out of the index: what that stack owns is not known, so nothing is planned',
        );
      const otherTexts = await Promise.all(
        listed.map(async (one): Promise<OtherLedgerText | undefined> => {
          const other = open(one);
          const text = await other.server.get();
          const ledger = text === undefined ? undefined : stackDocument(text, other.place).ledger;
          return ledger === undefined ? undefined : { place: other.place.shown, text: ledger };
        }),
      );
      return otherTexts.filter((otherText) => otherText !== undefined);
    },
  };
}
