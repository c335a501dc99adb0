/*
 * The forms of a ledger's place, as `--ledger`, TRUEUP_LEDGER and `ledger:` of the YAML name it: `git` or `git:REMOTE`, the URL of a store,
 * or else the path of a file.
 */

/** True if a place has a scheme, so that a mistyped URL is reported instead of being used as the name of a file. */
export const isStoreUrl = (place: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(place);

/** Returns the name of the git remote that a place names: `origin` for `git`, `backup` for `git:backup`. Undefined for any other place. */
export function gitRemoteIn(place: string): string | undefined {
  const git = /^git(?::(.*))?$/s.exec(place);
  return git ? (git[1] ?? 'origin') : undefined;
}

/** True if a place is a ref of a git remote: `git`, or `git:REMOTE`. */
export const isGitPlace = (place: string): boolean => gitRemoteIn(place) !== undefined;

/** True if a place is the path of a file. The next CI job, on another machine, does not have such a ledger. */
export const isFilePlace = (place: string): boolean => !isGitPlace(place) && !isStoreUrl(place);
