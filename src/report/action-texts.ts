import type { Address } from '../model/address.ts';
import type { Outcome } from '../model/event.ts';
import { groupBy } from '../model/graph.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import type { Plan } from '../model/plan.ts';
import { type ActionOutcome, isOpenAction, type PlannedAction } from '../model/planned-action.ts';
import { show } from './show.ts';
import { cleanLine, count } from './text.ts';

/*
 * Formats the follow-up actions of a plan, such as a redeployment: `$then` asks for them, and an apply sends them after all changes.
 *
 * An action is due if the next apply sends it. It is open if the next apply has to send it (due) or to report why it does not.
 */

/** A follow-up action as reports print it. */
interface ActionText {
  /** The action with its object and its input: `redeploy projects/web (target: production)` */
  name: string;
  /** The trigger of the action, then its risk and its wait, or the reason why it is not sent. */
  text: string;
  /** True if an apply has to send the action or to report why it does not. */
  isOpen: boolean;
  action: PlannedAction;
}

/** The heading of the follow-up actions in all reports. */
export const actionsTitle = 'Then, once all of this is done';

/**
 * Returns the texts of all follow-up actions (`$then`) of a plan. Open ones, which an apply still has to send or to report as held up, come
 * first. Used by each report for its list of actions.
 */
export const actionTexts = ({ actions = [] }: Pick<Plan, 'actions'>): ActionText[] =>
  [...actions]
    .sort((a, b) => Number(isOpenAction(b)) - Number(isOpenAction(a)))
    .map((action) => ({
      name: actionName(action),
      text: whyText(action).join('; '),
      isOpen: isOpenAction(action),
      action,
    }));

/**
 * Formats the name of an action with its object and its input: `redeploy projects/web (target: production)`. Used by every report, and for
 * the outcome of an action.
 */
export function actionName({
  action,
  about,
  input,
}: Pick<PlannedAction, 'action' | 'about' | 'input'>): string {
  const inputTexts = Object.entries(input).map(([name, value]) => `${cleanLine(name)}: ${show(value)}`);
  const names = [action, about].filter((name) => name !== undefined).map(cleanLine);
  return `${names.join(' ')}${inputTexts.length > 0 ? ` (${inputTexts.join(', ')})` : ''}`;
}

/** The words for the outcomes of actions, in the order of reports: failures come last, where a terminal stops. */
const outcomeWords: Record<ActionOutcome['result'], string> = {
  done: 'sent',
  nothing: 'nothing to do for',
  owed: 'owed',
  refused: 'refused',
  unknown: 'not known',
};

/** A follow-up action with its outcome, as reports of an apply print it: `refused`, then its name, the reason and the next step. */
interface ActionEndText extends Pick<ActionOutcome, 'result' | 'why' | 'hint'> {
  word: string;
  name: string;
  /** The action; absent if the plan does not have it. */
  action: PlannedAction | undefined;
}

/** Returns the texts about the outcomes of the follow-up actions (`$then`) of an apply, failures last. */
export function actionEndTexts(plan: Pick<Plan, 'actions'>, { actions = [] }: Outcome): ActionEndText[] {
  const plannedActions = new Map((plan.actions ?? []).map((action) => [action.id, action]));
  const results = Object.keys(outcomeWords) as ActionOutcome['result'][];
  return results.flatMap((result) =>
    actions
      .filter((action) => action.result === result)
      .map(({ id, why, hint }) => {
        const action = plannedActions.get(id);
        const name = action ? actionName(action) : cleanLine(id);
        return { result, word: outcomeWords[result], name, action, why: why && cleanLine(why), hint };
      }),
  );
}

/** Returns those of `actionEndTexts` that are about actions which an apply did not do: owed, refused, or of unknown outcome. */
export const undoneActionTexts = (plan: Pick<Plan, 'actions'>, outcome: Outcome): ActionEndText[] =>
  actionEndTexts(plan, outcome).filter(({ result }) => result !== 'done' && result !== 'nothing');

/**
 * Counts the follow-up actions that an apply sends, by the job that they start, or by their name if they
 * start none: `2 builds`, `1 verify`. Used in summaries, so that an approver knows what an apply triggers.
 * Empty if it sends none.
 */
export function followingCounts({ actions = [] }: Pick<Plan, 'actions'>): string[] {
  const isDue = ({ state }: PlannedAction) => state === 'due';
  const due = groupBy(actions.filter(isDue), ({ starts, action }) => starts ?? action);
  return [...due].map(([name, { length }]) => {
    // Only the name of a job, such as `build`, has a plural.
    const isJob = actions.some(({ starts }) => starts === name);
    return isJob ? count(length, cleanLine(name)) : `${length} ${cleanLine(name)}`;
  });
}

/** Returns the texts about actions that follow the counts of changes in a summary: `then 2 builds, 1 verify`, `1 action not sent now`. */
export function followingTexts(plan: Pick<Plan, 'actions'>): string[] {
  const counts = followingCounts(plan);
  return [...(counts.length > 0 ? [`then ${counts.join(', ')}`] : []), ...heldCount(plan)];
}

/**
 * Counts the actions that are requested but not sent now, because they have to wait or may have been sent already: `1 action not sent now`.
 * Empty if there are none. Shown in summaries, because they are not done.
 */
export function heldCount({ actions = [] }: Pick<Plan, 'actions'>): string[] {
  const { length } = actions.filter((action) => isOpenAction(action) && action.state !== 'due');
  return length > 0 ? [`${count(length, 'action')} not sent now`] : [];
}

/**
 * Returns the facts about a follow-up action (`$then`) for its line in a plan: its trigger,
 * then why it is not sent (nothing is left to do, it cannot run now, it may have run already, or it is not part of the plan), or its risk
 * and the longest wait for its end.
 */
function whyText({ state, why, after, owed, grade, gradeReason, wait }: PlannedAction): string[] {
  const triggers = [
    ...(after.length > 0 ? [`after ${changedText(after)}`] : []),
    ...(owed ? [`pending from ${cleanLine(owed.run ?? 'an earlier run')}`] : []),
  ];
  const reasons = why === undefined ? [] : [cleanLine(why)];
  if (state === 'over') return [...triggers, ...reasons, 'nothing is sent'];
  if (state === 'left' || state === 'unknown') return [...triggers, ...reasons];
  if (state === 'busy') return [...triggers, `not sent now: ${reasons.join()}`, 'the next apply looks again'];
  return [
    ...triggers,
    ...(gradeReason === undefined ? [] : [`${grade}: ${cleanLine(gradeReason)}`]),
    ...(wait === undefined ? [] : [`apply waits for it, up to ${count(wait, 'minute')}`]),
  ];
}

/**
 * Formats the changes that trigger a follow-up action (`$then`) in a plan: `projects/web/env/API_URL`, or `3 changes in projects/web/env`
 * for several in one section. The targets of one variable count as one change. Used in the line of the action.
 */
function changedText(after: readonly Address[]): string {
  const changed = [...new Set(after.map(addressWithoutTarget))];
  if (changed.length === 1) return cleanLine(changed[0]!);
  const bySection = groupBy(changed, (address) => address.slice(0, address.lastIndexOf('/')));
  return [...bySection]
    .map(([section, addresses]) =>
      addresses.length === 1
        ? cleanLine(addresses[0]!)
        : `${addresses.length} changes in ${cleanLine(section)}`,
    )
    .join(' and ');
}
