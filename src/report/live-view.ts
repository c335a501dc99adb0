import type { ApplyEvent } from '../model/event.ts';
import { groupBy } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import { count } from './count.ts';
import { cut } from './cut.ts';
import { waitingText } from './events-text.ts';
import { type Step, type StepState, sizeOf, stateAfter, stateOf, stepsOf } from './steps.ts';
import { plainly, type Style } from './style.ts';

/** How far an apply has come: plain data that each event turns into the next. */
interface Progress {
  /** By operation id. */
  steps: ReadonlyMap<string, Step>;
  states: ReadonlyMap<string, StepState>;
  waiting?: string;
}

/** Before the first event. */
export const startProgress = (plan: Plan): Progress => ({ steps: stepsOf(plan), states: new Map() });

/** The state after one more event. A wait is over when anything else happens. */
export function reduceProgress({ steps, states }: Progress, event: ApplyEvent): Progress {
  return event.type === 'waiting'
    ? { steps, states, waiting: waitingText(event) }
    : { steps, states: new Map(states).set(event.operation.id, stateAfter[event.type]) };
}

const most = 8;

/** The state as lines that a terminal can redraw; no line is wider than the style allows. */
export function renderProgress(state: Progress, style: Style): string {
  const steps = groupBy(new Set(state.steps.values()), (step) => stateOf(step, state.states));
  const number = (of: StepState) => sizeOf(steps.get(of) ?? []);
  const running = steps.get('running') ?? [];
  const all = sizeOf([...steps.values()].flat());
  const lines = [
    ...running
      .slice(0, most)
      .map(({ doing, label }) => `${style.quiet(doing.padEnd(9))} ${cut(label, style.width - 10)}`),
    ...(running.length > most ? [style.quiet(`... and ${running.length - most} more`)] : []),
    ...(state.waiting === undefined ? [] : [style.warn(cut(state.waiting, style.width))]),
    [
      style.strong(`${number('done')} of ${count(all, 'change')} done`),
      ...(number('failed') > 0 ? [style.alarm(`${number('failed')} failed`)] : []),
      ...(number('skipped') > 0 ? [style.warn(`${number('skipped')} skipped`)] : []),
      `${number('running') + number('waiting')} left`,
    ].join(', '),
  ];
  return plainly(lines.join('\n'), style);
}
