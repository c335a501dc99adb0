import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import { diagnosticsText } from './diagnostics-text.ts';
import type { PlanTextOptions } from './plan-context.ts';
import { planText } from './plan-text.ts';
import type { Style } from './style.ts';

/** The parts of a plan for a terminal, in this order: the most important is last, where a terminal stops. */
interface PlanReport {
  warnings: string;
  plan: string;
  errors: string;
}

/** `notes`: how warnings and errors look, which may go elsewhere than the plan. */
export function planReport(plan: Plan, options: PlanTextOptions, notes: Style = options.style): PlanReport {
  const text = (diagnostics: Diagnostic[]) => diagnosticsText(diagnostics, { style: notes });
  return {
    warnings: text(plan.diagnostics.filter((one) => one.severity !== 'error' && !standsInChange(one))),
    plan: planText(plan, options),
    errors: text(plan.diagnostics.filter(({ severity }) => severity === 'error')),
  };
}

/** True for a warning that the plan tells where it shows the change. */
const standsInChange = ({ code }: Diagnostic): boolean => code === 'guard/conflict';
