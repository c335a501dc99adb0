import type { Plan } from '../../model/plan.ts';
import { firstLines } from '../count.ts';
import { notComparedLine, notComparedTexts } from '../not-compared-text.ts';
import { code, fence, htmlText } from './forms.ts';

/** The most names of one cause. The JSON document has all names. */
const maxNotComparedNames = 200;
/** Up to so many names fit into one line, without a fold. */
const maxInlineNames = 3;

/**
 * Formats the objects and secrets that were not compared for a comment, by cause, each in two lengths: with all names folded, and as one
 * line.
 */
export const notComparedForms = (plan: Pick<Plan, 'notCompared'>): string[][] =>
  notComparedTexts(plan).map((group) => {
    const line = `- ${code(notComparedLine(group))}`;
    const { text, names } = group;
    if (names.length <= maxInlineNames) return [line];
    const list = fence(firstLines(names, maxNotComparedNames), '');
    return [`<details><summary>${htmlText(text)}</summary>\n\n${list}\n\n</details>`, line];
  });
