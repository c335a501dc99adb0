/*
 * The changes of a plan in the comment on a pull request: dangerous ones each for themselves, the others grouped by project.
 *
 * An entry is a change, or several that read alike (see `fold-changes.ts`).
 */
import { byAddress } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import { groupBy } from '../../model/graph.ts';
import { countLogicalChanges } from '../../model/logical-changes.ts';
import type { Plan } from '../../model/plan.ts';
import { type CountedChanges, splitCountedChanges } from '../counted-changes.ts';
import { foldChanges, type ReportEntry, rootResourceOf } from '../fold-changes.ts';
import { createPlanContext, type PlanContext } from '../plan-context.ts';
import { sectionsOf } from '../plan-sections.ts';
import { styleFor } from '../style.ts';
import { type ChangeForms, changeForms } from './entry-forms.ts';
import { byteLengthOf, code, htmlCode, htmlText, joinBlocks, type Places, type PlanPart } from './forms.ts';

/** The sections whose changes are never collapsed. */
const expandedSections: ReadonlySet<string> = new Set([
  'irreversible',
  'destructive',
  'exclusive',
  'conflict',
]);

/** Up to so many entries of the other sections are open, too, because a few are easy to read. */
const maxOpenEntries = 3;

/**
 * Returns the parts of the comment on a pull request for the changes of a plan, by section, such as deletions.
 * Changes that read alike are folded into one entry. Entries of dangerous sections show their details or, without
 * room, one line. Other entries are grouped by project and collapsed; the groups are open if there are few
 * entries. Changes that send nothing, such as adoptions, are only counted if there are many alike: one line has
 * their number. `places`: where the objects are in the files, for links.
 */
export function changePartsOf(plan: Plan, places: Places): PlanPart[] {
  const context = createPlanContext(plan, { style: styleFor({ color: false, width: 100 }), requests: false });
  const { operationsByAddress: sentAddresses, planAddresses, findings } = context;
  const sections = sectionsOf([...plan.changes].sort(byAddress), sentAddresses).map((section) => {
    const { counted, otherChanges } = splitCountedChanges(section.changes, { sentAddresses, findings });
    const entries = foldChanges(otherChanges, { sentAddresses, planAddresses, findings });
    return { ...section, counted, entries };
  });
  const groupedSections = sections.filter(({ name }) => !expandedSections.has(name));
  const groupedCount = groupedSections.reduce((sum, { entries }) => sum + entries.length, 0);
  const isOpen = groupedCount <= maxOpenEntries;
  return sections.flatMap(({ name, title, urgent, changes, counted, entries }): PlanPart[] => {
    const heading = `${title} (${countLogicalChanges(changes)})`;
    const groups = expandedSections.has(name)
      ? entries.map((entry) => expandedPartOf(entry, context, places))
      : foldedByProject(entries, context, { places, isOpen });
    return [...groups, ...counted.map(countedPartOf)].map((part) => ({ ...part, heading, urgent }));
  });
}

/** Returns the part of a comment for changes that are only counted: one line with their number. */
function countedPartOf({
  action,
  number,
  address,
  text,
}: CountedChanges): Pick<PlanPart, 'forms' | 'changes'> {
  const sign = code(action === 'adopt' ? '=' : '.');
  const addressText = address === undefined ? '' : `${code(address)} `;
  return { forms: [`- ${sign} ${addressText}${htmlText(text)}`], changes: number };
}

/**
 * Returns the part of a comment for one entry (a change, or several that read alike): with its details or, without room, as one line, which
 * counts as `withoutDetails`.
 */
function expandedPartOf(entry: ReportEntry, context: PlanContext, places: Places): EntriesPart {
  const { open, line } = changeForms(entry, context, places);
  const changes = entry.logicalChanges.length;
  return { forms: [open, line], changes, withoutDetails: [0, changes] };
}

