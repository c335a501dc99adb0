import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { workTreeOf } from '../git/work-tree.ts';
import { type Host, resolvePath } from '../host.ts';
import type { Documents } from '../ledger/documents.ts';
import { fileDocuments, refuseTrackedFiles } from '../ledger/file-documents.ts';
import { type Journal, openJournal } from '../ledger/journal.ts';
import { createKeyFile, findKey } from '../ledger/key.ts';
import { createHolder, formatUserAtHost } from '../ledger/lease-record.ts';
import { createLedgerStore, type LedgerStore } from '../ledger/ledger-store.ts';
import { isVerified, missingKeyProblem, unverifiedProblem } from '../ledger/proof.ts';
import { refuseTrackedLinks } from '../ledger/refuse-tracked-links.ts';
import { raise, shellWord } from '../model/diagnostic.ts';
import type { LedgerKey } from '../model/digest.ts';
import type { Ledger } from '../model/ledger.ts';
import { tryParseJson } from '../model/read-json.ts';
import {
  chosenLedgerPlace,
  createHomeFolder,
  gitRemoteOf,
  homeFolder,
  indexUrlOf,
  isLedgerFile,
  type LedgerChoice,
  mayCreateKey,
  type SettledLedgerChoice,
  storeUrlOf,
} from './ledger-choice.ts';

/**
 * Returns access to the stored documents of a stack: its ledger, lease, saved plan and history. Needed by every command that reads or
 * writes a ledger. The settled choice (options, environment, YAML) decides if they are in a file, in a ref of a git remote, or in a store
 * (PostgreSQL, S3, HTTP). Those of the twin (the local imitation of the platform) must be in a file. Loads the code for git or a store only
 * if it is used. Throws `Problems` for options that name no valid place and, for a file, if a symbolic link that git tracks leads to
 * `.trueup` or to a file of the ledger (`refuseTrackedLinks`).
 */
export async function openLedgerDocuments(
  stack: string,
  options: SettledLedgerChoice,
  host: Host,
): Promise<Documents> {
  const store = storeUrlOf(options, host);
  const remote = gitRemoteOf(options, host);
  if (options.twin && (store || remote !== undefined))
    raise('ledger/twin', "the twin's account is on this machine, and so is its ledger", {
      hint: 'drop --ledger git; for a file named git write ./git',
    });
  if (store) {
    const { openStoreDocuments } = await import('./open-store.ts');
    return openStoreDocuments(store, {
      stack,
      env: host.env,
      index: indexUrlOf(options, host),
      journalOf: (place) => journalPathOf(stack, place, host),
      who: () => formatUserAtHost(createHolder(host)),
    });
  }
  if (remote !== undefined) {
    requireRemoteName(remote);
    const { gitDocuments } = await import('../ledger/git-documents.ts');
    return gitDocuments({ stack, remote, cwd: host.cwd, env: host.env });
  }
  const defaultPlace = join(ownFolderOf(options), 'ledger', `${stack}.json`);
  const ledgerPlace = chosenLedgerPlace(options, host) ?? defaultPlace;
  // The first write is the lease, before anything creates `.trueup`.
  await refuseTrackedLinks(resolvePath(host, homeFolder), host, resolvePath(host, ledgerPlace));
  return fileDocuments(ledgerPlace, host);
}

/** Throws `Problems` if a text cannot be the name of a git remote. The name becomes an argument of git. */
function requireRemoteName(remote: string): void {
  if (!/^\w[\w./-]*$/.test(remote))
    raise('ledger/git-remote', '`--ledger git:REMOTE` expects the name of a remote', {
      hint: "`git remote` lists the names; credentials belong in git's own configuration",
    });
}

/**
 * Returns the path on this machine of the journal (what a run did since it last wrote the ledger) for a ledger in a
 * store. The name contains a digest of the place, so that a run never continues the journal of another ledger.
 */
const journalPathOf = (stack: string, place: string, host: Host): string =>
  resolvePath(
    host,
    join(homeFolder, 'journal', `${stack}.${hash('sha256', place, 'hex').slice(0, 8)}.journal`),
  );

/** Returns the folder for the files of a run: `.trueup`, or a folder in it for the twin, whose account is on this machine, too. */
const ownFolderOf = ({ twin }: Pick<LedgerChoice, 'twin'>): string =>
  join(homeFolder, ...(twin ? ['twin'] : []));

/**
 * Returns the path of the key that signs and verifies ledgers on a developer's machine: the nearest key file from the working directory up
 * to the top of the repository, because a command may run in the folder of one stack. Without one, where `trueup ledger key` creates it.
 * The twin (the local imitation of the platform) has a key of its own.
 */
