import type { Kinds } from '../../kind/kind.ts';
import type { Meaning } from '../../kind/meaning.ts';
import { viewOfAccount } from '../../meaning/view.ts';
import { collectionParts, type Desired } from '../../model/resource.ts';
import type { WayReport } from '../../model/way.ts';
import type { AccountState } from './record-way.ts';

/** The inputs of the judgement beside the recorded states. */
interface JudgeContext {
  desired: Desired;
  kinds: Kinds;
  meaning: Pick<Meaning, 'loadWayJudge' | 'wayKinds'>;
}

/**
 * Returns what visitors meet while an apply runs: whether each request gets, in each state, the verdict from before the apply or the one from after it.
 * `states`: those of `recordWay`, or any readings of the account in order, the first one before the apply and the last one after it. Each possible request
 * is considered, not a sample. So if the result lists no undecided, mixed or unread parts, the judgement is exact. Undefined for fewer than two states,
 * since nothing changed then.
 */
export async function judgeTransitions(
  states: readonly AccountState[],
  { desired, kinds, meaning }: JudgeContext,
): Promise<WayReport | undefined> {
  if (states.length < 2) return undefined;
  const judgeWay = await meaning.loadWayJudge();
  const views = states.map(({ live }) => viewOfAccount(live, { desired, kinds }));
  return {
    ...judgeWay(views),
    requests: states.slice(1).map(({ request }) => request ?? 'an unknown request'),
    unread: unreadCollections(states, meaning.wayKinds),
  };
}

/** Returns the collections that could not be read in some state, because no verdict covers them: `firewallRule of projects/web/firewall`. */
function unreadCollections(states: readonly AccountState[], wayKinds: readonly string[]): string[] {
  const ids = states.flatMap(({ live }) => [...live.unreadable.keys()]);
  return [...new Set(ids)].flatMap((id) => {
    const [parent, kind] = collectionParts(id);
    return wayKinds.includes(kind) ? [`${kind}${parent === undefined ? '' : ` of ${parent}`}`] : [];
  });
}
