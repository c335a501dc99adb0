import type { Meaning } from '../../kind/meaning.ts';
import { readOnly, type Send } from '../../model/request.ts';
import type { Live } from '../../model/resource.ts';
import type { WayReport } from '../../model/way.ts';
import type { Planned } from '../../run/open-plan.ts';
import { judgeTransitions } from './judge-transitions.ts';
import { recordStates, type StateRecording } from './record-states.ts';

/** The observation of a rehearsed apply. */
export interface ObservedApply extends Pick<StateRecording, 'send' | 'onEvent'> {
  /** Returns what visitors meet during the apply. Undefined if no request of the plan can change that. */
  judge(): Promise<WayReport | undefined>;
}

/**
 * Starts to observe what visitors meet while a rehearsal applies a plan to the twin (a simulated account). The apply must send its requests
 * with the `send` of the result, which also reads the twin after requests that visitors may notice, and pass its events to `onEvent`. Call
 * `judge` after the whole plan is applied, because the states on the way are compared with the final one. `twinSend`: sends requests to the
 * twin. `seal`: hides in a reading of the twin what the plan hides.
 */
export async function observeApply(
  twinSend: Send,
  { plan, desired, aliases, input }: Planned,
  meaning: Meaning,
  seal: (live: Live) => Live,
): Promise<ObservedApply> {
  const { ledger, kinds, key, facts } = input;
  const reader = { desired, ledger, kinds, key, facts, aliases, send: readOnly(twinSend) };
  const { send, onEvent, states, finish } = await recordStates(plan.operations, meaning, reader, twinSend);
  const judge = async () => {
    await finish();
    const sealedStates = states.map(({ live, request }) => ({ live: seal(live), request }));
    return judgeTransitions(sealedStates, { desired, kinds, meaning });
  };
  return { send, onEvent, judge };
}
