import { isAbsolute } from 'node:path';

/** Whose account it is. */
export interface ScopeOptions {
  stage?: string;
  team?: string;
  personal?: boolean;
}

/** The options of every command that reads a configuration and an account. */
export interface StackOptions {
  file?: string[];
  var?: Record<string, string>;
  varFile?: string[];
  stage?: string;
  baseUrl?: string;
  tokenFile?: string;
  twin?: boolean;
  ledger?: string;
  ledgerIndex?: string;
  limits?: string;
  lockWait?: number;
  ephemeralLedger?: boolean;
  allowEnv?: string[];
  allowEnvShown?: string[];
  allowFiles?: string[];
  allowCommand?: string[];
  allowLive?: string[];
  parallelism: number;
  maxWait: number;
  verbose?: boolean;
  color?: boolean;
  unicode?: boolean;
}

/** Defaults that no command changes. */
export const standardOptions = { parallelism: 10, maxWait: 900 } as const;

/** True for `REF:FILE`, a file as git has it at a commit. */
export const isCommitPath = (given: string): boolean => /^[^:]{2,}:./s.test(given) && !isAbsolute(given);

/** Which stacks of the workspace a command is about. */
export interface StacksOptions {
  all?: boolean;
  changedSince?: string;
  workspace?: string;
}

/** True if a command is about the stacks of the workspace. */
export const namesSeveralStacks = ({ all, changedSince }: StacksOptions): boolean =>
  all === true || changedSince !== undefined;

/** Returns the flag behind the name of an option: `--send-unverified` for `sendUnverified`. */
export const flagOf = (name: string): string =>
  `--${name === 'actions' ? 'no-' : ''}${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
