import type { Address } from '../model/address.ts';
import { type Diagnostic, problem, warning } from '../model/diagnostic.ts';
import type { Outcome } from '../model/event.ts';
import { groupBy } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import { errorLines } from './clean.ts';
import { count } from './count.ts';
import { becauseText, usedUpFor } from './events-text.ts';

const few = 8;

/**
 * Diagnostics for what did not come out as asked, at the lines that ask for it: each failure is an error, all else are warnings, one for
 * each cause, since a rate limit may leave thousands. `now`: milliseconds since 1970.
 */
export function outcomeDiagnostics(
  { changes }: Plan,
  { failed, left, skipped, overwritten }: Outcome,
  now: number,
): Diagnostic[] {
  const places = new Map(changes.map(({ address, at }) => [address, at]));
  const about = (address: Address, hint?: string) => {
    const at = places.get(address);
    return { address, ...(at ? { at } : {}), ...(hint ? { hint } : {}) };
  };
  /** A single one is named by its place, several are named in the hint, at the place of the first. */
  const together = (code: string, same: { address: Address }[], text: string, hint?: string) => {
    const addresses = same.map(({ address }) => address);
    if (addresses.length === 1) return warning(code, text, about(addresses[0]!, hint));
    const at = places.get(addresses[0]!);
    const more = addresses.length > few ? ` and ${addresses.length - few} more` : '';
    const names = `${addresses.slice(0, few).join(', ')}${more}`;
    return warning(code, `${count(addresses.length, 'change')} ${text}`, {
      ...(at ? { at } : {}),
      hint: [hint, names].filter(Boolean).join(': '),
    });
  };
  return [
    ...overwritten.map((address) =>
      warning(
        'apply/overwritten',
        'somebody else changed this between our last read and our write',
        about(address, 'their changes may be lost'),
      ),
    ),
    ...[...groupBy(left, ({ rateLimit }) => rateLimit.bucket).values()].map((same) => {
      return together(
        'apply/left',
        same,
        `left because ${usedUpFor(same, now)}`,
        'run it again then; it continues from there',
      );
    }),
    ...[...groupBy(skipped, ({ because }) => because)].map(([because, same]) =>
      together('apply/skipped', same, `not tried because ${becauseText(because)}`),
    ),
    ...failed.map(({ address, error }) => {
      const { message, hint } = errorLines(error);
      return problem('apply/failed', message.join('\n'), about(address, hint.join('\n')));
    }),
  ];
}
