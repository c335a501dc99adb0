import type { Address } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { ApplyEvent, Outcome, WaitEvent } from '../model/event.ts';
import type { Plan } from '../model/plan.ts';
import type { Resource } from '../model/resource.ts';

/** The working directory and environment of a run, and the receiver of its messages. */
export interface Surroundings {
  /** Paths and the ledger are relative to it. Default: the working directory of the process. */
  cwd?: string;
  /**
   * The variables to use instead of the environment of the process: `TRUEUP_TOKEN`, `TRUEUP_LEDGER_KEY`, `TRUEUP_SECRET_*` and the like.
   */
  env?: Record<string, string | undefined>;
  /**
   * Called with messages that the command line prints on standard error, for example about a wait for a rate limit. Default: none are
   * shown.
   */
  say?(text: string): void;
}

/** The options of `load`. */
export interface LoadOptions extends Surroundings {
  /** Files and folders. Default: `trueup.yaml`, `trueup.yml`, `trueup.json` or the folder `trueup`. */
  files?: string[];
  /** Values of variables by name. `variableFiles`: YAML files with such values. */
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
  /** The declared objects by address, in their order. */
  readonly resources: ReadonlyMap<Address, Resource>;
  /** The warnings. Errors are thrown. */
  readonly diagnostics: readonly Diagnostic[];
  /** Returns the configuration as `trueup render` prints it: with templates and patches applied. */
  text(): string;
}

/** The options of `openPlan`. */
export interface PlanOptions {
  /** True to use the embedded twin in `.trueup/` instead of the platform. */
  twin?: boolean;
  /** The URL of the API. Default: `TRUEUP_BASE_URL`, else the platform's own. */
  baseUrl?: string;
  /** Default: `TRUEUP_TOKEN`. */
  token?: string;
  /**
   * The place of the ledger: a file, `git`, `git:REMOTE` or the URL of a store. Default: `TRUEUP_LEDGER`, else `ledger:` in the YAML, else
   * a ledger that the repository has, else `.trueup/ledger/STACK.json`.
   */
  ledger?: string;
  /** The PostgreSQL database by which all runs with this token share its rate limits, as a URL. Default: `TRUEUP_LIMITS`. */
  limits?: string;
  /** Address globs. `targets`: only these objects and those that they need. `excludes`: all objects but these and those that need them. */
  targets?: string[];
  excludes?: string[];
  /** Containers that may be deleted once their blocks are gone. */
  deletions?: Address[];
  maxDeletions?: number;
  /** True to overwrite fields that changed both in the configuration and in the account. Default: that is an error. */
  overwriteConflicts?: boolean;
  /** Permits changes that cost money (`cost`) or remove somebody's access (`remove-access`). */
  allow?: ('cost' | 'remove-access')[];
  /** False: on an account that is new to the ledger, no single change is applied and checked before the others. */
  canary?: boolean;
  /** The seconds that the platform's lists may take to show a write. Default: 60; 0 for the twin. */
  settle?: number;
}

/** A plan with the connection that it was made with. Call `close` when it is no longer needed. */
export interface OpenPlan {
  readonly plan: Plan;
  /** True if there is nothing to do. */
  readonly isEmpty: boolean;
  /** True if the plan has errors, so that it cannot be applied. */
  readonly hasErrors: boolean;
  /** Returns the plan as `trueup plan` prints it, without colours. */
  text(): string;
  close(): Promise<void>;
}

/** The options of `apply`. */
export interface ApplyOptions {
  onEvent?(event: ApplyEvent): void;
  /** The number of operations at once. Default: 10. */
  parallelism?: number;
  /** Stops the apply when it is aborted: running requests get a moment to finish, no new ones are started, and all waits end. */
  signal?: AbortSignal;
  /** Called for each object with `$wait`: what it waits for, and how that ends. */
  onWait?(event: WaitEvent): void;
}

/** The result of `apply`. */
export interface Applied {
  outcome: Outcome;
  /** The plan after the apply: empty if the account is as declared. Absent if not all changes were done. */
  after?: Plan;
  /**
   * The objects with `$wait` that did not become ready in time, failed, were deleted, or were no longer waited for. Absent if all are
   * ready.
   */
  notReady?: { address: Address; why: string }[];
  /** The `$then` actions with `wait` whose work failed, took too long, or was no longer waited for. Absent if all succeeded. */
  unfinished?: { id: string; why: string }[];
}

/** The options of `startTwin`. */
export interface TwinOptions {
  /** The first content of the account, in the twin's own format; the twin checks it. */
  seed?: unknown;
  /** Default: any free port. */
  port?: number;
  /** The only token that the twin accepts. Default: it accepts any. */
  token?: string;
}
