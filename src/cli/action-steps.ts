import type { LookupRow } from '../action/lookup-rows.ts';
import { createRepeatedLookup } from '../action/read-lookup.ts';
import type { ActionContext, ActionOptions } from '../app/actions/action-context.ts';
import { lookupGround } from '../app/actions/create-lookup-reader.ts';
import type { ActionSubject } from '../app/actions/read-only-account.ts';
import { formatPlainYaml } from '../export/print-yaml.ts';
import type { Action, Sending } from '../kind/action.ts';
import type { Lookup } from '../kind/lookup.ts';
import type { ApiObject } from '../kind/read.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { Masking } from '../model/masking.ts';
import type { Request } from '../model/request.ts';
import { jsonText, jsonValue } from '../report/json-value.ts';
import { operationLines } from '../report/request-text.ts';
import { fieldsText } from '../report/rows-text.ts';
import { followLookup } from './follow-lookup.ts';
import type { RowsOptions } from './print-rows.ts';
import { isYes, type Terminal } from './terminal.ts';
import { createStandingJudge, waitCodes } from './wait.ts';

/**
 * Shows the request, and asks by what it risks: what costs money or cannot be undone takes its address once more, at a terminal or with
 * `--confirm`. True if somebody agrees. Throws `Problems` where nobody can be asked.
 */
export async function confirmAction(
  action: Action,
  request: Request,
  about: ActionSubject | undefined,
  { autoApprove, confirm, verbose }: ActionOptions,
  { owner, masking }: ActionContext,
  terminal: Terminal,
): Promise<boolean> {
  const { name, grade, why, cost } = action;
  const word = about?.address ?? name;
  const { errStyle: style } = terminal;
  const risk = [
    ...(grade === 'safe' ? [] : [`${grade}: ${why}`]),
    ...(cost === undefined ? [] : [`costs money: ${cost}`]),
  ];
  terminal.say(
    masking.mask(
      [
        `${style.strong(name)}${about ? ` ${about.address}` : ''} in ${owner.type === 'team' ? `team ${owner.slug}` : 'the personal account'}`,
        ...risk.map((text) => `  ${style.warn(text)}`),
        ...operationLines({ requests: [request] }, { style, verbose: verbose ?? false }).map(
          (line) => `  ${line}`,
        ),
      ].join('\n'),
    ),
  );
  const isGrave = cost !== undefined || grade === 'irreversible';
  if (confirm !== undefined && confirm !== word)
    throw new Problems('run/confirm', `--confirm says ${JSON.stringify(confirm)}, but this acts on ${word}`, {
      hint: 'nothing was sent',
    });
  if (isGrave) return confirm !== undefined || saidAgain(word, action, terminal);
  if (autoApprove || confirm !== undefined) return true;
  return isYes(terminal, {
    question: '\nSend this?',
    no: 'Nothing was sent.',
    unattended: problem('cli/unattended', `${name} needs a terminal or --auto-approve; nothing was sent`, {
      hint: 'pass --auto-approve if this has already been approved',
    }),
  });
}

async function saidAgain(word: string, { name }: Action, terminal: Terminal): Promise<boolean> {
  if (!terminal.canAsk)
    throw new Problems(
      'run/confirm',
      `${name} costs money or cannot be undone: --auto-approve is not enough; nothing was sent`,
      {
        hint: `if this has already been approved, pass --confirm ${word}`,
      },
    );
  if ((await terminal.ask(`\nType ${word} to send this: `)) === word) return true;
  terminal.say('Nothing was sent.');
  terminal.run.exitCode = 1;
  return false;
}

interface Done {
  sending: Sending;
  answer: ApiObject;
  ids: ReadonlyMap<string, string>;
  lookups: ReadonlyMap<string, Lookup>;
}

/** Waits until what an action began is over, without the lease, and sets the exit code. */
export async function awaitAction(
  { until }: Action,
  { sending, answer, ids, lookups }: Done,
  { timeout }: ActionOptions,
  ground: ActionContext,
  terminal: Terminal,
): Promise<void> {
  const lookup = lookups.get(until!.lookup)!;
  const read = createRepeatedLookup(lookup, until!.input({ ...sending, answer }), ids, lookupGround(ground));
  const { standing } = await followLookup(lookup, () => read(), {
    terminal,
    columns: lookup.columns ?? Object.keys(lookup.output),
    within: timeout * 1000,
    stand: createStandingJudge(lookup, []),
  });
  const words = {
    reached: 'Done.',
    ended: 'It did not finish successfully.',
    'under way': `Still under way after ${timeout} s: \`trueup wait ${lookup.name}\` keeps waiting.`,
    stopped: 'Stopped waiting. The work itself continues.',
  };
  terminal.say(words[standing]);
  terminal.run.exitCode = waitCodes[standing];
}

/** Prints what an action answered: its open fields. */
export function printActionResult(
  { name }: Action,
  about: ActionSubject | undefined,
  row: LookupRow,
  { format, json }: RowsOptions,
  masking: Masking,
  terminal: Terminal,
): void {
  const form = json ? 'json' : (format ?? 'table');
  const document = { formatVersion: '1.0', action: name, address: about?.address, result: jsonValue(row) };
  const text =
    form === 'json'
      ? jsonText(document)
      : form === 'yaml'
        ? formatPlainYaml(document)
        : fieldsText(row, terminal.outStyle);
  terminal.out(masking.mask(text));
  terminal.say(`Done: ${name}${about ? ` ${about.address}` : ''}.`);
}
