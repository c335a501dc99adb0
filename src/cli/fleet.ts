/*
 * `trueup fleet`: many stacks on many machines. A database has a queue of jobs, and workers do them. These functions only declare the
 * commands; the code of a command is loaded when it is called.
 */
import { type Command, Option } from 'commander';
import type { Provider } from '../kind/provider.ts';
import { type CommandRun, type ProgramAccess, withOutput } from '../terminal/command-run.ts';
import { terminalFor } from '../terminal/terminal.ts';
import {
  canaryOption,
  changedSinceOption,
  ledgerHelp,
  ledgerIndexOption,
  number,
  withColor,
  workspaceOption,
} from './options.ts';

const loadJobs = () => import('./fleet-jobs.ts');

/** Declares `trueup fleet` with its commands. `programAccess` runs the command line again for each job of a worker. */
export function fleetCommand(
  fleet: Command,
  provider: Provider,
  run: CommandRun,
  programAccess: ProgramAccess,
): void {
  declareEnqueue(fleet.command('enqueue').description('enqueue a job for each stack'), provider, run);
  declareWork(fleet.command('work'), provider, run, programAccess);
  withQueue(fleet.command('status'))
    .description('show jobs that are waiting, running and done')
    .option('--batch <id>', 'only jobs that were enqueued together')
    .option('--watch', 'follow until all jobs are done; exit with 1 if any failed')
    .option('--json', 'as JSON')
    .option('--html <file>', 'write a page')
    .action(async (options) => (await loadJobs()).showFleet(options, run));
  withQueue(fleet.command('schedule'))
    .description('look for drift in all stacks again and again: `fleet schedule "0 3 * * *" drift --all`')
    .argument('[time]', 'a cron expression: minute, hour, day, month, weekday')
    .argument('[what]', '`drift`')
    .argument('[glob]', 'which stacks')
    .option('--all', 'all stacks')
    .addOption(repositoryOption())
    .option('--zone <zone>', 'the time zone', 'UTC')
    .option('--remove', 'remove the schedule of this repository')
    .action(async (time, what, glob, options) =>
      (await loadJobs()).scheduleDriftChecks({ ...options, time, what, glob }, run),
    );
}

/** Declares `trueup fleet enqueue plan` and `trueup fleet enqueue apply`, which put jobs for stacks into the queue of a fleet. */
function declareEnqueue(enqueue: Command, provider: Provider, run: CommandRun): void {
  withJobs(enqueue.command('plan'))
    .description('enqueue plans of this commit; with the key, they are sealed for an apply')
    .addOption(canaryOption())
    .action(async (glob, options) => (await loadJobs()).enqueuePlans(provider, { ...options, glob }, run));
  withJobs(enqueue.command('apply'))
    .description('enqueue applies of the sealed plans that workers made')
    .option('--digest <digest>', 'approve exactly the plans with this digest')
    .option('--auto-approve', 'do not ask')
    .action(async (glob, options) => (await loadJobs()).enqueueApplies(provider, { ...options, glob }, run));
}

/** Declares `trueup fleet work`, which starts a worker: it takes jobs from the queue of a fleet, and runs the command line once for each job. */
function declareWork(
  work: Command,
  provider: Provider,
  run: CommandRun,
  { runCommandLine }: ProgramAccess,
): void {
  withQueue(work)
    .description('run jobs until stopped by a signal')
    .requiredOption('-f, --file <path>', "the YAML file that lists this worker's repositories")
    .option('--concurrency <n>', 'how many jobs at once', number(1), 1)
    .option('--plans-only', 'without a key: only plan pull requests')
    .option(
      '--folder <path>',
      'folder for mirrors, checkouts and reports; used by this worker only',
      'trueup-fleet',
    )
    .option('--ledger <place>', ledgerHelp)
    .addOption(ledgerIndexOption())
    .option('--exit-when-idle', 'exit once the queue is empty')
    .action(async (options) => {
      const { runWorker } = await import('../fleet/worker/run-worker.ts');
      await runWorker(provider, options, terminalFor(run, options), (argv, host, output) =>
        runCommandLine(argv, withOutput(host, output)),
      );
    });
}

/** Adds the options that every `trueup fleet` command has: the queue, and the colour of the output. */
const withQueue = (command: Command): Command =>
  withColor(command).option(
    '--queue <url>',
    'the database with the queue: postgres://HOST/DATABASE (or TRUEUP_FLEET)',
  );

/**
 * Creates the `--repository` option of the fleet commands that queue jobs: the name under which the workers'
 * files list the repository.
 */
const repositoryOption = (): Option =>
  new Option(
    '--repository <name>',
    "its name in the workers' files (default: from origin, such as `acme/shop`)",
  );

/**
 * Adds the options of `fleet enqueue plan` and `fleet enqueue apply` that choose the stacks of the new jobs, the commit, and the pull request for
 * the results.
 */
const withJobs = (command: Command): Command =>
  withQueue(command)
    .argument('[glob]', 'which stacks of the workspace: `shop`, `shop@production`, `sites/*`')
    .option('--all', 'all stacks of trueup.workspace.yaml')
    .addOption(changedSinceOption())
    .addOption(workspaceOption())
    .option('--commit <sha>', 'the commit; it must be checked out')
    .addOption(repositoryOption())
    .option(
      '--pull-request <n>',
      'the pull request to comment on (default: that of the workflow run)',
      number(1),
    )
    .option('--ledger <place>', ledgerHelp)
    .addOption(ledgerIndexOption());
