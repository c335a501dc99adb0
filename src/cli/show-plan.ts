import type { Pace } from '../model/pace.ts';
import type { Plan } from '../model/plan.ts';
import { planMarkdown } from '../report/markdown/plan-markdown.ts';
import { addStepSummary } from './actions-run.ts';
import { type PrintOptions, printPlan } from './print-plan.ts';
import type { Terminal } from './terminal.ts';

/** Prints a plan that was made just now, and adds it to the summary of the step; true if it may be applied. */
export function showPlan(plan: Plan, options: PrintOptions, terminal: Terminal, pace: Pace): boolean {
  const fine = printPlan(plan, options, terminal, pace);
  addStepSummary((room) => planMarkdown(plan, pace, room), terminal);
  return fine;
}
