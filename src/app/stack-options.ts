import { isAbsolute } from 'node:path';

/** The options that choose an account. */
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

/** The default values of options that every command has. */
export const standardOptions = { parallelism: 10, maxWait: 900 } as const;

/** True for `REF:FILE`, which names a file in a commit. `C:\guards.yaml` is a file on disk. */
export const isCommitPath = (path: string): boolean => /^[^:]{2,}:./s.test(path) && !isAbsolute(path);

/** The options that choose several stacks of the workspace. */
export interface StacksOptions {
  all?: boolean;
  changedSince?: string;
  workspace?: string;
}

/** True if the options select stacks of the workspace, not the one stack of the current folder. */
export const namesSeveralStacks = ({ all, changedSince }: StacksOptions): boolean =>
  all === true || changedSince !== undefined;

/** Returns the flag behind the name of an option: `--send-unverified` for `sendUnverified`. */
export const flagOf = (name: string): string =>
  `--${name === 'actions' ? 'no-' : ''}${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
