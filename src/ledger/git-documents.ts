import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { GitError } from '../git/git.ts';
import { folderMode, type NewObject, type TreeEntries } from '../git/objects.ts';
import { openRepository } from '../git/repository.ts';
import { type Diagnostic, problem, raise } from '../model/diagnostic.ts';
import { computeOnce } from '../model/graph.ts';
import {
  Conflict,
  contendedProblem,
  type DocumentName,
  type Documents,
  type HistoryUpdate,
  isRecordFileName,
  type StoredDocument,
} from './documents.ts';
import { gitOwnership, withoutOwnership } from './git-ownership.ts';
import { ownershipRef, refName, refOfStack } from './git-ref.ts';
import { GitRemote, type Snapshot } from './git-remote.ts';
import { readLedgersBesideRef } from './other-ledgers.ts';

const fileOf = (name: DocumentName) => `${name}.json`;
const historyFolder = 'history';
/** The number of times that a write is tried while other runs move the ref. */
const maxAttempts = 50;
/** The number of tries that may fail because git reports a conflict although the ref did not move. */
const maxAttemptsOnSameTip = 10;

/** The ref that a stack's documents are in. */
interface GitPlace {
  stack: string;
  /** The name of a remote. */
  remote: string;
  /** The top folder of the checkout, or any folder below it. */
  cwd: string;
  env: Record<string, string | undefined>;
}

/** The replacement of a file at the top of a ref: a document (ledger, lease or plan), or a shard of the ownership index. */
interface FileReplacement {
  /** The new content; undefined removes the file. */
  next: NewObject | undefined;
  /** The version that is replaced: the id of its content. Undefined if there must be none. */
  expected: string | undefined;
}

/** The changes of one commit. */
interface RefWrite {
  files: ReadonlyMap<string, FileReplacement>;
  /** The new text of each changed record of the history, by file name. See `HistoryUpdate`. */
  records?: HistoryUpdate['records'] | undefined;
  message: string;
}

/**
 * Returns access to the documents of a stack (ledger, lease, plan) and its history, stored as files in a git ref of
 * a remote, `refs/trueup/STACK`, so that a team needs no other storage for its ledgers.
 *
 * The ref is no branch. Nothing else in the checkout changes: no branch, no index, no file. Only the journal (what a
 * run did since it last wrote the ledger) is a file of this machine, in the git folder that all work trees share.
 *
 * `read` always asks the remote for the current commit of the ref, the snapshot. The history is read from the last
 * snapshot. Each write is a commit on top of it, pushed on the condition that the ref still points there. So a write
 * on top of an outdated snapshot fails. It is repeated on top of the new one, unless the same document changed there.
 */
export function gitDocuments(options: GitPlace): Documents {
  const ref = refOfStack(options.stack);
  const refPlace = `${ref} at ${options.remote}`;
  const open = computeOnce(() => openRepository(options.cwd, options.env));
  const remote = new GitRemote({ open, name: options.remote, ref, env: options.env });
  const indexRemote = new GitRemote({
    open,
    name: options.remote,
    ref: ownershipRef,
    env: options.env,
    hasNoHistory: true,
  });
  /** The ref as this run read or wrote it last. */
  let snapshot: Snapshot | undefined;
  const enqueue = createQueue(refPlace);

  const readSnapshot = async (file?: string): Promise<Snapshot> => {
    snapshot = undefined;
    snapshot = await remote.readSnapshot(file);
    return snapshot;
  };

  const update = async (...document: Parameters<typeof toRefWrite>) => {
    const base = snapshot ?? (await readSnapshot());
    const written = await replaceInRef(remote, { base, readSnapshot }, toRefWrite(...document));
    if (!written) raise(contendedProblem(refPlace));
    snapshot = written;
  };
  /** Returns the records in the history folder of the last snapshot, by file name. Other files there are ignored. */
  const listRecords = async () => {
    const files = await remote.filesIn(snapshot ?? (await readSnapshot()), historyFolder);
    return new Map([...files].filter(([name, { mode }]) => mode !== folderMode && isRecordFileName(name)));
  };

  return {
    place: refPlace,
    journalPath: () =>
      enqueue('read', async () =>
        join((await open()).commonFolder, 'trueup', `${refName(options.stack)}.journal`),
      ),
    read: (name) =>
      enqueue('read', async () => loadFile(await readSnapshot(fileOf(name)), fileOf(name), remote)),
    commit: () => snapshot?.tip,
    readOtherLedgers: () =>
      enqueue('read', async () =>
        readLedgersBesideRef(await open(), options.remote, async () =>
          withoutOwnership(await remote.takeSiblingTips()),
        ),
      ),
    ownership: gitOwnership({
      ownRef: ref,
      remote: indexRemote,
      open,
      remoteName: options.remote,
      isKnownMissing: () => remote.isKnownMissing(ownershipRef),
      enqueue,
      replace: async (texts, start) =>
        (await replaceIndexFiles(indexRemote, start, texts)) ??
        raise(contendedProblem(`${ownershipRef} at ${options.remote}`)),
    }),
    history: {
      names: () => enqueue('read', async () => [...(await listRecords()).keys()].sort()),
      read: (names) => enqueue('read', async () => loadRecords(remote, await listRecords(), names)),
    },
    write: (name, text, { expected, historyUpdate }) =>
      enqueue('written', async () => {
        const blob = await remote.createBlob(text);
        await update(name, { next: blob, expected }, historyUpdate);
        return blob.id;
      }),
    remove: (name, { expected, historyUpdate }) =>
      enqueue('written', () => update(name, { next: undefined, expected }, historyUpdate)),
  };
}

