/*
 * Reads the settings of git that this tool acts on, with one git process for each repository.
 *
 *   filter   a program that git runs on files, because attributes of a branch choose it
 *   origin   where git found a setting. The file of the repository that lies in the current folder is `file:.git/config`
 *   plain    said of a repository that consists of the folder `.git` in the current folder, without settings that change
 *            where its files are
 */

/** The hash function which a repository names its objects with. */
export type ObjectFormat = 'sha1' | 'sha256';

/** The settings of git that this tool acts on. */
export interface GitSettings {
  /** The sections of the filters, such as `filter.lfs`. */
  filters: readonly string[];
  /** The names of the remotes that have an address, sorted. Git takes any other name for a path in the work tree. */
  remotes: readonly string[];
  /** The hash function of a plain repository; undefined if the repository is not plain, so that only git itself can describe it. */
  plainFormat: ObjectFormat | undefined;
}

/** Runs git once with exactly these arguments and additional environment variables. */
export type RunGit = (args: string[], env: Record<string, string>) => Promise<string>;

interface Setting {
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
    if (/exit code 1$/.test(error.message)) return '';
    throw error;
  });
  const settings = parseSettings(output);
  return {
    filters: [...new Set(settings.flatMap(({ name }) => /^(filter\..+)\.[^.]+$/s.exec(name)?.[1] ?? []))],
    remotes: findRemotes(settings),
    plainFormat: findPlainFormat(settings),
  };
}

/** Returns the settings in the output of git: for each its origin, and its name and value on two lines. */
function parseSettings(output: string): Setting[] {
  const parts = output.split('\0');
  const settings: Setting[] = [];
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
function findRemotes(settings: readonly Setting[]): string[] {
  const remotes = new Set<string>();
  for (const { name, value } of settings) {
    const [, remote, key] = /^remote\.(.+)\.(url|vcs)$/s.exec(name) ?? [];
    if (remote === undefined) continue;
    if (value !== '') remotes.add(remote);
    // In newer versions of git an empty URL removes those before it.
    else if (key === 'url') remotes.delete(remote);
  }
  return [...remotes].sort();
}

/**
 * Returns the hash function of a plain repository. Undefined whenever anything is unusual: git does not believe a repository of another
 * user, and then shows no setting of its file. A linked work tree has its settings in another file, and extensions change the form of a
 * repository.
 */
function findPlainFormat(settings: readonly Setting[]): ObjectFormat | undefined {
  const isUnusual = settings.some(
    ({ name }) =>
      name === 'core.worktree' || (name.startsWith('extensions.') && name !== 'extensions.objectformat'),
  );
  /** Empty if the file lacks the setting. One that occurs several times has none of the values below. */
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
