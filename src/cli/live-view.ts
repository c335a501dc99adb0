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
