import { type Command, InvalidArgumentError, Option } from 'commander';
import { standardOptions } from '../app/stack-options.ts';

export const collect = (value: string, all: string[] = []) => [...all, value];

function collectVariable(value: string, all: Record<string, string> = {}): Record<string, string> {
  const index = value.indexOf('=');
  if (index < 1) throw new InvalidArgumentError('It must be NAME=VALUE.');
  return { ...all, [value.slice(0, index)]: value.slice(index + 1) };
}

/** Takes whole numbers, from this one on. */
export const number = (least: number) => (value: string) => {
  const given = Number(value);
  if (!Number.isInteger(given) || given < least)
    throw new InvalidArgumentError(`It must be a whole number, at least ${least}.`);
  return given;
};

export function withColor(command: Command): Command {
  return command
    .addOption(new Option('--color', 'use colour'))
    .addOption(new Option('--no-color', 'disable colour').default(undefined))
    .addOption(new Option('--no-unicode', 'ASCII only (or TRUEUP_NO_UNICODE=1)').default(undefined));
}

export function withConfiguration(command: Command): Command {
  const withFile = withColor(command).option(
    '-f, --file <path>',
    'a configuration file or folder, or `-` for standard input; repeatable (default: trueup.yaml or trueup/)',
    collect,
  );
  return withVariables(withFile).option(
    '--stage <stage>',
    "the stage to use, from the configuration's `stages`",
  );
}

const withVariables = (command: Command): Command =>
  command
    .option('--var <name=value>', 'set a variable; repeatable', collectVariable)
    .option('--var-file <path>', 'set variables from a YAML file; repeatable', collect);

/** For all stacks of the workspace: the same without what names one. */
export function withConfigurationOf(command: Command): Command {
  return withVariables(withSources(withColor(command)));
}

/** `--changed-since`, on what is about the stacks of the workspace. */
export const changedSinceOption = (): Option =>
  new Option(
    '--changed-since <ref>',
    'only stacks affected by changes since the merge base with this commit',
  );

/** `--workspace`, beside it. */
export const workspaceOption = (): Option =>
  new Option(
    '--workspace <folder>',
    'the folder with trueup.workspace.yaml (default: this one or a parent); ledgers and key stay here',
  );

/** `--all` and `--changed-since`, on what can be about the stacks of the workspace too. */
export function withStacks(command: Command): Command {
  return command
    .option('--all', 'all stacks of trueup.workspace.yaml, in dependency order')
    .addOption(changedSinceOption())
    .addOption(workspaceOption());
}

/** Adds the options for what a configuration may read beyond TRUEUP_VAR_*, TRUEUP_SECRET_* and files that git tracks. */
export function withSources(command: Command): Command {
  return command
    .option(
      '--allow-env <name|glob>',
      'allow secrets to be read from this environment variable; repeatable (or TRUEUP_ALLOW_ENV, comma-separated)',
      collect,
    )
    .option(
      '--allow-env-shown <name>',
      'allow a variable (its value is shown) to be read from this environment variable; repeatable',
      collect,
    )
    .option(
      '--allow-files <glob>',
      'allow secrets to be read from files that git does not track; repeatable',
      collect,
    )
    .option(
      '--allow-command <words>',
      "allow this command to run for a secret, for example 'op read op://deploy/*'; repeatable",
      collect,
    )
    .option(
      '--allow-live <address>',
      'allow the secrets of this object, which the stack does not own, to be copied by a reference; repeatable (or TRUEUP_ALLOW_LIVE, comma-separated)',
      collect,
    );
}

export const ledgerHelp =
  'where the ledger is kept: a file, `git`, `git:REMOTE`, or the URL of a store (or TRUEUP_LEDGER; default: .trueup/ledger/STACK.json)';

/** The list of ledgers for a store that cannot list them. */
export const ledgerIndexOption = (): Option =>
  new Option(
    '--ledger-index <url>',
    'the document that lists the ledgers of a store over HTTP (or TRUEUP_LEDGER_INDEX)',
  );

/** For what writes the ledger: one run at a time does. */
export function withLockWait(command: Command): Command {
  return command.option(
    '--lock-wait <seconds>',
    'how long to wait while another run holds the ledger',
    number(0),
    0,
  );
}

/** The twin has an address and a token of its own. */
const twinOption = (): Option =>
  new Option('--twin', 'use the embedded twin in .trueup/ instead of the platform').conflicts([
    'baseUrl',
    'tokenFile',
    'limits',
  ]);

/** The options that reach an account. */
function withConnection(command: Command): Command {
  return command
    .addOption(twinOption())
    .option('--base-url <url>', "the API's base URL (or TRUEUP_BASE_URL)")
    .option('--token-file <path>', 'read the token from a file (or set TRUEUP_TOKEN)')
    .option(
      '--max-wait <seconds>',
      'the longest time to wait for a rate limit',
      number(0),
      standardOptions.maxWait,
    )
    .option(
      '--limits <url>',
      'the PostgreSQL database by which all runs with this token share its rate limits (or TRUEUP_LIMITS)',
    )
    .option('--verbose', 'also print every request, without secrets');
}

/** For what is about an account, with a configuration or without. */
export function withScope(command: Command): Command {
  return withSources(withColor(withConnection(command)))
    .option('--team <slug>', 'the team (default: from trueup.yaml)')
    .option('--stage <stage>', "the stage to use, from the configuration's `stages`")
    .addOption(new Option('--personal', "the token's personal account").conflicts('team'));
}

/** For what is about the account of a stack, one request at a time. */
export function withStackAccount(command: Command): Command {
  return withConnection(withSources(withConfiguration(command)))
    .option('--ledger <path>', ledgerHelp)
    .addOption(ledgerIndexOption());
}

/** For what is about an account as a configuration says. */
export function withAccount(command: Command): Command {
  return withStackAccount(command).option(
    '--parallelism <n>',
    'how many operations to run in parallel',
    number(1),
    standardOptions.parallelism,
  );
}
