import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Command } from 'commander';
import type { LeaseClock } from '../ledger/lease.ts';
import type { Processes } from '../ledger/lease-record.ts';
import type { Address } from '../model/address.ts';
import type { Deed } from '../report/markdown/applied-markdown.ts';

/** A stream that people or programs read; the terminal's properties are missing where it is none. */
export type OutputStream = Writable & { isTTY?: boolean; columns?: number; fd?: number };

/** The signals that end a run. */
export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/**
 * All that the command line knows of the world outside: the bin makes one of its process, and a test makes as many as it likes.
 * Files are not part of it: they are read where `cwd` says.
 */
export interface Host {
  stdin: Readable & { isTTY?: boolean };
  stdout: OutputStream;
  stderr: OutputStream;
  env: Record<string, string | undefined>;
  /** The working directory, as an absolute path. */
  cwd: string;
  /** True if the run judges what a pull request proposes, although no variable of a CI system says so. */
  isReview?: boolean;
  /** The stacks whose plans were approved together with the one that is applied, if they are applied by other runs. */
  partners?: {
    /** Returns their names. */
    names(): Promise<ReadonlySet<string>>;
    /** Returns the objects that they deleted. */
    deleted(): Promise<ReadonlySet<Address>>;
  };
  processes: Processes;
  clock: LeaseClock;
  /** Calls `listener` for each of these signals from now on, in place of what they do by themselves; gives back how to end that. */
  onSignal(signals: Signal[], listener: () => void): () => void;
  /** Ends everything at once: nothing after this call runs. */
  exit(code: number): void;
  /** The runtime, which learns that the program is starting, and that it has started. `version`: of Node.js, `22.12.0`. */
  engine: { version: string; starting(): void; started(): void };
}

/** One run of the command line: where it runs, and what comes of it. */
export interface Run {
  readonly host: Host;
  /** The exit code for the shell. */
  exitCode: number;
  /**
   * The stack that it is about, once a configuration told it. A run can fail anywhere after that, and what a pull request is told of the
   * failure has to be found under this name.
   */
  stack?: string;
  /** The progress of an apply, if somebody wants to hear of it at the end. */
  deed?: Deed;
}

/** A path of the command line, as an absolute path. */
export const pathOn = ({ cwd }: Pick<Host, 'cwd'>, path: string): string => resolve(cwd, path);

/** True in a job of GitHub Actions. */
export const inActions = ({ env }: Pick<Host, 'env'>): boolean => env.GITHUB_ACTIONS === 'true';

/** Variables that CI systems set; most of them set the first. */
const ciVariables = ['CI', 'TF_BUILD', 'TEAMCITY_VERSION', 'JENKINS_URL', 'BUILDKITE', 'CODEBUILD_BUILD_ID'];

/** True in a job of a CI system: nobody can answer, and what is printed stays in a log. */
export const inCi = ({ env }: Pick<Host, 'env'>): boolean => ciVariables.some((name) => env[name]);

/** The surrounding program, for the few commands that need it. */
export interface Around {
  /** Makes the program with every command declared. */
  whole(): Promise<Command>;
  /** Runs the command line once more, on a host of its own, and gives back the exit code. */
  again(argv: string[], host: Host): Promise<number>;
}
