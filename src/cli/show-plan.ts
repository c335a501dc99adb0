import { hasErrors } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { jsonText } from '../report/json-value.ts';
import { planJson } from '../report/plan-json.ts';
import { planText } from '../report/plan-text.ts';
import type { Terminal } from './terminal.ts';

/** Prints a plan and what is wrong with it; true if it may be applied. */
export function showPlan(
  plan: Plan,
  { json, requests, verbose }: { json?: boolean; requests?: boolean; verbose?: boolean },
  terminal: Terminal,
): boolean {
  if (json) terminal.out(jsonText(planJson(plan)));
  else {
    terminal.out(
      planText(plan, { style: terminal.outStyle, requests: requests ?? false, verbose: verbose ?? false }),
    );
    terminal.err(diagnosticsText(plan.diagnostics, { style: terminal.errStyle }));
  }
  return !hasErrors(plan.diagnostics);
}
