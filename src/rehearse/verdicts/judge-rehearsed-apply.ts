import type { Meaning } from '../../kind/meaning.ts';
import { readOnly, type Send } from '../../model/request.ts';
import type { Live, LiveResource } from '../../model/resource.ts';
import type { WayReport } from '../../model/way.ts';
import type { PlanInput } from '../../plan/input.ts';
import { sealUnderAnyName } from '../../plan/seal-under-any-name.ts';
import type { Planned } from '../../run/open-plan.ts';
import { judgeTransitions } from './judge-transitions.ts';
import { recordWay, type WayRecording } from './record-way.ts';

/** The observation of a rehearsed apply. */
export interface ObservedApply extends Pick<WayRecording, 'send' | 'onEvent'> {
  /** Returns what visitors meet during the apply. Undefined if no request of the plan can change that. */
  judge(): Promise<WayReport | undefined>;
}

/**
 * Starts to observe what visitors meet while a plan is applied to a twin. The apply must send its requests with the `send` of the result, which also reads
 * the twin after requests that visitors may notice, and pass its events to `onEvent`. Call `judge` after the whole plan is applied, because requests are
 * compared with the final state. `twinSend`: sends requests to the twin.
 */
export async function observeApply(
  twinSend: Send,
  { plan, desired, aliases, input }: Planned,
  meaning: Meaning,
): Promise<ObservedApply> {
  const { ledger, kinds, key, facts } = input;
  const reader = { desired, ledger, kinds, key, facts, aliases, send: readOnly(twinSend) };
  const { send, onEvent, states, finish } = await recordWay(plan.operations, meaning, reader, twinSend);
  const judge = async () => {
    await finish();
    const seal = createStateSealer(input);
    const sealedStates = states.map(({ live, request }) => ({ live: seal(live), request }));
    return judgeTransitions(sealedStates, { desired, kinds, meaning });
  };
  return { send, onEvent, judge };
}

/**
 * Returns a function that seals in a reading of the twin what the plan hides. Otherwise an example of a request would show a secret with which a rule compares, and
 * verdicts would tell whether a guess in another rule is its beginning. Each object is sealed once, because most states share most objects.
 */
function createStateSealer(input: PlanInput): (live: Live) => Live {
  const sealedObjects = new Map<LiveResource, LiveResource>();
  return (live) => {
    const added = new Map([...live.resources].filter(([, object]) => !sealedObjects.has(object)));
    const { resources } = sealUnderAnyName({ ...input, live: { ...live, resources: added } });
    for (const [address, object] of added) sealedObjects.set(object, resources.get(address)!);
    return {
      ...live,
      resources: new Map(
        [...live.resources].map(([address, object]) => [address, sealedObjects.get(object)!]),
      ),
    };
  };
}
