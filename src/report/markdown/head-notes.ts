/*
 * The notes of a plan's comment: the facts that a reviewer must see, between the counts and the first section.
 *
 * A note has a line for each of its subjects, such as the stacks that are to take objects over. Since there may be thousands of them, a
 * note is a piece with two forms (see `forms.ts`): all lines, or the first ones and the number of the others.
 */
import type { Pace } from '../../model/budget.ts';
import type { Plan } from '../../model/plan.ts';
import type { Rehearsal } from '../../model/rehearsal.ts';
import { suppressedFindingsTexts, unlistedFindingsTexts } from '../finding-text.ts';
import { waitLines } from '../forecast.ts';
import { firstContactTexts } from '../plan-end.ts';
import {
  conflictText,
  deletionTexts,
  guardsTexts,
  handoverTexts,
  permissionTexts,
  renewedTexts,
  takeoverTexts,
} from '../plan-notes.ts';
import { rehearsalTexts, rehearsalVerdictText } from '../rehearsal-text.ts';
import { firstLines } from '../text.ts';
import { unmanagedTexts } from '../unmanaged-text.ts';
import { code, htmlText, type Piece } from './forms.ts';

/** The number of lines in the short form of a note. */
const fewLines = 3;

/**
 * Returns the notes of a plan's comment in the order in which they are shown, the rehearsal first. The notes about dangers are urgent,
 * except the one about takeovers, because it may have thousands of lines. With `pace`, also the rate limits for which an apply has to wait.
 */
export function headNotesOf(plan: Plan, pace?: Pace): Piece[] {
  const { changes } = plan;
  const notes = [
    { lines: bold(deletionTexts(plan)), urgent: true },
    { lines: bold(permissionTexts(changes)), urgent: true },
    { lines: bold(takeoverTexts(changes)), urgent: false },
    { lines: bold(conflictText(changes)), urgent: true },
    { lines: waitLines(plan, pace, Number.POSITIVE_INFINITY), urgent: false },
    { lines: unmanagedLines(plan), urgent: false },
    { lines: renewedTexts(plan), urgent: false },
    { lines: handoverTexts(plan), urgent: false },
    { lines: firstContactTexts(plan, code), urgent: false },
    {
      lines: [...unlistedFindingsTexts(plan, code), ...suppressedFindingsTexts(plan, code)],
      urgent: false,
    },
    { lines: guardsTexts(plan), urgent: false },
  ];
  const pieces = notes
    .filter(({ lines }) => lines.length > 0)
    .map(({ lines, urgent }): Piece => {
      const forms = lines.length > fewLines ? [lines, firstLines(lines, fewLines)] : [lines];
      return { forms: forms.map((form) => form.join('\n\n')), urgent };
    });
  return plan.rehearsal ? [rehearsalNote(plan.rehearsal), ...pieces] : pieces;
}

/**
 * Returns the note about the rehearsal of a plan (its trial on a twin, a local imitation of the platform): its verdict in one line, with
 * the details folded if there is room for them.
 */
function rehearsalNote(rehearsal: Rehearsal): Piece {
  const verdict = htmlText(rehearsalVerdictText(rehearsal));
  const line = rehearsal.verdict === 'green' ? verdict : `<b>${verdict}</b>`;
  const items = rehearsalTexts(rehearsal).map((text) => `- ${code(text.trim())}`);
  const details = `<details><summary>${line}</summary>\n\n${items.join('\n')}\n\n</details>`;
  return { forms: [details, line], urgent: true };
}

const bold = (lines: string[]): string[] => lines.map((line) => `**${line}**`);

/** Counts the objects of the account that no stack manages, by kind; empty if there are none. */
function unmanagedLines(plan: Plan): string[] {
  const counts = unmanagedTexts(plan, code);
  return counts.length === 0 ? [] : [`Not managed here, left alone: ${counts.join(', ')}.`];
}
