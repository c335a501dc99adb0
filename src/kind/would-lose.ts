import { type Diagnostic, problem } from '../model/diagnostic.ts';
import type { Step } from './step.ts';

/** Why an object that is written whole must not be: it has these members, and no body can say them. None: it may. */
export function wouldLose({ address, after }: Step, members: string[]): Diagnostic | undefined {
  if (members.length === 0) return undefined;
  return problem(
    'write/loses',
    `${address} has ${members.map((name) => `\`${name}\``).join(', ')} in the account, which a change would lose: it writes all anew`,
    {
      address,
      ...(after ? { at: after.at } : {}),
      hint: 'change it in the dashboard and take that over here, or take away there what would be lost',
    },
  );
}
