import { type Command, Option } from 'commander';
import type { Provider } from '../kind/provider.ts';
import { actionList } from '../manual/day-two-list.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { pair } from './api-request.ts';
import type { Run } from './host.ts';
import { named } from './open-reading.ts';
import {
  checkOption,
  guardsOption,
  type ScopeOptions,
  type StackOptions,
  withLockWait,
  withStackAccount,
} from './options.ts';
import { printDayTwo } from './print-day-two.ts';
import { formats, type RowsOptions } from './print-rows.ts';
import { runAction } from './run-action.ts';
import { terminalFor } from './terminal.ts';
import { timeoutOption } from './wanted-options.ts';

export interface RunOptions extends StackOptions, ScopeOptions, RowsOptions {
  list?: boolean;
  input?: string[];
  secretInput?: string[];
  secretTo?: string;
  secretToCommand?: string;
  wait?: boolean;
  timeout: number;
  autoApprove?: boolean;
  confirm?: string;
  again?: boolean;
  skip?: boolean;
  otherStack?: boolean;
  guards?: string;
  check?: string[];
}

/** Does once what no configuration can declare as a state. */
export function runCommand(command: Command, provider: Provider, run: Run): void {
  withLockWait(withStackAccount(command))
    .argument('[action]', 'what is done: `redeploy`, `promote`, `verify`')
    .argument('[address]', 'what it is about: `projects/web`, or the name alone of what stands at the top')
    .option('--list', 'show all actions, or all about the one that is named')
    .option('--input <name=value>', 'what the action takes; repeatable, dots lead inside', pair)
    .option(
      '--secret-input <name=secret>',
      'the same with the value of a secret of the configuration; repeatable',
      pair,
    )
    .addOption(
      new Option(
        '--secret-to <file>',
        'where a secret of the answer goes: a file that git does not see, or `discard`',
      ).conflicts('secretToCommand'),
    )
    .option(
      '--secret-to-command <words>',
      'a program that gets it on its standard input, as far as --allow-command lets it',
    )
    .option('--wait', 'wait until what it began is done')
    .addOption(timeoutOption())
    .option('--auto-approve', 'do not ask')
    .option(
      '--confirm <address>',
      'agree to what costs money or cannot be undone: its address once more, or the name of the action where it has none',
    )
    .option('--again', 'send what an apply owes, though nobody knows whether it was done')
    .addOption(
      new Option(
        '--skip',
        'drop what an apply owes: the account was looked at, or it is not wanted',
      ).conflicts(['again', 'wait']),
    )
    .option('--other-stack', 'go on although another stack owns it')
    .option('--team <slug>', 'whose account, without a configuration: nothing is recorded then')
    .addOption(
      new Option('--personal', "the token's personal account, without a configuration").conflicts('team'),
    )
    .addOption(new Option('--format <format>', 'how the answer is printed').choices(formats).default('table'))
    .option('--json', 'the same as --format json')
    .option('--ephemeral-ledger', 'go on in CI although the ledger is gone afterwards')
    .addOption(guardsOption())
    .addOption(checkOption())
    .action(async (name: string | undefined, address: string | undefined, given: RunOptions) => {
      // One request is sent.
      const options = { ...given, parallelism: 1 };
      const terminal = terminalFor(run, options);
      const dayTwo = await provider.dayTwo();
      if (options.list) return printDayTwo(actionList(dayTwo.actions), name, 'actions', options, terminal);
      if (name === undefined)
        throw new Problems([
          problem('run/usage', 'nothing says which action to run', { hint: '`trueup run --list` shows all' }),
        ]);
      const action = named(name, dayTwo.actions, 'action', 'trueup run --list');
      await runAction(provider, { action, address, lookups: dayTwo.lookups }, options, terminal);
    });
}
