import type { Pace } from '../../model/budget.ts';
import { definedOnly } from '../../model/walk.ts';
import { diagnosticJson, planJson } from '../plan-json.ts';
import { isFailed, type StackReport } from './stack-report.ts';

/**
 * The plans of several stacks for programs: `stacks` in the order in which they are applied, each with its `plan` as `plan --json` has it, or
 * with `diagnostics` that say why there is none, or with what it was `skipped` for.
 */
export const stacksJson = (reports: StackReport[], pace?: Pace) => ({
  formatVersion: '1.0',
  complete: reports.every((one) => !isFailed(one)),
  stacks: reports.map((report) => ({
    id: report.id,
    path: report.path,
    ...definedOnly({ stage: report.stage, stack: report.stack }),
    needs: report.needs,
    ...(report.plan?.awaits ? { awaits: report.plan.awaits } : {}),
    ...(report.plan ? { plan: planJson(report.plan, pace) } : {}),
    ...(report.failed ? { diagnostics: report.failed.map(diagnosticJson) } : {}),
    ...definedOnly({ skipped: report.skipped }),
  })),
});
