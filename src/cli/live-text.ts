import type { Terminal } from './terminal.ts';

/** Text at the bottom of a terminal, which is redrawn in place. */
export interface LiveText {
  (text: string): void;
  clear(): void;
}

/** Opens it where somebody is looking; undefined elsewhere. What measures the text is loaded only then: it takes as long as a small plan. */
export async function liveText({ isLive, run }: Terminal): Promise<LiveText | undefined> {
  if (!isLive) return undefined;
  const { createLogUpdate } = await import('log-update');
  return createLogUpdate(run.host.stderr);
}
