import type { Session } from '../app/session/session.ts';
import type { Terminal } from './terminal.ts';

/** Text at the bottom of a terminal that is redrawn in place, such as the progress of an apply. Messages go above it. */
export interface LiveView {
  /** Replaces the text. */
  redraw(text: string): void;
  /** Prints a message above the text, and replaces the text if there is a new one. */
  note(message: string, newText?: string): void;
  /** Removes the text, so that other output can follow. May be called twice. */
  clear(): void;
}

/**
 * Opens a live view if a person is watching the terminal; returns undefined for logs and streams of events. The package that measures
 * text takes as long to load as a small plan, so it is loaded only here.
 */
export async function openLiveView({ isLive, run, say }: Terminal): Promise<LiveView | undefined> {
  if (!isLive) return undefined;
  const { createLogUpdate } = await import('log-update');
  const update = createLogUpdate(run.host.stderr);
  let currentText = '';
  // Changing only the lines that differ would leave the cursor too high at the bottom of the screen, so everything is drawn again.
  const redraw = (text: string) => {
    currentText = text;
    update.clear();
    if (text !== '') update(text);
  };
  return {
    redraw,
    note(message, newText = currentText) {
      update.clear();
      say(message);
      redraw(newText);
    },
    clear: () => update.clear(),
  };
}

/** Shows the events of one step of an apply: on a live view, as lines of a log, or as events for programs. */
export interface EventView<E> {
  show(event: E): void;
  /** Prints a message without damaging the view. */
  note(message: string): void;
  /** Ends the view, so that other output can follow. May be called twice. */
  close(): void;
}

/** The place of the view that is shown now. Only one view can be at the bottom of the terminal. */
export interface ViewSlot {
  /** Shows a view from now on, and prints the messages of the session above it. */
  show<E>(view: EventView<E>): EventView<E>;
  /** Closes the view, if there is one, and lets the session print its messages as before. */
  close(): void;
}

/**
 * Creates the place on the terminal for the live views of an apply (its progress, then its waits). While a view is shown, messages of the
 * session go through it, so that they do not damage it.
 */
export function createViewSlot(session: Pick<Session, 'say'>): ViewSlot {
  const { say } = session;
  let close = () => {};
  return {
    show(view) {
      close = view.close;
      session.say = view.note;
      return view;
    },
    close() {
      close();
      close = () => {};
      session.say = say;
    },
  };
}
