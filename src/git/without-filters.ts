/** Runs git once with exactly these arguments and additional environment variables. */
type RunGit = (args: string[], env: Record<string, string>) => Promise<string>;

/** The commands that neither read nor write the content of files in the work tree, so that git runs no filter for them. */
const withoutContents = new Set(
  [
    'cat-file check-ignore config fetch for-each-ref init ls-files ls-remote ls-tree merge-base',
    'push remote rev-list rev-parse symbolic-ref unpack-objects',
  ].flatMap((names) => names.split(' ')),
);

/** The variable that holds the empty value of a setting that is switched off. */
const empty = 'EMPTY_SETTING';

/** What a git command gets so that it runs no filter. */
interface FilterSwitches {
  options: string[];
  env: Record<string, string>;
}

/**
 * Makes a function that returns what a command needs so that git runs no filter: the attributes of the work tree, which come with a branch,
 * choose which files go through which of the filters that the machine has. git ignores a filter without commands, and compares and writes
 * these files as they are in the repository. Conversions inside git, such as line endings, are not affected. The names of the filters are
 * asked once, because they are settings of the machine and of the repository, which no command here changes.
 */
export function createFilterSwitches(run: RunGit): (args: string[]) => Promise<FilterSwitches> {
  /** By the options in front of a command: they may name another repository, and so other settings. */
  const switchesByOptions = new Map<string, Promise<FilterSwitches>>();
  return async (args) => {
    const index = args.findIndex((arg) => !arg.startsWith('-'));
    if (index < 0 || withoutContents.has(args[index]!)) return { options: [], env: {} };
    const options = args.slice(0, index);
    const key = options.join('\0');
    const switches = switchesByOptions.get(key) ?? switchOffFilters(options, run);
    switchesByOptions.set(key, switches);
    // A question that failed is asked again.
    switches.catch(() => switchesByOptions.delete(key));
    return switches;
  };
}

async function switchOffFilters(options: string[], run: RunGit): Promise<FilterSwitches> {
  const question = [...options, 'config', '--null', '--name-only', '--get-regexp', '^filter\\.'];
  const listed = await run(question, {}).catch((error: Error) => {
    if (/exit code 1$/.test(error.message)) return '';
    throw error;
  });
  const filters = new Set(
    listed.split('\0').flatMap((name) => /^(filter\..+)\.[^.]+$/s.exec(name)?.[1] ?? []),
  );
  return {
    options: [...filters].flatMap((filter) =>
      ['clean', 'smudge', 'process', 'required'].map((key) => `--config-env=${filter}.${key}=${empty}`),
    ),
    env: { [empty]: '' },
  };
}
