import type { ApplyEvent } from '../model/event.ts';
import { cleanLine } from './clean.ts';

type Waiting = Extract<ApplyEvent, { type: 'waiting' }>;

/** Formats a pause of the run: `Waiting 12s: rate limit of ...`, or `Retrying in 3s: cannot reach ...` after a failed request (`again`). */
export const waitingText = ({ seconds, reason, again }: Omit<Waiting, 'type'>): string =>
  `${again ? `Retrying in ${Math.ceil(seconds)}s` : `Waiting ${Math.ceil(seconds)}s`}: ${cleanLine(reason)}`;
