import type { Diagnostic } from '../../model/diagnostic.ts';
import { count } from '../text.ts';
import { diagnosticForms } from './diff-lines.ts';
import {
  byteLengthOf,
  code,
  commentLimit,
  type Places,
  plainPlaces,
  stackMarker,
  withinRoom,
} from './forms.ts';

/** The bytes kept free for the line that counts truncated errors. */
const reservedForCount = 500;

/** A command that failed before it had a plan. */
interface CommandFailure {
  command: string;
  /** The participle for its heading: `planned` in `This could not be planned`. */
  done: string;
  /** The name of the stack, if it is known. */
  stack?: string;
  diagnostics: Diagnostic[];
}

/**
 * Formats the failure of a command that had no plan yet, for the comment of a pull request and the summary of a CI step. It replaces the
 * comment of an earlier run, because that plan is outdated. Never longer than `limit` bytes. Has no marker if the name of the stack is
 * unknown, because the comment belongs to a stack.
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
  const parts = errors.map((error) => ({ forms: diagnosticForms(error, places), urgent: false }));
  const chosen = withinRoom(parts, limit - reservedForCount - byteLengthOf(head.join('\n\n')));
  const texts = parts.flatMap(({ forms }, index) => forms[chosen[index] ?? -1] ?? []);
  const more = errors.length - texts.length;
  const truncated = more > 0 ? [`**Truncated: ${count(more, 'error')}.**`] : [];
  return `${[...head, ...texts, ...truncated].join('\n\n')}\n`;
}

/** Returns the heading of a failure report. */
const failureHeading = (command: string) => `### trueup ${command}`;

/** True for a failure report without the name of a stack. Such a report must not replace the comment of a stack. */
export const isNameless = (text: string): boolean =>
  ['plan', 'apply'].map(failureHeading).includes(text.split('\n', 1)[0]!.trimEnd());
