import { moveTexts, reasonOf } from '../change-text.ts';
import { cleanLine } from '../clean.ts';
import { flow } from '../cut.ts';
import { type Entry, nameOf, namesOf, variedText } from '../fold-changes.ts';
import { markerOf, type PlanContext } from '../plan-context.ts';
import { changedByTexts } from '../plan-notes.ts';
import { showName } from '../show.ts';
import { columns, commented, fieldsDiff, type Sign, signed } from './diff-lines.ts';
import { code, fence, htmlCode, htmlText } from './forms.ts';
import { type Places, placeHtml, placeLink } from './places.ts';

/** An entry of a plan, in the forms that it can have in a comment. */
interface ChangeForms {
  /** With its details below it, open. */
  open: string;
  /** The same, folded; without details the line alone. */
  folded: string;
  /** The line alone. */
  line: string;
}

/** So many names of those that read alike. */
const mostNames = 100;

/** A report of one entry of a plan. */
export function changeForms(entry: Entry, context: PlanContext, places: Places): ChangeForms {
  const { change, wholes } = entry;
  const { sign, means } = markerOf(change, context);
  const { count, name, places: units } = namesOf(entry);
  const all = wholes.flat().map(({ at }) => at);
  const [at] = all;
  const isOnePlace = at !== undefined && all.every((one) => one?.file === at.file && one.line === at.line);
  const number = count === undefined ? '' : `${count} x `;
  const where = units.length > 0 ? ` [${units.map(cleanLine).join(', ')}]` : '';
  const link = isOnePlace ? ` at ${placeLink(at, places)}` : '';
  const title = `${code(sign)} ${number}${code(cleanLine(name))}${where === '' ? '' : ` ${code(where.trim())}`}`;
  const line = `- ${title}${link}`;
  const body = bodyLines(entry, context);
  const open = `${title} (${means}, ${isWord(change.kind) ? change.kind : code(change.kind)})${link}`;
  if (body.length === 0) return { open, folded: line, line };
  const block = fence(body, 'diff');
  const about = htmlText([means, change.kind].join(', '));
  const summary = `${htmlCode(sign)} ${number}${htmlCode(name)}${htmlText(where)} (${about})${isOnePlace ? ` at ${placeHtml(at, places)}` : ''}`;
  return {
    open: `${open}\n\n${block}`,
    folded: `<details><summary>${summary}</summary>\n\n${block}\n\n</details>`,
    line,
  };
}

/** Matches text that needs no code marks around it. */
const isWord = (text: string): boolean => /^[A-Za-z]\w*$/.test(text);

const signs: Record<string, Sign> = { create: '+', delete: '-' };

function bodyLines(entry: Entry, context: PlanContext): string[] {
  const { change, varied, wholes } = entry;
  const { grade, gradeReason, action } = change;
  const names = wholes.length > 1 ? wholes.map((whole) => cleanLine(nameOf(whole))) : [];
  const shown = names.slice(0, mostNames);
  const more = names.length - shown.length;
  return [
    ...[...reasonOf(change), ...changedByTexts(context.changedBy.get(change.address))].flatMap(commented),
    ...(grade === 'safe' ? [] : commented([grade, gradeReason].filter(Boolean).join(': '))),
    ...moveTexts(change).flatMap(commented),
    ...fieldsDiff(change, varied, context),
    ...[...varied].flatMap((path) => {
      const label = `${showName(path, 'plain')}: `;
      return signed(signs[action] ?? '!', label + variedText(entry, path, columns - 2 - label.length));
    }),
    ...flow(
      shown.map((name, at) => (at < shown.length - 1 ? `${name},` : name)),
      ' ',
      columns - 2,
    ).flatMap((line) => signed('#', line)),
    ...(more > 0 ? [`# ... and ${more} more`] : []),
  ];
}
