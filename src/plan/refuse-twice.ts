import { saidTwice } from '../kind/said-twice.ts';
import { problem } from '../model/diagnostic.ts';
import type { PlanInput, Report } from './input.ts';

/**
 * Refuses one fact in two places: an item of a list, and a block of its own, which is the same thing from its other end. Where the two
 * differ, each apply would undo what the other says.
 */
export function refuseTwice({ desired, live, kinds }: PlanInput, report: Report): void {
  for (const { one, name, other } of saidTwice(desired.resources.values(), live, kinds))
    report(
      problem(
        'plan/said-twice',
        `${other.address} repeats what \`${name}\` of ${one.address} declares (${one.at.file}:${one.at.line})`,
        {
          address: other.address,
          at: other.at,
          related: [{ message: `\`${name}\` is here`, at: one.at }],
          hint: `keep one of the two: this block, or the item in \`${name}\``,
        },
      ),
    );
}
