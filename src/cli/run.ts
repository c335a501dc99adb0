import { type Command, Option } from 'commander';
import { openFields } from '../action/read-lookup.ts';
import {
  checkSecretInput,
  dropOwed,
  fillOwedInput,
  type OwedEntry,
  owedFor,
  parseActionInput,
  prepareAction,
  refuseUselessWait,
  requireOneOwed,
  requireSubject,
  type SendOptions,
  sendPreparedAction,
  splitSubject,
} from '../action/requested-action.ts';
import { readNamedSecrets, splitPairs } from '../api/call-input.ts';
import { openActionContext } from '../app/actions/action-context.ts';
import { openSecretDelivery } from '../app/actions/secret-delivery.ts';
import { createSources } from '../app/session/load-configuration.ts';
import { requireNamed } from '../config/suggest.ts';
import type { Action } from '../kind/action.ts';
import type { Input, Lookup } from '../kind/lookup.ts';
import type { Provider } from '../kind/provider.ts';
import { actionList } from '../manual/day-two.ts';
import { problem, raise } from '../model/diagnostic.ts';
import type { Sealed } from '../model/sealed.ts';
import { memberAtPath } from '../model/value.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { isYes, sayDiagnostics, type Terminal, terminalFor } from '../terminal/terminal.ts';
import {
  type ActionRun,
  awaitAction,
  confirmAction,
  printActionResult,
  type RunOptions,
} from './action-steps.ts';
import { checkOption, collectPair, guardsOption, withLockWait, withStackAccount } from './options.ts';
import { formats, printActionsOrLookups, timeoutOption } from './print-rows.ts';

/** The action that the user asked for, by the words of the command line. */
interface RequestedAction {
  action: Action;
  address: string | undefined;
  lookups: ReadonlyMap<string, Lookup>;
}

/** Declares `trueup run`. The command does something once that no configuration can declare as a state, such as a redeployment. */
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
    .addOption(new Option('--skip', 'drop a pending action').conflicts(['again', 'wait', 'secretInput']))
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
    .action(async (name: string | undefined, address: string | undefined, options: RunOptions) => {
      const terminal = terminalFor(run, options);
      const { actions, lookups } = await provider.actionsAndLookups();
      if (options.list) return printActionsOrLookups(actionList(actions), name, 'actions', options, terminal);
      if (name === undefined)
        raise('run/usage', 'no action given', { hint: '`trueup run --list` lists all' });
      const action = requireNamed(name, actions, 'action', 'trueup run --list');
      await runAction(provider, { action, address, lookups }, options, terminal);
    });
}

/**
 * Runs one action of `trueup run`: finds the object that it is about, composes its input, and sends it after a confirmation. An owed action
 * is one that an apply should have sent (`$then`) and did not: `--again` sends it, and `--skip` drops it (`repeated`). Without these
 * options, sending the action also settles those in `owed` with the same input. Throws `Problems` for words that do not fit the action, and
 * for an object or an owed action that does not exist.
 */
async function runAction(
  provider: Provider,
  { action, address, lookups }: RequestedAction,
  options: RunOptions,
  terminal: Terminal,
): Promise<void> {
  refuseUselessWait(action, options);
  // Invalid words are reported before anything is opened.
  const { subjectName, inputPairs } = splitSubject(action, address, splitPairs(options.input));
  const secretNames = splitPairs(options.secretInput).map(([name]) => name);
  const choosesOwed = options.again || options.skip;
  const parsedInput = choosesOwed ? {} : parseActionInput(action, inputPairs, secretNames);
  const context = await openActionContext(provider, options, terminal);
  try {
    const subject = await requireSubject(action, subjectName, context);
    const actionRun: ActionRun = { action, subject, options, context, terminal };
    const owed = owedFor(action, subject, context);
    const repeated = choosesOwed ? requireOneOwed(action, subject, owed) : undefined;
    if (repeated && options.skip) return await skipOwed(repeated, actionRun);
    const openInput = repeated ? await fillOwedInput(repeated, context) : parsedInput;
    const secretInput = await readSecretInput(actionRun);
    const input: Input = { ...openInput, ...Object.fromEntries(secretInput) };
    await confirmAndSend(input, { owed, repeated, lookups }, actionRun);
  } finally {
    await context.close();
  }
}

/** Shows the request of an action, asks, sends it once, prints the answer, and with `--wait` waits for the work that it starts. */
async function confirmAndSend(input: Input, sendOptions: SendOptions, actionRun: ActionRun): Promise<void> {
  const { action, subject, options, context, terminal } = actionRun;
  const prepared = await prepareAction(action, subject, input, context);
  if ('nothing' in prepared) return terminal.say(`Nothing to do: ${prepared.nothing}.`);
  const { request, sending } = prepared;
  const delivery = await openSecretDelivery(action, request, subject, options, context, terminal);
  const warnings = await context.judge(action, subject, request);
  sayDiagnostics(warnings, terminal);
  if (!(await confirmAction(request, actionRun))) return;
  const answer = await sendPreparedAction(prepared, sendOptions, context, terminal);
  const row = openFields((memberAtPath(answer, action.item) ?? {}) as Input, action.output);
  await delivery?.deliver(answer);
  printActionResult(row, actionRun);
  if (options.wait) await awaitAction({ sending, answer, lookups: sendOptions.lookups }, actionRun);
}

/**
 * Drops an action that an apply should have sent and did not (`owed`: its id, and its record in the ledger), for `run --skip`, after a
 * confirmation.
 */
async function skipOwed(
  owed: OwedEntry,
  { action, subject, options, context, terminal }: ActionRun,
): Promise<void> {
  const [id, { run = 'an earlier run' }] = owed;
  const confirmation = {
    question: `Drop ${id}, pending since ${run}?`,
    unattended: problem('cli/unattended', 'run needs a terminal or --auto-approve; nothing was changed', {
      hint: 'pass --auto-approve if this has already been approved',
    }),
  };
  if (!options.autoApprove && !(await isYes(terminal, confirmation))) return;
  await dropOwed(action, subject, owed, context);
  terminal.say(`Dropped: ${id}, pending since ${run}. Nothing was sent.`);
}

/**
 * Reads the secrets of the configuration that `run --secret-input` names, by the members of the input that they become, and masks them in all
 * output.
 */
async function readSecretInput({
  action,
  options,
  context,
  terminal,
}: ActionRun): Promise<ReadonlyMap<string, Sealed>> {
  if (!options.secretInput?.length) return new Map();
  const { configuration, kinds, masking } = context;
  const { host } = terminal.run;
  const sources = createSources(options, host, terminal);
  const secretsContext = { kinds, host, sources, isTwin: options.twin };
  const secrets = await readNamedSecrets(options.secretInput, configuration, secretsContext, masking);
  checkSecretInput(action, secrets);
  return secrets;
}
