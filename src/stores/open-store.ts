import type { DocumentStore, Documents, OwnershipStore } from '../ledger/documents.ts';
import { raise } from '../model/diagnostic.ts';
import { computeOnce } from '../model/graph.ts';
import { httpPlace, indexPlace } from './http/http-place.ts';
import { readDatabaseConnection } from './postgres/connection.ts';
import { s3Place } from './s3/s3-place.ts';
import { type StoreUrl, urlProblem } from './store-url.ts';

interface OpenStoreOptions {
  stack: string;
  env: Record<string, string | undefined>;
  /** The document that lists the ledgers of a store over HTTP. */
  index?: StoreUrl | undefined;
  /** Returns the path of the journal of runs on this machine for a place of this name. */
  journalOf(place: string): string;
  /** Returns the holder of a lock: `ada@laptop`. */
  who(): string;
}

/**
 * Returns access to the documents of a stack (ledger, lease, plan) and its history in the store that the URL of
 * `--ledger` names. The client of the store is loaded at the first request. Throws `Problems` for a URL or settings
 * that cannot work.
 */
export function openStoreDocuments(store: StoreUrl, options: OpenStoreOptions): Documents {
  const { place, ownName, load } = prepareStore[store.storeKind](store.url, options);
  const isHttp = store.storeKind === 'http';
  // The protocol cannot list ledgers, so the other stacks are only known if there is an index. It also has the ownership index.
  const areOthersUnknown = isHttp && options.index === undefined;
  const nameInOwnershipIndex = areOthersUnknown ? undefined : ownName;
  const canLock = isHttp;
  return {
    ...openLazily(
      { place, journalPath: options.journalOf(place), ownName: nameInOwnershipIndex },
      load,
      canLock,
    ),
    areOthersUnknown,
  };
}

/** A store that can be opened. Only `load` loads its client, because the package of a client may not be installed. */
interface PreparedStore {
  /** The place of the ledger in messages. */
  place: string;
  /** The name of the stack's ledger in the ownership index of the store. */
  ownName: string;
  load(): Promise<DocumentStore>;
}

/**
 * Prepares the store of a stack's ledger for `--ledger postgres://...`, without loading the database client. Throws `Problems` for settings
 * that cannot work.
 */
function preparePostgres(url: URL, { stack, env }: OpenStoreOptions): PreparedStore {
  const connection = readDatabaseConnection(url, env);
  const ledgerPlace = `${stack} at ${connection.shown}`;
  const load = async (): Promise<DocumentStore> => {
    const { postgresDocuments } = await import('./postgres/postgres-documents.ts');
    return postgresDocuments(stack, ledgerPlace, connection);
  };
  return { place: ledgerPlace, ownName: stack, load };
}

/**
 * Prepares the store of a stack's ledger for `--ledger s3://...`, without loading the AWS SDK. Throws `Problems` for settings that cannot
 * work.
 */
function prepareS3(url: URL, { stack, env }: OpenStoreOptions): PreparedStore {
  const bucketPlace = s3Place(url, env);
  const ledgerPlace = `${stack} at ${bucketPlace.shown}`;
  const load = async (): Promise<DocumentStore> => {
    const { s3Documents } = await import('./s3/s3-documents.ts');
    return s3Documents(stack, ledgerPlace, bucketPlace);
  };
  return { place: ledgerPlace, ownName: stack, load };
}

/**
 * Prepares the store of a stack's ledger for `--ledger https://...`. `index`: the document that lists all ledgers. Throws `Problems` if it
 * is on another server, or at the address of this ledger.
 */
function prepareHttp(url: URL, { stack, env, index, who }: OpenStoreOptions): PreparedStore {
  const store = httpPlace(url, stack, env);
  const indexAt = index && indexPlace(index.url, url, env);
  if (indexAt && indexAt.url.origin !== store.url.origin)
    raise(
      urlProblem(
        'the index of the ledgers is on another server than the ledgers',
        'name an index on the server of the ledgers, because both use the same credentials',
      ),
    );
  // The first apply would overwrite the index with the ledger of one stack.
  if (indexAt?.url.href === store.url.href)
    raise(
      urlProblem(
        `the ledger of the stack ${stack} has the same address as the index of all ledgers`,
        'give the index another address, the same for all stacks (--ledger-index, TRUEUP_LEDGER_INDEX), or rename the stack',
      ),
    );
  const load = async (): Promise<DocumentStore> => {
    const { httpDocuments } = await import('./http/http-documents.ts');
    return httpDocuments(store, { who: who(), env, index: indexAt });
  };
  return { place: store.shown, ownName: store.url.href, load };
}

/** What prepares the store of a URL, by the kind of the store. */
const prepareStore = { postgres: preparePostgres, http: prepareHttp, s3: prepareS3 };

/**
 * Returns the documents of a stack in a store, which `load` opens at the first access, because many commands never read the ledger, and the
 * store's client package may not be installed. `canLock`: the server itself locks, so a lock that a killed run left behind can be found.
 * `ownName`: the name of the stack's ledger in the ownership index (which stack owns which objects); undefined if the store can have none.
 */
function openLazily(
  { place, journalPath, ownName }: { place: string; journalPath: string; ownName: string | undefined },
  load: () => Promise<DocumentStore>,
  canLock: boolean,
): Documents {
  const open = computeOnce(load);
  return {
    place,
    journalPath: async () => journalPath,
    read: async (name) => (await open()).read(name),
    readOtherLedgers: async () => (await open()).readOtherLedgers(),
    ownership:
      ownName === undefined ? undefined : openIndexLazily(ownName, async () => (await open()).ownership!),
    history: {
      names: async () => (await open()).history.names(),
      read: async (names) => (await open()).history.read(names),
    },
    write: async (...args) => (await open()).write(...args),
    remove: async (...args) => (await open()).remove(...args),
    findHeldLock: canLock ? async () => (await open()).findHeldLock?.() : undefined,
  };
}

/**
 * Returns the ownership index of a store: it lists the objects that each stack owns. It is opened at the first access, because many
 * commands do not need it. `open`: returns the same store each time.
 */
const openIndexLazily = (ownName: string, open: () => Promise<OwnershipStore>): OwnershipStore => ({
  ownName,
  mayBegin: true,
  readShards: async (...args) => (await open()).readShards(...args),
  writeShards: async (...args) => (await open()).writeShards(...args),
  listNames: async () => (await open()).listNames(),
  listVersions: async () => (await open()).listVersions(),
  readLedgers: async (names) => (await open()).readLedgers(names),
});
