import type { OpenHistory } from '../app/undoing/history-place.ts';
import { cleanLine } from '../report/clean.ts';
import type { Terminal } from './terminal.ts';

/** Says what a reader of a history has to know before believing it. */
export function sayDoubts({ doubts, key, records }: OpenHistory, terminal: Terminal): void {
  const { warn } = terminal.errStyle;
  if (records.length > 0 && !key)
    terminal.say(
      warn('Not verified: no key here. Anyone with write access to the store could have written this.'),
    );
  for (const doubt of doubts) terminal.say(warn(cleanLine(`The history is incomplete: ${doubt}.`)));
}
