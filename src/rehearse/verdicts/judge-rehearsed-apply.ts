import type { Meaning } from '../../kind/meaning.ts';
import { readOnly } from '../../model/request.ts';
import type { WayReport } from '../../model/way.ts';
import type { Planned } from '../../run/open-plan.ts';
import type { RunSession } from '../../run/session.ts';
import { judgeTransitions } from './judge-transitions.ts';
import { recordWay, type WayRecording } from './record-way.ts';

/** The observation of a rehearsed apply. */
export interface ObservedApply extends Pick<WayRecording, 'onEvent'> {
  /** Returns what visitors meet during the apply. Undefined if no request of the plan can change that. */
  judge(): Promise<WayReport | undefined>;
}

/**
 * Starts to observe what visitors meet while a session applies a plan to a twin: replaces the session's connection by one that also reads the twin after
 * requests that visitors may notice. The apply must pass its events to `onEvent`. Call `judge` after the whole plan is applied, because requests are
 * compared with the final state.
 */
export async function observeApply(
  session: RunSession,
  { plan, desired, aliases }: Planned,
  meaning: Meaning,
): Promise<ObservedApply> {
  const { connection, kinds, ledger, key, owner } = session;
  const reader = {
    desired,
    ledger,
    kinds,
    key,
    aliases,
    facts: owner.facts,
    send: readOnly(connection.send),
  };
  const { send, onEvent, states, finish } = await recordWay(
    plan.operations,
    meaning,
    reader,
    connection.send,
  );
  session.connection = { ...connection, send };
  const judge = async () => {
    await finish();
    return judgeTransitions(states, { desired, kinds, meaning });
  };
  return { onEvent, judge };
}
