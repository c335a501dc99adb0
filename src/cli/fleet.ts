import { type Command, Option } from 'commander';
import type { Provider } from '../kind/provider.ts';
import type { Around } from './commands.ts';
import type { Run } from './host.ts';
import {
  changedSinceOption,
  ledgerHelp,
  ledgerIndexOption,
  number,
  withColor,
  workspaceOption,
} from './options.ts';

/** Many stacks on many machines: jobs in a queue, and workers that do them. What a command needs is loaded when it is called. */
export function fleetCommand(fleet: Command, provider: Provider, run: Run, { again }: Around): void {
  const enqueue = fleet.command('enqueue').description('put jobs into the queue, one for each stack');
  withJobs(enqueue.command('plan'))
    .description('have stacks planned at this commit, and with the key sealed for an apply')
    .action(async (glob, options) =>
      (await import('./fleet-enqueue.ts')).enqueuePlans(provider, { ...options, glob }, run),
    );
  withJobs(enqueue.command('apply'))
    .description('have the sealed plans of stacks carried out that workers made')
    .option('--digest <digest>', 'what was agreed to: do these plans, and no others')
    .option('--auto-approve', 'do not ask')
    .action(async (glob, options) =>
      (await import('./fleet-enqueue-apply.ts')).enqueueApplies(provider, { ...options, glob }, run),
    );
  withQueue(fleet.command('work'))
    .description('do jobs until a signal comes')
    .requiredOption('-f, --file <path>', 'the YAML file that names the repositories of this worker')
    .option('--concurrency <n>', 'how many jobs at once', number(1), 1)
    .option('--plans-only', 'without a key: plan what pull requests ask for, and nothing else')
    .option(
      '--folder <path>',
      'where mirrors, checkouts and reports are; of this worker alone',
      'trueup-fleet',
    )
    .option('--ledger <place>', ledgerHelp)
    .addOption(ledgerIndexOption())
    .option('--exit-when-idle', 'end once no job is left to be done')
    .action(async (options) => (await import('./fleet-work.ts')).workOn(provider, options, run, again));
  withQueue(fleet.command('status'))
    .description('what is waiting, under way and done')
    .option('--batch <id>', 'only what was enqueued together')
    .option('--watch', 'go on until all is done; exit with 1 if not all of it worked')
    .option('--json', 'as JSON')
    .option('--html <file>', 'write a page')
    .action(async (options) => (await import('./fleet-status.ts')).showFleet(provider, options, run));
  withQueue(fleet.command('schedule'))
    .description('look for drift in all stacks again and again: `fleet schedule "0 3 * * *" drift --all`')
    .argument('[time]', 'when, as cron has it: minute, hour, day, month, weekday')
    .argument('[what]', '`drift`')
    .argument('[glob]', 'which stacks')
    .option('--all', 'all stacks')
    .addOption(repositoryOption())
    .option('--zone <zone>', 'the time zone', 'UTC')
    .option('--remove', 'end what was scheduled for this repository')
    .action(async (time, what, glob, options) =>
      (await import('./fleet-schedule.ts')).scheduleRound({ ...options, time, what, glob }, run),
    );
}

const queueOption = (): Option =>
  new Option('--queue <url>', 'the database with the queue: postgres://HOST/DATABASE (or TRUEUP_FLEET)');

const withQueue = (command: Command): Command => withColor(command).addOption(queueOption());

const repositoryOption = (): Option =>
  new Option('--repository <name>', "its name in the workers' files (default: that of origin, `acme/shop`)");

const withJobs = (command: Command): Command =>
  withQueue(command)
    .argument('[glob]', 'which stacks of the workspace: `shop`, `shop@production`, `sites/*`')
    .option('--all', 'all stacks of trueup.workspace.yaml')
    .addOption(changedSinceOption())
    .addOption(workspaceOption())
    .option('--commit <sha>', 'the commit that is meant: it has to be the one that is checked out')
    .addOption(repositoryOption())
    .option(
      '--pull-request <n>',
      'where plans are told (default: the one that the workflow runs for)',
      number(1),
    )
    .option('--ledger <place>', ledgerHelp)
    .addOption(ledgerIndexOption());
