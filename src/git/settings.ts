/*
 * Reads the settings of git that this tool acts on, with one git process for each repository.
 *
 *   filter   a program that git runs on files, because attributes of a branch choose it
 *   origin   where git found a setting. The file of the repository that lies in the current folder is `file:.git/config`
 *   plain    a repository is plain if all its data is in the folder `.git` of the current folder and no setting changes the
 *            place or the form of its files, as in most clones
 */

/** The hash function whose digests name the objects of a repository. */
export type ObjectFormat = 'sha1' | 'sha256';

/** The settings of git that this tool acts on. */
export interface GitSettings {
  /** The sections of the filters, such as `filter.lfs`. */
  filters: readonly string[];
  /** The names of the remotes that have an address, sorted. Git takes any other name for a path in the work tree. */
  remotes: readonly string[];
  /** The hash function of a plain repository; undefined if the repository is not plain. The caller then has to ask git for it. */
  plainObjectFormat: ObjectFormat | undefined;
}

/** Runs git once with exactly these arguments and additional environment variables. */
export type RunGit = (
  args: string[],
  env: Record<string, string>,
  input?: string | Buffer,
  encoding?: BufferEncoding,
) => Promise<string>;

interface GitSetting {
  origin: string;
  /** The section and the last part of the name are in lower case. */
  name: string;
  value: string;
}

const wantedNames = [
  String.raw`filter\.`,
  String.raw`remote\.`,
  String.raw`extensions\.`,
  String.raw`core\.(bare|worktree|repositoryformatversion)$`,
];

/**
 * Returns the settings of a repository that this tool acts on. Asks for all of them at once, because each git process delays the start of
 * a run. Rejects with a `GitError` if git cannot read its settings.
 * @param options those that choose the repository, such as `--git-dir=`
 */
export async function readSettings(options: readonly string[], run: RunGit): Promise<GitSettings> {
  const pattern = `^(${wantedNames.join('|')})`;
  const command = [...options, 'config', '--null', '--show-origin', '--get-regexp', pattern];
  const output = await run(command, {}).catch((error: Error) => {
    // Git ends with 1 if the repository has none of these settings.
    if (/exit code 1$/.test(error.message)) return '';
    throw error;
  });
  const settings = parseSettings(output);
  return {
    // From `filter.lfs.clean` the filter `filter.lfs`.
    filters: [...new Set(settings.flatMap(({ name }) => /^(filter\..+)\.[^.]+$/s.exec(name)?.[1] ?? []))],
    remotes: findRemotes(settings),
    plainObjectFormat: findPlainObjectFormat(settings),
  };
}

/** Parses the list of settings that git prints, with zero bytes as separators: for each its origin, its name and its value. */
function parseSettings(output: string): GitSetting[] {
  const parts = output.split('\0');
  const settings: GitSetting[] = [];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [name, ...valueLines] = parts[index + 1]!.split('\n');
    settings.push({ origin: parts[index]!, name: name!, value: valueLines.join('\n') });
  }
  return settings;
}

/**
 * Returns the names of the remotes that have an address. A remote with other settings only, such as `remote.x.prune`, is not one:
 * git would take its name for a path, and a branch can put a repository there.
 */
function findRemotes(settings: readonly GitSetting[]): string[] {
  const remotes = new Set<string>();
  for (const { name, value } of settings) {
    // From `remote.origin.url` the remote `origin` and the key `url`.
    const [, remote, key] = /^remote\.(.+)\.(url|vcs)$/s.exec(name) ?? [];
    if (remote !== undefined && value !== '') remotes.add(remote);
    // In newer versions of git an empty URL removes those before it.
    else if (remote !== undefined && key === 'url') remotes.delete(remote);
  }
  return [...remotes].sort();
}

/**
 * Returns the hash function (`sha1` or `sha256`) that names the objects of the repository in the current folder, if its settings show that
 * it is plain: all its data is in `.git`, in git's usual form. Then no other git process has to be asked for it. Returns undefined for
 * - settings without `core.bare = false` from `.git/config`: a bare repository, or one whose file git ignores because it belongs to another
 *   user, or a linked work tree, whose settings are in another file,
 * - a work tree elsewhere (`core.worktree`), or any extension except `objectformat`,
 * - an unknown version or object format, or a setting that is repeated.
 */
function findPlainObjectFormat(settings: readonly GitSetting[]): ObjectFormat | undefined {
  const isUnusual = settings.some(
    ({ name }) =>
      name === 'core.worktree' || (name.startsWith('extensions.') && name !== 'extensions.objectformat'),
  );
  /**
   * Returns a setting of `.git/config`; '' if the file lacks it. A repeated setting becomes `a,b`, which equals no value expected below.
   */
  const valueInFile = (wanted: string) =>
    settings
      .filter(({ origin, name }) => origin === 'file:.git/config' && name === wanted)
      .map(({ value }) => value)
      .join();
  if (isUnusual || valueInFile('core.bare') !== 'false') return undefined;
  const version = valueInFile('core.repositoryformatversion');
  const format = valueInFile('extensions.objectformat');
  if (format === '') return version === '0' || version === '1' ? 'sha1' : undefined;
  return version === '1' && (format === 'sha1' || format === 'sha256') ? format : undefined;
}
