import type { Pace } from '../../model/budget.ts';
import { awaitsTexts, overview, type StackReport, skippedText } from '../stacks/stack-report.ts';
import { diagnosticForms } from './diff-lines.ts';
import { code, commentLimit, type Places, plainPlaces, sizeOf, stackMarker } from './forms.ts';
import { planMarkdown } from './plan-markdown.ts';

/** In the marker of a report about several stacks: no stack is called that. */
export const everyStack = '*';

/** With less room than this, in bytes, a plan has only its line in the list. */
const leastStackRoom = 4_000;

/**
 * The plans of several stacks for one comment on a pull request: a list of all, then a part for each. It is never longer than `limit` bytes: short
 * parts keep what they need, long ones share what is left, and what does not fit at all is named.
 */
export function stacksMarkdown(
  reports: StackReport[],
  pace?: Pace,
  limit = commentLimit,
  places: Places = plainPlaces,
): string {
  const head = [
    stackMarker(everyStack),
    `### trueup plan: ${overview(reports)}`,
    ...(reports.length === 0 ? ['No stack is affected.'] : []),
  ];
  const whole = reports.map((report) =>
    stackPartOf(report, pace, { limit: Number.POSITIVE_INFINITY, places }),
  );
  const sizes = whole.map((text) => sizeOf(text) + 2);
  let room = limit - sizeOf(head.join('\n\n')) - sizeOf(truncatedText(reports)) - 10;
  const parts: string[] = [...whole];
  const stackReports: StackReport[] = [];
  // The shortest first: what they do not need is for the others.
  const order = [...reports.keys()].sort((a, b) => sizes[a]! - sizes[b]!);
  for (const [done, at] of order.entries()) {
    const share = Math.floor(room / (order.length - done));
    if (sizes[at]! > share) {
      parts[at] = share < leastStackRoom ? '' : stackPartOf(reports[at]!, pace, { limit: share - 2, places });
      if (sizeOf(parts[at]!) + 2 > share) parts[at] = '';
      if (parts[at] === '') stackReports.push(reports[at]!);
    }
    room -= parts[at] === '' ? 0 : sizeOf(parts[at]!) + 2;
  }
  const rest = stackReports.length > 0 ? [truncatedText(stackReports)] : [];
  return `${[...head, ...parts.filter((text) => text !== ''), ...rest].join('\n\n').trimEnd()}\n`;
}

const truncatedText = (reports: StackReport[]): string =>
  `**Truncated: ${reports.map(({ id }) => code(id)).join(', ')}.**`;

function stackPartOf(
  report: StackReport,
  pace: Pace | undefined,
  { limit, places }: { limit: number; places: Places },
): string {
  const { id, needs, plan, failed } = report;
  const after = needs.length > 0 ? `, after ${needs.map(code).join(', ')}` : '';
  const head = [`---`, `${code(id)}${after}`, ...awaitsTexts(report).map((text) => code(text))].join('\n\n');
  const room = limit - sizeOf(head) - 2;
  if (plan) {
    // Without its marker: the comment has one.
    const text = planMarkdown(plan, pace, room, places).split('\n').slice(1).join('\n').trim();
    return `${head}\n\n${text}`;
  }
  const told = failed
    ? [
        '**This could not be planned.**',
        ...failed.map((diagnostic) => diagnosticForms(diagnostic, places)[0]!),
      ]
    : [`**${skippedText(report)}**`];
  const kept: string[] = [];
  let left = room;
  for (const text of told) {
    left -= sizeOf(text) + 2;
    if (left >= 0) kept.push(text);
  }
  return [head, ...kept].join('\n\n');
}
