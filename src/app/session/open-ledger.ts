import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Documents } from '../../ledger/documents.ts';
import { fileDocuments } from '../../ledger/file-documents.ts';
import { openJournal } from '../../ledger/journal.ts';
import { findKey } from '../../ledger/key.ts';
import { createHolder, formatUserAtHost } from '../../ledger/lease-record.ts';
import { createLedgerStore, type LedgerStore } from '../../ledger/ledger-store.ts';
import { refuseTrackedFiles } from '../../ledger/refuse-tracked-files.ts';
import { Problems } from '../../model/diagnostic.ts';
import type { Ledger } from '../../model/ledger.ts';
import type { LedgerKey } from '../../model/ledger-key.ts';
import { type Host, pathOn } from '../host.ts';
import { homeFolder } from './home-folder.ts';
import {
  chosenLedgerPlace,
  gitRemoteOf,
  indexUrlOf,
  type LedgerChoice,
  storeUrlOf,
} from './ledger-choice.ts';

/**
 * Opens the documents of a stack, in a file, under refs of a git remote, or in a store that a URL names. The twin has its own,
 * always in a file. Code for git and for stores is loaded only if it is used. Throws `Problems`.
 */
export async function openLedgerDocuments(
  stack: string,
  place: LedgerChoice,
  host: Host,
): Promise<Documents> {
  const store = storeUrlOf(place, host);
  if (store && !place.twin) {
    const { openStoreDocuments } = await import('../../stores/open-store.ts');
    return openStoreDocuments(store, {
      stack,
      env: host.env,
      index: indexUrlOf(place, host),
      journalOf: (name) => journalIn(stack, name, host),
      who: () => formatUserAtHost(createHolder(host)),
    });
  }
  const remote = gitRemoteOf(place, host);
  if (remote === undefined && !store)
    return fileDocuments(
      chosenLedgerPlace(place, host) ??
        join(homeFolder, ...(place.twin ? ['twin'] : []), 'ledger', `${stack}.json`),
      host,
    );
  if (place.twin)
    throw new Problems('ledger/twin', "the twin's account is on this machine, and so is its ledger", {
      hint: 'drop --ledger git; for a file named git write ./git',
    });
  // It becomes an argument of git.
  if (remote === undefined || !/^\w[\w./-]*$/.test(remote))
    throw new Problems('ledger/git-remote', '`--ledger git:REMOTE` expects the name of a remote', {
      hint: "`git remote` lists the names; credentials belong in git's own configuration",
    });
  const { gitDocuments } = await import('../../ledger/git-documents.ts');
  return gitDocuments({ stack, remote, cwd: host.cwd, env: host.env });
}

/** Returns the path of the journal for a ledger that is not on this machine. Each place has its own. */
const journalIn = (stack: string, place: string, host: Host): string =>
  pathOn(host, join(homeFolder, 'journal', `${stack}.${hash('sha256', place, 'hex').slice(0, 8)}.journal`));

/** Returns the path of the key on a developer's machine. The twin has a key of its own, because its account is on this machine, too. */
export const keyPathOf = ({ twin }: Pick<LedgerChoice, 'twin'>): string =>
  join(homeFolder, ...(twin ? ['twin'] : []), 'key');

/** Returns the key of a ledger; undefined if there is none. The key of the environment is not for the twin. */
export const findLedgerKey = (
  place: Pick<LedgerChoice, 'twin'>,
  host: Pick<Host, 'cwd' | 'env'>,
): Promise<LedgerKey | undefined> => findKey(pathOn(host, keyPathOf(place)), place.twin ? {} : host.env);

/** Returns the key of the environment, for runs where key files of a configuration do not count. */
export const findEnvironmentKey = ({ env }: Pick<Host, 'env'>): Promise<LedgerKey | undefined> =>
  findKey('', env);

/** Opens the store of a stack's ledger, with the journal of its runs on this machine. `opened`: its documents, if they are open already. Throws `Problems`. */
export async function openLedgerStore(
  stack: string,
  place: LedgerChoice,
  host: Host,
  key: LedgerKey | undefined,
  opened?: Documents,
): Promise<LedgerStore> {
  const documents = opened ?? (await openLedgerDocuments(stack, place, host));
  const journal = await documents.journalPath();
  const { leasePath } = documents;
  const own = [pathOn(host, keyPathOf(place)), journal, ...(leasePath === undefined ? [] : [leasePath])];
  await refuseTrackedFiles(own, host.cwd, host.env);
  return createLedgerStore(documents, { key, journal: openJournal(journal, key), now: host.clock.now });
}

/** Reads the ledger of a store; undefined if it has none. Throws `Problems` for the ledger of another stack. */
export async function readStackLedger(stack: string, store: LedgerStore): Promise<Ledger | undefined> {
  const ledger = await store.read();
  if (ledger && ledger.stack !== stack)
    throw new Problems(
      'ledger/foreign',
      `the ledger ${store.place} belongs to a different stack: ${ledger.stack}, not ${stack}`,
      {
        hint: 'check --file and --ledger; each stack needs its own ledger',
      },
    );
  return ledger;
}
