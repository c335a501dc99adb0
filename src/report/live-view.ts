import type { ApplyEvent } from '../model/event.ts';
import type { Plan } from '../model/plan.ts';
import { cut } from './cut.ts';
import { type Actions, actionsOf, operationLabel, operationVerb, waitingText } from './events-text.ts';
import { plainly, type Style } from './style.ts';

/** How far an apply has come: plain data that each event turns into the next. */
interface Progress {
  actions: Actions;
  total: number;
  /** Under way, by operation id. */
  running: ReadonlyMap<string, { verb: string; label: string }>;
  done: number;
  failed: number;
  skipped: number;
  waiting?: string;
}

/** Before the first event. */
export const startProgress = (plan: Plan): Progress => ({
  actions: actionsOf(plan),
  total: plan.operations.length,
  running: new Map(),
  done: 0,
  failed: 0,
  skipped: 0,
});

/** The state after one more event. A wait is over when anything else happens. */
export function reduceProgress(state: Progress, event: ApplyEvent): Progress {
  if (event.type === 'waiting') return { ...state, waiting: waitingText(event) };
  const { operation } = event;
  const running = new Map(state.running);
  running.delete(operation.id);
  const next = { ...state, running, waiting: undefined };
  switch (event.type) {
    case 'started':
      running.set(operation.id, {
        verb: operationVerb(operation, state.actions),
        label: operationLabel(operation),
      });
      return next;
    // It counts among what is left, as before it began.
    case 'left':
      return next;
    case 'succeeded':
      return { ...next, done: state.done + 1 };
    case 'failed':
      return { ...next, failed: state.failed + 1 };
    case 'skipped':
      return { ...next, skipped: state.skipped + 1 };
  }
}

const most = 8;

/** The state as lines that a terminal can redraw; no line is wider than the style allows. */
export function renderProgress(state: Progress, style: Style): string {
  const running = [...state.running.values()];
  const left = state.total - state.done - state.failed - state.skipped;
  const lines = [
    ...running
      .slice(0, most)
      .map(({ verb, label }) => `${style.quiet(verb.padEnd(9))} ${cut(label, style.width - 10)}`),
    ...(running.length > most ? [style.quiet(`... and ${running.length - most} more`)] : []),
    ...(state.waiting === undefined ? [] : [style.warn(cut(state.waiting, style.width))]),
    [
      style.strong(`${state.done} of ${state.total} done`),
      ...(state.failed > 0 ? [style.alarm(`${state.failed} failed`)] : []),
      ...(state.skipped > 0 ? [style.warn(`${state.skipped} skipped`)] : []),
      `${left} left`,
    ].join(', '),
  ];
  return plainly(lines.join('\n'), style);
}
