import type { Change } from '../../model/change.ts';
import { groupBy } from '../../model/graph.ts';
import { countOf } from '../../model/wholes.ts';
import type { Entry } from '../fold-changes.ts';
import type { PlanContext } from '../plan-context.ts';
import { rootOf } from '../root-of.ts';
import { changeForms } from './change-forms.ts';
import { htmlCode } from './forms.ts';
import type { Places } from './places.ts';
import { sizeOf } from './within-room.ts';

/** Entries of one project, or one domain, or in several of them, in lengths to choose from, the longest first. */
interface Group {
  forms: string[];
  changes: number;
  /** The number of changes that each form shows without details. */
  untold: number[];
}

const words: Partial<Record<Change['action'], string>> = {
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
function countsOf(changes: Change[]): string {
  const sorts = [...new Set(Object.values(words))];
  return sorts
    .map((word) => ({ word, number: countOf(changes.filter(({ action }) => words[action] === word)) }))
    .filter(({ number }) => number > 0)
    .map(({ word, number }) => `${number} ${word}`)
    .join(', ');
}

/** How much of a group is told in full, in its shorter forms: the rest of its entries are named. */
const shares = [1, 0.5, 0.25, 0.1, 0];

/**
 * The entries of a section, folded by project: a summary that counts, and behind it each change with what differs. One that says all by
 * itself is a fold of its own. `isOpen`: there is so little that it stands open.
 */
export function foldedByProject(
  entries: Entry[],
  context: PlanContext,
  { places, isOpen }: { places: Places; isOpen: boolean },
): Group[] {
  const start = isOpen ? '<details open>' : '<details>';
  const groups = groupBy(entries, (entry) => rootOf(entry) ?? '');
  return [...groups].map(([root, own]): Group => {
    const changes = own.flatMap(({ wholes }) => wholes.flat());
    const forms = own.map((entry) => changeForms(entry, context, places));
    const number = own.reduce((sum, { wholes }) => sum + wholes.length, 0);
    if (own.length === 1) {
      const { folded, line } = forms[0]!;
      return {
        forms: [folded.replace('<details>', start), line],
        changes: number,
        untold: [0, folded === line ? 0 : number],
      };
    }
    const title = root === '' ? 'in several projects' : htmlCode(root);
    const summary = `${start}<summary>${title}: ${countsOf(changes)}</summary>`;
    const whole = forms.reduce((sum, { open }) => sum + sizeOf(open), 0);
    const texts = shares.map((share) => {
      let room = whole * share;
      let untold = 0;
      const members = forms.map(({ open, line }, at) => {
        room -= sizeOf(open);
        if (room >= 0 || share === 1) return open;
        untold += own[at]!.wholes.length;
        return line;
      });
      return { text: [summary, listed(members), '</details>'].join('\n\n'), untold };
    });
    const counted = `- ${root === '' ? 'in several projects' : htmlCode(root)}: ${countsOf(changes)}`;
    return {
      forms: [...texts.map(({ text }) => text), counted],
      changes: number,
      untold: [...texts.map(({ untold }) => untold), number],
    };
  });
}

/** Lines of a list stand together, all else apart. */
export const listed = (texts: string[]): string =>
  texts.reduce((all, text) => {
    if (all === '') return text;
    const isList = text.startsWith('- ') && all.split('\n').at(-1)!.startsWith('- ');
    return `${all}${isList ? '\n' : '\n\n'}${text}`;
  }, '');
