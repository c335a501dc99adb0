import type { Diagnostic } from '../../model/diagnostic.ts';
import { count } from '../count.ts';
import { diagnosticForms } from './diff-lines.ts';
import { code, commentLimit, type Places, plainPlaces, sizeOf, stackMarker, withinRoom } from './forms.ts';

/** Bytes kept free for the line that says what was left out. */
const failureFrame = 500;

/** A failed run: the command, and what it did not get to, as in `this could not be planned`. */
interface CommandFailure {
  command: string;
  done: string;
  /** Its name, where it was known by then. */
  stack?: string;
  diagnostics: Diagnostic[];
}

/**
 * A run that failed before it had a plan, for the pull request and the summary of a CI step: what was planned earlier must not look as if
 * it still held. Never longer than `limit` bytes. Without the name of the stack there is no marker: nobody knows whose comment it is.
 */
export function failureMarkdown(
  { command, done, stack, diagnostics }: CommandFailure,
  limit = commentLimit,
  places: Places = plainPlaces,
): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const head = [
    ...(stack === undefined ? [] : [stackMarker(stack)]),
    stack === undefined ? failureHeading(command) : `${failureHeading(command)}: ${code(stack)}`,
    `**This could not be ${done}: ${count(errors.length, 'error')}.**`,
  ];
  const pieces = errors.map((error) => ({ forms: diagnosticForms(error, places), urgent: false }));
  const chosen = withinRoom(pieces, limit - failureFrame - sizeOf(head.join('\n\n')));
  const told = pieces.flatMap(({ forms }, index) => forms[chosen[index] ?? -1] ?? []);
  const left = errors.length - told.length;
  const rest = left > 0 ? [`**Truncated: ${count(left, 'error')}.**`] : [];
  return `${[...head, ...told, ...rest].join('\n\n')}\n`;
}

const failureHeading = (command: string) => `### trueup ${command}`;

/** True for a report of a failure that knows no stack. */
export const isNameless = (text: string): boolean =>
  ['plan', 'apply'].map(failureHeading).includes(text.split('\n', 1)[0]!.trimEnd());