export function keyPathOf(options: Pick<LedgerChoice, 'twin'>, { cwd }: Pick<Host, 'cwd'>): string {
  const ownPath = join(ownFolderOf(options), 'key');
  const top = options.twin ? cwd : (workTreeOf(cwd) ?? cwd);
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, ownPath);
    if (existsSync(path)) return relative(cwd, path);
    if (folder === top || folder === dirname(folder)) return ownPath;
  }
}

/**
 * Returns the key with which runs sign and verify the ledger, from the environment or the key file; undefined if there is none. For the
 * twin (the local imitation of the platform), it is only the twin's own key file: the key of the environment belongs to the ledgers of the
 * real account, and must not sign a ledger of the twin.
 */
export const findLedgerKey = (
  options: Pick<LedgerChoice, 'twin'>,
  host: Pick<Host, 'cwd' | 'env'>,
): Promise<LedgerKey | undefined> =>
  findKey(resolvePath(host, keyPathOf(options, host)), options.twin ? {} : host.env);

/**
 * Returns the ledger key of the environment; undefined if there is none. Used by a fleet worker, which trusts no key file of a checkout.
 */
export const findEnvironmentKey = ({ env }: Pick<Host, 'env'>): Promise<LedgerKey | undefined> =>
  findKey('', env);

/**
 * Opens the store with which a run reads, verifies and writes the ledger of a stack. It includes the journal on
 * this machine: what an interrupted run did after its last write. `openDocuments`: the documents of the stack, if
 * they are open already. Throws `Problems` if git tracks a file that must not be committed, such as the key.
 */
export async function openLedgerStore(
  stack: string,
  options: SettledLedgerChoice,
  host: Host,
  key: LedgerKey | undefined,
  openDocuments?: Documents,
): Promise<LedgerStore> {
  const documents = openDocuments ?? (await openLedgerDocuments(stack, options, host));
  const journal = await documents.journalPath();
  const { leasePath } = documents;
  const localFiles = [
    resolvePath(host, keyPathOf(options, host)),
    journal,
    ...(leasePath === undefined ? [] : [leasePath]),
  ];
  await refuseTrackedFiles(localFiles, host.cwd, host.env);
  return createLedgerStore(documents, { key, journal: openJournal(journal, key), now: host.clock.now });
}

/**
 * Returns a function to read the ledger of a stack, for commands such as `get` that work without a stack but
 * use its ledger if there is one. The function returns undefined if the stack has no name or no ledger.
 */
export const createLedgerReader =
  (stack: string, options: SettledLedgerChoice, host: Host) => async (): Promise<Ledger | undefined> => {
    if (stack === '') return undefined;
    const store = await openLedgerStore(stack, options, host, await findLedgerKey(options, host));
    return store.read();
  };

/**
 * Reads the ledger of a stack (the record of the objects that it owns); undefined if there is none yet. Throws
 * `Problems` if the place has the ledger of another stack, because a run with it would treat that stack's objects
 * as its own.
 */
export async function readStackLedger(stack: string, store: LedgerStore): Promise<Ledger | undefined> {
  const ledger = await store.read();
  if (ledger && ledger.stack !== stack)
    raise(
      'ledger/foreign',
      `the ledger ${store.place} belongs to a different stack: ${ledger.stack}, not ${stack}`,
      {
        hint: 'check --file and --ledger; each stack needs its own ledger',
      },
    );
  return ledger;
}

/**
 * Throws `Problems` for a stack such as `shop@staging` without a ledger, if `shop` has one from before the stack
 * had stages. With the new, empty ledger, a plan would adopt the objects in the old ledger again, because no stack
 * would own them. The user decides which stage gets the old ledger. `documents`: where the ledger of the stage is
 * kept.
 */
export async function refuseLedgerBeforeStages(
  { stack, stages }: { stack: string; stages: readonly string[] },
  options: SettledLedgerChoice,
  host: Host,
  documents: Documents,
): Promise<void> {
  // `shop@staging` is the stage `staging` of the stack `shop`.
  const [name, stage] = stack.split('@');
  if (stages.length === 0 || stage === undefined) return;
  const documentsBefore = await openLedgerDocuments(name!, options, host);
  const ledger = await documents.read('ledger');
  // If `--ledger` names one place for both, the name in the ledger says which of them wrote it.
  const isSamePlace = documentsBefore.place === documents.place;
  const isOldLedger = isSamePlace && ledger !== undefined && isLedgerOf(name!, ledger.text);
  const isOldElsewhere = !isSamePlace && !ledger && (await documentsBefore.read('ledger')) !== undefined;
  if (!isOldLedger && !isOldElsewhere) return;
  raise(
    'ledger/stage',
    `the stack ${stack} has no ledger, but ${name} does, from before it had stages: ${documentsBefore.place}`,
    {
      hint: `decide which stage it belongs to; if it is ${stage}: \`trueup ledger rename ${shellWord(name!)} ${shellWord(stack)}\``,
    },
  );
}

