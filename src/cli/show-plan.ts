import { hasErrors } from '../model/diagnostic.ts';
import type { Pace } from '../model/pace.ts';
import type { Plan } from '../model/plan.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { planText } from '../report/plan-text.ts';
import { addStepSummary, annotate } from './actions-run.ts';
import { type Format, formatOf, formats } from './formats.ts';
import type { Terminal } from './terminal.ts';

/** Prints a plan and what is wrong with it; true if it may be applied. */
export function showPlan(
  plan: Plan,
  options: { format?: Format; json?: boolean; requests?: boolean; verbose?: boolean },
  terminal: Terminal,
  pace: Pace,
): boolean {
  const { requests, verbose } = options;
  const format = formatOf(options);
  if (format !== 'text') terminal.out(formats[format](plan, pace));
  else {
    terminal.out(
      planText(plan, {
        style: terminal.outStyle,
        requests: requests ?? false,
        verbose: verbose ?? false,
        pace,
      }),
    );
    const problems = diagnosticsText(plan.diagnostics, { style: terminal.errStyle });
    if (problems !== '') terminal.err(`\n${problems}`);
  }
  annotate(plan.diagnostics, terminal);
  addStepSummary(plan, terminal);
  return !hasErrors(plan.diagnostics);
}
