/*
 * Options that several commands share. Each `with...` function adds options to a command and returns it; each `...Option` function returns
 * one option. The order of the calls is the order in `--help`.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { standardOptions } from '../app/stack-options.ts';
import { permissions } from '../model/resource.ts';
import { standardSettle } from '../run/unsettled.ts';

/** Adds a value to the earlier values of a repeatable option, for commander. */
export const collect = (value: string, earlier: string[] = []) => [...earlier, value];

/** Parses `NAME=VALUE` of `--var` and adds it to the variables of earlier `--var` options, for commander. Throws if there is no name. */
function collectVariable(value: string, earlier: Record<string, string> = {}): Record<string, string> {
  const index = value.indexOf('=');
  if (index < 1) throw new InvalidArgumentError('It must be NAME=VALUE.');
  return { ...earlier, [value.slice(0, index)]: value.slice(index + 1) };
}

/** Adds `NAME=VALUE` to the earlier values of a repeatable option, as it was written. Throws if there is no name. */
export function collectPair(value: string, earlier?: string[]): string[] {
  if (value.indexOf('=') < 1) throw new InvalidArgumentError('It must be NAME=VALUE.');
  return collect(value, earlier);
}

/**
 * Returns a parser for the value of an option that must be a whole number, at least `least`, such as `--parallelism`. The parser throws for other
 * values.
 */
export const number = (least: number) => (value: string) => {
  const parsed = Number(value);
  if (!Number.isInteger(parsed) || parsed < least)
    throw new InvalidArgumentError(`It must be a whole number, at least ${least}.`);
  return parsed;
};

/** Adds the option that every command has: `--no-color`. Further settings of the terminal come from the environment. */
export const withColor = (command: Command): Command =>
  command.addOption(new Option('--no-color', 'disable colour (or NO_COLOR=1; FORCE_COLOR=1 enables it)'));

/** Adds the options of commands about a stack that say which configuration it has: files, stage, and values of variables. */
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

/** Adds the options of configurations for a command that always reads all stacks of a workspace, so that no option names one of them. */
export const withConfigurationOf = (command: Command): Command =>
  withVariables(withSources(withColor(command)));

/**
 * Returns `--changed-since`, for commands about the stacks of a workspace, so that CI plans only the stacks that a pull request affects.
 */
export const changedSinceOption = (): Option =>
  new Option(
    '--changed-since <ref>',
    'only stacks affected by changes since the merge base with this commit',
  );

/** Returns `--workspace`, for commands about the stacks of a workspace. */
export const workspaceOption = (): Option =>
  new Option(
    '--workspace <folder>',
    'the folder with trueup.workspace.yaml (default: this one or a parent); ledgers and key stay here',
  );

/**
 * Adds the options `--all`, `--changed-since` and `--workspace`, which make a command of one stack, such as `plan` or `validate`, a command about
 * the stacks of the workspace.
 */
export function withStacks(command: Command): Command {
  return command
    .option('--all', 'all stacks of trueup.workspace.yaml, in dependency order')
    .addOption(changedSinceOption())
    .addOption(workspaceOption());
}

/** Adds the options (`--allow-env` and others) that say what a configuration may read beyond TRUEUP_VAR_*, TRUEUP_SECRET_* and files that git tracks. */
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
  'where the ledger is kept: a file, `git`, `git:REMOTE`, or the URL of a store (or TRUEUP_LEDGER; default: `ledger:` in the YAML, else .trueup/ledger/STACK.json)';

/** Returns `--ledger-index`, for stores over HTTP that cannot list their ledgers. */
export const ledgerIndexOption = (): Option =>
  new Option(
    '--ledger-index <url>',
    'the document that lists the ledgers of a store over HTTP (or TRUEUP_LEDGER_INDEX)',
  );

/** Adds the options that find a ledger, for commands that need no account. `--twin` chooses the ledger of the embedded twin there. */
export const withLedgerPlace = (command: Command, twinHelp = "the embedded twin's ledger"): Command =>
  command.option('--ledger <path>', ledgerHelp).addOption(ledgerIndexOption()).option('--twin', twinHelp);

/** Adds `--lock-wait`, for commands that write the ledger, since only one run at a time may do so. */
export function withLockWait(command: Command): Command {
  return command.option(
    '--lock-wait <seconds>',
    'how long to wait while another run holds the ledger',
    number(0),
    0,
  );
}

/**
 * Adds the options for the connection to an account. `--twin` excludes the address, the token file and the shared rate limits, because the
 * twin, a local copy of the platform, needs none of them.
 */
function withConnection(command: Command): Command {
  return command
    .addOption(
      new Option('--twin', 'use the embedded twin in .trueup/ instead of the platform').conflicts([
        'baseUrl',
        'tokenFile',
        'limits',
      ]),
    )
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

/** Adds the options that choose an account, for commands that need no configuration, such as `get` and `export`. */
export function withScope(command: Command): Command {
  return withSources(withColor(withConnection(command)))
    .option('--team <slug>', 'the team (default: from trueup.yaml)')
    .option('--stage <stage>', "the stage to use, from the configuration's `stages`")
    .addOption(new Option('--personal', "the token's personal account").conflicts('team'));
}

/** Adds the options of commands that read a configuration and its account, and need no ledger, such as `doctor`. */
export const withConfiguredAccount = (command: Command): Command =>
  withConnection(withSources(withConfiguration(command)));

/** Adds the options of commands about the account of a stack that send one request at a time, such as `run`. */
export function withStackAccount(command: Command): Command {
  return withConfiguredAccount(command).option('--ledger <path>', ledgerHelp).addOption(ledgerIndexOption());
}

/** Adds the options of commands that read or change the account of a stack with many requests, such as `plan`. */
export function withAccount(command: Command): Command {
  return withStackAccount(command).option(
    '--parallelism <n>',
    'how many operations to run in parallel (default: 10, and 4 for actions of `$then`)',
    number(1),
  );
}

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
 * Returns `--no-canary` of `plan`, `apply` and `fleet enqueue`. It turns off the canary: on first contact with an account, one harmless change is made and checked
 * before all others.
 */
export const canaryOption = (): Option =>
  new Option(
    '--no-canary',
    'on first contact with an account, skip the harmless change that is done and checked first',
  );

/** Returns `--report` of `apply`. */
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

/** Returns `--check`, for commands whose plans a program of the operator judges. */
export const checkOption = (): Option =>
  new Option(
    '--check <words>',
    "a program that reads the plan's JSON and rejects it by its exit code; repeatable",
  ).argParser(collect);

/** Returns the option `--rehearse` of `plan`. Its exit codes do not fit those of the options for changes and drift. */
export const rehearseOption = (): Option =>
  new Option(
    '--rehearse',
    'apply the plan to a local twin of the account, and report what would fail; exit with 1 if it would fail, 2 if a part could not be rehearsed',
  ).conflicts(['detailedExitcode', 'driftExitcode', 'jsonStream']);

/** Adds the options of commands that rehearse a plan, that is, apply it to a twin (a simulated account) to see what would happen. */
export const withRehearsal = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--crash-points <n>',
        'rehearse crashes, too: kill the run at so many points, or at `all`; the next run must finish the plan',
      )
        .argParser((text: string) => (text === 'all' ? text : number(0)(text)))
        .implies({ rehearse: true })
        .default(undefined, '3, or 1 for more than 200 changes'),
    )
    .addOption(
      new Option(
        '--recording <har>',
        'rehearse no kind for which a recording (HAR) of answers contradicts the twin',
      ).implies({ rehearse: true }),
    );
