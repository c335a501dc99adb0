import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { GitError } from '../git/git.ts';
import { openRepository, type Repository } from '../git/repository.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { Conflict, type DocumentName, type Documents, type StoredDocument } from './documents.ts';
import { gitProblems, isContended } from './git-problems.ts';
import { type GitRemote, gitRemote, type Snapshot } from './git-remote.ts';
import { besidesRef } from './other-ledgers.ts';

const fileOf = (name: DocumentName) => `${name}.json`;
const attempts = 50;
/** How often the same ref may be said to be in the way of itself. */
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
  const remote = gitRemote(open, options.remote, ref);
  /** The remote as it was last seen. */
  let seen: Snapshot | undefined;
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
    seen = undefined;
    seen = await remote.look();
    return seen;
  };

  return {
    place,
    journalPath: () =>
      alone('read', async () =>
        join((await open()).commonFolder, 'trueup', `${refName(options.stack)}.journal`),
      ),
    read: (name) => alone('read', async () => documentIn(await look(), name, remote)),
    commit: () => seen?.tip,
    others: () => alone('read', async () => besidesRef(await open(), options.remote, ref)),
    write: (name, text, { expected }) =>
      alone('written', async () => {
        const version = await remote.store(text);
        await update(name, version, expected);
        return version;
      }),
    remove: (name, { expected }) => alone('written', () => update(name, undefined, expected)),
  };

  async function update(name: DocumentName, next: string | undefined, expected: string | undefined) {
    const file = fileOf(name);
    let base = seen ?? (await look());
    for (let tried = 0; tried < attempts; tried++) {
      if (base.files.get(file)?.sha !== expected) {
        // What was seen before may be old; what is seen now is not.
        if (tried === 0) base = await look();
        // A push that arrived, though git did not say so.
        if (tried > 0 && base.files.get(file)?.sha === next) return;
        if (base.files.get(file)?.sha !== expected) throw new Conflict(await documentIn(base, name, remote));
      }
      const changed = await remote.commit(base, file, next);
      try {
        await remote.push(changed, base.tip);
        seen = changed;
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
      problem('ledger/git-contended', `the ledger ${place} cannot be written: others write it all the time`, {
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
  const found = files.get(fileOf(name));
  return found && { text: await remote.load(found.sha), version: found.sha };
}

/** A name that git takes as part of a ref, whatever it is; no two names are the same. */
const refName = (stack: string): string =>
  encodeURIComponent(stack).replace(/[.!~*'()]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
