import { type Command, Option } from 'commander';
import { permissions } from '../model/resource.ts';
import { standardSettle } from '../run/unsettled.ts';
import { collect, number, withAccount, withLockWait } from './options.ts';

/** Adds the options of commands that change the account, such as `apply`, with those that limit what the change may do. */
export function withWriting(command: Command): Command {
  return withLockWait(withPlanning(command))
    .option('--ephemeral-ledger', 'continue in CI even though the ledger is lost afterwards')
    .option(
      '--settle <seconds>',
      "how long the platform's lists may take to show a write (0: check once)",
      number(0),
      standardSettle,
    );
}

/**
 * Returns `--no-canary` of `plan` and `apply`. It turns off the canary: on first contact with an account, one harmless change is made and checked
 * before all others.
 */
export const canaryOption = (): Option =>
  new Option(
    '--no-canary',
    'on first contact with an account, skip the harmless change that is done and checked first',
  );

/** Returns `--report`, for commands that apply a plan. */
export const reportOption = (): Option =>
  new Option('--report <file>', 'write a Markdown report for `trueup comment`');

/** Adds the options of commands that plan a stack: which part of it, and what the plan may do without further consent. */
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

/** Returns `--guards`, for commands whose changes an operator may restrict. */
export const guardsOption = (): Option =>
  new Option(
    '--guards <file>',
    'rules that plans must obey: a file, or a file in a commit such as `origin/main:guards.yaml` (or TRUEUP_GUARDS)',
  );

/** Returns `--check`, for commands whose plans a program of the user judges. */
export const checkOption = (): Option =>
  new Option(
    '--check <words>',
    "a program that reads the plan's JSON and rejects it by its exit code; repeatable",
  ).argParser(collect);
