import type { Pace } from '../../model/budget.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { listFirst } from '../../model/fold-wordings.ts';
import {
  awaitsTexts,
  equalFailureText,
  findEqualFailures,
  type StackReport,
  skippedText,
  stackCountsText,
} from '../stacks/stack-report.ts';
import { dangerTexts, sortByDanger, totalsByKind, totalsText } from '../stacks/stack-totals.ts';
import { count } from '../text.ts';
import { diagnosticForms } from './diff-lines.ts';
import {
  byteLengthOf,
  chosenForm,
  code,
  commentLimit,
  type Places,
  plainPlaces,
  separatorSize,
  stackMarker,
  textsWithinRoom,
  withinRoom,
} from './forms.ts';
import { planMarkdown } from './plan-markdown.ts';

/** The name in the marker of a report about several stacks. No stack can have it. */
export const everyStack = '*';

/** A stack whose part is too long is left out if its share has fewer bytes than this. */
const minStackRoom = 4_000;

/**
 * Formats the plans of several stacks for one comment of a pull request: totals and dangerous changes, then a part for each
 * stack, the most dangerous first. Never longer than `limit` bytes: the parts of the largest plans are shortened, and stacks without
 * enough room are only named or counted.
 */
export function stacksMarkdown(
  reports: StackReport[],
  pace?: Pace,
  limit = commentLimit,
  places: Places = plainPlaces,
): string {
  const head = [
    stackMarker(everyStack),
    `### trueup plan: ${stackCountsText(reports)}`,
    ...(reports.length === 0 ? ['No stack is affected.'] : totalBlocks(reports)),
  ];
  const sorted = sortByDanger(reports);
  const equalFailures = findEqualFailures(sorted);
  const formatPart = (report: StackReport, partLimit: number) =>
    stackPartOf(report, partLimit, { pace, places, equalFailure: equalFailures.get(report.id) });
  const fullParts = sorted.map((report) => formatPart(report, Number.POSITIVE_INFINITY));
  const room = limit - byteLengthOf(head.join('\n\n')) - reservedForNames(reports.map(({ id }) => id));
  const { parts, truncatedIndexes } = fitParts(fullParts, room, (index, partLimit) =>
    formatPart(sorted[index]!, partLimit),
  );
  const truncatedIds = truncatedIndexes.map((index) => sorted[index]!.id);
  const truncated = truncatedIds.length > 0 ? [truncatedText(truncatedIds)] : [];
  return `${[...head, ...parts.filter((text) => text !== ''), ...truncated].join('\n\n').trimEnd()}\n`;
}

/**
 * Returns the blocks of a comment below its heading: the totals of all stacks, the dangerous changes with their stacks, and the totals by
 * kind in a fold. Without a plan there are none.
 */
function totalBlocks(reports: StackReport[]): string[] {
  if (!reports.some(({ plan }) => plan)) return [];
  const dangers = dangerTexts(reports, code).map(({ label, names }) => `- **${label}**: ${names}`);
  const kinds = totalsByKind(reports).map(({ kind, text }) => `- ${code(kind)}: ${text}`);
  return [
    `**${totalsText(reports)}**`,
    ...(dangers.length > 0 ? [`Review first:\n\n${dangers.join('\n')}`] : []),
    ...(kinds.length > 0 ? [`<details><summary>By kind</summary>\n\n${kinds.join('\n')}\n\n</details>`] : []),
  ];
}

/**
 * Shortens the parts of a comment so that all of them fit into `room` bytes, each with an empty line behind it. Each
 * part may take an equal share of the room that is left. The shortest parts come first, so that the room which they
 * do not need goes to the long ones. `shorten` formats a part within a number of bytes. A part that is still too
 * long is empty, and its index is in `truncatedIndexes`.
 */
function fitParts(
  fullParts: readonly string[],
  room: number,
  shorten: (index: number, partLimit: number) => string,
): { parts: string[]; truncatedIndexes: number[] } {
  const sizeOf = (text: string) => byteLengthOf(text) + separatorSize;
  const sizes = fullParts.map(sizeOf);
  const shortestFirst = [...fullParts.keys()].sort((a, b) => sizes[a]! - sizes[b]!);
  const parts = [...fullParts];
  const truncatedIndexes: number[] = [];
  let remainingRoom = room;
  for (const [doneCount, index] of shortestFirst.entries()) {
    const share = Math.floor(remainingRoom / (parts.length - doneCount));
    if (sizes[index]! > share) {
      const shortPart = share < minStackRoom ? '' : shorten(index, share - separatorSize);
      parts[index] = sizeOf(shortPart) > share ? '' : shortPart;
    }
    if (parts[index] === '') truncatedIndexes.push(index);
    else remainingRoom -= sizeOf(parts[index]!);
  }
  return { parts, truncatedIndexes };
}

/** The most stacks without room that a comment names. The names of all of a large workspace would be longer than a comment may be. */
const maxTruncatedIds = 10;

/** Names the first stacks that a comment leaves out because it has no room for them, and counts the others. */
export const truncatedText = (ids: string[]): string =>
  `**Truncated: ${listFirst(ids.map(code), maxTruncatedIds)}.**`;

/** Returns the most bytes that `truncatedText` needs for any of these stacks, with the empty lines around it. */
export const reservedForNames = (ids: string[]): number =>
  byteLengthOf(truncatedText([...ids].sort((a, b) => byteLengthOf(b) - byteLengthOf(a)))) + 10;

/**
 * Formats the part of one stack in the comment of `plan --all` within `limit` bytes: its plan, its errors as far as there is room, or why
 * it was skipped. `equalFailure`: the stack that failed for the same reason and has the errors.
 */
function stackPartOf(
  report: StackReport,
  limit: number,
  { pace, places, equalFailure }: { pace?: Pace; places: Places; equalFailure?: string },
): string {
  const { id, needs, plan, failed } = report;
  const after = needs.length > 0 ? `, after ${needs.map(code).join(', ')}` : '';
  const head = [`---`, `${code(id)}${after}`, ...awaitsTexts(report).map((text) => code(text))].join('\n\n');
  const room = limit - byteLengthOf(head) - separatorSize;
  if (plan) {
    // The first line is left out: it is the marker, and the comment has one already.
    const text = planMarkdown(plan, pace, room, places).split('\n').slice(1).join('\n').trim();
    return `${head}\n\n${text}`;
  }
  if (equalFailure !== undefined) return `${head}\n\n**${equalFailureText(code(equalFailure))}**`;
  const errors = (failed ?? []).map((diagnostic) => diagnosticForms(diagnostic, places)[0]!);
  const texts = failed ? ['**This could not be planned.**', ...errors] : [`**${skippedText(report)}**`];
  return [head, ...textsWithinRoom(texts, room)].join('\n\n');
}

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
  const texts = parts.flatMap((part, index) => chosenForm(part, chosen[index]));
  const more = errors.length - texts.length;
  const truncated = more > 0 ? [`**Truncated: ${count(more, 'error')}.**`] : [];
  return `${[...head, ...texts, ...truncated].join('\n\n')}\n`;
}

/** Returns the heading of a failure report. */
const failureHeading = (command: string) => `### trueup ${command}`;

/** True for a failure report without the name of a stack. Such a report must not replace the comment of a stack. */
export const isNameless = (text: string): boolean =>
  ['plan', 'apply'].map(failureHeading).includes(text.split('\n', 1)[0]!.trimEnd());
