import type { Configuration } from '../../config/configuration.ts';
import type { MainlineCommit } from '../../git/first-parents.ts';
import { Problems } from '../../model/diagnostic.ts';

interface CommitReaderOptions {
  stack: string;
  /** The configuration of the work tree. */
  today: Configuration;
  /** Reads the configuration of a commit. Throws `Problems`. */
  configurationAt(commit: string): Promise<Configuration>;
}

/** Reads configurations of commits, each only once: a commit that changes no file has the configuration of its first parent. */
export class ConfigurationReader {
  readonly #options: CommitReaderOptions;
  readonly #parents = new Map<string, string>();
  readonly #readings = new Map<string, Promise<Configuration>>();

  constructor(options: CommitReaderOptions) {
    this.#options = options;
  }

  /** Remembers which of these commits have the configuration of their first parent. */
  rememberParents(commits: readonly MainlineCommit[]): void {
    for (const { id, parent, changesFiles } of commits)
      if (!changesFiles && parent !== undefined) this.#parents.set(id, parent);
  }

  /** Throws `Problems` if the configuration cannot be read, or is that of another stack. */
  async read(commit: string): Promise<Configuration> {
    let id = commit;
    while (this.#parents.has(id)) id = this.#parents.get(id)!;
    const reading = this.#readings.get(id) ?? this.#options.configurationAt(id);
    this.#readings.set(id, reading);
    const configuration = await reading;
    const { stack } = configuration.desired;
    if (stack !== this.#options.stack) throw otherStack(stack, this.#options.stack, commit);
    return configuration;
  }

  /** Like `read`, but a commit without a configuration declares nothing. */
  readOrEmpty(commit: string): Promise<Configuration> {
    return this.read(commit).catch((error: unknown) => {
      const isAbsent =
        error instanceof Problems && error.diagnostics.some(({ code, at }) => code === 'file/missing' && !at);
      if (!isAbsent) throw error;
      return withoutResources(this.#options.today);
    });
  }

  /** Like `readOrEmpty`, but returns undefined if the configuration is wrong or that of another stack. */
  tryToRead(commit: string): Promise<Configuration | undefined> {
    return this.readOrEmpty(commit).catch((error: unknown) => {
      if (error instanceof Problems) return undefined;
      throw error;
    });
  }
}

/** Returns the same configuration, declaring nothing. */
export const withoutResources = (configuration: Configuration): Configuration => ({
  ...configuration,
  desired: { ...configuration.desired, resources: new Map() },
});

const otherStack = (stack: string, wanted: string, commit: string): Problems =>
  new Problems(
    'undo/stack',
    `the configuration at ${commit.slice(0, 12)} belongs to ${stack}, not ${wanted}`,
    {
      hint: 'pass the same --file and --stage as that run; a run from before the stack was renamed cannot be undone',
    },
  );
