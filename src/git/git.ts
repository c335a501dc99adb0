import { setTimeout as sleep } from 'node:timers/promises';
import { type GitSettings, type RunGit, readSettings } from './settings.ts';

/**
 * Runs git with these arguments and returns its standard output. Rejects with a `GitError`.
 * @param encoding `latin1` returns bytes: one character for each
 */
export type Git = (args: string[], input?: string | Buffer, encoding?: 'utf8' | 'latin1') => Promise<string>;

/** Git failed, or there is no git or no repository that may be used. */
export class GitError extends Error {
  /**
   * `missing`: there is no git program. `old`: it lacks the setting that rejects foreign repositories. `outside`: the folder is in no work
   * tree. `embedded`: the repository consists of files of its own work tree, so a branch could change its settings. `failed`: git ended
   * with an error. `timeout`: git was ended because it took too long.
   */
  readonly reason: 'missing' | 'old' | 'outside' | 'embedded' | 'failed' | 'timeout';
  /** The lines of git's message, without credentials. */
  readonly lines: string[];

  /**
   * Creates the error for a git command that failed, or for a git or a repository that is missing or must not be used.
   * `stderr`: what git printed; if it printed nothing about that, the reason in other words. Credentials in URLs are
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
 * Creates a function to run git in a folder, with this environment and with the settings, remotes and credentials
 * of the checkout there. It returns what git prints, and rejects with a `GitError`. Because a branch may contain
 * hostile files, git uses no bare repository that surrounds the folder, runs no hooks, and never prompts (`runProcess`
 * sets that for each command). `findFilterSwitches` switches filters off. Fetches that disturb each other are repeated.
 *
 * Asks git for the settings of each repository once, because no command here changes those that are read. So a
 * process that outlives a run must create another function before each command that writes files, because somebody
 * may have installed a filter meanwhile.
 * @param timeout the time in milliseconds after which a command is ended
 * @returns also `settings`, which returns the settings of the repository in the folder
 */
export function createGit(
  cwd: string,
  env: Record<string, string | undefined>,
  timeout = defaultTimeout,
): { git: Git; settings(): Promise<GitSettings> } {
  const run: RunGit = (args, extraEnv, ...input) =>
    runProcess({ cwd, env: { ...env, ...extraEnv }, timeout }, args, ...input);
  /** By the option that names another repository, because each repository has its own settings. */
  const settingsByRepository = new Map<string, Promise<GitSettings>>();
  const settingsFor = (options: string[]): Promise<GitSettings> => {
    const key = options.join('\0');
    const settings = settingsByRepository.get(key) ?? readSettings(options, run);
    settingsByRepository.set(key, settings);
    // After a failure the next command asks again.
    settings.catch(() => settingsByRepository.delete(key));
    return settings;
  };
  const git: Git = async (args, ...input) => {
    const { options, env: extraEnv } = await findFilterSwitches(args, settingsFor);
    return repeatDisturbedFetch(args, () => run([...options, ...args], extraEnv, ...input));
  };
  return { git, settings: () => settingsFor([]) };
}

/** Where and how a git process runs. */
interface ProcessOptions {
  cwd: string;
  env: Record<string, string | undefined>;
  /** The time in milliseconds after which the process is ended. */
  timeout: number;
}

/** Runs one git process and returns its standard output. Rejects with a `GitError`. `input`: its standard input. */
async function runProcess(
  { cwd, env, timeout }: ProcessOptions,
  args: string[],
  input: string | Buffer = '',
  encoding: BufferEncoding = 'utf8',
): Promise<string> {
  // Loaded only if needed, because most runs start no program.
  const { spawn } = await import('node:child_process');
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...fixedSettings, ...args], {
      cwd,
      // In English, because messages are parsed. And without replacement objects (`git replace`), because they could forge a
      // ledger.
      env: { ...env, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_NO_REPLACE_OBJECTS: '1' },
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
}

/** Runs a git command, and again after a short wait if it is a fetch that another fetch disturbed. */
async function repeatDisturbedFetch(args: string[], run: () => Promise<string>): Promise<string> {
  for (let attempt = 1; ; attempt++)
    try {
      return await run();
    } catch (error) {
      if (attempt >= maxFetchAttempts || !isConcurrentFetch(args, error)) throw error;
      await sleep(Math.random() * 100 * attempt);
    }
}

const maxFetchAttempts = 8;

/**
 * True if a fetch into a shallow repository failed because another stack or run fetched at the same time: each fetch changes the file that
 * says where the history ends.
 */
const isConcurrentFetch = (args: string[], error: unknown): boolean =>
  args.includes('fetch') &&
  error instanceof GitError &&
  /shallow file has changed|shallow\.lock/.test(error.message);

/** The author of the commits in ledgers. CI machines have no name, and no person makes these commits. */
export const trueupIdentity = { name: 'trueup', email: 'trueup@localhost' };

/** The settings of each git process. They override the configuration files of the machine and of the repository. */
const fixedSettings = [
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

/** The commands that neither read nor write the content of files in the work tree, so that git runs no filter for them. */
const commandsWithoutContents = new Set(
  [
    'cat-file check-ignore config fetch for-each-ref init ls-files ls-remote ls-tree merge-base',
    'push remote rev-list rev-parse symbolic-ref unpack-objects',
  ].flatMap((names) => names.split(' ')),
);

/** The environment variable that holds the empty value of a setting that is switched off. */
const emptyVariable = 'EMPTY_SETTING';

/** The options and variables with which a git command runs no filter. */
interface FilterSwitches {
  options: string[];
  env: Record<string, string>;
}

/**
 * Returns the options that switch off all filters for a git command; none if the command uses no filter.
 *
 * Premise: filters are programs in the settings of the machine, and the attributes of a branch choose which files
 * they process. So a hostile branch could run them. Git ignores a filter whose commands are empty, and then
 * compares and writes files as they are in the repository. Its own conversions, such as line endings, are not
 * affected.
 * @param settingsFor returns the settings of the repository that options such as `--git-dir=` choose
 */
async function findFilterSwitches(
  args: string[],
  settingsFor: (options: string[]) => Promise<GitSettings>,
): Promise<FilterSwitches> {
  const index = args.findIndex((arg) => !arg.startsWith('-'));
  if (index < 0 || commandsWithoutContents.has(args[index]!)) return { options: [], env: {} };
  const options = args.slice(0, index).filter((option) => option.startsWith('--git-dir='));
  const { filters } = await settingsFor(options);
  return {
    options: filters.flatMap((filter) =>
      ['clean', 'smudge', 'process', 'required'].map(
        (key) => `--config-env=${filter}.${key}=${emptyVariable}`,
      ),
    ),
    env: { [emptyVariable]: '' },
  };
}
