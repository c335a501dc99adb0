import { normalAddressGlob } from '../../kind/address-spelling.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Provider } from '../../kind/provider.ts';
import type { Permission } from '../../model/resource.ts';
import type { PlanOptions } from '../../plan/input.ts';
import type { OpenPlanOptions } from '../../run/open-plan.ts';
import { standardSettle } from '../../run/unsettled.ts';
import { currentPullRequest } from '../ci-job.ts';
import type { Host } from '../host.ts';
import type { StackOptions, StacksOptions } from '../stack-options.ts';

/** The flags of a command as a plan takes them. */
export function createPlanOptions(
  options: PlanningOptions,
  host: Host,
  mode: Pick<PlanOptions, 'destroy' | 'toleratesMissing' | 'unattended'> = {},
): OpenPlanOptions {
  return {
    ...mode,
    ...(options.target ? { targets: options.target } : {}),
    ...(options.exclude ? { excludes: options.exclude } : {}),
    ...(options.delete ? { containersToDelete: options.delete } : {}),
    ...(options.maxDeletions === undefined ? {} : { maxDeletions: options.maxDeletions }),
    ...(options.sendUnverified ? { sendUnverified: options.sendUnverified } : {}),
    ...(options.allow ? { allow: options.allow } : {}),
    noActions: options.actions === false,
    ...(options.canary === false ? {} : { canary: 'on-first-contact' }),
    ignoreDrafts: options.ignoreDraft ?? false,
    adoptRenamed: options.adoptRenamed ?? false,
    fewerInputs: options.fewerInputs ?? false,
    overwriteConflicts: options.overwriteConflicts ?? false,
    allowIncomplete: options.allowIncomplete ?? false,
    review: isReview(host),
    settle: options.twin ? 0 : (options.settle ?? standardSettle) * 1000,
  };
}

/** Gives the addresses in options their normal spelling; on the command line, they have it already. */
export function withNormalAddresses(provider: Provider, options: WritingOptions): WritingOptions {
  const kinds = kindsOf(provider.kinds);
  const spell = (globs: string[] | undefined) => globs?.map((glob) => normalAddressGlob(glob, kinds));
  const { target, exclude, delete: deletions } = options;
  return { ...options, target: spell(target), exclude: spell(exclude), delete: spell(deletions) };
}

/** True in the run of a pull request: its author has written the configuration, and nobody has agreed to it yet. */
export const isReview = (host: Host): boolean =>
  host.isReview === true || currentPullRequest(host) !== undefined || Boolean(host.env.CI_MERGE_REQUEST_IID);

/** The further options of every command that plans. */
export interface PlanningOptions extends StackOptions {
  target?: string[];
  exclude?: string[];
  delete?: string[];
  sendUnverified?: string[];
  maxDeletions?: number;
  ignoreDraft?: boolean;
  adoptRenamed?: boolean;
  fewerInputs?: boolean;
  overwriteConflicts?: boolean;
  allow?: Permission[];
  allowIncomplete?: boolean;
  /** False: no action of `$then` follows. */
  actions?: boolean;
  /** False: no change is tried first on an account that is new to the ledger. */
  canary?: boolean;
  requests?: boolean;
  /** The file of guards: `FILE`, or `REF:FILE` of a commit. */
  guards?: string;
  /** Programs that are asked about each plan. */
  check?: string[];
  /** Seconds that the platform's lists may take to show a write. */
  settle?: number;
}

/** The further options of every command that changes the account. */
export interface WritingOptions extends PlanningOptions {
  /** The most `$then` actions that run at once. */
  actionsAtOnce?: number;
  settle: number;
  /** Tells if records of runs hold the values of fields. */
  history?: 'values' | 'no-values' | undefined;
}

/** The options of `apply`. */
export interface ApplyCommandOptions extends WritingOptions, StacksOptions {
  autoApprove?: boolean;
  jsonStream?: boolean;
  /** The Markdown file for the result. */
  report?: string;
}
