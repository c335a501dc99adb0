/*
 * Makes the parts of a snapshot for all stacks of a command.
 */
import type { PlannedStack } from '../../app/planning/plan-stacks.ts';
import type { prepareAnonymousParts } from '../anonymous/record-parts.ts';
import { makePart } from '../make-part.ts';
import type { AccountSnapshot } from '../snapshot.ts';

/**
 * Returns the part of a snapshot for each stack that was just planned. Stacks may share an account, so no part may contain a secret of any
 * of them: each part is made with the secrets of all, and `makePart` throws `Problems` if it would contain one. `anonymous`: makes parts
 * with pseudonyms instead, for `--anonymous`.
 */
export async function makeParts(
  planned: readonly PlannedStack[],
  anonymous: Awaited<ReturnType<typeof prepareAnonymousParts>> | undefined,
): Promise<AccountSnapshot['stacks']> {
  const sessions = planned.flatMap(({ session }) => session ?? []);
  const isSecretOfRun = (text: string) => sessions.some((session) => session.isSecretOfRun?.(text));
  // Secrets in clear that findings of the plans name.
  const statedSecrets = planned.flatMap((plannedStack) => plannedStack.planned?.statedSecrets ?? []);
  // Before the first pseudonym, so that a text with such a secret has one pseudonym in all parts.
  anonymous?.pseudonyms.hideSecrets(statedSecrets);
  // The part of one stack has no tokens for the secrets of another.
  anonymous?.pseudonyms.hideShortNumbers(sessions.flatMap(({ secrets }) => [...secrets.values()]));
  const stacks: AccountSnapshot['stacks'] = {};
  for (const { stack, session, planned: stackPlan } of planned) {
    if (!session?.recording || !stackPlan) continue;
    const otherSessions = sessions.filter((otherSession) => otherSession !== session);
    const plan = {
      ...stackPlan,
      statedSecrets,
      secretsOfOthers: otherSessions.flatMap(({ secrets }) => [...secrets.values()]),
    };
    const source = { ...session, isSecretOfRun };
    const { recording } = session;
    if (anonymous) Object.assign(stacks, await anonymous.makeNamedPart(stack, source, plan, recording));
    else stacks[stack.id] = await makePart(source, plan, recording);
  }
  return stacks;
}
