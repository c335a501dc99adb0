import type { Documents } from '../ledger/documents.ts';
import { connectionOf } from './postgres/connection.ts';
import type { StoreUrl } from './store-url.ts';

interface StoreOptions {
  stack: string;
  env: Record<string, string | undefined>;
  /** The file of this machine for a run's journal, for a place of this name. */
  journalOf(place: string): string;
}

/**
 * The documents of a stack in a store that a URL names. What talks to it is loaded when something is asked of it. Throws `Problems`
 * for a URL or settings that cannot work.
 */
export function storeDocuments({ url }: StoreUrl, { stack, env, journalOf }: StoreOptions): Documents {
  const connection = connectionOf(url, env);
  const place = `${stack} at ${connection.shown}`;
  return lazily(place, journalOf(place), async () => {
    const { postgresDocuments } = await import('./postgres/postgres-documents.ts');
    return postgresDocuments(stack, place, connection);
  });
}

/** Documents that are opened once somebody asks for one. */
function lazily(
  place: string,
  journalPath: string,
  load: () => Promise<Omit<Documents, 'place' | 'journalPath'>>,
): Documents {
  let opened: ReturnType<typeof load> | undefined;
  const open = () => {
    opened ??= load();
    return opened;
  };
  return {
    place,
    journalPath: async () => journalPath,
    read: async (name) => (await open()).read(name),
    others: async () => (await open()).others(),
    history: {
      names: async () => (await open()).history.names(),
      read: async (names) => (await open()).history.read(names),
    },
    write: async (...how) => (await open()).write(...how),
    remove: async (...how) => (await open()).remove(...how),
  };
}
