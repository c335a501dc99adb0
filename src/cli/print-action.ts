import type { Row } from '../action/rows.ts';
import { yamlText } from '../export/print.ts';
import type { Action } from '../kind/action.ts';
import type { Masking } from '../model/masking.ts';
import { jsonText, jsonValue } from '../report/json-value.ts';
import { fieldsText } from '../report/rows-text.ts';
import type { About } from './open-reading.ts';
import type { RowsOptions } from './print-rows.ts';
import type { Terminal } from './terminal.ts';

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
  terminal.err(`Done: ${name}${about ? ` ${about.address}` : ''}.`);
}
