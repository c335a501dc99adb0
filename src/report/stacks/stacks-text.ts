import type { Pace } from '../../model/budget.ts';
import { diagnosticsText } from '../diagnostics-text.ts';
import { planReport } from '../plan-text.ts';
import type { Style } from '../style.ts';
import { cleanLine, fold, sumLines } from '../text.ts';
import {
  awaitsTexts,
  equalFailureText,
  findEqualFailures,
  type StackReport,
  skippedText,
  stackCountsText,
} from './stack-report.ts';
import { dangerTexts, totalsText } from './stack-totals.ts';

/** The options of a report about several stacks. */
interface StackReportOptions {
  style: Style;
  requests: boolean;
  verbose: boolean;
  pace: Pace;
}

/** Formats the plans of several stacks (`plan --all`) for a terminal, each below the name of its stack, and a summary line. */
export function stacksText(reports: StackReport[], options: StackReportOptions): string {
  const { style } = options;
  const equalFailures = findEqualFailures(reports);
  const parts = reports.map((report) => {
    const { id, needs } = report;
    const after = needs.length > 0 ? style.quiet(`, after ${needs.map(cleanLine).join(', ')}`) : '';
    const lines = [
      `${style.strong(`== ${cleanLine(id)}`)}${after}`,
      ...awaitsTexts(report).map((text) => style.quiet(cleanLine(text))),
      stackBody(report, equalFailures.get(id), options),
    ];
    return `${lines.join('\n')}\n`;
  });
  return `${[...parts, totalLines(reports, style).join('\n')].join('\n')}\n`;
}

/** Formats the plan of one stack with its problems, or why it has none. `equalFailure`: the stack that failed for the same reason. */
function stackBody(
  report: StackReport,
  equalFailure: string | undefined,
  options: StackReportOptions,
): string {
  const { plan, failed } = report;
  if (plan) {
    const { warnings, plan: text, errors } = planReport(plan, options);
    const blocks = [warnings, text, errors].map((block) => block.trimEnd());
    return blocks.filter((block) => block !== '').join('\n\n');
  }
  if (equalFailure !== undefined) return cleanLine(equalFailureText(equalFailure));
  return failed ? diagnosticsText(failed, options).trimEnd() : cleanLine(skippedText(report));
}

/**
 * Returns the last lines of the report on several stacks: the dangerous changes of all stacks, the totals, and how many stacks were
 * planned.
 */
function totalLines(reports: StackReport[], style: Style): string[] {
  const dangers = dangerTexts(reports, cleanLine).map(({ label, names }) => `  ${label}: ${names}`);
  const sums = reports.some(({ plan }) => plan) ? [totalsText(reports)] : [];
  return [
    ...(dangers.length > 0 ? [style.strong('Review first:')] : []),
    ...dangers.flatMap((line) => fold(line, style.prose, '      ')),
    ...sums.flatMap((text) => sumLines(text, style)),
    `${stackCountsText(reports)}.`,
  ];
}
