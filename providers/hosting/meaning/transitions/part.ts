/*
 * What the judges of single parts have in common: they compare the states of a part on the way of an apply. The terms are in
 * `src/model/way.ts`.
 */
import type { Address, ExampleRequest, PartState, PartType, ThirdVerdict, UndecidedState } from '#kind';

/** A part in all states of the way. */
export interface PartWay<State> {
  type: PartType;
  part: string;
  /** The project that the part belongs to; undefined if that changes on the way. */
  project: Address | undefined;
  states: readonly State[];
  /** Equal for states that treat all requests alike, by the index of the state. */
  ids: readonly string[];
  /** For a host: whether no project serves it, by the index of the state. Other parts have no effect on its requests then. */
  isAbsent?: readonly boolean[];
}

/** The result for one part in one state. */
export type StateJudgement =
  | { type: 'safe' }
  | {
      type: 'third';
      request: ExampleRequest;
      before: string;
      during: string;
      after: string;
      rules: readonly Address[];
    }
  | { type: 'undecided'; why: string; rules: readonly Address[] };

/** The judgement of one part over the whole way. */
export interface PartJudgement {
  stateCount: number;
  thirds: ThirdVerdict[];
  undecided: UndecidedState[];
}

/** True if an apply changes a part. */
export const isChanged = <State>({ ids }: PartWay<State>): boolean => ids.some((id) => id !== ids[0]);

/**
 * Judges a part in each state of the way that equals neither the first nor the last state. Equal states are judged once, and reported at
 * the first of them. Returns undefined for a part that stays the same.
 */
export function judgePart<State>(
  way: PartWay<State>,
  judge: (before: State, during: State, after: State) => StateJudgement,
): PartJudgement | undefined {
  if (!isChanged(way)) return undefined;
  const { type, part, states, ids } = way;
  const judgement: PartJudgement = { stateCount: 0, thirds: [], undecided: [] };
  const judgedIds = new Set([ids[0], ids.at(-1)]);
  for (const [state, id] of ids.entries()) {
    if (state > 0 && state < ids.length - 1 && id !== ids[state - 1]) judgement.stateCount++;
    if (judgedIds.has(id)) continue;
    judgedIds.add(id);
    const partState: PartState = { type, part, state };
    const result = judge(states[0]!, states[state]!, states.at(-1)!);
    if (result.type === 'third') judgement.thirds.push({ ...partState, ...withoutType(result) });
    if (result.type === 'undecided') judgement.undecided.push({ ...partState, ...withoutType(result) });
  }
  return judgement;
}

const withoutType = <T extends { type: string }>({ type: _, ...members }: T): Omit<T, 'type'> => members;
