import type { Address } from '../model/address.ts';
import { type Diagnostic, problem, warning } from '../model/diagnostic.ts';
import type { Outcome } from '../model/event.ts';
import type { Plan } from '../model/plan.ts';
import { errorLines } from './error-text.ts';
import { usedUpText } from './events-text.ts';
import { becauseText } from './operation-label.ts';

/** What did not come out as it was asked for, each at the lines that ask for it: failures as errors, all else as warnings. */
export function outcomeDiagnostics(
  { changes }: Plan,
  { failed, left, skipped, overwritten }: Outcome,
): Diagnostic[] {
  const places = new Map(changes.map(({ address, at }) => [address, at]));
  const about = (address: Address, hint?: string) => {
    const at = places.get(address);
    return { address, ...(at ? { at } : {}), ...(hint ? { hint } : {}) };
  };
  return [
    ...overwritten.map((address) =>
      warning(
        'apply/overwritten',
        'somebody else wrote to this between the last look and our write',
        about(address, 'what they changed may be lost'),
      ),
    ),
    ...left.map(({ address, rateLimit }) =>
      warning('apply/left', `left because ${usedUpText(rateLimit)}`, about(address)),
    ),
    ...skipped.map(({ address, because }) =>
      warning('apply/skipped', `not tried because ${becauseText(because)}`, about(address)),
    ),
    ...failed.map(({ address, error }) => {
      const { message, hint } = errorLines(error);
      return problem('apply/failed', message.join('\n'), about(address, hint.join('\n')));
    }),
  ];
}
