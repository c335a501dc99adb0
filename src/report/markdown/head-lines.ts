import { groupBy } from '../../model/graph.ts';
import type { Pace } from '../../model/pace.ts';
import type { Plan } from '../../model/plan.ts';
import { accountText } from '../account-text.ts';
import { conflictText } from '../conflict-text.ts';
import { count } from '../count.ts';
import { durationOf, readsText, waitLines } from '../forecast-text.ts';
import { summaryWords } from '../plan-end.ts';
import { summaryOf } from '../summary-of.ts';
import { unmanagedTexts } from '../unmanaged-text.ts';
import { code } from './fence.ts';

/** What a plan comes to, in a line or two. With the platform's pace also how long it takes. */
export function headLines(plan: Plan, pace?: Pace): string[] {
  const errors = plan.diagnostics.filter(({ severity }) => severity === 'error').length;
  return [
    `### trueup plan: ${[plan.stack, ...accountText(plan)].map(code).join(', ')}`,
    ...(errors > 0 ? [`**This cannot be applied: ${count(errors, 'error')}.**`] : []),
    ...(plan.complete ? [] : ['**This plan is incomplete: not everything could be read.**']),
    ...(plan.partial ? ['Only a part was looked at.'] : []),
    isNothing(plan)
      ? [nothingText(plan, errors), ...readsText(plan)].join(' ')
      : [`**Plan: ${summaryWords(summaryOf(plan))}.** ${requestText(plan, pace)}`, ...readsText(plan)].join(
          ' ',
        ),
    ...conflictText(plan.changes).map((text) => `**${text}**`),
    ...waitLines(plan, pace, Number.POSITIVE_INFINITY),
    ...unmanagedLines(plan),
  ];
}

const isNothing = ({ operations, changes }: Plan) =>
  operations.length === 0 && changes.every(({ action }) => action === 'noop');

function nothingText({ partial, complete }: Plan, errors: number): string {
  if (errors > 0 || !complete) return 'Nothing is planned before that is mended.';
  return partial
    ? '**No changes** in that part.'
    : '**No changes.** The account is as the configuration says.';
}

function requestText(plan: Plan, pace: Pace | undefined): string {
  const requests = plan.operations.flatMap((operation) => operation.requests);
  if (requests.length === 0) return 'Nothing is sent: this is only recorded.';
  const methods = groupBy(requests, ({ endpoint }) => endpoint.split(' ', 1)[0]!);
  const counts = [...methods]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([method, all]) => `${all.length} ${method}`);
  return `${count(requests.length, 'request')}: ${counts.join(', ')}${durationOf(plan, pace)}.`;
}

function unmanagedLines(plan: Plan): string[] {
  const counts = unmanagedTexts(plan, code);
  return counts.length === 0 ? [] : [`Not managed here, left alone: ${counts.join(', ')}.`];
}
