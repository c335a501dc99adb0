import { hasErrors } from '../model/diagnostic.ts';
import type { Pace } from '../model/pace.ts';
import type { Plan } from '../model/plan.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { planMarkdown } from '../report/markdown/plan-markdown.ts';
import { planText } from '../report/plan-text.ts';
import { markerLines } from '../report/terraform/marker-lines.ts';
import { planLines } from '../report/terraform/plan-lines.ts';
import { addStepSummary, annotate } from './actions-run.ts';
import { type Format, formatOf, formats } from './formats.ts';
import type { Terminal } from './terminal.ts';

interface PrintOptions {
  format?: Format;
  json?: boolean;
  requests?: boolean;
  verbose?: boolean;
}

/** Prints a plan and what is wrong with it; true if it may be applied. */
export function printPlan(plan: Plan, options: PrintOptions, terminal: Terminal, pace: Pace): boolean {
  const { requests, verbose } = options;
  const format = formatOf(options);
  if (terminal.stream) terminal.stream(planLines(plan));
  else if (format !== 'text') terminal.out(formats[format](plan, pace));
  else {
    if (terminal.isLog) terminal.out(spaced(markerLines(plan)));
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
  return !hasErrors(plan.diagnostics);
}

/** With an empty line below, if there is anything. */
const spaced = (text: string) => text && `${text}\n\n`;

/** Prints a plan that was made just now, and adds it to the summary of the step; true if it may be applied. */
export function showPlan(plan: Plan, options: PrintOptions, terminal: Terminal, pace: Pace): boolean {
  const fine = printPlan(plan, options, terminal, pace);
  addStepSummary((room) => planMarkdown(plan, pace, room), terminal);
  return fine;
}
