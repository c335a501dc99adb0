import { byAddress } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import { changeLines, groupAlike } from './change-text.ts';
import { cleanLine } from './clean.ts';
import { legend } from './marker.ts';
import { type PlanContext, type PlanTextOptions, planContext } from './plan-context.ts';
import { planEnd } from './plan-end.ts';
import { operationLines } from './request-text.ts';

/** A plan for the person who reviews it. What stays as it is, is not mentioned; what destroys comes last. */
export function planText(plan: Plan, options: PlanTextOptions): string {
  const context = planContext(plan, options);
  const { style } = context;
  const changes = plan.changes.filter(({ action }) => action !== 'noop').sort(byAddress);
  const exclusive = changes.filter(isExclusive);
  const harmful = changes.filter((change) => !isExclusive(change) && destroys(change));
  const usual = changes.filter((change) => !isExclusive(change) && !destroys(change));

  const head =
    changes.length === 0
      ? []
      : [
          `${style.quiet('Stack')} ${style.strong(cleanLine(plan.stack))}`,
          ...legend(changes, context, style.width - 2).map((line) => `  ${style.quiet(line)}`),
        ];
  return [
    ...(head.length > 0 ? [head] : []),
    ...blocks(usual, context),
    ...section(exclusive, 'Not in the configuration, deleted because of $exclusive', context),
    ...section(harmful, 'DESTRUCTIVE: look at each of these', context),
    ...otherRequests(plan, context),
    ...planEnd(plan, context),
  ]
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

const destroys = ({ grade }: Change) => grade === 'destructive' || grade === 'irreversible';
const isExclusive = ({ exclusive }: Change) => exclusive === true;

function section(changes: Change[], title: string, context: PlanContext): string[][] {
  if (changes.length === 0) return [];
  const { style } = context;
  const heading = `--- ${title} (${changes.length}) `;
  const [first = [], ...rest] = blocks(changes, context);
  return [[style.alarm(heading.padEnd(style.width, '-')), ...first], ...rest];
}

/** Changes that take one line stand together, all others apart. */
function blocks(changes: Change[], context: PlanContext): string[][] {
  const result: string[][] = [];
  let areShort = false;
  for (const alike of groupAlike(changes, context)) {
    const lines = changeLines(alike, context);
    const isShort = lines.length === alike.length;
    if (isShort && areShort) result.at(-1)!.push(...lines);
    else result.push(lines);
    areShort = isShort;
  }
  return result;
}

/** Operations without a change above: there should be none, but a plan shows all that will be sent. */
function otherRequests(plan: Plan, context: PlanContext): string[][] {
  if (!context.requests) return [];
  const others = plan.operations.filter((operation) => !context.shown.has(operation));
  if (others.length === 0) return [];
  const lines = others.flatMap((operation) => operationLines(operation, context));
  return [['  Also sent:', ...lines.map((line) => `      ${line}`)]];
}
