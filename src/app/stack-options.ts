import type { LedgerChoice } from '../stores/ledger-choice.ts';

/**
 * The options of every command that reads a configuration and an account. Each has the value of the flag with the same name (see `flagOf`).
 */
export interface StackOptions extends LedgerChoice {
  file?: string[];
  var?: Record<string, string>;
  varFile?: string[];
  stage?: string;
  baseUrl?: string;
  tokenFile?: string;
  limits?: string;
  /** Seconds to wait for the lease of the ledger, if another run has it. */
  lockWait?: number;
  /** True to apply although the ledger is lost afterwards, because it is a file on a CI machine. */
  ephemeralLedger?: boolean;
  /** Permissions of the configuration to read environment variables, files, commands and secrets of the account. */
  allowEnv?: string[];
  allowEnvShown?: string[];
  allowFiles?: string[];
  allowCommand?: string[];
  allowLive?: string[];
  /** The largest number of operations at the same time, and of `$then` actions. Both have a default. */
  parallelism?: number;
  /** The longest wait for a rate limit, in seconds. */
  maxWait: number;
  /** True to show each request. */
  verbose?: boolean;
  color?: boolean;
}

/** The default values of options that every command has. */
export const standardOptions = { maxWait: 900 } as const;

/** The options that choose several stacks of the workspace. */
export interface StacksOptions {
  all?: boolean;
  /** A git ref: only stacks that changes since this commit affect. */
  changedSince?: string;
  /** The folder of the workspace, if it is not around the working directory. */
  workspace?: string;
}

/** True if the options select stacks of the workspace, not the one stack of the current folder. */
export const namesSeveralStacks = ({ all, changedSince }: StacksOptions): boolean =>
  all === true || changedSince !== undefined;
