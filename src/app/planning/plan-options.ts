import { isReviewRun } from '../../ci/ci-job.ts';
import type { Host } from '../../host.ts';
import { normalAddressGlob } from '../../kind/address-spelling.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Provider } from '../../kind/provider.ts';
import type { Permission } from '../../model/resource.ts';
import type { PlanOptions } from '../../plan/input.ts';
import type { OpenPlanOptions } from '../../run/open-plan.ts';
import { standardSettle } from '../../run/unsettled.ts';
import type { StackOptions, StacksOptions } from '../stack-options.ts';

/**
 * Converts the options of the command line to the options of planning. Used by every command that plans. `mode`: the options that the
 * command itself sets, such as `destroy`.
 */
export function createPlanOptions(
  options: PlanningOptions,
  host: Host,
  mode: Pick<PlanOptions, 'destroy' | 'containersToDelete' | 'toleratesMissing' | 'unattended'> = {},
): OpenPlanOptions {
  return {
    ...mode,
    targets: options.target,
    excludes: options.exclude,
    maxDeletions: options.maxDeletions,
    sendUnverified: options.sendUnverified,
    allow: options.allow,
    // `--no-actions` and `--no-canary` set these options to false.
    noActions: options.actions === false,
    canary: options.canary === false ? undefined : 'on-first-contact',
    ignoreDrafts: options.ignoreDraft ?? false,
    adoptRenamed: options.adoptRenamed ?? false,
    fewerInputs: options.fewerInputs ?? false,
    overwriteConflicts: options.overwriteConflicts ?? false,
    allowIncomplete: options.allowIncomplete ?? false,
    review: isReviewRun(host),
    // The lists of the twin show a write at once.
    settle: options.twin ? 0 : (options.settle ?? standardSettle) * 1000,
  };
}

/** Returns options whose addresses have their normal spelling. Used by the library; the command line parses addresses to that spelling. */
export function withNormalAddresses(provider: Provider, options: WritingOptions): WritingOptions {
  const kinds = kindsOf(provider.kinds);
  const spell = (globs: string[] | undefined) => globs?.map((glob) => normalAddressGlob(glob, kinds));
  const { target, exclude } = options;
  return { ...options, target: spell(target), exclude: spell(exclude) };
}

/** The options of every command that plans, besides those for the stack. */
export interface PlanningOptions extends StackOptions {
  /** Address globs: plans only these objects and those that they need. */
  target?: string[];
  /** Address globs: leaves out these objects and the changes that need them. */
  exclude?: string[];
  /** Address globs: sends secrets that cannot be compared with the account. */
  sendUnverified?: string[];
  maxDeletions?: number;
  /** Plans although another person has an unpublished draft in the account. */
  ignoreDraft?: boolean;
  /** Lets `$was` name an object that the ledger does not have. */
  adoptRenamed?: boolean;
  /** Permits deletions although files are missing that the configuration of the last run had. */
  fewerInputs?: boolean;
  /** Overwrites fields that changed both in the configuration and in the account. */
  overwriteConflicts?: boolean;
  /** Permits changes that cost money or remove somebody's access. */
  allow?: Permission[];
  /** Plans although some collections could not be read. */
  allowIncomplete?: boolean;
  /** False for `--no-actions`: no `$then` action follows the changes. */
  actions?: boolean;
  /** False for `--no-canary`: on an account that is new to the ledger, no single change is applied and checked before the others. */
  canary?: boolean;
  /** True to show the requests of the plan. */
  requests?: boolean;
  /** The file of guards: `FILE`, or `REF:FILE` of a commit. */
  guards?: string;
  /** Programs that are asked about each plan. */
  check?: string[];
  /** Seconds that the platform's lists may take to show a write. */
  settle?: number;
}

/** The options of every command that applies a plan. `settle` has a default value there. */
export interface WritingOptions extends PlanningOptions {
  settle: number;
}

/** The options of `apply` and `undo`. */
export interface ApplyCommandOptions extends WritingOptions, StacksOptions {
  autoApprove?: boolean;
  /** True to print events as lines of JSON while the plan is applied. */
  jsonStream?: boolean;
  /** The Markdown file for the result. */
  report?: string;
}
