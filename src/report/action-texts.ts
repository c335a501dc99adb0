import type { Address } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import type { Plan } from '../model/plan.ts';
import { isOpenAction, type PlannedAction } from '../model/planned-action.ts';
import { cleanLine } from './clean.ts';
import { count } from './count.ts';
import { show } from './show.ts';

/** An action that follows, for people. */
interface ActionText {
  /** `redeploy projects/web (target: production)` */
  name: string;
  /** Why it follows and what it does, or why it does not. */
  text: string;
  isOpen: boolean;
  action: PlannedAction;
}

export const actionsTitle = 'Then, once all of this is done';

/** The actions that follow the changes, in the order in which they are sent. */
export const actionTexts = ({ actions = [] }: Pick<Plan, 'actions'>): ActionText[] =>
  [...actions]
    .sort((a, b) => Number(isOpenAction(b)) - Number(isOpenAction(a)))
    .map((action) => ({
      name: actionName(action),
      text: whyText(action).join('; '),
      isOpen: isOpenAction(action),
      action,
    }));

/** `redeploy projects/web (target: production)` */
export function actionName({
  action,
  about,
  input,
}: Pick<PlannedAction, 'action' | 'about' | 'input'>): string {
  const given = Object.entries(input).map(([name, value]) => `${cleanLine(name)}: ${show(value)}`);
  const what = [action, about].filter((part) => part !== undefined).map(cleanLine);
  return `${what.join(' ')}${given.length > 0 ? ` (${given.join(', ')})` : ''}`;
}

/** `1 build`, `2 builds`, `1 verify`: what a plan sets going. Nothing where nothing follows. */
export function followingCounts({ actions = [] }: Pick<Plan, 'actions'>): string[] {
  const isDue = ({ state }: PlannedAction) => state === 'due';
  const due = groupBy(actions.filter(isDue), ({ starts, action }) => starts ?? action);
  return [...due].map(([what, { length }]) => {
    const isCounted = actions.some(({ starts }) => starts === what);
    return isCounted ? count(length, cleanLine(what)) : `${length} ${cleanLine(what)}`;
  });
}

/** The same behind what is changed: `then 2 builds, 1 verify`, and what is not sent now. */
export function followingTexts(plan: Pick<Plan, 'actions'>): string[] {
  const counts = followingCounts(plan);
  return [...(counts.length > 0 ? [`then ${counts.join(', ')}`] : []), ...heldCount(plan)];
}

/** Tells of actions that are owed and cannot be sent now. */
export function heldCount({ actions = [] }: Pick<Plan, 'actions'>): string[] {
  const { length } = actions.filter((action) => isOpenAction(action) && action.state !== 'due');
  return length > 0 ? [`${count(length, 'action')} not sent now`] : [];
}

function whyText({ state, why, after, owed, grade, gradeReason, wait }: PlannedAction): string[] {
  const asked = [
    ...(after.length > 0 ? [`after ${changedText(after)}`] : []),
    ...(owed ? [`pending from ${cleanLine(owed.run ?? 'an earlier run')}`] : []),
  ];
  const because = why === undefined ? [] : [cleanLine(why)];
  if (state === 'over') return [...asked, ...because, 'nothing is sent'];
  if (state === 'left' || state === 'unknown') return [...asked, ...because];
  if (state === 'busy') return [...asked, `not sent now: ${because.join()}`, 'the next apply looks again'];
  return [
    ...asked,
    ...(gradeReason === undefined ? [] : [`${grade}: ${cleanLine(gradeReason)}`]),
    ...(wait === undefined ? [] : [`apply waits for it, up to ${count(wait, 'minute')}`]),
  ];
}

/** `projects/web/env/API_URL`, `3 changes in projects/web/env`. */
function changedText(after: readonly Address[]): string {
  const wholes = [...new Set(after.map(addressWithoutTarget))];
  if (wholes.length === 1) return cleanLine(wholes[0]!);
  const groups = groupBy(wholes, (address) => address.slice(0, address.lastIndexOf('/')));
  return [...groups]
    .map(([place, own]) =>
      own.length === 1 ? cleanLine(own[0]!) : `${own.length} changes in ${cleanLine(place)}`,
    )
    .join(' and ');
}
