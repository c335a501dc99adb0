import { lookupContextOf } from '../action/create-lookup-reader.ts';
import type { ActionSubject } from '../action/find-subject.ts';
import { createRepeatedLookup, type LookupRow } from '../action/read-lookup.ts';
import { idsOf } from '../action/requested-action.ts';
import type { ActionContext, ActionOptions } from '../app/actions/action-context.ts';
import { formatPlainYaml } from '../export/print-yaml.ts';
import type { Action, Sending } from '../kind/action.ts';
import type { Lookup } from '../kind/lookup.ts';
import type { ApiObject } from '../kind/read.ts';
import { problem, raise, shellWord } from '../model/diagnostic.ts';
import type { Request } from '../model/request.ts';
import { operationLines } from '../report/request-text.ts';
import { fieldsText } from '../report/rows-text.ts';
import { jsonText, jsonValue } from '../report/show.ts';
import { followLookup } from '../terminal/follow-lookup.ts';
import { isYes, type Terminal } from '../terminal/terminal.ts';
import { exitCodes, waitCodes } from './exit-codes.ts';
import type { RowsOptions } from './print-rows.ts';
import { createStandingJudge } from './wait.ts';

/** The options of `trueup run`. */
export interface RunOptions extends ActionOptions, RowsOptions {}

/** An action of `trueup run`, and everything that its steps work with. */
export interface ActionRun {
  action: Action;
  /** The object that the action is about; undefined if it is about the whole account. */
  subject: ActionSubject | undefined;
  options: RunOptions;
  context: ActionContext;
  terminal: Terminal;
}

/**
 * Shows the request of `trueup run`, and asks whether to send it. An action that costs money or cannot be undone is confirmed by its
 * address, typed or with `--confirm`; for other actions `--auto-approve` is enough. Returns true if the user agrees. Throws `Problems` if
 * `--confirm` names something else, or if there is no terminal to ask at.
 */
export async function confirmAction(request: Request, actionRun: ActionRun): Promise<boolean> {
  const { action, subject, options, context, terminal } = actionRun;
  const { name, grade, cost } = action;
  const { autoApprove, confirm } = options;
  const confirmation = subject?.address ?? name;
  terminal.say(context.masking.mask(formatActionRequest(request, actionRun)));
  if (confirm !== undefined && confirm !== confirmation)
    raise('run/confirm', `--confirm says ${JSON.stringify(confirm)}, but this acts on ${confirmation}`, {
      hint: 'nothing was sent',
    });
  if (confirm !== undefined) return true;
  if (cost !== undefined || grade === 'irreversible') return askForWord(confirmation, action, terminal);
  if (autoApprove) return true;
  return isYes(terminal, {
    question: '\nSend this?',
    no: 'Nothing was sent.',
    unattended: problem('cli/unattended', `${name} needs a terminal or --auto-approve; nothing was sent`, {
      hint: 'pass --auto-approve if this has already been approved',
    }),
  });
}

/** Formats an action with its target, its risk and its price, and the request below, so that the user knows what the question is about. */
function formatActionRequest(
  request: Request,
  { action, subject, options, context, terminal }: ActionRun,
): string {
  const { name, grade, why, cost } = action;
  const { owner } = context;
  const { errStyle: style } = terminal;
  const { verbose = false } = options;
  const account = owner.type === 'team' ? `team ${owner.slug}` : 'the personal account';
  const target = subject ? ` ${subject.address}` : '';
  const warnings = [
    ...(grade === 'safe' ? [] : [`${grade}: ${why}`]),
    ...(cost === undefined ? [] : [`costs money: ${cost}`]),
  ];
  const requestLines = operationLines({ requests: [request] }, { style, verbose });
  return [
    `${style.strong(name)}${target} in ${account}`,
    ...warnings.map((text) => `  ${style.warn(text)}`),
    ...requestLines.map((line) => `  ${line}`),
  ].join('\n');
}

/**
 * Asks the user to type a word, such as an address, to confirm a dangerous action of `trueup run`. Throws `Problems` without a terminal.
 */
async function askForWord(word: string, { name }: Action, terminal: Terminal): Promise<boolean> {
  if (!terminal.canAsk)
    raise(
      'run/confirm',
      `${name} costs money or cannot be undone: --auto-approve is not enough; nothing was sent`,
      { hint: `if this has already been approved, pass --confirm ${shellWord(word)}` },
    );
  if ((await terminal.ask(`\nType ${word} to send this: `)) === word) return true;
  terminal.say('Nothing was sent.');
  terminal.run.exitCode = exitCodes.failed;
  return false;
}

/** An action that was sent: its input and its response. */
interface SentAction {
  sending: Sending;
  answer: ApiObject;
  lookups: ReadonlyMap<string, Lookup>;
}

/**
 * Waits for `run --wait` until the work that an action started is over, such as a deployment: repeats the lookup that the action names in
 * `until`, shows each state, and sets the exit code. Gives up after `timeout` seconds.
 */
export async function awaitAction(
  { sending, answer, lookups }: SentAction,
  { action, subject, options, context, terminal }: ActionRun,
): Promise<void> {
  const { timeout } = options;
  // `refuseUselessWait` has refused `--wait` for an action without `until`.
  const until = action.until!;
  const lookup = lookups.get(until.lookup)!;
  const input = until.input({ ...sending, answer });
  const read = createRepeatedLookup(lookup, input, idsOf(subject), lookupContextOf(context));
  const { standing } = await followLookup(lookup, () => read(), {
    terminal,
    columns: lookup.columns ?? Object.keys(lookup.output),
    within: timeout * 1000,
    progressOf: createStandingJudge(lookup, []),
  });
  const endTexts = {
    reached: 'Done.',
    ended: 'It did not finish successfully.',
    'under way': `Still under way after ${timeout} s: \`trueup wait ${lookup.name}\` keeps waiting.`,
    stopped: 'Stopped waiting. The work itself continues.',
  };
  terminal.say(endTexts[standing]);
  terminal.run.exitCode = waitCodes[standing];
}

/**
 * Prints the response to an action of `trueup run` as a table, JSON or YAML. `fields`: the declared members of the response, since others may
 * contain secrets.
 */
export function printActionResult(
  fields: LookupRow,
  { action, subject, options, context, terminal }: ActionRun,
): void {
  const { format = 'table', json } = options;
  const document = {
    formatVersion: '1.0',
    action: action.name,
    address: subject?.address,
    result: jsonValue(fields),
  };
  const texts = {
    json: () => jsonText(document),
    yaml: () => formatPlainYaml(document),
    table: () => fieldsText(fields, terminal.outStyle),
  };
  terminal.out(context.masking.mask(texts[json ? 'json' : format]()));
  terminal.say(`Done: ${action.name}${subject ? ` ${subject.address}` : ''}.`);
}
