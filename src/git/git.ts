import { setTimeout as sleep } from 'node:timers/promises';
import { createFilterSwitches } from './without-filters.ts';

/** Runs git with these arguments and gives back what it prints to standard output, bytes as `latin1`; rejects with a `GitError`. */
export type Git = (args: string[], input?: string | Buffer, encoding?: 'utf8' | 'latin1') => Promise<string>;

/** git is not there or too old, has no repository here that may be used, ended with an error, or did not end. */
export class GitError extends Error {
  /**
   * `missing`: there is no such program. `old`: it lacks what keeps foreign repositories out. `outside`: the folder is in no work tree.
   * `embedded`: what `.git` names is made of files of the work tree.
   */
  readonly reason: 'missing' | 'old' | 'outside' | 'embedded' | 'failed' | 'timeout';
  /** The lines of git's message, without credentials. */
  readonly lines: string[];

  constructor(reason: GitError['reason'], stderr: string) {
    const lines = withoutCredentials(stderr)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    super(lines.join('\n'));
    this.reason = reason;
    this.lines = lines;
  }
}

const patience = 120_000;

/**
 * The git program in a folder, with this environment and the settings, the remotes and the credentials of the checkout there. It never
 * asks, takes no bare repository that it happens to stand in, and runs no hooks and no filters. `longest`: after so many milliseconds it is ended.
 */
export function createGit(cwd: string, env: Record<string, string | undefined>, longest = patience): Git {
  const run = async (
    args: string[],
    own: Record<string, string>,
    input: string | Buffer = '',
    encoding: BufferEncoding = 'utf8',
  ): Promise<string> => {
    // Most runs start no program: what starts them is loaded by those that do.
    const { spawn } = await import('node:child_process');
    return new Promise((resolve, reject) => {
      const child = spawn('git', [...settings, ...args], {
        cwd,
        // What git says is looked at: in English, please. And an object is what its name says, not what was put in its place here.
        env: { ...env, ...own, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_NO_REPLACE_OBJECTS: '1' },
        // In a session of its own: Ctrl-C is for us, and a ledger is not left half sent.
        detached: true,
        windowsHide: true,
        timeout: longest,
        killSignal: 'SIGKILL',
      });
      const [out, err]: [string[], string[]] = [[], []];
      child.stdout.setEncoding(encoding).on('data', (text: string) => out.push(text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
      child.once('error', (error: NodeJS.ErrnoException) =>
        reject(new GitError(error.code === 'ENOENT' ? 'missing' : 'failed', error.message)),
      );
      child.once('close', (code, signal) => {
        if (code === 0) resolve(out.join(''));
        else if (signal) reject(new GitError('timeout', err.join('') || `it was ended by ${signal}`));
        else reject(new GitError('failed', err.join('') || `it ended with exit code ${code}`));
      });
      child.stdin.on('error', () => {});
      child.stdin.end(input);
    });
  };
  const switchesFor = createFilterSwitches(run);
  return async (args, ...input) => {
    const { options, env: own } = await switchesFor(args);
    for (let left = mostFetchTries; ; left--)
      try {
        return await run([...options, ...args], own, ...input);
      } catch (error) {
        if (left <= 1 || !isOvertaken(args, error)) throw error;
        await sleep(Math.random() * 100 * (mostFetchTries - left + 1));
      }
  };
}

const mostFetchTries = 8;

/**
 * True if a fetch into a shallow repository did nothing since another one, of another stack or another run, was faster: each of them writes down
 * where the history ends.
 */
const isOvertaken = (args: string[], error: unknown): boolean =>
  args.includes('fetch') &&
  error instanceof GitError &&
  /shallow file has changed|shallow\.lock/.test(error.message);

/** Who makes the commits of this tool: CI has no name, and they are no person's. */
export const trueupIdentity = { name: 'trueup', email: 'trueup@localhost' };

const settings = [
  // A folder of the work tree can look like a repository, with settings that run programs.
  ['safe.bareRepository', 'explicit'],
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['submodule.recurse', 'false'],
  ['user.name', trueupIdentity.name],
  ['user.email', trueupIdentity.email],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
].flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** `https://user:token@host/` without what stands before the host. */
const withoutCredentials = (text: string) => text.replace(/:\/\/[^/\s'"]*@/g, '://***@');
