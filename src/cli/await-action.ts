import { lookupAt } from '../action/read-lookup.ts';
import type { Row } from '../action/rows.ts';
import type { About } from '../app/actions/open-reading.ts';
import { lookupGround } from '../app/actions/read-lookup.ts';
import type { ActionOptions, Ground } from '../app/actions/run-ground.ts';
import { yamlText } from '../export/print.ts';
import type { Action, Sending } from '../kind/action.ts';
import type { ApiObject } from '../kind/kind.ts';
import type { Lookup } from '../kind/lookup.ts';
import type { Masking } from '../model/masking.ts';
import { jsonText, jsonValue } from '../report/json-value.ts';
import { fieldsText } from '../report/rows-text.ts';
import { followLookup } from './follow-lookup.ts';
import type { RowsOptions } from './print-rows.ts';
import type { Terminal } from './terminal.ts';
import { standOf, waitCodes } from './wait.ts';

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
  ground: Ground,
  terminal: Terminal,
): Promise<void> {
  const lookup = lookups.get(until!.lookup)!;
  const read = lookupAt(lookup, until!.input({ ...sending, answer }), ids, lookupGround(ground));
  const { standing } = await followLookup(lookup, () => read(), {
    terminal,
    columns: lookup.columns ?? Object.keys(lookup.output),
    within: timeout * 1000,
    stand: standOf(lookup, []),
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
export function printAnswer(
  { name }: Action,
  about: About | undefined,
  row: Row,
  { format, json }: RowsOptions,
  masking: Masking,
  terminal: Terminal,
): void {
  const form = json ? 'json' : (format ?? 'table');
  const document = {
    formatVersion: '1.0',
    action: name,
    ...(about ? { address: about.address } : {}),
    result: jsonValue(row),
  };
  const text =
    form === 'json'
      ? jsonText(document)
      : form === 'yaml'
        ? yamlText(document)
        : fieldsText(row, terminal.outStyle);
  terminal.out(masking.mask(text));
  terminal.say(`Done: ${name}${about ? ` ${about.address}` : ''}.`);
}
