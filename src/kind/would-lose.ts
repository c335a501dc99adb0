import { problem } from '../model/diagnostic.ts';
import type { Draft, Step } from './kind.ts';

/** In place of a request that writes an object whole: the object has these members, and no body can say them. */
export const wouldLose = ({ address, after }: Step, members: string[]): Draft => ({
  changes: [address],
  requests: [],
  problem: problem(
    'write/loses',
    `${address} has ${members.map((name) => `\`${name}\``).join(', ')} in the account, which a change would lose: it writes all anew`,
    {
      address,
      ...(after ? { at: after.at } : {}),
      hint: 'change it in the dashboard and take that over here, or take away there what would be lost',
    },
  ),
});
