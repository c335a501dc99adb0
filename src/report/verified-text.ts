import type { SideEffect } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import { atPath, holdsSecret } from '../model/value.ts';
import { wholesOf } from '../model/wholes.ts';
import { count } from './count.ts';

/** The goal of an apply. */
type Goal = 'configuration' | 'undone' | 'destroyed';

const reached: Record<Goal, string> = {
  configuration: 'the account matches the configuration',
  undone: 'the run is undone',
  destroyed: 'the account has nothing left of this stack',
};

/**
 * The proof by a second plan without changes, in a sentence that also says what it does not prove. `plan`: that plan; `beside`: what else it found
 * changed.
 */
export function verifiedText(
  plan: Plan,
  { goal, beside }: { goal: Goal; beside: readonly SideEffect[] },
): string {
  const secrets = unreadSecrets(plan);
  const looked =
    plan.partial && goal === 'configuration' ? 'the selected part matches the configuration' : reached[goal];
  const parts = [
    `Verified: ${looked}${secrets > 0 ? `, except ${count(secrets, 'secret')} that cannot be read back` : ''}.`,
    ...(plan.complete ? [] : ['Not everything could be read.']),
    ...((plan.waiting ?? []).length > 0 ? [`${areNotReady(plan.waiting!.length)}.`] : []),
    ...(beside.length > 0
      ? [`${count(beside.length, 'other difference')} appeared in the meantime: see above.`]
      : []),
  ];
  return parts.join(' ');
}

const areNotReady = (number: number) =>
  number === 1 ? '1 object is not ready yet' : `${number} objects are not ready yet`;

/** The declared secrets that were not compared with the account: the platform keeps them back, or their values are not here. */
function unreadSecrets({ changes }: Plan): number {
  const unread = ([change]: Plan['changes']) => {
    const { before, after, declared = [], uncompared = [] } = change!;
    if (!before || !after) return [];
    return [...new Set([...declared, ...uncompared])].filter((path) => {
      if (!holdsSecret(atPath(after.fields, path))) return false;
      return uncompared.includes(path) || atPath(before.fields, path) === undefined;
    });
  };
  return wholesOf(changes).flatMap(unread).length;
}