/** The part of a comment for one entry, or for the entries of one root resource, such as a project. */
interface EntriesPart {
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

/**
 * Counts changes by their planned verb, for the title of a collapsed list in a comment: `2 to create, 1 to
 * update`. Actions with the same verb are counted together.
 */
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
 * The forms of a group with several entries: each share is the part of the group's full size that entries with details may take. The
 * remaining entries have one line each.
 */
const detailShares = [1, 0.5, 0.25, 0.1, 0];

/**
 * Groups the entries of a section of a plan's comment (an entry is a change, or several that read alike) by
 * project, so that a reviewer can open one project at a time. Each group is collapsed, or open with `isOpen`:
 * its title counts changes, its content shows them. Each group has several forms, with fewer and fewer
 * details, the longest first.
 */
function foldedByProject(
  entries: ReportEntry[],
  context: PlanContext,
  { places, isOpen }: { places: Places; isOpen: boolean },
): EntriesPart[] {
  const foldStart = isOpen ? '<details open>' : '<details>';
  const groups = groupBy(entries, (entry) => rootResourceOf(entry) ?? '');
  return [...groups].map(([root, groupEntries]): EntriesPart => {
    const formattedEntries = groupEntries.map((entry) => ({
      ...changeForms(entry, context, places),
      number: entry.logicalChanges.length,
    }));
    if (formattedEntries.length === 1) return singleEntryPart(formattedEntries[0]!, foldStart);
    const title = root === '' ? 'in several places' : htmlCode(root);
    const changes = groupEntries.flatMap(({ logicalChanges }) => logicalChanges.flat());
    return groupPart(formattedEntries, `${title}: ${actionCountsText(changes)}`, foldStart);
  });
}

/** The forms of an entry (a change, or several that read alike), and the number of its changes. */
interface FormattedEntry extends ChangeForms {
  number: number;
}

/**
 * Returns the part of a comment for a project with one entry: the entry in a fold that begins with `foldStart` or, without room, as one
 * line.
 */
const singleEntryPart = ({ folded, line, number }: FormattedEntry, foldStart: string): EntriesPart => ({
  forms: [folded.replace('<details>', foldStart), line],
  changes: number,
  withoutDetails: [0, folded === line ? 0 : number],
});

/**
 * Returns the part of a comment for a project with several entries, under a title that counts their changes. Its forms are folds that begin
 * with `foldStart`, with fewer and fewer details (`detailShares`), and last only the title. `withoutDetails`: how many changes each form
 * shows without details.
 */
function groupPart(entries: FormattedEntry[], title: string, foldStart: string): EntriesPart {
  const number = countChanges(entries);
  const contents = detailShares.map((share) => joinEntryForms(entries, share));
  const foldedForms = contents.map(({ text }) =>
    [`${foldStart}<summary>${title}</summary>`, text, '</details>'].join('\n\n'),
  );
  return {
    forms: [...foldedForms, `- ${title}`],
    changes: number,
    withoutDetails: [...contents.map(({ withoutDetails }) => withoutDetails), number],
  };
}

const countChanges = (entries: FormattedEntry[]): number =>
  entries.reduce((sum, { number }) => sum + number, 0);

/**
 * Joins the texts of the entries of one project in a comment. The first entries have their details, as long as these
 * take at most `share` (0 to 1) of the size of all details; the others have one line each. Also returns the number
 * of changes without details.
 */
function joinEntryForms(entries: FormattedEntry[], share: number): { text: string; withoutDetails: number } {
  const fullSize = entries.reduce((sum, { open }) => sum + byteLengthOf(open), 0);
  let room = fullSize * share;
  let openCount = 0;
  for (const { open } of entries) {
    room -= byteLengthOf(open);
    if (room < 0) break;
    openCount++;
  }
  const texts = entries.map(({ open, line }, index) => (index < openCount ? open : line));
  return { text: joinBlocks(texts), withoutDetails: countChanges(entries.slice(openCount)) };
}
