import type { DocumentStore, Documents } from '../ledger/documents.ts';
import { httpPlace, indexPlace } from './http/http-place.ts';
import { connectionOf } from './postgres/connection.ts';
import { s3Place } from './s3/s3-place.ts';
import { refused, type StoreUrl } from './store-url.ts';

interface StoreOptions {
  stack: string;
  env: Record<string, string | undefined>;
  /** The document in which a store over HTTP lists its ledgers. */
  index?: StoreUrl | undefined;
  /** The file of this machine for a run's journal, for a place of this name. */
  journalOf(place: string): string;
  /** Says for whom a lock is: `ada@laptop`. */
  who(): string;
}

/**
 * The documents of a stack in a store that a URL names. What talks to it is loaded when something is asked of it. Throws `Problems`
 * for a URL or settings that cannot work.
 */
export function storeDocuments(store: StoreUrl, options: StoreOptions): Documents {
  const { place, load } = opening[store.sort](store.url, options);
  const isHttp = store.sort === 'http';
  return {
    ...lazily(place, options.journalOf(place), load, isHttp),
    // The protocol cannot list ledgers: only an index does.
    areOthersUnknown: isHttp && options.index === undefined,
  };
}

function inPostgres(url: URL, { stack, env }: StoreOptions) {
  const connection = connectionOf(url, env);
  const place = `${stack} at ${connection.shown}`;
  const load = async (): Promise<DocumentStore> => {
    const { postgresDocuments } = await import('./postgres/postgres-documents.ts');
    return postgresDocuments(stack, place, connection);
  };
  return { place, load };
}

function inS3(url: URL, { stack, env }: StoreOptions) {
  const where = s3Place(url, env);
  const place = `${stack} at ${where.shown}`;
  const load = async (): Promise<DocumentStore> => {
    const { s3Documents } = await import('./s3/s3-documents.ts');
    return s3Documents(stack, place, where);
  };
  return { place, load };
}

function inHttp(url: URL, { stack, env, index, who }: StoreOptions) {
  const store = httpPlace(url, stack, env);
  const listing = index && indexPlace(index.url, url, env);
  if (listing && listing.url.origin !== store.url.origin)
    throw refused(
      'the index of the ledgers is at another server than they are',
      'both need the same credentials: name one beside the ledgers',
    );
  // The first apply would put the ledger there, and every other stack would find something else than the index.
  if (listing?.url.href === store.url.href)
    throw refused(
      `the ledger of the stack ${stack} would be where the index of all ledgers is`,
      'name the index otherwise, the same for all stacks: --ledger-index, TRUEUP_LEDGER_INDEX; or name the stack otherwise',
    );
  const load = async (): Promise<DocumentStore> => {
    const { httpDocuments } = await import('./http/http-documents.ts');
    return httpDocuments(store, { who: who(), env, index: listing });
  };
  return { place: store.shown, load };
}

const opening = { postgres: inPostgres, http: inHttp, s3: inS3 };

/** Documents that are opened once somebody asks for one. */
function lazily(
  place: string,
  journalPath: string,
  load: () => Promise<DocumentStore>,
  canLock: boolean,
): Documents {
  let opened: Promise<DocumentStore> | undefined;
  const open = () => {
    opened ??= load();
    return opened;
  };
  return {
    place,
    journalPath: async () => journalPath,
    read: async (name) => (await open()).read(name),
    readOtherLedgers: async () => (await open()).readOtherLedgers(),
    history: {
      names: async () => (await open()).history.names(),
      read: async (names) => (await open()).history.read(names),
    },
    write: async (...how) => (await open()).write(...how),
    remove: async (...how) => (await open()).remove(...how),
    ...(canLock ? { findHeldLock: async () => (await open()).findHeldLock?.() } : {}),
  };
}
