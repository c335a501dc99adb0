import type { Change } from '../../model/change.ts';
import { groupBy } from '../../model/graph.ts';
import { countLogicalChanges } from '../../model/logical-changes.ts';
import { positionTexts, shownReasonOf } from '../change-text.ts';
import { cleanLine } from '../clean.ts';
import { flow } from '../cut.ts';
import {
  formatEntryName,
  logicalNameOf,
  type ReportEntry,
  rootResourceOf,
  sharedPositionOf,
  variedValuesText,
} from '../fold-changes.ts';
import { markerOf, type PlanContext } from '../plan-context.ts';
import { changedByTexts } from '../plan-notes.ts';
import { showName } from '../show.ts';
import { columns, commentLines, fieldsDiff, type Sign, signedLines } from './diff-lines.ts';
import { code, fence, htmlCode, htmlText, type Places, placeHtml, placeLink, sizeOf } from './forms.ts';

/** The entries of one root resource, such as a project, or the entries that concern several of them. */
interface FoldedGroup {
  /** The forms of the group, the longest first (see forms.ts). */
  forms: string[];
  changes: number;
  /** The number of changes that each form shows without details. */
  withoutDetails: number[];
}

/** The words for the actions of a plan, for counts. */
const plannedWords: Partial<Record<Change['action'], string>> = {
  create: 'to create',
  adopt: 'to adopt',
  update: 'to update',
  replace: 'to replace',
  move: 'to move',
  release: 'to stop managing',
  forget: 'to stop managing',
  delete: 'to delete',
};

/** Counts changes by action, for the summary of a fold: `2 to create, 1 to update`. */
function actionCountsText(changes: Change[]): string {
  const words = [...new Set(Object.values(plannedWords))];
  return words
    .map((word) => ({
      word,
      number: countLogicalChanges(changes.filter(({ action }) => plannedWords[action] === word)),
    }))
    .filter(({ number }) => number > 0)
    .map(({ word, number }) => `${number} ${word}`)
    .join(', ');
}

/**
 * The forms of a group with several entries: each share is the part of the group's full size that entries with details may take. The remaining
 * entries have one line each.
 */
const detailShares = [1, 0.5, 0.25, 0.1, 0];

/**
 * Groups the entries of a section by project. Each group is a fold: its summary counts changes, its content shows each change with its
 * fields. A group with a single entry is a fold of that entry. `isOpen`: the folds are open when the page loads.
 */
export function foldedByProject(
  entries: ReportEntry[],
  context: PlanContext,
  { places, isOpen }: { places: Places; isOpen: boolean },
): FoldedGroup[] {
  const foldStart = isOpen ? '<details open>' : '<details>';
  const groups = groupBy(entries, (entry) => rootResourceOf(entry) ?? '');
  return [...groups].map(([root, groupEntries]): FoldedGroup => {
    const changes = groupEntries.flatMap(({ logicalChanges }) => logicalChanges.flat());
    const forms = groupEntries.map((entry) => changeForms(entry, context, places));
    const number = groupEntries.reduce((sum, { logicalChanges }) => sum + logicalChanges.length, 0);
    if (groupEntries.length === 1) {
      const { folded, line } = forms[0]!;
      return {
        forms: [folded.replace('<details>', foldStart), line],
        changes: number,
        withoutDetails: [0, folded === line ? 0 : number],
      };
    }
    const title = root === '' ? 'in several places' : htmlCode(root);
    const summary = `${foldStart}<summary>${title}: ${actionCountsText(changes)}</summary>`;
    const fullSize = forms.reduce((sum, { open }) => sum + sizeOf(open), 0);
    const texts = detailShares.map((share) => {
      let room = fullSize * share;
      let withoutDetails = 0;
      const members = forms.map(({ open, line }, index) => {
        room -= sizeOf(open);
        if (room >= 0 || share === 1) return open;
        withoutDetails += groupEntries[index]!.logicalChanges.length;
        return line;
      });
      return { text: [summary, joinBlocks(members), '</details>'].join('\n\n'), withoutDetails };
    });
    const countedForm = `- ${root === '' ? 'in several places' : htmlCode(root)}: ${actionCountsText(changes)}`;
    return {
      forms: [...texts.map(({ text }) => text), countedForm],
      changes: number,
      withoutDetails: [...texts.map(({ withoutDetails }) => withoutDetails), number],
    };
  });
}

/**
 * Joins blocks of Markdown with empty lines between them. Items of one list have none between them, because Markdown would make it a loose
 * list.
 */
export const joinBlocks = (texts: string[]): string =>
  texts.reduce((joined, text) => {
    if (joined === '') return text;
    const isList = text.startsWith('- ') && joined.split('\n').at(-1)!.startsWith('- ');
    return `${joined}${isList ? '\n' : '\n\n'}${text}`;
  }, '');

/** The forms of one entry in a comment. */
interface ChangeForms {
  /** Title and details. */
  open: string;
  /** Title and details in a fold. Equal to `line` if there are no details. */
  folded: string;
  /** The title as an item of a list. */
  line: string;
}

/** The most names of an entry that are listed. */
const maxNames = 100;

/** Formats one entry of a plan in all its forms: open, folded and as one line. A comment chooses the form by the room that it has. */
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
 * Formats the details of an entry as lines of a `diff` block, which Markdown colours: comments, fields, and the names of all its changes if
 * there are several.
 */
function entryDiffLines(entry: ReportEntry, context: PlanContext): string[] {
  const { change, variedPaths, logicalChanges } = entry;
  const { grade, gradeReason, action } = change;
  const names =
    logicalChanges.length > 1 ? logicalChanges.map((changes) => cleanLine(logicalNameOf(changes))) : [];
  const shown = names.slice(0, maxNames);
  const more = names.length - shown.length;
  return [
    ...[...shownReasonOf(change), ...changedByTexts(context.changedBy.get(change.address))].flatMap(
      commentLines,
    ),
    ...(grade === 'safe' ? [] : commentLines([grade, gradeReason].filter(Boolean).join(': '))),
    ...positionTexts(change).flatMap(commentLines),
    ...fieldsDiff(change, variedPaths, context),
    ...[...variedPaths].flatMap((path) => {
      const label = `${showName(path, 'plain')}: `;
      return signedLines(
        diffSigns[action] ?? '!',
        label + variedValuesText(entry, path, columns - 2 - label.length),
      );
    }),
    ...flow(
      shown.map((name, index) => (index < shown.length - 1 ? `${name},` : name)),
      ' ',
      columns - 2,
    ).flatMap((line) => signedLines('#', line)),
    ...(more > 0 ? [`# ... and ${more} more`] : []),
  ];
}
