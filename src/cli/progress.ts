import { createLogUpdate } from 'log-update';
import type { ApplyEvent } from '../model/event.ts';
import type { Plan } from '../model/plan.ts';
import { eventWriter } from '../report/events-text.ts';
import { reduceProgress, renderProgress, startProgress } from '../report/live-view.ts';
import type { Terminal } from './terminal.ts';

export interface ProgressView {
  show(event: ApplyEvent): void;
  note(text: string): void;
  /** Leaves the screen to others; may be called twice. */
  done(): void;
}

/** A live view on a terminal, plain lines elsewhere. */
export function progressFor(plan: Plan, terminal: Terminal): ProgressView {
  if (!terminal.isLive) {
    const write = eventWriter(plan, { style: terminal.errStyle });
    return {
      show: (event) => terminal.err(write(event)),
      note: (text) => terminal.err(text),
      done: () => {},
    };
  }
  const update = createLogUpdate(process.stderr);
  let state = startProgress(plan);
  const draw = () => update(renderProgress(state, terminal.errStyle));
  return {
    show: (event) => {
      state = reduceProgress(state, event);
      draw();
    },
    note: (text) => {
      update.clear();
      terminal.err(text);
      draw();
    },
    done: () => update.clear(),
  };
}
