/*
 * Judges the way of an apply. Terms (`src/model/way.ts` has the types):
 *
 *   state       the account at one moment: before the apply, or after one of its requests
 *   way         all states of an apply in their order, from the one before it to the one after it
 *   transition  the change of what a request gets, from the verdict before the apply to the one after it. No state on the way may give a third verdict.
 *   undecided   it could not be computed whether a state gives some request a third verdict
 *   mixed       some parts of a project are in the old state and others in the new one, so that together they may answer a request in a third way
 *   unread      a collection could not be read in some state, so nothing is claimed about it
 */
import type { Kinds } from '../../kind/kind.ts';
import type { Meaning } from '../../kind/meaning.ts';
import { viewOfAccount } from '../../meaning/view.ts';
import { collectionParts, type Desired } from '../../model/resource.ts';
import type { WayReport } from '../../model/way.ts';
import type { AccountState } from './record-states.ts';

/** What the judgement needs besides the recorded states. */
interface TransitionContext {
  desired: Desired;
  kinds: Kinds;
  meaning: Pick<Meaning, 'loadWayJudge' | 'visitorKinds'>;
}

/**
 * Returns what visitors meet while an apply runs. A rehearsal uses it to tell whether some visitor is, for example, let through between two
 * requests although the firewall stops him before the apply and after it.
 *
 * All possible requests are considered, not a sample. So the judgement is exact if it has no undecided, mixed or unread parts. `states`:
 * those of `recordStates`, or any readings of the account in order, the first one before the apply and the last one after it. Returns
 * undefined for fewer than two states, since nothing changed then.
 */
export async function judgeTransitions(
  states: readonly AccountState[],
  { desired, kinds, meaning }: TransitionContext,
): Promise<WayReport | undefined> {
  if (states.length < 2) return undefined;
  const judgeWay = await meaning.loadWayJudge();
  const views = states.map(({ live }) => viewOfAccount(live, { desired, kinds }));
  return {
    ...judgeWay(views),
    requests: states.slice(1).map(({ request }) => request ?? 'an unknown request'),
    unread: listUnreadCollections(states, meaning.visitorKinds),
  };
}

/**
 * Returns the lists of objects that could not be read in some state of an apply although they decide about requests of visitors, for the
 * report of a rehearsal: `firewallRule of projects/web/firewall`. `visitorKinds`: the kinds that decide about such requests.
 */
function listUnreadCollections(states: readonly AccountState[], visitorKinds: readonly string[]): string[] {
  const ids = states.flatMap(({ live }) => [...live.unreadable.keys()]);
  return [...new Set(ids)].flatMap((id) => {
    const [parent, kind] = collectionParts(id);
    return visitorKinds.includes(kind) ? [`${kind}${parent === undefined ? '' : ` of ${parent}`}`] : [];
  });
}
