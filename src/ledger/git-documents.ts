import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { GitError } from '../git/git.ts';
import { openRepository, type Repository } from '../git/repository.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import {
  Conflict,
  type DocumentName,
  type Documents,
  type HistoryUpdate,
  isRecordFileName,
  type StoredDocument,
} from './documents.ts';
import { GitRemote, type Snapshot } from './git-remote.ts';
import { readLedgersBesideRef } from './other-ledgers.ts';

const fileOf = (name: DocumentName) => `${name}.json`;
const historyFolder = 'history';
const attempts = 50;
/** The most times that git may report a ref in conflict with itself. */
const patience = 10;

/**
 * Documents in a ref of a git remote, `refs/trueup/STACK`, which is no branch. Each write is a commit on top of what was read, pushed
 * on the condition that the ref is still there. Nothing of the checkout is touched: no branch, no index, no file.
 */
export function gitDocuments(options: {
  stack: string;
  /** The name of a remote. */
  remote: string;
  /** A folder of the checkout, the top or any below it. */
  cwd: string;
  env: Record<string, string | undefined>;
}): Documents {
  const ref = `refs/trueup/${refName(options.stack)}`;
  const place = `${ref} at ${options.remote}`;
  let opened: Promise<Repository> | undefined;
  const open = () => {
    opened ??= openRepository(options.cwd, options.env);
    return opened;
  };
  const remote = new GitRemote(open, options.remote, ref);
  /** The remote as it was last seen. */
  let snapshot: Snapshot | undefined;
  let ready: Promise<unknown> = Promise.resolve();

  /** One at a time, so that one run's heartbeat and its ledger do not get into each other's way. */
  const alone = <T>(doing: 'read' | 'written', work: () => Promise<T>): Promise<T> => {
    const result = ready.then(work).catch((error) => {
      throw error instanceof GitError ? gitProblems(place, doing, error) : error;
    });
    ready = result.catch(() => {});
    return result;
  };

  const look = async (): Promise<Snapshot> => {
    snapshot = undefined;
    snapshot = await remote.look();
    return snapshot;
  };

  return {
    place,
    journalPath: () =>
      alone('read', async () =>
        join((await open()).commonFolder, 'trueup', `${refName(options.stack)}.journal`),
      ),
    read: (name) => alone('read', async () => documentIn(await look(), name, remote)),
    commit: () => snapshot?.tip,
    readOtherLedgers: () =>
      alone('read', async () => readLedgersBesideRef(await open(), options.remote, await remote.beside())),
    history: {
      names: () => alone('read', async () => [...(await records()).keys()].sort()),
      read: (names) =>
        alone('read', async () => {
          const there = await records();
          const wanted = names.flatMap((name) => {
            const found = there.get(name);
            return found ? [[name, found.sha] as const] : [];
          });
          const texts = await remote.loadAll(wanted.map(([, sha]) => sha));
          return new Map(wanted.map(([name, sha]) => [name, texts.get(sha)!]));
        }),
    },
    write: (name, text, { expected, historyUpdate }) =>
      alone('written', async () => {
        const version = await remote.store(text);
        await update(name, version, expected, historyUpdate);
        return version;
      }),
    remove: (name, { expected, historyUpdate }) =>
      alone('written', () => update(name, undefined, expected, historyUpdate)),
  };

  async function records() {
    const files = await remote.filesIn(snapshot ?? (await look()), historyFolder);
    return new Map([...files].filter(([name, { type }]) => type === 'blob' && isRecordFileName(name)));
  }

  async function update(
    name: DocumentName,
    next: string | undefined,
    expected: string | undefined,
    historyUpdate?: HistoryUpdate,
  ) {
    const file = fileOf(name);
    const edits = new Map([[file, next]]);
    for (const [record, text] of historyUpdate?.records ?? [])
      edits.set(`${historyFolder}/${record}`, text === undefined ? undefined : await remote.store(text));
    const message = historyUpdate?.message ?? `${next === undefined ? 'Remove' : 'Write'} ${file}`;
    let base = snapshot ?? (await look());
    for (let tried = 0; tried < attempts; tried++) {
      if (base.files.get(file)?.sha !== expected) {
        // What was seen before may be old; what is seen now is not.
        if (tried === 0) base = await look();
        // A push that arrived, though git did not say so.
        if (tried > 0 && base.files.get(file)?.sha === next) return;
        if (base.files.get(file)?.sha !== expected) throw new Conflict(await documentIn(base, name, remote));
      }
      const changed = await remote.commit(base, edits, message);
      try {
        await remote.push(changed, base.tip);
        snapshot = changed;
        return;
      } catch (error) {
        if (!(error instanceof GitError)) throw error;
        const now = await look();
        if (now.tip === base.tip && !(isContended(error) && tried < patience)) throw error;
        base = now;
        await setTimeout(Math.random() * 20 * Math.min(tried + 1, 20));
      }
    }
    throw new Problems([
      problem('ledger/git-contended', `the ledger ${place} cannot be written: other runs keep writing it`, {
        hint: 'run trueup again',
      }),
    ]);
  }
}

