import { byPlace, bySeverity, type Diagnostic, type Position } from '../model/diagnostic.ts';
import { otherPlaces } from '../model/fold-diagnostics.ts';
import { byText } from '../model/graph.ts';
import { plainly, type Style } from './style.ts';
import { clean, cleanLine, count, cutAround, errorLines, fold } from './text.ts';

/**
 * Formats the problems of any command for a terminal, errors first, each with its place in the configuration if it has one. The last line
 * counts them. Empty without problems.
 */
export function diagnosticsText(diagnostics: readonly Diagnostic[], { style }: { style: Style }): string {
  if (diagnostics.length === 0) return '';
  const sorted = [...diagnostics].sort(
    (a, b) => bySeverity(a, b) || byPlace(a.at, b.at) || byText(a.address ?? '', b.address ?? ''),
  );
  const number = (severity: string) =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  const counts = (['error', 'warning', 'note'] as const).filter((severity) => number(severity) > 0);
  const text = [
    ...sorted.map((diagnostic) => diagnosticLines(diagnostic, style).join('\n')),
    style.strong(counts.map((severity) => count(number(severity), severity)).join(', ')),
  ].join('\n\n');
  return plainly(text, style);
}

/**
 * Formats one problem for a terminal, as all commands print it: message and code, the place with its line of the file, related places, and
 * the hint.
 */
export function diagnosticLines(diagnostic: Diagnostic, style: Style): string[] {
  const { message, hint } = errorLines(diagnostic);
  const code = `[${cleanLine(diagnostic.code)}]`;
  const [label, paint] = severityLabel(diagnostic, style);
  const [first, ...titleLines] = fold(`${label} ${message[0]} ${code}`, style.prose, '  ');
  return [
    `${paint(label)} ${paintTitle(first!.slice(label.length + 1), code, style)}`,
    ...titleLines.map((line) => `  ${paintTitle(line.trimStart(), code, style)}`),
    ...message.slice(1).flatMap((line) => fold(`  ${line}`, style.prose, '  | ')),
    ...placeLines(diagnostic, style),
    ...relatedPlaceLines(diagnostic, style),
    ...hintLines(hint, style),
  ];
}

/**
 * Colours a line of the title of a problem. The code at its end, if the line has it, is for `trueup explain`, so it is less important than
 * the message.
 */
function paintTitle(line: string, code: string, style: Style): string {
  if (!line.endsWith(code)) return style.strong(line);
  const messagePart = line.slice(0, -code.length).trimEnd();
  return messagePart === '' ? style.quiet(code) : `${style.strong(messagePart)} ${style.quiet(code)}`;
}

/** Formats the other places of the configuration that a problem is about, at most a few of them, and counts the rest. */
function relatedPlaceLines(diagnostic: Diagnostic, style: Style): string[] {
  const { shown, more } = firstPlaces(diagnostic);
  return [
    ...shown.flatMap(({ message, at }) => [
      ...fold(`  ${cleanLine(message)}: ${placeName(at)}`, style.prose, '  '),
      // Of a folded problem only the first place shows its line of the file, because the others look alike.
      ...(diagnostic.folded ? [] : snippet(at, style)),
    ]),
    ...(more > 0 ? [`  and ${count(more, 'more place')}`] : []),
  ];
}

/** Returns the word in front of a problem, with the colour of its severity. */
function severityLabel({ severity }: Diagnostic, style: Style): [label: string, paint: Style['alarm']] {
  if (severity === 'error') return ['Error:', style.alarm];
  return severity === 'warning' ? ['Warning:', style.warn] : ['Note:', style.quiet];
}

/**
 * Formats the hint of a problem or a failure as lines below its message: `-> run it again`. Lines after the first are for a file or a
 * shell, so they stay whole: half a line that is pasted means something else.
 */
export const hintLines = (hint: string[], style: Style): string[] =>
  hint.flatMap((line, index) => {
    if (index > 0) return `  ${line}`;
    return fold(`  -> ${line}`, style.prose, '     ').map((folded) =>
      folded.replace(/^ {2}->/, () => `  ${style.adopt('->')}`),
    );
  });

/** Formats the place of a problem with its line of the file, or its address if it has no place in the configuration. */
function placeLines({ at, address }: Diagnostic, style: Style): string[] {
  if (at) return [`  ${style.quiet('at')} ${placeName(at)}`, ...snippet(at, style)];
  return address === undefined ? [] : [`  ${style.quiet('at')} ${cleanLine(address)}`];
}

const maxRelatedPlaces = 5;
/** The number of further places of a folded problem that are shown: with its own place that makes three. */
const maxFurtherPlaces = 2;

/**
 * Returns the related places of a problem that a report for people shows, and the number of the others (`more`). A problem may be about
 * other lines of the configuration (`related`); the first five are shown. A folded problem stands for many equal problems. First come
 * the places to which each of them is related, all shown. Then comes the place of each further problem; two of these are shown.
 */
export function firstPlaces(diagnostic: Diagnostic): {
  shown: NonNullable<Diagnostic['related']>;
  more: number;
} {
  const { related = [], folded } = diagnostic;
  const sharedCount = related.length - otherPlaces(diagnostic);
  const limit = folded ? sharedCount + maxFurtherPlaces : maxRelatedPlaces;
  // A single further place is shown: a line that counts it would say less.
  const shown = related.length > limit + 1 ? related.slice(0, limit) : related;
  return { shown, more: related.length - shown.length };
}

const placeName = ({ file, line, column }: Position) => `${cleanLine(file)}:${line}:${column}`;

/**
 * Formats the line of a file with a problem, with a caret under its column, so that the reader sees the mistake without opening the file.
 * A long line is cut around the column. Empty if the text of the line is unknown. `caret`: the index in `text` of the character with the
 * mistake; it differs from the column if text before it was masked or cut.
 */
function snippet({ line, column, text, caret = column - 1 }: Position, style: Style): string[] {
  if (text === undefined) return [];
  const oneLine = (textPart: string) => clean(textPart).replace(/\n/g, ' ').replaceAll('\t', '  ');
  const gutter = String(line).padStart(5);
  const before = oneLine(text.slice(0, caret));
  const excerpt = cutAround(
    before + oneLine(text.slice(caret)),
    before.length,
    style.width - gutter.length - 4,
  );
  return [
    `${style.quiet(`${gutter} |`)} ${excerpt.text}`.trimEnd(),
    `${style.quiet(`${' '.repeat(gutter.length)} |`)} ${' '.repeat(excerpt.column)}${style.alarm('^')}`,
  ];
}
