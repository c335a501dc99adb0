/*
 * The surroundings of a use case. None of them needs a terminal: the command line, the library and the workers of a fleet
 * each make a port of their own.
 */
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { LeaseClock } from '../ledger/lease.ts';
import type { Processes } from '../ledger/lease-record.ts';
import type { Address } from '../model/address.ts';

/** The signals that end a run. */
export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/**
 * The world outside of a run. The program makes one of its process, and a test makes as many as it likes. Files are not part of it: they
 * are read relative to `cwd`.
 */
export interface Host {
  stdin: Readable & { isTTY?: boolean };
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
  /** Calls `listener` for each of these signals from now on, instead of their default. Returns a function that ends that. */
  onSignal(signals: Signal[], listener: () => void): () => void;
  /** Ends everything at once: nothing after this call runs. */
  exit(code: number): void;
  /** The runtime, which learns that the program is starting, and that it has started. `version`: of Node.js, `22.12.0`. */
  engine: { version: string; starting(): void; started(): void };
}

/** One run of a use case. */
export interface Run {
  readonly host: Host;
  /** The stack that the run is about, once a configuration has named it. A later failure is reported under this name. */
  stack?: string;
}

/** What a use case needs of whoever runs it. A terminal is a port. */
export interface Port {
  run: Run;
  /** Shows a message about the run. */
  say(text: string): void;
  /** True if somebody can answer a question. */
  canAsk: boolean;
  ask(question: string): Promise<string>;
  /** Sends lines that the runner of a CI workflow obeys and does not show, such as the secrets that it has to hide. */
  toRunner(lines: string[]): void;
}

/** The exit code of a run that a signal ended: 128 and the number of SIGINT, for every signal. */
export const interruptedCode = 130;

/** A path of the command line, as an absolute path. */
export const pathOn = ({ cwd }: Pick<Host, 'cwd'>, path: string): string => resolve(cwd, path);

/** True in a job of GitHub Actions. */
export const inActions = ({ env }: Pick<Host, 'env'>): boolean => env.GITHUB_ACTIONS === 'true';

/** Variables that CI systems set; most of them set the first. */
const ciVariables = ['CI', 'TF_BUILD', 'TEAMCITY_VERSION', 'JENKINS_URL', 'BUILDKITE', 'CODEBUILD_BUILD_ID'];

/** True in a job of a CI system: nobody can answer, and what is printed stays in a log. */
export const inCi = ({ env }: Pick<Host, 'env'>): boolean => ciVariables.some((name) => env[name]);
