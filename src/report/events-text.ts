import type { ApplyEvent, RateLimit } from '../model/event.ts';
import type { Plan } from '../model/plan.ts';
import { cleanLine, errorLines } from './clean.ts';
import { durationText } from './count.ts';
import { type Step, type StepState, sizeOf, stateAfter, stateOf, stepsOf } from './steps.ts';
import type { Style } from './style.ts';

/**
 * Writes each event of an apply as a line for a log (an error may take several). Nothing is written for what tells nothing new: a change of
 * several operations begins once and is done once.
 */
export function eventWriter(plan: Plan, { style }: { style: Style }): (event: ApplyEvent) => string {
  const steps = stepsOf(plan);
  const all = sizeOf(new Set(steps.values()));
  const begun = new Set<Step>();
  const ended = new Set<Step>();
  const states = new Map<string, StepState>();
  let done = 0;
  const isNew = (seen: Set<Step>, step: Step) => !seen.has(step) && seen.add(step) !== undefined;
  return (event) => {
    if (event.type === 'waiting') return style.warn(waitingText(event));
    const step = steps.get(event.operation.id)!;
    states.set(event.operation.id, stateAfter[event.type]);
    const label = `${step.label}:`;
    switch (event.type) {
      case 'started':
        return isNew(begun, step) ? style.quiet(`${label} ${step.doing}...`) : '';
      case 'succeeded': {
        if (stateOf(step, states) !== 'done' || !isNew(ended, step)) return '';
        done += step.size;
        const place = all > 1 ? ` ${style.quiet(`(${done} of ${all})`)}` : '';
        return `${label} ${style.add(step.done)}${place}`;
      }
      case 'skipped':
        if (!isNew(ended, step)) return '';
        return `${label} ${style.warn(`skipped because ${becauseText(event.because)}`)}`;
      case 'left':
        return `${label} ${style.warn('left because')} ${usedUpText(event.rateLimit)}`;
      case 'failed': {
        ended.add(step);
        return `${label} ${failureText(event.error, style)}`;
      }
    }
  };
}

function failureText(error: unknown, style: Style): string {
  const { message, hint } = errorLines(error);
  const hints = hint.map((line, at) => (at === 0 ? `-> ${line}` : line));
  return [
    `${style.alarm('failed:')} ${message[0]}`,
    ...[...message.slice(1), ...hints].map((line) => `  ${line}`),
  ].join('\n');
}

/** `the rate limit of ... is used up` */
export const usedUpText = ({ bucket }: RateLimit): string =>
  `the rate limit of ${cleanLine(bucket)} is used up`;

/** The same of all that one bucket put off, with how long that takes: `... is used up for 84 min`. `now`: in milliseconds since 1970. */
export function usedUpFor(same: { rateLimit: RateLimit }[], now: number): string {
  const wait = Math.max(...same.map(({ rateLimit }) => rateLimit.until)) - now;
  return `${usedUpText(same[0]!.rateLimit)}${wait > 0 ? ` for ${durationText(wait)}` : ''}`;
}

/** `Waiting 12s: rate limit of ...`, `Retrying in 3s: cannot reach ...`. */
export const waitingText = ({ seconds, reason, again }: Omit<Waiting, 'type'>): string =>
  `${again ? `Retrying in ${Math.ceil(seconds)}s` : `Waiting ${Math.ceil(seconds)}s`}: ${cleanLine(reason)}`;

type Waiting = Extract<ApplyEvent, { type: 'waiting' }>;

/** Why something was not tried: an address stands for its failure, which is the usual reason. */
export const becauseText = (because: string): string =>
  because.includes('/') ? `${cleanLine(because)} failed` : cleanLine(because);
