import type { Repository } from './repository.ts';

/**
 * Fetches refs with ledgers from a remote into the checkout, with all that they have. Makes no local ref, tags or `FETCH_HEAD`, and a
 * shallow clone stays shallow. Rejects with a `GitError`.
 */
export async function fetchRefs(
  { git, isShallow }: Repository,
  remote: string,
  refs: readonly string[],
): Promise<void> {
  await git([
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-prune',
    '--no-recurse-submodules',
    '--no-write-fetch-head',
    '--refmap=',
    // In a full clone, `--depth` would make the clone shallow.
    ...(isShallow ? ['--depth=1'] : []),
    remote,
    ...refs,
  ]);
}
