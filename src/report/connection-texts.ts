import type { ApplyEvent } from '../model/event.ts';
import { cleanLine, durationText } from './text.ts';

/** An attempt at a request, and how it ended. `status`: undefined if there was no answer. */
interface RequestAttempt {
  method: string;
  path: string;
  status: number | undefined;
  milliseconds: number;
  attempt: number;
  body?: unknown;
}

/**
 * Formats a request for `--verbose`: `GET /v9/projects 200 85 ms`. Secrets in its body are sealed (they print as a placeholder), and headers are left
 * out.
 */
export function exchangeText({ method, path, status, milliseconds, attempt, body }: RequestAttempt): string {
  const attemptText = attempt > 1 ? ` (attempt ${attempt})` : '';
  const bodyText = body === undefined ? '' : `\n    ${JSON.stringify(body)}`;
  return `  ${method} ${path} ${status ?? 'no answer'} ${Math.round(milliseconds)} ms${attemptText}${bodyText}`;
}

const [minute, day] = [60_000, 86_400_000];

/**
 * Returns a warning if the clock of this machine is wrong, because times in the ledger would be wrong, too; undefined otherwise. `ahead`: the
 * milliseconds by which it is ahead of the platform's clock. A difference of more than a day comes from a cache or a test, so it is ignored.
 */
export function clockWarning(ahead: number): string | undefined {
  const difference = Math.abs(ahead);
  if (!(difference > minute && difference < day)) return undefined;
  const duration = durationText(Math.round(difference / minute) * minute);
  return `The clock of this machine is ${duration} ${ahead > 0 ? 'ahead of' : 'behind'} the platform's. Set it: times in the ledger and its history will be wrong, a freeze of guards begins and ends at another time, and a \`$then\` action may be skipped or sent twice.`;
}

type Waiting = Extract<ApplyEvent, { type: 'waiting' }>;

/** Formats a pause of the run: `Waiting 12s: rate limit of ...`, or `Retrying in 3s: cannot reach ...` after a failed request (`again`). */
export const waitingText = ({ seconds, reason, again }: Omit<Waiting, 'type'>): string =>
  `${again ? `Retrying in ${Math.ceil(seconds)}s` : `Waiting ${Math.ceil(seconds)}s`}: ${cleanLine(reason)}`;
