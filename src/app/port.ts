/*
 * The interfaces between use cases and their callers. No use case needs a terminal: the command line makes one of its terminal, and the
 * library one that passes messages to a function.
 */
import type { Host } from '../host.ts';

/** One run of a use case. */
export interface Run {
  readonly host: Host;
  /** The stack that the run is about, or a text for all stacks, as soon as that is known. A later failure is reported under this name. */
  stack?: string;
}

/** The caller of a use case: it shows messages and answers questions. The terminal of the command line is one. */
export interface Port {
  run: Run;
  /** Shows a message about the run. */
  say(text: string): void;
  /** True if a person can answer questions. */
  canAsk: boolean;
  ask(question: string): Promise<string>;
  /** Sends commands to the runner of a CI workflow, such as the secrets that it must hide. */
  toRunner(lines: string[]): void;
}
