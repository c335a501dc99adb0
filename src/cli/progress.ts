import { createLogUpdate } from 'log-update';
import type { ApplyEvent } from '../model/event.ts';
import type { Plan } from '../model/plan.ts';
import { eventWriter, reduceProgress, renderProgress, startProgress } from '../report/events-text.ts';
import { applyLines } from '../report/terraform/apply-lines.ts';
import type { Terminal } from './terminal.ts';

export interface ProgressView {
  show(event: ApplyEvent): void;
  note(text: string): void;
  /** Leaves the screen to others; may be called twice. */
  done(): void;
}

/** A live view on a terminal, plain lines elsewhere; or lines of a stream. */
export function progressFor(plan: Plan, terminal: Terminal): ProgressView {
  if (terminal.stream) return streamed(plan, terminal.stream, terminal);
  const write = eventWriter(plan, { style: terminal.errStyle });
  if (!terminal.isLive)
    return {
      show: (event) => terminal.err(write(event)),
      note: (text) => terminal.err(text),
      done: () => {},
    };
  const update = createLogUpdate(terminal.run.host.stderr);
  let state = startProgress(plan);
  // Drawn anew each time: changing only the lines that differ leaves the cursor too high at the bottom of the screen.
  const draw = () => {
    update.clear();
    update(renderProgress(state, terminal.errStyle));
  };
  // Failures and notes stay above the view.
  const note = (text: string) => {
    update.clear();
    terminal.err(text);
    draw();
  };
  return {
    show: (event) => {
      state = reduceProgress(state, event);
      if (event.type === 'failed') note(write(event));
      else draw();
    },
    note,
    done: () => update.clear(),
  };
}

/** Also says from time to time what is still under way. */
function streamed(plan: Plan, stream: NonNullable<Terminal['stream']>, { err, run }: Terminal): ProgressView {
  const { now } = run.host.clock;
  const { lines, progress } = applyLines(plan);
  const timer = setInterval(() => stream(progress(now())), 1000).unref();
  return {
    show: (event) => stream(lines(event, now())),
    note: err,
    done: () => clearInterval(timer),
  };
}
