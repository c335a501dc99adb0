import type { Address } from '../model/address.ts';
import type { Action } from '../model/change.ts';
import type { ApplyEvent, RateLimit } from '../model/event.ts';
import type { Operation, Plan } from '../model/plan.ts';
import { cleanLine, errorLines } from './clean.ts';
import { durationText } from './count.ts';
import type { Style } from './style.ts';

/** Writes each event of an apply as a line for a log (an error may take several). */
export function eventWriter(plan: Plan, { style }: { style: Style }): (event: ApplyEvent) => string {
  const actions = actionsOf(plan);
  return (event) => {
    if (event.type === 'waiting') return style.warn(waitingText(event));
    const label = `${operationLabel(event.operation)}:`;
    switch (event.type) {
      case 'started':
        return style.quiet(`${label} ${operationVerb(event.operation, actions)}...`);
      case 'succeeded':
        return `${label} ${style.add('done')}`;
      case 'skipped':
        return `${label} ${style.warn(`skipped because ${becauseText(event.because)}`)}`;
      case 'left':
        return `${label} ${style.warn('left because')} ${usedUpText(event.rateLimit)}`;
      case 'failed': {
        const { message, hint } = errorLines(event.error);
        const hints = hint.map((line, at) => (at === 0 ? `-> ${line}` : line));
        return [
          `${label} ${style.alarm('failed:')} ${message[0]}`,
          ...[...message.slice(1), ...hints].map((line) => `  ${line}`),
        ].join('\n');
      }
    }
  };
}

/** `the rate limit of ... is used up` */
export const usedUpText = ({ bucket }: RateLimit): string =>
  `the rate limit of ${cleanLine(bucket)} is used up`;

/** The same of all that one bucket put off, with how long that takes: `... is used up for 84 min`. `now`: in milliseconds since 1970. */
export function usedUpFor(same: { rateLimit: RateLimit }[], now: number): string {
  const wait = Math.max(...same.map(({ rateLimit }) => rateLimit.until)) - now;
  return `${usedUpText(same[0]!.rateLimit)}${wait > 0 ? ` for ${durationText(wait)}` : ''}`;
}

/** `waiting 12s for the rate limit of ...` */
export const waitingText = ({ seconds, reason }: { seconds: number; reason: string }): string =>
  `waiting ${Math.ceil(seconds)}s for ${cleanLine(reason)}`;

export type Actions = ReadonlyMap<Address, Action>;

export const actionsOf = (plan: Plan): Actions =>
  new Map(plan.changes.map(({ address, action }) => [address, action]));

/** Names an operation: an address, and how many more there are. */
export function operationLabel({ id, changes }: Operation): string {
  const [first, ...more] = changes;
  return cleanLine(first ?? id) + (more.length > 0 ? ` and ${more.length} more` : '');
}

const doing: Partial<Record<Action, string>> = {
  create: 'creating',
  update: 'updating',
  adopt: 'updating',
  replace: 'replacing',
  delete: 'deleting',
  move: 'moving',
};

/** `creating`, or `changing` where an operation does several things at once. */
export function operationVerb(operation: Operation, actions: Actions): string {
  const verbs = new Set(
    operation.changes.map((address) => doing[actions.get(address) ?? 'noop'] ?? 'changing'),
  );
  return verbs.size === 1 ? [...verbs][0]! : 'changing';
}

/** Why something was not tried: an address stands for its failure, which is the usual reason. */
export const becauseText = (because: string): string =>
  because.includes('/') ? `${cleanLine(because)} failed` : cleanLine(because);
