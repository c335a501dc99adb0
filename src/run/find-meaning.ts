import { findInPlan, type PlanFindings, toViewedChanges } from '../meaning/find.ts';
import { findSecrets } from '../meaning/found-secrets.ts';
import { plannedLists } from '../meaning/saved-views.ts';
import { viewsOfPlan } from '../meaning/view.ts';
import type { PlannedList } from '../model/plan.ts';
import type { PlannedAction } from '../model/planned-action.ts';
import { readOnly } from '../model/request.ts';
import type { Desired } from '../model/resource.ts';
import type { PlannedRun } from './plan-run.ts';
import type { RunSession } from './session.ts';

/** What a plan means for the account: its findings, and the order of lists that decides their effect. */
interface PlanMeaning {
  findings: PlanFindings;
  lists: PlannedList[];
}

/**
 * Returns the findings of a plan (harm that its valid configuration does, or that the account shows already) and its ordered lists, for
 * reports, guards and saved plans. `actions`: the actions that follow the plan. The rules that find harm (`meaning`) belong to the
 * platform, and are loaded only for commands that report findings. The session's `besides` is one view of all stacks of the workspace,
 * because a host that one of them serves is not free here; `unread` if one of them has errors. Sends reads only, and for most plans none.
 */
export async function findMeaning(
  { meaning: loadMeaning, connection, besides: others, kinds }: RunSession,
  { desired, live, plan: { changes } }: Pick<PlannedRun, 'live' | 'plan'> & { desired: Desired },
  actions: readonly PlannedAction[] = [],
): Promise<PlanMeaning> {
  const besides = others === undefined || others === 'unread' ? others : [others];
  const views = viewsOfPlan(live, changes, { desired, kinds, besides });
  const lists = plannedLists(views, kinds);
  if (!loadMeaning) return { findings: { shown: [], suppressed: [], fixed: [], ...findSecrets([]) }, lists };
  const meaning = await loadMeaning();
  const viewedChanges = toViewedChanges(changes);
  const readViews = (await meaning.readMore?.(views, viewedChanges, readOnly(connection.send))) ?? views;
  const aboutObjects = actions.flatMap(({ action, about }) =>
    about === undefined ? [] : [{ action, about }],
  );
  const findings = await findInPlan(meaning, readViews, {
    changes: viewedChanges,
    actions: aboutObjects,
    desired,
  });
  return { findings, lists };
}
