import type { StackReport } from '../report/stacks/stack-report.ts';
import { type SavedPlans, shownPlan } from './parse-saved-plan.ts';

/** Converts saved plans to reports, so that they are shown like plans that were made just now. */
export const savedPlanReports = ({ parts }: SavedPlans): StackReport[] =>
  parts.map(({ plan, awaits, ...head }) => ({
    ...head,
    stack: plan.stack,
    plan: { ...shownPlan(plan), ...(awaits ? { awaits } : {}) },
  }));
