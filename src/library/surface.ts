import type { Address } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { ApplyEvent, Outcome, WaitEvent } from '../model/event.ts';
import type { Plan } from '../model/plan.ts';
import type { Resource } from '../model/resource.ts';

/** The working directory and environment of a program, and who hears its messages. */
export interface Surroundings {
  /** Paths and the ledger are relative to it. Default: the working directory of the process. */
  cwd?: string;
  /** Read in place of the environment of the process: `TRUEUP_TOKEN`, `TRUEUP_LEDGER_KEY`, `TRUEUP_SECRET_*` and the like. */
  env?: Record<string, string | undefined>;
  /** Called with the text that a person would read on standard error: that it waits for a rate limit, for example. Default: the text is dropped. */
  say?(text: string): void;
}

export interface LoadOptions extends Surroundings {
  /** Files and folders. Default: `trueup.yaml`, `trueup.yml` or the folder `trueup`. */
  files?: string[];
  /** Values of variables, by name, and YAML files with such values. */
  variables?: Record<string, string>;
  variableFiles?: string[];
  /** One of the configuration's `stages`. */
  stage?: string;
  /** Permissions to read more: see `--allow-env`, `--allow-env-shown`, `--allow-files`, `--allow-command` and `--allow-live`. */
  allowEnv?: string[];
  allowEnvShown?: string[];
  allowFiles?: string[];
  allowCommand?: string[];
  allowLive?: string[];
}

/** The configuration as the YAML declares it. */
export interface Configuration {
  readonly stack: string;
  /** By address, in their order. */
  readonly resources: ReadonlyMap<Address, Resource>;
  /** Warnings; what is wrong is thrown. */
  readonly diagnostics: readonly Diagnostic[];
  /** As `trueup render` prints it: with templates and patches worked in. */
  text(): string;
}

export interface PlanOptions {
  /** The embedded twin in `.trueup/`, in place of the platform. */
  twin?: boolean;
  /** The URL of the API. Default: `TRUEUP_BASE_URL`, else the platform's own. */
  baseUrl?: string;
  /** Default: `TRUEUP_TOKEN`. */
  token?: string;
  /** The place of the ledger: a file, `git` or `git:REMOTE`. Default: `TRUEUP_LEDGER`, else `.trueup/ledger/STACK.json`. */
  ledger?: string;
  /** The PostgreSQL database by which all runs with this token share its rate limits, as a URL. Default: `TRUEUP_LIMITS`. */
  limits?: string;
  /** Address globs: only these, with what they need; and all but these. */
  targets?: string[];
  excludes?: string[];
  /** Containers that may be deleted once their blocks are gone. */
  deletions?: Address[];
  maxDeletions?: number;
  /** The configuration wins where it and the account both changed. Default: that is an error. */
  overwriteConflicts?: boolean;
  /** Lets what costs money, or takes access away, happen: `cost`, `remove-access`. */
  allow?: ('cost' | 'remove-access')[];
  /** False: on an account to which the ledger has applied nothing, no change is done and checked before the others. */
  canary?: boolean;
  /** The seconds that the platform's lists may take to show a write. Default: 60; 0 for the twin. */
  settle?: number;
}

/** A plan, and the connection that it was made with. Close it in the end. */
export interface OpenPlan {
  readonly plan: Plan;
  /** Nothing is to be done. */
  readonly isEmpty: boolean;
  /** It has errors, and cannot be applied. */
  readonly hasErrors: boolean;
  /** As `trueup plan` prints it, without colours. */
  text(): string;
  close(): Promise<void>;
}

export interface ApplyOptions {
  onEvent?(event: ApplyEvent): void;
  /** The number of operations at once. Default: 10. */
  parallelism?: number;
  /** Once aborted, requests in flight are finished, nothing new is started, and nothing is waited for any more. */
  signal?: AbortSignal;
  /** Called for each object with `$wait`: what it waits for, and how that ends. */
  onWait?(event: WaitEvent): void;
}

export interface Applied {
  outcome: Outcome;
  /** The plan after the apply: empty if all is as it should be. Absent if something failed. */
  after?: Plan;
  /**
   * The objects with `$wait` that did not become ready: their time is over, they failed or are gone, or the wait was called off. Absent if
   * all are ready.
   */
  notReady?: { address: Address; why: string }[];
  /**
   * The `$then` actions with `wait` that were sent and have not ended well: their work failed, their time is over, or the wait was called
   * off. Absent if all have.
   */
  unfinished?: { id: string; why: string }[];
}

export interface TwinOptions {
  /** The first content of the account, in the twin's own format; the twin checks it. */
  seed?: unknown;
  /** Default: any that is free. */
  port?: number;
  /** The only one that it takes. Default: any. */
  token?: string;
}
