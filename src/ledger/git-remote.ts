import { type Git, GitError } from '../git/git.ts';
import type { Repository } from '../git/repository.ts';
import { Problems, problem } from '../model/diagnostic.ts';

/** A ref of a remote and the files of its commit; without a tip there is no such ref. */
export interface Snapshot {
  tip: string | undefined;
  files: ReadonlyMap<string, { mode: string; type: string; sha: string }>;
}

/** One ref of one remote, by git's own plumbing. What it takes is in the object store of the checkout; no local ref is made. */
export interface GitRemote {
  /** The ref as it is now. Rejects if that cannot be said. */
  look(): Promise<Snapshot>;
  /** Keeps a text among the objects of the checkout, and gives back its name there. */
  store(text: string): Promise<string>;
  load(sha: string): Promise<string>;
  /** A commit on top of a snapshot in which one file is another, or gone. */
  commit(base: Snapshot, file: string, sha: string | undefined): Promise<Snapshot>;
  /** Moves the ref, if it is still where it was. */
  push(snapshot: Snapshot, from: string | undefined): Promise<void>;
}

const empty: Snapshot = { tip: undefined, files: new Map() };

export function gitRemote(open: () => Promise<Repository>, name: string, ref: string): GitRemote {
  const git: Git = async (...call) => (await open()).git(...call);
  let isKnown = false;
  /** The commit that was read last. */
  let known: Snapshot = empty;

  const tipOf = async (): Promise<string | undefined> => {
    // The pattern also fits a ref that only ends like this one.
    const lines = (await git(['ls-remote', name, ref])).split('\n').map((line) => line.split('\t'));
    return lines.find(([, found]) => found === ref)?.[0];
  };

  const fetch = async () => {
    const { isShallow } = await open();
    await git([
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-prune',
      '--no-recurse-submodules',
      '--no-write-fetch-head',
      '--refmap=',
      // Only where it makes no whole clone a shallow one.
      ...(isShallow ? ['--depth=1'] : []),
      name,
      ref,
    ]);
  };

  /** The files of a commit; undefined if the checkout does not have it. A commit never changes, so its files are read once. */
  const filesOf = async (tip: string): Promise<Snapshot['files'] | undefined> => {
    if (known.tip === tip) return known.files;
    const listed = await git(['ls-tree', '--full-tree', '-z', tip]).catch((error: GitError) => {
      if (error.reason === 'failed') return undefined;
      throw error;
    });
    if (listed === undefined) return undefined;
    const entries = listed.split('\0').filter((entry) => entry !== '');
    const files = new Map(
      entries.map((entry) => {
        const [about, file] = entry.split('\t') as [string, string];
        const [mode, type, sha] = about.split(' ') as [string, string, string];
        return [file, { mode, type, sha }];
      }),
    );
    known = { tip, files };
    return files;
  };

  return {
    look: async () => {
      if (!isKnown) await requireRemote(git, name, ref);
      isKnown = true;
      for (let tried = 1; ; tried++) {
        const tip = await tipOf();
        if (tip === undefined) return empty;
        const there = await filesOf(tip);
        if (there) return { tip, files: there };
        // Another git in this checkout may be at the same thing: what it locks is free again soon.
        const failure = await fetch().then(
          () => undefined,
          (error: GitError) => error,
        );
        const fetched = await filesOf(tip);
        if (fetched) return { tip, files: fetched };
        if (failure && (tried > 5 || !/\.lock/.test(failure.message))) throw failure;
        if (tried > 20) throw new GitError('failed', `${ref} moves faster than it can be read`);
      }
    },
    store: async (text) => (await git(['hash-object', '-w', '--no-filters', '--stdin'], text)).trim(),
    load: (sha) => git(['cat-file', 'blob', sha]),
    commit: async (base, file, sha) => {
      const files = new Map(base.files);
      if (sha === undefined) files.delete(file);
      else files.set(file, { mode: '100644', type: 'blob', sha });
      const lines = [...files].map(([path, { mode, type, sha }]) => `${mode} ${type} ${sha}\t${path}\0`);
      const tree = (await git(['mktree', '--missing', '-z'], lines.join(''))).trim();
      const message = `${sha === undefined ? 'Remove' : 'Write'} ${file}`;
      const parent = base.tip === undefined ? [] : ['-p', base.tip];
      const made = await git(['commit-tree', '--no-gpg-sign', ...parent, '-m', message, tree]);
      return { tip: made.trim(), files };
    },
    push: async ({ tip }, from) => {
      await git([
        'push',
        '--quiet',
        '--no-verify',
        '--no-signed',
        '--no-follow-tags',
        '--recurse-submodules=no',
        `--force-with-lease=${ref}:${from ?? ''}`,
        name,
        `${tip}:${ref}`,
      ]);
    },
  };
}

async function requireRemote(git: Git, name: string, ref: string): Promise<void> {
  const remotes = (await git(['remote'])).split('\n').filter((line) => line !== '');
  if (remotes.includes(name)) return;
  const there = remotes.length > 0 ? `; there is ${remotes.join(', ')}` : '';
  throw new Problems([
    problem(
      'ledger/git-remote',
      `the ledger ${ref} has no home: this repository has no remote ${name}${there}`,
      {
        hint: 'name another remote with `--ledger git:REMOTE`, or add one with `git remote add`',
      },
    ),
  ]);
}