async function documentIn(
  { files }: Snapshot,
  name: DocumentName,
  remote: GitRemote,
): Promise<StoredDocument | undefined> {
  const file = files.get(fileOf(name));
  return file && { text: await remote.load(file.sha), version: file.sha };
}

/** A name that git takes as part of a ref, whatever it is; no two names are the same. */
const refName = (stack: string): string =>
  encodeURIComponent(stack).replace(/[.!~*'()]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);

const denied =
  /permission (to \S+ )?denied|access denied|authentication failed|could not read (username|password)|returned error: 40[13]|not authorized|not allowed|access (to repository )?not granted|repository not found|returned error: 404/i;
const unreachable =
  /could not resolve|unable to access|unable to look up|connection (refused|reset|timed out|closed)|network is unreachable|could not read from remote repository|does not appear to be a git repository|early eof|hung up/i;

/** Turns a refusal by git into a problem that says what to do. */
function gitProblems(place: string, doing: 'read' | 'written', error: GitError): Problems {
  const { reason, lines } = error;
  const say = (code: string, why: string, hint: string, said: string[] = []) =>
    new Problems([
      problem(`ledger/${code}`, [`the ledger ${place} cannot be ${doing}: ${why}`, ...said].join('\n'), {
        hint,
      }),
    ]);
  const text = lines.join('\n');
  // The last lines say what it was.
  const last = lines.slice(-6);
  if (reason === 'missing')
    return say(
      'git-missing',
      'git is not on the PATH outside this repository',
      'install git, or keep the ledger in a file',
    );
  if (reason === 'timeout')
    return say('git-unreachable', 'git did not finish within two minutes', tryAgain, last);
  if (reason === 'old')
    return say(
      'git-old',
      text,
      'install git 2.38 or newer (older versions trust any folder that looks like a repository), or keep the ledger in a file',
    );
  if (reason === 'outside' || /not a git repository/.test(text))
    return say(
      'git-repository',
      'this folder is not in a git work tree',
      'run trueup in the checkout, or name a file with --ledger',
    );
  if (reason === 'embedded')
    return say(
      'git-embedded',
      `the repository is among the files of its own work tree: ${text}`,
      'anyone who can change those files could run programs; use a checkout whose `.git` is a folder or lies elsewhere',
    );
  if (/dubious ownership/.test(text))
    return say(
      'git-owner',
      'the checkout belongs to another user',
      'run trueup as its owner; if you trust everything in it, tell git with `git config --global --add safe.directory FOLDER`',
      last,
    );
  if (/remote rejected|hook declined|push declined/.test(text))
    return say(
      'git-rejected',
      'the repository rejected it',
      `its hooks and rules must allow pushes to ${place.split(' ')[0]}`,
      last,
    );
  if (denied.test(text))
    return say(
      'git-denied',
      'git was denied access',
      doing === 'written'
        ? 'the credentials of this checkout must be allowed to push; in GitHub Actions: `permissions: { contents: write }`'
        : 'give this checkout credentials to fetch; in CI keep those of the checkout step',
      last,
    );
  if (unreachable.test(text)) return say('git-unreachable', 'its remote does not answer', tryAgain, last);
  return say('git-failed', 'git says', 'fix what git reports, then run trueup again', last);
}

const tryAgain = 'check the network and the address of the remote, then run trueup again';

/** Another writer was at it in the same moment: the push is worth another try. */
const isContended = ({ lines }: GitError): boolean =>
  /stale info|fetch first|non-fast-forward|failed to update ref|cannot lock ref|unable to lock|incorrect old value|reference already exists/i.test(
    lines.join('\n'),
  );