/** True if the text of a ledger names this stack as its own. */
const isLedgerOf = (stack: string, text: string): boolean =>
  (tryParseJson(text) as { stack?: unknown } | null | undefined)?.stack === stack;

/**
 * Returns a function to open the journal of another stack: the changes of an interrupted run on this machine
 * since it last wrote its ledger. A plan reads it to recognize objects that the ledger of that stack does not
 * contain yet.
 */
export function createJournalOpener(
  options: SettledLedgerChoice,
  host: Host,
  key: LedgerKey | undefined,
): (stack: string) => Promise<Journal> {
  // With git, finding a path starts a process, and a run looks at the journals of its partners again and again.
  const paths = new Map<string, Promise<string>>();
  return async (stack) => {
    const path =
      paths.get(stack) ??
      openLedgerDocuments(stack, options, host).then((documents) => documents.journalPath());
    paths.set(stack, path);
    return openJournal(await path, key);
  };
}

/** The option that decides which key is meant: that of the twin, or that of the platform. */
type KeyOptions = Pick<LedgerChoice, 'twin'>;

/** A ledger that has no usable key yet, and the store that it was read from. */
interface UnkeyedLedger {
  store: LedgerStore;
  ledger: Pick<Ledger, 'entries'>;
}

/**
 * Throws `Problems` if a new key for signing the ledger may not be created: in CI, where it would be lost with the
 * machine, or if the ledger has signatures or digests of secrets made with a key that is missing here, because a
 * new key could not verify them.
 */
export function refuseNewKey({ store, ledger }: UnkeyedLedger, options: KeyOptions, host: Host): void {
  const proof = store.proof();
  if (proof && !isVerified(proof) && proof.key !== undefined) raise(unverifiedProblem(proof, undefined));
  // Each digest of a secret names the key that made it; '' stands for a secret without a digest.
  const missingKey = Object.values(ledger.entries)
    .flatMap(({ secrets }) => Object.values(secrets))
    .find(({ key }) => key !== '')?.key;
  if (missingKey !== undefined)
    raise(
      'key/missing',
      `the ledger ${store.place} has secrets under the key ${missingKey}, but no key is available here`,
      {
        hint: 'set TRUEUP_LEDGER_KEY to that key; if it is lost: `trueup ledger key` creates a new one, then `trueup ledger sign`',
      },
    );
  if (!mayCreateKey(options, host)) raise(missingKeyProblem);
}

/**
 * Creates the key that signs ledgers, on a developer's machine, when the first run needs it. Creates the folder
 * `.trueup` with its `.gitignore` first, so that the key cannot be committed. Throws `Problems` if this run may not
 * create a key.
 */
export async function createFirstKey(
  unkeyed: UnkeyedLedger,
  options: KeyOptions,
  host: Host,
): Promise<LedgerKey> {
  refuseNewKey(unkeyed, options, host);
  await createHomeFolder(host);
  return createKeyFile(resolvePath(host, keyPathOf(options, host)));
}

/** A ledger that no stack of the workspace has. `stack`: the stack that it belongs to. */
interface LeftLedger {
  place: string;
  stack: string;
}

/**
 * Finds ledgers that belong to no stack of a workspace any more, for `trueup stacks`: the objects of a removed
 * stack stay in the account, and the user should know. `names`: the stacks of the workspace. Returns none if one of
 * them has no name, because a ledger could be its own. Returns an error if the ledgers cannot be listed.
 */
export async function findLeftLedgers(
  names: ReadonlySet<string>,
  options: SettledLedgerChoice,
  host: Host,
): Promise<LeftLedger[] | { place: string; error: Error }> {
  const [firstName] = names;
  if (firstName === undefined || names.has('')) return [];
  const documents = await openLedgerDocuments(firstName, options, host);
  const ledgers = await documents.readOtherLedgers().catch((error: Error) => error);
  if (ledgers instanceof Error) {
    // A place is `shop at postgres://db/trueup`, or `refs/trueup/shop at origin`.
    const folderOrStore = isLedgerFile(options, host)
      ? 'the folder of the ledgers'
      : documents.place.replace(/^.* at /, '');
    return { place: folderOrStore, error: ledgers };
  }
  return ledgers.flatMap(({ place, text = '' }) => {
    const stack = owningStackOf(text);
    return stack === undefined || names.has(stack) ? [] : [{ place, stack }];
  });
}

/**
 * Returns the name of the stack that a ledger of the store belongs to, so that `trueup stacks` can report ledgers of
 * removed stacks. Undefined if the text is no ledger, or if it has no entries: then no object is left behind.
 */
function owningStackOf(text: string): string | undefined {
  const { stack, entries } = (tryParseJson(text) ?? {}) as { stack?: unknown; entries?: object };
  if (Object.keys(entries ?? {}).length === 0) return undefined;
  return typeof stack === 'string' ? stack : undefined;
}
