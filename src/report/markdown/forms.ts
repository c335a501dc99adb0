import type { Change, FieldChange } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { reasonOf } from '../change-text.ts';
import { cleanLine, errorLines } from '../clean.ts';
import { cut } from '../cut.ts';
import { fieldValue, noteOf } from '../field-text.ts';
import { fieldsOf } from '../fields-of.ts';
import { type Entry, nameOf, namesOf, variedText } from '../fold-changes.ts';
import { markerOf, type PlanContext } from '../plan-context.ts';
import { changedByTexts } from '../plan-notes.ts';
import { showName } from '../show.ts';

/** The longest run of backticks: what stands around the text has to be longer. */
const longestRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** Lines as a block in which nothing means anything; of the language `diff`, `+`, `-`, `!` and `#` in front of a line colour it. */
export function fence(lines: string[], language: string): string {
  const text = lines.join('\n');
  const ticks = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${ticks}${language}\n${text}\n${ticks}`;
}

/** Text by users or servers within a line: no mention, link, HTML or emphasis in it counts. */
export function code(text: string): string {
  const line = cleanLine(text).trim() || ' ';
  const ticks = '`'.repeat(longestRun(line) + 1);
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return ticks + space + line + space + ticks;
}

/** Text within a line of HTML, where Markdown does not count. */
const htmlText = (text: string): string =>
  cleanLine(text).replace(/[&<>"'`@#]/g, (char) => `&#${char.charCodeAt(0)};`);

/** A name within a line of HTML. */
export const htmlCode = (text: string): string => `<code>${htmlText(text)}</code>`;

const start = '<!-- trueup:plan:';

/** The first line of a report, which nobody sees: by it the comment of a stack is found again. */
export const stackMarker = (stack: string): string =>
  `${start}${stack.replace(/[^\w.-]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)} -->`;

/** The marker that a text begins with, if it does. */
export function markerIn(text: string): string | undefined {
  const [line = ''] = text.split('\n', 1);
  return line.startsWith(start) && line.trimEnd().endsWith(' -->') ? line.trimEnd() : undefined;
}

const width = 100;
/** So many fields of one change, and of those that read like it so many names. */
const most = 40;
const mostNames = 100;

/** An entry of a plan: as a line with the details below it, folded, and as the line alone. */
export function changeForms(entry: Entry, context: PlanContext): string[] {
  const { change, wholes } = entry;
  const { sign, means } = markerOf(change, context);
  const { count, name, places } = namesOf(entry);
  const files = new Set(wholes.flat().map(({ at }) => at && `${cleanLine(at.file)}:${at.line}`));
  const place = files.size === 1 ? [...files][0] : undefined;
  const number = count === undefined ? '' : `${count} x `;
  const where = places.length > 0 ? ` [${places.map(cleanLine).join(', ')}]` : '';
  const line = [
    `- ${code(sign)} ${number}${code(cleanLine(name))}${where}`,
    ...(place === undefined ? [] : [code(place)]),
  ].join(' at ');
  const body = bodyLines(entry, context);
  const all = wholes.length > 1 ? wholes.map((whole) => cleanLine(nameOf(whole))) : [];
  if (body.length === 0 && all.length === 0) return [line];
  const about = [means, htmlText(change.kind)].join(', ');
  const named = all.slice(0, mostNames).map((address) => `# ${address}`);
  const rest = all.length - named.length;
  return [
    [
      `<details><summary>${htmlCode(sign)} ${number}${htmlCode(name)}${htmlText(where)} (${about})${place === undefined ? '' : ` at ${htmlCode(place)}`}</summary>`,
      fence([...body, ...named, ...(rest > 0 ? [`# ... and ${rest} more`] : [])], 'diff'),
      '</details>',
    ].join('\n\n'),
    line,
  ];
}

function bodyLines(entry: Entry, context: PlanContext): string[] {
  const { change, varied } = entry;
  const fields = fieldsOf(change).filter(({ path }) => !varied.has(path));
  const shown = fields.slice(0, most);
  const more = fields.length - shown.length;
  const { grade, gradeReason, moves, action } = change;
  return [
    ...[...reasonOf(change), ...changedByTexts(context.changedBy.get(change.address))].map(
      (reason) => `# ${cleanLine(reason)}`,
    ),
    ...(grade === 'safe'
      ? []
      : [`# ${[grade, gradeReason].filter(Boolean).map(String).map(cleanLine).join(': ')}`]),
    ...(moves && action !== 'move' ? ['# also changes place among its siblings'] : []),
    ...shown.flatMap((field) => fieldLines(field, change, context)),
    ...[...varied].map(
      (path) => `${signs[action] ?? '!'} ${showName(path, 'plain')}: ${variedText(entry, path)}`,
    ),
    ...(more > 0 ? [`# ... ${more} more ${more === 1 ? 'field' : 'fields'}`] : []),
  ];
}

const signs: Partial<Record<Change['action'], string>> = { create: '+', delete: '-' };

function fieldLines(field: FieldChange, { action }: Change, context: PlanContext): string[] {
  const sign = signs[action] ?? '!';
  const isWhole = sign !== '!';
  const { before, after, cause } = field;
  const isOne =
    (isWhole && (before === undefined || after === undefined)) ||
    cause === 'recorded' ||
    cause === 'released';
  const label = `${sign} ${showName(field.path, 'plain')}:`;
  const note = noteOf(field, context);
  const noted = note === undefined ? '' : `  (${note})`;
  const { beside, below } = fieldValue(field, isWhole, context, { room: width, width });
  if (beside) return [`${label} ${beside.text}${noted}`];
  // Two values bring their own signs along; in a block of this language what is the same has none.
  const lines = below.map(({ text }) => (isOne ? `${sign} ${text}` : text.slice(2).replace(/^\|/, ' ')));
  return [label + noted, ...lines];
}

const longestLine = 400;
const mostLines = 10;

/** A problem with its place and what to do about it, and as one line. */
export function diagnosticForms(diagnostic: Diagnostic): string[] {
  const { message, hint } = errorLines(diagnostic);
  const { severity, at, address } = diagnostic;
  const sign = severity === 'error' ? '- Error:' : '! Warning:';
  const place = at ? `${cleanLine(at.file)}:${at.line}:${at.column}` : address && cleanLine(address);
  const lines = [
    `${sign} ${message[0]}`,
    ...message.slice(1, mostLines).map((line) => `  ${line}`),
    ...(place ? [`  at ${place}`] : []),
    ...hint.slice(0, mostLines).map((line, at) => `  ${at === 0 ? `-> ${line}` : line}`),
  ];
  return [
    fence(
      lines.map((line) => cut(line, longestLine)),
      'diff',
    ),
    fence([cut(lines[0]!, 160)], 'diff'),
  ];
}
