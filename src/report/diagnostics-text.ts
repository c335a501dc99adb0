import { byPlace, type Diagnostic, type Position } from '../model/diagnostic.ts';
import { otherPlaces } from '../model/fold-diagnostics.ts';
import { byText } from '../model/graph.ts';
import { clean, cleanLine, errorLines } from './clean.ts';
import { count } from './count.ts';
import { cutAround, fold } from './cut.ts';
import { plainly, type Style } from './style.ts';

/** All problems, errors first, each with its place, and how many there are. */
export function diagnosticsText(diagnostics: Diagnostic[], { style }: { style: Style }): string {
  if (diagnostics.length === 0) return '';
  const sorted = [...diagnostics].sort(
    (a, b) => rank(a) - rank(b) || byPlace(a.at, b.at) || byText(a.address ?? '', b.address ?? ''),
  );
  const number = (severity: string) =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  const counts = (['error', 'warning'] as const).filter((severity) => number(severity) > 0);
  const text = [
    ...sorted.map((diagnostic) => diagnosticLines(diagnostic, style).join('\n')),
    style.strong(counts.map((severity) => count(number(severity), severity)).join(', ')),
  ].join('\n\n');
  return plainly(text, style);
}

function diagnosticLines(diagnostic: Diagnostic, style: Style): string[] {
  const { message, hint } = errorLines(diagnostic);
  const code = `[${cleanLine(diagnostic.code)}]`;
  const [label, paint] = diagnostic.severity === 'error' ? ['Error:', style.alarm] : ['Warning:', style.warn];
  const [first, ...more] = fold(`${label} ${message[0]} ${code}`, style.prose, '  ');
  // What `trueup explain` takes, at the end.
  const title = (line: string) => {
    const told = line.endsWith(code) ? line.slice(0, -code.length).trimEnd() : line;
    if (told === line) return style.strong(line);
    return told === '' ? style.quiet(code) : `${style.strong(told)} ${style.quiet(code)}`;
  };
  const { shown, left } = firstPlaces(diagnostic);
  return [
    `${paint(label)} ${title(first!.slice(label.length + 1))}`,
    ...more.map((line) => `  ${title(line.trimStart())}`),
    ...message.slice(1).flatMap((line) => fold(`  ${line}`, style.prose, '  | ')),
    ...placeLines(diagnostic, style),
    ...shown.flatMap(({ message, at }) => [
      ...fold(`  ${cleanLine(message)}: ${placeName(at)}`, style.prose, '  '),
      // The first line stands for all of a folded problem.
      ...(diagnostic.folded ? [] : snippet(at, style)),
    ]),
    ...(left > 0 ? [`  and ${count(left, 'more place')}`] : []),
    ...hintLines(hint, style),
  ];
}

/** The hint, behind an arrow. */
export const hintLines = (hint: string[], style: Style): string[] =>
  hint.flatMap((line, index) => {
    if (index > 0) return fold(`  ${line}`, style.prose, '  | ');
    return fold(`  -> ${line}`, style.prose, '     ').map((part) =>
      part.replace(/^ {2}->/, () => `  ${style.adopt('->')}`),
    );
  });

function placeLines({ at, address }: Diagnostic, style: Style): string[] {
  if (at) return [`  ${style.quiet('at')} ${placeName(at)}`, ...snippet(at, style)];
  return address === undefined ? [] : [`  ${style.quiet('at')} ${cleanLine(address)}`];
}

const fewPlaces = 5;
/** With the place of the problem itself these are three. */
const fewOtherPlaces = 2;

/**
 * Splits the related places of a problem into those for people and the number of the others. Of a folded problem, people see all places
 * that belong to one instance, and two of the places where it occurs again.
 */
export function firstPlaces(diagnostic: Diagnostic): {
  shown: NonNullable<Diagnostic['related']>;
  left: number;
} {
  const { related = [], folded } = diagnostic;
  const others = otherPlaces(diagnostic);
  const most = folded ? related.length - others + fewOtherPlaces : fewPlaces;
  // A single place more takes no more lines than its count.
  const shown = related.length > most + 1 ? related.slice(0, most) : related;
  return { shown, left: related.length - shown.length };
}

const placeName = ({ file, line, column }: Position) => `${cleanLine(file)}:${line}:${column}`;
/** Errors first. */
export const rank = ({ severity }: Diagnostic): number => (severity === 'error' ? 0 : 1);

/** The line in question with a caret under the column; of a long line the part around it. */
function snippet({ line, column, text, caret = column - 1 }: Position, style: Style): string[] {
  if (text === undefined) return [];
  const shown = (part: string) => clean(part).replace(/\n/g, ' ').replaceAll('\t', '  ');
  const gutter = String(line).padStart(5);
  const before = shown(text.slice(0, caret));
  const around = cutAround(before + shown(text.slice(caret)), before.length, style.width - gutter.length - 4);
  return [
    `${style.quiet(`${gutter} |`)} ${around.text}`.trimEnd(),
    `${style.quiet(`${' '.repeat(gutter.length)} |`)} ${' '.repeat(around.column)}${style.alarm('^')}`,
  ];
}
