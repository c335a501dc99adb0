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

/** The options and variables with which a git command runs no filter. */
interface FilterSwitches {
  options: string[];
  env: Record<string, string>;
}

/**
 * Creates a function that returns the switches for a command.
 *
 * Premise: filters are programs in the settings of the machine, and the attributes of a branch choose which files they process. So a hostile
 * branch could run them. Git ignores a filter whose commands are empty, and then compares and writes files as they are in the repository. Its
 * own conversions, such as line endings, are not affected.
 *
 * Asks for the names of the filters once for each repository, because no command here changes settings. So a process that outlives a run must
 * create another function before each command that writes files, because somebody may have installed a filter meanwhile.
 */
export function createFilterSwitches(run: RunGit): (args: string[]) => Promise<FilterSwitches> {
  /** By the option that names another repository, because each repository has its own settings. */
  const switchesByRepository = new Map<string, Promise<FilterSwitches>>();
  return async (args) => {
    const index = args.findIndex((arg) => !arg.startsWith('-'));
    if (index < 0 || withoutContents.has(args[index]!)) return { options: [], env: {} };
    const options = args.slice(0, index).filter((option) => option.startsWith('--git-dir='));
    const key = options.join('\0');
    const switches = switchesByRepository.get(key) ?? switchOffFilters(options, run);
    switchesByRepository.set(key, switches);
    // After a failure the next command asks again.
    switches.catch(() => switchesByRepository.delete(key));
    return switches;
  };
}

/** Returns the switches that give each filter in the settings empty commands. */
async function switchOffFilters(options: string[], run: RunGit): Promise<FilterSwitches> {
  const command = [...options, 'config', '--null', '--name-only', '--get-regexp', '^filter\\.'];
  const listed = await run(command, {}).catch((error: Error) => {
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
