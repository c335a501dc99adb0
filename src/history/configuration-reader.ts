import type { Configuration } from '../config/configuration.ts';
import type { MainlineCommit } from '../git/commits.ts';
import { type Diagnostic, Problems, problem, raise } from '../model/diagnostic.ts';

/** The options of `ConfigurationReader`. */
interface ConfigurationReaderOptions {
  stack: string;
  /** The configuration of the work tree. */
  today: Configuration;
  /** Reads the configuration of a commit. Throws `Problems`. */
  configurationAt(commit: string): Promise<Configuration>;
}

/**
 * Reads the configurations of a stack at commits, for `undo`, which compares many of them. Reads each only once. A commit that changes no
 * file has the configuration of its first parent.
 */
export class ConfigurationReader {
  readonly #options: ConfigurationReaderOptions;
  readonly #parents = new Map<string, string>();
  readonly #readings = new Map<string, Promise<Configuration>>();

  constructor(options: ConfigurationReaderOptions) {
    this.#options = options;
  }

  /** Remembers which of these commits have the configuration of their first parent. */
  rememberParents(commits: readonly MainlineCommit[]): void {
    for (const { id, parent, changesFiles } of commits)
      if (!changesFiles && parent !== undefined) this.#parents.set(id, parent);
  }

  /**
   * Reads the configuration of a commit, for `trueup undo`. A commit that changed no configuration file shares the
   * reading of its parent. Throws `Problems` if the configuration has errors, or is that of another stack.
   */
  async read(commit: string): Promise<Configuration> {
    let id = commit;
    while (this.#parents.has(id)) id = this.#parents.get(id)!;
    const reading = this.#readings.get(id) ?? this.#options.configurationAt(id);
    this.#readings.set(id, reading);
    const configuration = await reading;
    const { stack } = configuration.desired;
    if (stack !== this.#options.stack) raise(otherStackProblem(stack, this.#options.stack, commit));
    return configuration;
  }

  /**
   * Reads the configuration of a commit, or returns one without objects if the commit has no configuration files.
   * So `trueup undo` can go back to a commit from before the first configuration. Throws `Problems` like `read`.
   */
  readOrEmpty(commit: string): Promise<Configuration> {
    return this.read(commit).catch((error: unknown) => {
      // The same problem with a place (`at`) is about a file that the configuration names.
      const hasNoConfiguration =
        error instanceof Problems && error.diagnostics.some(({ code, at }) => code === 'file/missing' && !at);
      if (!hasNoConfiguration) throw error;
      return withoutResources(this.#options.today);
    });
  }

  /**
   * Reads the configuration of a commit like `readOrEmpty`, but returns undefined if it has errors or is that of
   * another stack. `trueup undo` tries many commits in its search for the state before a run, and some may be
   * broken.
   */
  tryToRead(commit: string): Promise<Configuration | undefined> {
    return this.readOrEmpty(commit).catch((error: unknown) => {
      if (error instanceof Problems) return undefined;
      throw error;
    });
  }
}

/** Returns a configuration of the same stack and account that declares no objects. It stands for the time before the first run. */
export const withoutResources = (configuration: Configuration): Configuration => ({
  ...configuration,
  desired: { ...configuration.desired, resources: new Map() },
});

/**
 * Returns the problem with which `trueup undo` stops if the configuration at a commit belongs to another stack
 * (`stack`) than the one to undo (`wantedStack`).
 */
const otherStackProblem = (stack: string, wantedStack: string, commit: string): Diagnostic =>
  problem(
    'undo/configuration',
    `the configuration at ${commit.slice(0, 12)} belongs to ${stack}, not ${wantedStack}`,
    {
      hint: 'pass the same --file and --stage as that run; a run from before the stack was renamed cannot be undone',
    },
  );
