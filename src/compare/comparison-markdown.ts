import { byteLengthOf, code, commentLimit, fence } from '../report/markdown/forms.ts';
import { styleFor } from '../report/style.ts';
import type { SideComparison } from './compare-sides.ts';
import { comparisonText } from './comparison-text.ts';

/** The columns of a text in a comment. */
const commentWidth = 100;

/** Room for the heading, the fence and the note about left out lines. */
const frameSize = 1_000;

/** Formats a comparison of `trueup diff` as a comment for a pull request, shortened to the size that code hosts allow. */
export function comparisonMarkdown(comparison: SideComparison): string {
  const style = styleFor({ color: false, width: commentWidth, isLog: true });
  const lines = comparisonText(comparison, { style, verbose: false }).split('\n');
  const summary = lines.pop()!;
  const shownLines: string[] = [];
  let room = commentLimit - frameSize - byteLengthOf(summary);
  for (const line of lines) {
    // Each line takes its line end as well.
    room -= byteLengthOf(line) + 1;
    if (room < 0) break;
    shownLines.push(line);
  }
  const omitted = lines.length - shownLines.length;
  const note = omitted > 0 ? [`... and ${omitted} more lines: \`trueup diff\` prints all`] : [];
  const body = [...shownLines, ...note].join('\n').trimEnd();
  const heading = `### trueup diff: ${code(comparison.a.name)} and ${code(comparison.b.name)}`;
  return [heading, code(summary), ...(body === '' ? [] : [fence(body.split('\n'), '')])].join('\n\n');
}