/** Returns the texts of those of these records that a history in git has, by file name. `records`: the files of all records. */
async function loadRecords(
  remote: GitRemote,
  records: TreeEntries,
  names: readonly string[],
): Promise<Map<string, string>> {
  const existing = names.filter((name) => records.has(name));
  const idOf = (name: string) => records.get(name)!.id;
  const texts = await remote.loadAll(existing.map(idOf));
  return new Map(existing.map((name) => [name, texts.get(idOf(name))!]));
}

/**
 * Replaces files of the ownership index in one commit, like `replaceInRef`. `texts`: the new text of each file, and the version that it
 * replaces.
 */
async function replaceIndexFiles(
  remote: GitRemote,
  start: { base: Snapshot; readSnapshot(): Promise<Snapshot> },
  texts: ReadonlyMap<string, { text: string; expected: string | undefined }>,
): Promise<Snapshot | undefined> {
  const files = new Map<string, FileReplacement>();
  for (const [file, { text, expected }] of texts)
    files.set(file, { next: await remote.createBlob(text), expected });
  return replaceInRef(remote, start, { files, message: 'Write the ownership index' });
}

/**
 * Returns the changed files and the message of the git commit that replaces or removes a document in the ref of a ledger: the document, and
 * the records of the history that belong to the change. They are written together or not at all.
 */
function toRefWrite(
  name: DocumentName,
  replacement: FileReplacement,
  historyUpdate: HistoryUpdate | undefined,
): RefWrite {
  const file = fileOf(name);
  const verb = replacement.next === undefined ? 'Remove' : 'Write';
  return {
    files: new Map([[file, replacement]]),
    records: historyUpdate?.records,
    message: historyUpdate?.message ?? `${verb} ${file}`,
  };
}

/**
 * Creates the function for all work on a ledger's ref. It does one piece of work at a time, because
 * pushes of the lease and of the ledger go to the same ref and would conflict, and converts errors of git to `Problems`
 * with a remedy. `access`: what the work does with the ledger.
 */
function createQueue(refPlace: string): <T>(access: GitAccess, work: () => Promise<T>) => Promise<T> {
  let previousWork: Promise<unknown> = Promise.resolve();
  return (access, work) => {
    const result = previousWork.then(work).catch((error) => {
      if (error instanceof GitError) raise(toProblem(refPlace, access, error));
      throw error;
    });
    previousWork = result.catch(() => {});
    return result;
  };
}

/**
 * Replaces or removes files of a ref, such as the ledger of a stack together with records of its history, in one commit, and returns the
 * commit. If another run pushed meanwhile, makes the commit again on top of that. Throws `Conflict`, without changing anything, if that run
 * changed one of the same files. Returns undefined if other runs were faster each time. `base`: the snapshot (a commit of the ref, with its
 * files) that was read last.
 */
async function replaceInRef(
  remote: GitRemote,
  { base: firstBase, readSnapshot }: { base: Snapshot; readSnapshot(): Promise<Snapshot> },
  { files, records, message }: RefWrite,
): Promise<Snapshot | undefined> {
  const edits = new Map([...files].map(([file, { next }]) => [file, next]));
  for (const [record, text] of records ?? [])
    edits.set(`${historyFolder}/${record}`, text === undefined ? undefined : await remote.createBlob(text));
  // The first snapshot may be outdated. Later ones have just been read.
  let base = findChangedFile(files, firstBase) === undefined ? firstBase : await readSnapshot();
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const changedFile = findChangedFile(files, base);
    if (changedFile !== undefined) {
      // An earlier push arrived although git reported a failure.
      if (attempt > 0 && hasAllFiles(files, base)) return base;
      throw new Conflict(await loadFile(base, changedFile, remote));
    }
    const committed = await remote.commit(base, edits, message);
    try {
      await remote.push(committed, base.tip);
      return committed;
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      const latest = await readSnapshot();
      const isFromOtherPush = latest.tip !== base.tip;
      const mayRetry = isFromOtherPush || (isContended(error) && attempt < maxAttemptsOnSameTip);
      if (!mayRetry) throw error;
      base = latest;
      await setTimeout(Math.random() * 20 * Math.min(attempt + 1, 20));
    }
  }
  return undefined;
}

