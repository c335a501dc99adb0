/*
 * The forms of a ledger's place, as `--ledger`, TRUEUP_LEDGER and `ledger:` of the YAML name it: `git` or `git:REMOTE`, the URL of a store, or else
 * the path of a file.
 */

/** True if a place has a scheme, so that a mistyped URL is reported instead of being used as the name of a file. */
export const isStoreUrl = (place: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(place);

/** True if a place is a ref of a git remote: `git`, or `git:REMOTE`. */
export const isGitPlace = (place: string): boolean => /^git(:|$)/.test(place);
