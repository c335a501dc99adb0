import { setTimeout as sleep } from 'node:timers/promises';
import { createFilterSwitches } from './without-filters.ts';

/**
 * Runs git with these arguments and returns its standard output. Rejects with a `GitError`.
 * @param encoding `latin1` returns bytes: one character for each
 */
export type Git = (args: string[], input?: string | Buffer, encoding?: 'utf8' | 'latin1') => Promise<string>;

/** Git failed, or there is no git or no repository that may be used. */
export class GitError extends Error {
  /**
   * `missing`: there is no git program. `old`: it lacks the setting that rejects foreign repositories. `outside`: the folder is in no work
   * tree. `embedded`: the repository consists of files of its own work tree, so a branch could change its settings. `failed`: git ended with
   * an error. `timeout`: git was ended because it took too long.
   */
  readonly reason: 'missing' | 'old' | 'outside' | 'embedded' | 'failed' | 'timeout';
  /** The lines of git's message, without credentials. */
  readonly lines: string[];

  /**
   * Creates the error of a git command that failed. `stderr`: its messages, from which credentials are
   * removed, because remote URLs can contain tokens. Callers decide by `reason` what to do.
   */
  constructor(reason: GitError['reason'], stderr: string) {
    const lines = hideCredentials(stderr)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    super(lines.join('\n'));
    this.reason = reason;
    this.lines = lines;
  }
}

/** The time limit for one git command, in milliseconds. */
const defaultTimeout = 120_000;

/**
 * Creates a function that runs git in a folder, with this environment and with the settings, remotes and credentials of the checkout there. Git
 * never prompts, uses no bare repository that surrounds the folder, and runs no hooks and no filters.
 * @param timeout the time in milliseconds after which a command is ended
 */
export function createGit(
  cwd: string,
  env: Record<string, string | undefined>,
  timeout = defaultTimeout,
): Git {
  const run = async (
    args: string[],
    extraEnv: Record<string, string>,
    input: string | Buffer = '',
    encoding: BufferEncoding = 'utf8',
  ): Promise<string> => {
    // Loaded only if needed, because most runs start no program.
    const { spawn } = await import('node:child_process');
    return new Promise((resolve, reject) => {
      const child = spawn('git', [...settings, ...args], {
        cwd,
        // In English, because messages are parsed. And without replacement objects (`git replace`), because they could forge a
        // ledger.
        env: { ...env, ...extraEnv, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_NO_REPLACE_OBJECTS: '1' },
        // In a session of its own, so that Ctrl-C reaches only this process and does not interrupt a push.
        detached: true,
        windowsHide: true,
        timeout,
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
    const { options, env: extraEnv } = await switchesFor(args);
    for (let attempt = 1; ; attempt++)
      try {
        return await run([...options, ...args], extraEnv, ...input);
      } catch (error) {
        if (attempt >= maxFetchAttempts || !isConcurrentFetch(args, error)) throw error;
        await sleep(Math.random() * 100 * attempt);
      }
  };
}

const maxFetchAttempts = 8;

/**
 * True if a fetch into a shallow repository failed because another stack or run fetched at the same time: each fetch changes the file that says
 * where the history ends.
 */
const isConcurrentFetch = (args: string[], error: unknown): boolean =>
  args.includes('fetch') &&
  error instanceof GitError &&
  /shallow file has changed|shallow\.lock/.test(error.message);

/** The author of the commits in ledgers. CI machines have no name, and no person makes these commits. */
export const trueupIdentity = { name: 'trueup', email: 'trueup@localhost' };

const settings = [
  // A folder of the work tree can look like a repository whose settings run programs.
  ['safe.bareRepository', 'explicit'],
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['submodule.recurse', 'false'],
  ['user.name', trueupIdentity.name],
  ['user.email', trueupIdentity.email],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
].flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** Hides the credentials in URLs: `https://user:token@host/` becomes `https://***@host/`. */
const hideCredentials = (text: string) => text.replace(/:\/\/[^/\s'"]*@/g, '://***@');
