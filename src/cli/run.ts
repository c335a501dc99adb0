import { type Command, Option } from 'commander';
import { requireNamed } from '../app/actions/read-only-account.ts';
import type { Provider } from '../kind/provider.ts';
import { actionList } from '../manual/day-two.ts';
import { Problems } from '../model/diagnostic.ts';
import type { CommandRun } from './command-run.ts';
import { collectPair, withLockWait, withStackAccount } from './options.ts';
import { checkOption, guardsOption } from './planning-flags.ts';
import { formats, printDayTwo, timeoutOption } from './print-rows.ts';
import { type RunOptions, runAction } from './run-action.ts';
import { terminalFor } from './terminal.ts';

/** Does once what no configuration can declare as a state. */
export function runCommand(command: Command, provider: Provider, run: CommandRun): void {
  withLockWait(withStackAccount(command))
    .argument('[action]', 'the action: `redeploy`, `promote`, `verify`')
    .argument('[address]', 'its target: `projects/web`, or just the name for top-level objects')
    .option('--list', 'list all actions, or describe the named one')
    .option(
      '--input <name=value>',
      'an input of the action; dots make nested members; repeatable',
      collectPair,
    )
    .option(
      '--secret-input <name=secret>',
      'an input set to a secret of the configuration; repeatable',
      collectPair,
    )
    .addOption(
      new Option(
        '--secret-to <file>',
        'where to put a secret from the response: a file that git ignores, or `discard`',
      ).conflicts('secretToCommand'),
    )
    .option(
      '--secret-to-command <words>',
      'a program that reads it from standard input; needs --allow-command',
    )
    .option('--wait', 'wait until it finishes')
    .addOption(timeoutOption())
    .option('--auto-approve', 'skip the confirmation')
    .option(
      '--confirm <address>',
      "confirm an action that costs money or cannot be undone: repeat the address, or the action's name if it has none",
    )
    .option('--again', 'send a pending action even though it may already have run')
    .addOption(new Option('--skip', 'drop a pending action').conflicts(['again', 'wait']))
    .option('--other-stack', 'act on an object that another stack owns')
    .option('--team <slug>', 'the team, without a configuration; nothing is recorded')
    .addOption(
      new Option('--personal', "the token's personal account, without a configuration").conflicts('team'),
    )
    .addOption(new Option('--format <format>', 'output format').choices(formats).default('table'))
    .option('--json', 'same as --format json')
    .option('--ephemeral-ledger', 'continue in CI even though the ledger is lost afterwards')
    .addOption(guardsOption())
    .addOption(checkOption())
    .action(async (name: string | undefined, address: string | undefined, runOptions: RunOptions) => {
      // One request is sent.
      const options = { ...runOptions, parallelism: 1 };
      const terminal = terminalFor(run, options);
      const dayTwo = await provider.dayTwo();
      if (options.list) return printDayTwo(actionList(dayTwo.actions), name, 'actions', options, terminal);
      if (name === undefined)
        throw new Problems('run/usage', 'no action given', { hint: '`trueup run --list` lists all' });
      const action = requireNamed(name, dayTwo.actions, 'action', 'trueup run --list');
      await runAction(provider, { action, address, lookups: dayTwo.lookups }, options, terminal);
    });
}
