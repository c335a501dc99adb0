import type { Pace } from '../../model/budget.ts';
import { cleanLine } from '../clean.ts';
import { diagnosticsText } from '../diagnostics-text.ts';
import { planReport } from '../plan-report.ts';
import type { Style } from '../style.ts';
import { awaitsTexts, overview, type StackReport, skippedText } from './stack-report.ts';

interface Options {
  style: Style;
  requests: boolean;
  verbose: boolean;
  pace: Pace;
}

/** The plans of several stacks, each under its name, and a line that sums them up. */
export function stacksText(reports: StackReport[], options: Options): string {
  const { style } = options;
  const parts = reports.map((report) => {
    const { id, needs, plan, failed } = report;
    const after = needs.length > 0 ? style.quiet(`, after ${needs.map(cleanLine).join(', ')}`) : '';
    const lines = [`${style.strong(`== ${cleanLine(id)}`)}${after}`];
    for (const text of awaitsTexts(report)) lines.push(style.quiet(cleanLine(text)));
    if (plan) {
      const { warnings, plan: text, errors } = planReport(plan, options);
      const parts = [warnings, text, errors].map((part) => part.trimEnd()).filter((part) => part !== '');
      lines.push(parts.join('\n\n'));
    } else if (failed) lines.push(diagnosticsText(failed, { style }).trimEnd());
    else lines.push(cleanLine(skippedText(report)));
    return `${lines.join('\n')}\n`;
  });
  return `${[...parts, `${overview(reports)}.`].join('\n')}\n`;
}
