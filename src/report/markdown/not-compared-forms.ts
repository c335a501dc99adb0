import type { Plan } from '../../model/plan.ts';
import { notComparedLine, notComparedTexts } from '../not-compared-text.ts';
import { code, fence, htmlText } from './forms.ts';

/** A comment that is longer is hard to read; JSON has all names. */
const mostNotComparedNames = 200;
const fewNotCompared = 3;

/** The groups of what was not compared: each with its names folded, and as one line. */
export const notComparedForms = (plan: Pick<Plan, 'notCompared'>): string[][] =>
  notComparedTexts(plan).map((group) => {
    const line = `- ${code(notComparedLine(group))}`;
    const { text, names } = group;
    if (names.length <= fewNotCompared) return [line];
    const more =
      names.length > mostNotComparedNames ? [`... and ${names.length - mostNotComparedNames} more`] : [];
    const list = fence([...names.slice(0, mostNotComparedNames), ...more], '');
    return [`<details><summary>${htmlText(text)}</summary>\n\n${list}\n\n</details>`, line];
  });