/** Returns the name of the first file to replace that another run has changed or removed: it is not the expected one in a snapshot. */
function findChangedFile(files: RefWrite['files'], snapshot: Snapshot): string | undefined {
  for (const [name, { expected }] of files) if (snapshot.files.get(name)?.id !== expected) return name;
  return undefined;
}

/** True if a snapshot has the new content of all files to replace. */
const hasAllFiles = (files: RefWrite['files'], snapshot: Snapshot): boolean =>
  [...files].every(([name, { next }]) => snapshot.files.get(name)?.id === next?.id);

/** What a run was doing with the ledger when git failed, as the message says it. */
type GitAccess = 'read' | 'written';

/**
 * Loads a document (ledger, lease or plan) from a snapshot (a commit and its files); undefined if the commit has
 * none. Its version, which a later write names to replace exactly this text, is the id that git derived from the
 * content.
 */
async function loadFile(
  { files }: Snapshot,
  name: string,
  remote: GitRemote,
): Promise<StoredDocument | undefined> {
  const file = files.get(name);
  return file && { text: await remote.load(file.id), version: file.id };
}

/** Messages of git and of hosting services about missing access. */
const deniedPattern =
  /permission (to \S+ )?denied|access denied|authentication failed|could not read (username|password)|returned error: 40[13]|not authorized|not allowed|access (to repository )?not granted|repository not found|returned error: 404/i;
/** Messages of git about a remote that does not answer. */
const unreachablePattern =
  /could not resolve|unable to access|unable to look up|connection (refused|reset|timed out|closed)|network is unreachable|could not read from remote repository|does not appear to be a git repository|early eof|hung up/i;

/**
 * Converts an error of git into a problem with a remedy, so that users need not interpret git's own message.
 * `place`: the ref and remote of the ledger. `access`: whether the ledger was read or written.
 */
function toProblem(place: string, access: GitAccess, error: GitError): Diagnostic {
  const { reason, lines } = error;
  const problemsFor = (code: string, cause: string, hint: string, gitLines: string[] = []) =>
    problem(`ledger/${code}`, [`the ledger ${place} cannot be ${access}: ${cause}`, ...gitLines].join('\n'), {
      hint,
    });
  const text = lines.join('\n');
  // git prints the cause last.
  const lastLines = lines.slice(-6);
  if (reason === 'missing')
    return problemsFor(
      'git-program',
      'git is not on the PATH outside this repository',
      'install git, or keep the ledger in a file',
    );
  if (reason === 'timeout')
    return problemsFor('unreachable', 'git did not finish within two minutes', tryAgain, lastLines);
  if (reason === 'old')
    return problemsFor(
      'git-program',
      text,
      'install git 2.38 or newer (older versions trust any folder that looks like a repository), or keep the ledger in a file',
    );
  if (reason === 'outside' || /not a git repository/.test(text))
    return problemsFor(
      'git-repository',
      'this folder is not in a git work tree',
      'run trueup in the checkout, or name a file with --ledger',
    );
  if (reason === 'embedded')
    return problemsFor(
      'git-embedded',
      `the repository is among the files of its own work tree: ${text}`,
      'anyone who can change those files could run programs; use a checkout whose `.git` is a folder or lies elsewhere',
    );
  if (/dubious ownership/.test(text))
    return problemsFor(
      'git-owner',
      'the checkout belongs to another user',
      'run trueup as its owner; if you trust everything in it, tell git with `git config --global --add safe.directory FOLDER`',
      lastLines,
    );
  if (/remote rejected|hook declined|push declined/.test(text))
    return problemsFor(
      'git-rejected',
      'the repository rejected it',
      `its hooks and rules must allow pushes to ${place.split(' ')[0]}`,
      lastLines,
    );
  if (deniedPattern.test(text))
    return problemsFor(
      'git-denied',
      'git was denied access',
      access === 'written'
        ? 'the credentials of this checkout must be allowed to push; in GitHub Actions: `permissions: { contents: write }`'
        : 'give this checkout credentials to fetch; in CI keep those of the checkout step',
      lastLines,
    );
  if (unreachablePattern.test(text))
    return problemsFor('unreachable', 'its remote does not answer', tryAgain, lastLines);
  return problemsFor('store-failed', 'git says', 'fix what git reports, then run trueup again', lastLines);
}

const tryAgain = 'check the network and the address of the remote, then run trueup again';

/**
 * True if a push failed because another run pushed at the same moment. Then the write is made again on top of the new
 * state.
 */
const isContended = ({ lines }: GitError): boolean =>
  /stale info|fetch first|non-fast-forward|failed to update ref|cannot lock ref|unable to lock|incorrect old value|reference already exists/i.test(
    lines.join('\n'),
  );
