import { type Command, Option } from 'commander';
import { normalAddressGlob } from '../kind/address-spelling.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Provider } from '../kind/provider.ts';
import { standardActionsAtOnce } from '../model/planned-action.ts';
import { type Permission, permissions } from '../model/resource.ts';
import type { PlanOptions } from '../plan/input.ts';
import type { OpenPlanOptions } from '../run/open-plan.ts';
import { standardSettle } from '../run/unsettled.ts';
import { currentPullRequest } from './actions-run.ts';
import type { Host } from './host.ts';
import {
  collect,
  isOfStacks,
  number,
  type StackOptions,
  type StacksOptions,
  withAccount,
  withLockWait,
} from './options.ts';

/** The flags of a command as a plan takes them. */
export function planningOf(
  options: PlanningOptions & StacksOptions,
  host: Host,
  mode: Pick<PlanOptions, 'destroy' | 'toleratesMissing' | 'unattended'> = {},
): OpenPlanOptions {
  return {
    ...mode,
    ...(isOfStacks(options) ? { toleratesMissing: 'one' } : {}),
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
export interface ApplyCommandOptions extends WritingOptions {
  autoApprove?: boolean;
  jsonStream?: boolean;
  /** The Markdown file for the result. */
  report?: string;
}

/** For what changes the account. */
export function withWriting(command: Command): Command {
  return withLockWait(withPlanning(command))
    .addOption(
      new Option(
        '--history <what>',
        "what the run's record keeps of fields, never secrets (or TRUEUP_HISTORY; default: values)",
      ).choices(['values', 'no-values']),
    )
    .option('--ephemeral-ledger', 'continue in CI even though the ledger is lost afterwards')
    .option(
      '--actions-at-once <n>',
      'how many `$then` actions to run in parallel',
      number(1),
      standardActionsAtOnce,
    )
    .option(
      '--settle <seconds>',
      "how long the platform's lists may take to show a write (0: check once)",
      number(0),
      standardSettle,
    );
}

/** `--no-canary`, on what plans and applies a configuration. */
export const canaryOption = (): Option =>
  new Option(
    '--no-canary',
    'on first contact with an account, skip the harmless change that is done and checked first',
  );

/** `--report`, on what applies. */
export const reportOption = (): Option =>
  new Option('--report <file>', 'write a Markdown report for `trueup comment`');

export function withPlanning(command: Command): Command {
  return withAccount(command)
    .option(
      '--target <address-glob>',
      'only this and its dependencies; nothing else is read; use `projects/web/**` for its contents; repeatable',
      collect,
    )
    .option('--exclude <address-glob>', 'everything except this and its dependents; repeatable', collect)
    .option(
      '--delete <address>',
      'delete this project or domain after its block was removed; repeatable',
      collect,
    )
    .option(
      '--max-deletions <n>',
      'how many objects a run may delete (default: 10, and 30 % of a kind)',
      number(0),
    )
    .option('--send-unverified <address-glob>', 'send secrets that cannot be compared; repeatable', collect)
    .option('--overwrite-conflicts', 'let the YAML win where both it and the account changed')
    .addOption(
      new Option(
        '--allow <permission...>',
        'allow changes that cost money or remove access; repeatable',
      ).choices([...permissions]),
    )
    .option('--adopt-renamed', 'let `$was` name an object that this stack never applied')
    .option('--fewer-inputs', 'delete even though files of the last run are missing')
    .option(
      '--ignore-draft',
      'change a firewall, routes or redirects despite a pending draft; a staged version goes live too',
    )
    .option('--allow-incomplete', 'continue without the parts of the account that could not be read')
    .option('--no-actions', 'drop the actions of `$then`: this run and later ones do not send them')
    .addOption(guardsOption())
    .addOption(checkOption())
    .option('--requests', 'show the HTTP requests of each change');
}

export const guardsOption = (): Option =>
  new Option(
    '--guards <file>',
    'rules that plans must obey: a file, or a file in a commit such as `origin/main:guards.yaml` (or TRUEUP_GUARDS)',
  );

export const checkOption = (): Option =>
  new Option(
    '--check <words>',
    "a program that reads the plan's JSON and rejects it by its exit code; repeatable",
  ).argParser(collect);
