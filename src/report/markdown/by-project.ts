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
  variedValuesText,
} from '../fold-changes.ts';
import { markerOf, type PlanContext } from '../plan-context.ts';
import { changedByTexts } from '../plan-notes.ts';
import { showName } from '../show.ts';
import { columns, commented, fieldsDiff, type Sign, signed } from './diff-lines.ts';
import { code, fence, htmlCode, htmlText, type Places, placeHtml, placeLink, sizeOf } from './forms.ts';

/** Entries of one project, or one domain, or in several of them, in lengths to choose from, the longest first. */
interface FoldedGroup {
  forms: string[];
  changes: number;
  /** The number of changes that each form shows without details. */
  withoutDetails: number[];
}

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

/** `2 to create, 1 to update`. */
function actionCountsText(changes: Change[]): string {
  const sorts = [...new Set(Object.values(plannedWords))];
  return sorts
    .map((word) => ({
      word,
      number: countLogicalChanges(changes.filter(({ action }) => plannedWords[action] === word)),
    }))
    .filter(({ number }) => number > 0)
    .map(({ word, number }) => `${number} ${word}`)
    .join(', ');
}

/** Picks the entries of a group that fit, full or shortened; the others are only named. */
const detailShares = [1, 0.5, 0.25, 0.1, 0];

/**
 * The entries of a section, folded by project: a summary that counts, and behind it each change with what differs. One that says all by
 * itself is a fold of its own. `isOpen`: there is so little that it stands open.
 */
export function foldedByProject(
  entries: ReportEntry[],
  context: PlanContext,
  { places, isOpen }: { places: Places; isOpen: boolean },
): FoldedGroup[] {
  const start = isOpen ? '<details open>' : '<details>';
  const groups = groupBy(entries, (entry) => rootResourceOf(entry) ?? '');
  return [...groups].map(([root, own]): FoldedGroup => {
    const changes = own.flatMap(({ logicalChanges }) => logicalChanges.flat());
    const forms = own.map((entry) => changeForms(entry, context, places));
    const number = own.reduce((sum, { logicalChanges }) => sum + logicalChanges.length, 0);
    if (own.length === 1) {
      const { folded, line } = forms[0]!;
      return {
        forms: [folded.replace('<details>', start), line],
        changes: number,
        withoutDetails: [0, folded === line ? 0 : number],
      };
    }
    const title = root === '' ? 'in several places' : htmlCode(root);
    const summary = `${start}<summary>${title}: ${actionCountsText(changes)}</summary>`;
    const whole = forms.reduce((sum, { open }) => sum + sizeOf(open), 0);
    const texts = detailShares.map((share) => {
      let room = whole * share;
      let untold = 0;
      const members = forms.map(({ open, line }, index) => {
        room -= sizeOf(open);
        if (room >= 0 || share === 1) return open;
        untold += own[index]!.logicalChanges.length;
        return line;
      });
      return { text: [summary, joinBlocks(members), '</details>'].join('\n\n'), untold };
    });
    const counted = `- ${root === '' ? 'in several places' : htmlCode(root)}: ${actionCountsText(changes)}`;
    return {
      forms: [...texts.map(({ text }) => text), counted],
      changes: number,
      withoutDetails: [...texts.map(({ untold }) => untold), number],
    };
  });
}

/** Lines of a list stand together, all else apart. */
export const joinBlocks = (texts: string[]): string =>
  texts.reduce((all, text) => {
    if (all === '') return text;
    const isList = text.startsWith('- ') && all.split('\n').at(-1)!.startsWith('- ');
    return `${all}${isList ? '\n' : '\n\n'}${text}`;
  }, '');

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
const maxNames = 100;

/** A report of one entry of a plan. */
export function changeForms(entry: ReportEntry, context: PlanContext, places: Places): ChangeForms {
  const { change, logicalChanges } = entry;
  const { sign, means } = markerOf(change, context);
  const { count, name, targets } = formatEntryName(entry);
  const positions = logicalChanges.flat().map(({ at }) => at);
  const [at] = positions;
  const isOnePlace =
    at !== undefined &&
    positions.every((position) => position?.file === at.file && position.line === at.line);
  const number = count === undefined ? '' : `${count} x `;
  const where = targets.length > 0 ? ` [${targets.map(cleanLine).join(', ')}]` : '';
  const link = isOnePlace ? ` at ${placeLink(at, places)}` : '';
  const title = `${code(sign)} ${number}${code(cleanLine(name))}${where === '' ? '' : ` ${code(where.trim())}`}`;
  const line = `- ${title}${link}`;
  const body = entryDiffLines(entry, context);
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

const diffSigns: Record<string, Sign> = { create: '+', delete: '-' };

function entryDiffLines(entry: ReportEntry, context: PlanContext): string[] {
  const { change, variedPaths, logicalChanges } = entry;
  const { grade, gradeReason, action } = change;
  const names =
    logicalChanges.length > 1 ? logicalChanges.map((changes) => cleanLine(logicalNameOf(changes))) : [];
  const shown = names.slice(0, maxNames);
  const more = names.length - shown.length;
  return [
    ...[...shownReasonOf(change), ...changedByTexts(context.changedBy.get(change.address))].flatMap(
      commented,
    ),
    ...(grade === 'safe' ? [] : commented([grade, gradeReason].filter(Boolean).join(': '))),
    ...positionTexts(change).flatMap(commented),
    ...fieldsDiff(change, variedPaths, context),
    ...[...variedPaths].flatMap((path) => {
      const label = `${showName(path, 'plain')}: `;
      return signed(
        diffSigns[action] ?? '!',
        label + variedValuesText(entry, path, columns - 2 - label.length),
      );
    }),
    ...flow(
      shown.map((name, index) => (index < shown.length - 1 ? `${name},` : name)),
      ' ',
      columns - 2,
    ).flatMap((line) => signed('#', line)),
    ...(more > 0 ? [`# ... and ${more} more`] : []),
  ];
}
