/*
 * The texts of one entry of a plan in the comment on a pull request. An entry is a change, or several that read alike (see
 * `fold-changes.ts`).
 */
import { positionTexts, shownReasonOf } from '../change-text.ts';
import { findingTexts } from '../finding-text.ts';
import {
  formatEntryName,
  logicalNameOf,
  type ReportEntry,
  sharedPositionOf,
  variedValuesText,
} from '../fold-changes.ts';
import { markerOf, type PlanContext } from '../plan-context.ts';
import { changedByTexts } from '../plan-notes.ts';
import { showName } from '../show.ts';
import { cleanLine, count as countOf, flow, wrap } from '../text.ts';
import { columns, commentLines, fieldsDiff, type Sign, signedLines } from './diff-lines.ts';
import { code, fence, htmlCode, htmlText, type Places, placeHtml, placeLink } from './forms.ts';

/** The forms of one entry in a comment. */
export interface ChangeForms {
  /** Title and details. */
  open: string;
  /** Title and details in a fold. Equal to `line` if there are no details. */
  folded: string;
  /** The title as an item of a list. */
  line: string;
}

/** The most names of an entry that are listed. */
const maxNames = 100;

/**
 * Formats one entry of a plan (a change, or several that read alike) for a comment in three forms: with its
 * details, with details that open on a click, and as one line. A comment chooses the form by the room that it
 * has.
 */
export function changeForms(entry: ReportEntry, context: PlanContext, places: Places): ChangeForms {
  const { change } = entry;
  const { sign, means } = markerOf(change, context);
  const { count, name, targets } = formatEntryName(entry);
  const position = sharedPositionOf(entry);
  const number = count === undefined ? '' : `${count} x `;
  const suffix = targets.length > 0 ? ` [${targets.map(cleanLine).join(', ')}]` : '';
  const link = position ? ` at ${placeLink(position, places)}` : '';
  const title = `${code(sign)} ${number}${code(cleanLine(name))}${suffix === '' ? '' : ` ${code(suffix.trim())}`}`;
  const line = `- ${title}${link}`;
  const body = entryDiffLines(entry, context);
  const open = `${title} (${means}, ${isWord(change.kind) ? change.kind : code(change.kind)})${link}`;
  if (body.length === 0) return { open, folded: line, line };
  const block = fence(body, 'diff');
  const factsText = htmlText([means, change.kind].join(', '));
  const summary = `${htmlCode(sign)} ${number}${htmlCode(name)}${htmlText(suffix)} (${factsText})${position ? ` at ${placeHtml(position, places)}` : ''}`;
  return {
    open: `${open}\n\n${block}`,
    folded: `<details><summary>${summary}</summary>\n\n${block}\n\n</details>`,
    line,
  };
}

/** True for a text that needs no code marks, because Markdown gives it no meaning. */
const isWord = (text: string): boolean => /^[A-Za-z]\w*$/.test(text);

const diffSigns: Record<string, Sign> = { create: '+', delete: '-' };

/**
 * Formats the details of an entry (a change, or several that read alike) as lines of a `diff` block, which Markdown colours: comments,
 * fields, and the names of all its changes if there are several.
 */
function entryDiffLines(entry: ReportEntry, context: PlanContext): string[] {
  const { change, variedPaths } = entry;
  const { grade, gradeReason } = change;
  const reasons = [...shownReasonOf(change), ...changedByTexts(context.changedBy.get(change.address))];
  const dangers = grade === 'safe' ? [] : [[grade, gradeReason].filter(Boolean).join(': ')];
  return [
    ...[...reasons, ...dangers, ...positionTexts(change)].flatMap(commentLines),
    ...findingLines(entry, context),
    ...fieldsDiff(change, variedPaths, context),
    ...[...variedPaths].flatMap((path) => variedFieldLines(entry, path)),
    ...nameLines(entry),
  ];
}

/** Formats a field whose values differ among the changes of an entry: its name and the first values. */
function variedFieldLines(entry: ReportEntry, path: string): string[] {
  const label = `${showName(path, 'plain')}: `;
  const values = variedValuesText(entry, path, columns - 2 - label.length);
  return signedLines(diffSigns[entry.change.action] ?? '!', label + values);
}

/** Lists the first names of the changes of an entry. Empty for a single change, whose name is in its title. */
function nameLines({ logicalChanges }: ReportEntry): string[] {
  if (logicalChanges.length === 1) return [];
  const names = logicalChanges.map((changes) => cleanLine(logicalNameOf(changes)));
  const shown = names.slice(0, maxNames);
  const withCommas = shown.map((name, index) => (index < shown.length - 1 ? `${name},` : name));
  const more = names.length - shown.length;
  return [
    ...flow(withCommas, ' ', columns - 2).flatMap((line) => signedLines('#', line)),
    ...(more > 0 ? [`# ... and ${more} more`] : []),
  ];
}

/**
 * Formats the findings (harm that a valid configuration does) of an entry (a change, or several that read alike) as lines of a `diff`
 * block of a comment, which Markdown colours by their first sign: `! warning: MESSAGE [CODE]` with its hint below, or `# fixes: MESSAGE
 * [CODE]`.
 */
function findingLines(entry: ReportEntry, { findings }: PlanContext): string[] {
  const { texts, more } = findingTexts(entry, findings);
  return [
    ...texts.flatMap(({ label, text, hint }) => [
      ...wrap(`${label}: ${text}`, columns - 2).flatMap((line) =>
        signedLines(label === 'error' || label === 'warning' ? '!' : '#', line),
      ),
      ...(hint === undefined ? [] : commentLines(`-> ${hint}`)),
    ]),
    ...(more > 0 ? commentLines(`... and ${countOf(more, 'more finding')}`) : []),
  ];
}
