import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { LeaseClock } from './ledger/keep-lease.ts';
import type { Processes } from './ledger/lease-record.ts';
import type { Address } from './model/address.ts';

/** The signals that end a run. */
export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/**
 * The process around a run: its environment, signals and clock. The program creates one for its own process; the library, the jobs of a
 * fleet, stacks that are applied together, and tests have their own. Files are not part of it: they are read relative to `cwd`.
 */
export interface Host {
  stdin: Readable & { isTTY?: boolean };
  env: Record<string, string | undefined>;
  /** The working directory, as an absolute path. */
  cwd: string;
  /** True if the run plans a pull request although no variable of a CI system says so, as a fleet worker does. */
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
  /** Calls `listener` for each of these signals instead of ending the process. Returns a function which stops this. */
  onSignal(signals: Signal[], listener: () => void): () => void;
  /**
   * Ends the process at once. If runs share a process, the call returns, and the process or the job ends once all of them have called it.
   */
  exit(code: number): void;
  engine: Engine;
}

/** The JavaScript engine. Most runs end before its optimizers pay, so a run delays them. */
export interface Engine {
  /** The version of Node.js, as `22.12.0`. */
  version: string;
  /** Delays the optimizer of JavaScript until `started`, and from then on collects garbage earlier than by default. */
  starting(): void;
  started(): void;
  /** Keeps the optimizer of WebAssembly from compiling the parser of responses, for the whole run. Called before the first connection. */
  connecting(): void;
}

/** The exit code of a run that a signal ended: 128 plus the number of SIGINT. It is the same for every signal. */
export const interruptedCode = 130;

/**
 * Calls `listener` on every signal that would end the process, until the returned function is called. Used to let Ctrl-C end only a wait.
 */
export const listenToSignals = (host: Host, listener: () => void): (() => void) =>
  host.onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], listener);

/** Converts a path that the user wrote to an absolute path. */
export const resolvePath = ({ cwd }: Pick<Host, 'cwd'>, path: string): string => resolve(cwd, path);

/** True in a job of GitHub Actions. */
export const inActions = ({ env }: Pick<Host, 'env'>): boolean => env.GITHUB_ACTIONS === 'true';

/** Variables that CI systems set; most of them set the first. */
const ciVariables = ['CI', 'TF_BUILD', 'TEAMCITY_VERSION', 'JENKINS_URL', 'BUILDKITE', 'CODEBUILD_BUILD_ID'];

/** True in a job of a CI system. There no person can answer questions, and the output is kept in a log. */
export const isInCi = ({ env }: Pick<Host, 'env'>): boolean => ciVariables.some((name) => env[name]);
