import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import { textWithoutNames } from '../../model/fold-diagnostics.ts';
import { listFirst } from '../../model/fold-wordings.ts';
import { groupBy } from '../../model/graph.ts';
import { countNotCompared } from '../../model/not-compared.ts';
import { asksForNothing, type Plan } from '../../model/plan.ts';
import { findingCounts, problemsToReview } from '../finding-text.ts';
import { objectsAndSecrets, reportedDiagnostics } from '../not-compared-text.ts';
import { count } from '../text.ts';

/** The result for one stack of several: a plan, errors, or skipped because a stack that it needs has failed. */
export interface StackReport {
  /** `shop`, or `shop@staging`. */
  id: string;
  path: string;
  stage?: string;
  /** The ids of the stacks that it depends on. They are planned and applied first. */
  needs: string[];
  /** The name in its configuration, if that could be read. */
  stack?: string;
  plan?: Plan;
  /** Why there is no plan. */
  failed?: Diagnostic[];
  /** The ids of the failed stacks that it depends on. */
  skipped?: string[];
}

/** True if a stack cannot be applied: it has no plan, or its plan has errors. */
export const isFailed = (report: StackReport): boolean =>
  !hasPlanFor(report, ({ diagnostics }) => diagnostics);

/** Like `isFailed`, but an incomplete plan counts as planned. Used by `plan` and its reports, which show it. */
export const isUnplanned = (report: StackReport): boolean => !hasPlanFor(report, reportedDiagnostics);

/** True if a stack has a plan without errors among the problems that `problemsOf` returns. */
const hasPlanFor = (
  { plan, failed, skipped }: StackReport,
  problemsOf: (plan: Plan) => Diagnostic[],
): boolean => !failed && !skipped && plan !== undefined && !hasErrors(problemsOf(plan));

/** Returns the problems of all stacks. `ofPlan` returns those of a plan; by default the ones that a reviewer has to read. */
export const diagnosticsOf = (
  reports: StackReport[],
  ofPlan: (plan: Plan) => Diagnostic[] = problemsToReview,
): Diagnostic[] => reports.flatMap(({ plan, failed = [] }) => [...failed, ...(plan ? ofPlan(plan) : [])]);

/**
 * Finds stacks that failed for the same reason as an earlier one, such as a token without access, so that 39 equal errors are explained
 * once. Returns the id of the first such stack by the id of each later one.
 */
export function findEqualFailures(reports: readonly StackReport[]): ReadonlyMap<string, string> {
  const failedReports = reports.filter(({ plan, failed = [] }) => !plan && failed.length > 0);
  const groups = groupBy(failedReports, ({ failed = [] }) =>
    JSON.stringify(failed.map((diagnostic) => [diagnostic.code, textWithoutNames(diagnostic)])),
  );
  return new Map(
    [...groups.values()].flatMap(([first, ...others]) => others.map(({ id }) => [id, first!.id] as const)),
  );
}

/** Returns the sentence about a stack that failed like another one, which reports explain. */
export const equalFailureText = (firstId: string): string =>
  `Not planned: it failed for the same reason as ${firstId}.`;

/** Returns the sentence why a stack was skipped. */
export const skippedText = ({ skipped = [] }: StackReport): string =>
  `Not planned: it needs ${skipped.join(', ')}, which failed.`;

/**
 * Counts stacks by result: `3 stacks: 1 with changes, 1 without changes, 1 failed`. `incomplete` counts plans besides that: a plan without
 * errors that did not read everything. Used as the headline of reports about several stacks, and as the last line for a terminal.
 */
export function stackCountsText(reports: StackReport[]): string {
  const plans = reports.flatMap(({ plan }) => plan ?? []);
  const usablePlans = reports.flatMap((report) => (isUnplanned(report) ? [] : report.plan!));
  const unchangedCount = usablePlans.filter(asksForNothing).length;
  const skippedCount = reports.filter(({ skipped }) => skipped !== undefined).length;
  const counts = [
    [usablePlans.length - unchangedCount, 'with changes'],
    [unchangedCount, 'without changes'],
    [reports.length - usablePlans.length - skippedCount, 'failed'],
    [skippedCount, 'skipped'],
    [plans.filter((plan) => !plan.complete && !hasErrors(reportedDiagnostics(plan))).length, 'incomplete'],
  ] as const;
  const { objects, secrets } = sumNotCompared(reports);
  const uncompared = objectsAndSecrets(objects, secrets);
  const texts = [
    ...counts.flatMap(([number, state]) => (number > 0 ? [`${number} ${state}`] : [])),
    ...(uncompared === '' ? [] : [`${uncompared} not compared`]),
    ...findingCounts(plans),
  ];
  return `${count(reports.length, 'stack')}${texts.length > 0 ? `: ${texts.join(', ')}` : ''}`;
}

/** Counts the objects and secrets that were not compared with the account, over all stacks. */
export const sumNotCompared = (reports: readonly StackReport[]): { objects: number; secrets: number } =>
  countNotCompared(reports.flatMap(({ plan }) => plan?.notCompared ?? []));

/**
 * Names in reports of `plan --all` the objects to which a plan refers and that other stacks will create, in a sentence for each of these
 * stacks. Their ids are unknown until then, so the plan shows addresses.
 */
export function awaitsTexts({ plan }: StackReport): string[] {
  const awaitedByStack = groupBy(plan?.awaits ?? [], ({ stack }) => stack);
  return [...awaitedByStack].map(([stack, awaited]) => {
    const addresses = awaited.map(({ address }) => address);
    return `Known after ${stack} is applied: ${listFirst(addresses, maxAwaitedNames)}`;
  });
}

const maxAwaitedNames = 5;

/**
 * Returns sentences about the stacks that `apply --all` leaves out, for its question: those without a plan, and those that need one of
 * them.
 */
export function leftOutTexts(reports: readonly StackReport[]): string[] {
  const failedReports = reports.filter(isFailed);
  const idsOf = (listed: StackReport[]) => listed.map(({ id }) => id).join(', ');
  const unplanned = failedReports.filter(({ skipped }) => skipped === undefined);
  const waiting = failedReports.filter(({ skipped }) => skipped !== undefined);
  const [subject, pronoun] = unplanned.length === 1 ? ['it', 'that'] : ['they', 'these'];
  const need = waiting.length === 1 ? 'it needs' : 'they need';
  return [
    ...(unplanned.length > 0 ? [`Skipped, since ${subject} cannot be planned: ${idsOf(unplanned)}.`] : []),
    ...(waiting.length > 0 ? [`Skipped, since ${need} ${pronoun}: ${idsOf(waiting)}.`] : []),
  ];
}
