import type { GitError } from '../git/git.ts';
import { Problems, problem } from '../model/diagnostic.ts';

const denied =
  /permission (to \S+ )?denied|access denied|authentication failed|could not read (username|password)|returned error: 40[13]|not authorized|not allowed|access (to repository )?not granted|repository not found|returned error: 404/i;
const unreachable =
  /could not resolve|unable to access|unable to look up|connection (refused|reset|timed out|closed)|network is unreachable|could not read from remote repository|does not appear to be a git repository|early eof|hung up/i;

/** What git refused, as a problem that says what to do. */
export function gitProblems(place: string, doing: 'read' | 'written', error: GitError): Problems {
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
      'there is no program git on PATH, outside of this repository',
      'install git, or keep the ledger in a file',
    );
  if (reason === 'timeout')
    return say('git-unreachable', 'git did not come back in two minutes', tryAgain, last);
  if (reason === 'old')
    return say(
      'git-old',
      text,
      'install git 2.38 or newer: older ones take any folder that looks like a repository for one; or keep the ledger in a file',
    );
  if (reason === 'outside' || /not a git repository/.test(text))
    return say(
      'git-repository',
      'this folder is in no work tree of git',
      'run trueup in the checkout, or name a file with --ledger',
    );
  if (reason === 'embedded')
    return say(
      'git-embedded',
      `the repository is among the files of its own work tree: ${text}`,
      'whoever may change those files could have programs run; run trueup in a checkout whose `.git` is a folder, or lies elsewhere',
    );
  if (/dubious ownership/.test(text))
    return say(
      'git-owner',
      'the checkout belongs to another user',
      'run trueup as its owner; if you trust all in it, tell git so with `git config --global --add safe.directory FOLDER`',
      last,
    );
  if (/remote rejected|hook declined|push declined/.test(text))
    return say(
      'git-rejected',
      'the repository refused it',
      `its hooks and rules must let ${place.split(' ')[0]} be pushed`,
      last,
    );
  if (denied.test(text))
    return say(
      'git-denied',
      'git is not let in',
      doing === 'written'
        ? 'the credentials of this checkout must be allowed to push; in GitHub Actions: `permissions: { contents: write }`'
        : 'give this checkout credentials that may fetch; in CI keep those of the checkout step',
      last,
    );
  if (unreachable.test(text)) return say('git-unreachable', 'its remote does not answer', tryAgain, last);
  return say('git-failed', 'git says', 'correct what git says, then run trueup again', last);
}

const tryAgain = 'check the network and the address of the remote, then run trueup again';

/** Another writer was at it in the same moment: the push is worth another try. */
export const isContended = ({ lines }: GitError): boolean =>
  /stale info|fetch first|non-fast-forward|failed to update ref|cannot lock ref|unable to lock|incorrect old value|reference already exists/i.test(
    lines.join('\n'),
  );
