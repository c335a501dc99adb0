import type { Pace } from '../../model/budget.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/graph.ts';
import { countNotCompared } from '../../model/not-compared.ts';
import { asksForNothing, type Plan } from '../../model/plan.ts';
import { cleanLine } from '../clean.ts';
import { count } from '../count.ts';
import { diagnosticsText } from '../diagnostics-text.ts';
import { objectsAndSecrets, reportedDiagnostics } from '../not-compared-text.ts';
import { planReport } from '../plan-text.ts';
import type { Style } from '../style.ts';

/** The result for one stack of several: a plan, an error, or left out since another one failed. */
export interface StackReport {
  /** `shop`, or `shop@staging`. */
  id: string;
  path: string;
  stage?: string;
  /** The ids of those that come first. */
  needs: string[];
  /** The stack's own name, where it is known. */
  stack?: string;
  plan?: Plan;
  /** Why there is no plan. */
  failed?: Diagnostic[];
  /** The ids of stacks that it needs, and that failed. */
  skipped?: string[];
}

/** True if a stack cannot be applied as it is. */
export const isFailed = ({ plan, failed, skipped }: StackReport): boolean =>
  failed !== undefined || skipped !== undefined || !plan || hasErrors(plan.diagnostics);

/** True if nothing could be planned for a stack, or its plan has errors. An incomplete plan is a plan. */
export const isUnplanned = ({ plan, failed, skipped }: StackReport): boolean =>
  failed !== undefined || skipped !== undefined || !plan || hasErrors(reportedDiagnostics(plan));

/** The problems of all stacks of a report. `ofPlan` selects those of a plan. */
export const diagnosticsOf = (
  reports: StackReport[],
  ofPlan: (plan: Plan) => Diagnostic[] = reportedDiagnostics,
): Diagnostic[] => reports.flatMap(({ plan, failed = [] }) => [...failed, ...(plan ? ofPlan(plan) : [])]);

/** Why a stack was left out, in a sentence. */
export const skippedText = ({ skipped = [] }: StackReport): string =>
  `Not planned: it needs ${skipped.join(', ')}, which failed.`;

/** All stacks in a line: `3 stacks: 1 with changes, 1 without, 1 failed`. */
export function overview(reports: StackReport[]): string {
  const number = (test: (one: StackReport) => boolean) => reports.filter(test).length;
  const changed = number((stackReport) => !isUnplanned(stackReport) && !asksForNothing(stackReport.plan!));
  const same = number((stackReport) => !isUnplanned(stackReport) && asksForNothing(stackReport.plan!));
  const skipped = number(({ skipped }) => skipped !== undefined);
  const failed = number(isUnplanned) - skipped;
  const incomplete = number(({ plan }) => plan?.complete === false && !hasErrors(reportedDiagnostics(plan)));
  const parts = [
    ...(changed > 0 ? [`${changed} with changes`] : []),
    ...(same > 0 ? [`${same} without changes`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  const counts = reports.map(({ plan }) => countNotCompared(plan?.notCompared));
  const uncompared = objectsAndSecrets(
    counts.reduce((sum, { objects }) => sum + objects, 0),
    counts.reduce((sum, { secrets }) => sum + secrets, 0),
  );
  if (incomplete > 0) parts.push(`${incomplete} incomplete`);
  if (uncompared !== '') parts.push(`${uncompared} not compared`);
  return `${count(reports.length, 'stack')}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
}

/** The missing ground of a plan, in a sentence for each stack that creates it. */
export function awaitsTexts({ plan }: StackReport): string[] {
  const makers = groupBy(plan?.awaits ?? [], ({ stack }) => stack);
  return [...makers].map(([stack, of]) => {
    const names = of.map(({ address }) => address);
    const more = names.length > fewStacks ? ` and ${names.length - fewStacks} more` : '';
    return `Known after ${stack} is applied: ${names.slice(0, fewStacks).join(', ')}${more}`;
  });
}

const fewStacks = 5;

interface StackReportOptions {
  style: Style;
  requests: boolean;
  verbose: boolean;
  pace: Pace;
}

/** The plans of several stacks, each under its name, and a line that sums them up. */
export function stacksText(reports: StackReport[], options: StackReportOptions): string {
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
