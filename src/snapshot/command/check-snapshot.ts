/*
 * Checks a new snapshot before it is written: the plan that it gives must equal the plan that it was made with, and no secret may stand in
 * it in clear.
 */

import { type PlannedStack, planStacks } from '../../app/planning/plan-stacks.ts';
import type { StackAccounts } from '../../app/session/stack-accounts.ts';
import type { Provider } from '../../kind/provider.ts';
import type { Address } from '../../model/address.ts';
import { raise } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import { findClearSecret } from '../find-clear-secret.ts';
import { toTokenPattern } from '../secret-tokens.ts';
import type { AccountSnapshot } from '../snapshot.ts';
import { createSnapshotSource } from './snapshot-source.ts';

/**
 * Plans once more from a snapshot that `plan --snapshot` is about to write. Throws `Problems` if that gives another plan than the one it
 * was made with, because the file would be useless, or if a secret stands in it in clear.
 */
export async function checkSnapshot(
  provider: Provider,
  planned: readonly PlannedStack[],
  snapshot: AccountSnapshot,
  { accounts, path }: { accounts: StackAccounts | undefined; path: string },
): Promise<void> {
  const recorded = planned.filter(({ stack }) => Object.hasOwn(snapshot.stacks, stack.id));
  const sessions = recorded.flatMap(({ stack, session }) => (session ? [[stack.id, session] as const] : []));
  const replayed = await planStacks(
    provider,
    // The messages of these stacks were shown already.
    recorded.map(({ stack }) => ({ ...stack, port: { ...stack.port, say: () => {} } })),
    { accounts, source: createSnapshotSource(snapshot, new Map(sessions)) },
  );
  for (const [index, plannedStack] of recorded.entries())
    refuseWrongReplay(plannedStack, replayed.planned[index]!, path);
}

/**
 * Throws `Problems` if the plan of a stack from its new snapshot (`replayed`) is not equal to the plan that the snapshot was made with, or
 * shows a secret that the latter hides. `path`: the file of the snapshot.
 */
function refuseWrongReplay(original: PlannedStack, replayed: PlannedStack, path: string): void {
  const differingAddress = findFirstDifference(original.report.plan!, replayed.report.plan);
  if (differingAddress !== undefined)
    raise(
      'snapshot/unequal',
      `${path} was not written: a plan from it would not equal this one (${differingAddress})`,
      {
        hint: 'plan without --snapshot; please report this, because every plan should be repeatable',
      },
    );
  const address = findClearSecret(original.session!, original.planned!, replayed.planned!);
  if (address !== undefined)
    raise('snapshot/clear-secret', `${path} was not written: a secret of ${address} would stand in it`, {
      hint: 'plan without --snapshot; please report this, because no snapshot may have a secret',
    });
}

/**
 * Returns the address of the first change in which two plans differ, for the message that a snapshot was not written; undefined if the
 * plans are equal. If the changes are equal, something else about the account differs.
 */
function findFirstDifference(plan: Plan, other: Plan | undefined): Address | 'its account' | undefined {
  if (other && isEqualButSecrets(plan, other)) return undefined;
  return (
    plan.changes.find((change, index) => !isEqualButSecrets(change, other?.changes[index]))?.address ??
    'its account'
  );
}

/**
 * True if two plans, or parts of them, are equal apart from secrets. `part` was made with the account, `replayed` from the snapshot, where
 * tokens stand for secrets. Both may have texts of the platform that are masked only when they are shown, such as the reason of a wait.
 */
function isEqualButSecrets(part: unknown, replayed: unknown): boolean {
  const [lines, replayedLines] = [listPlanLines(part), listPlanLines(replayed)];
  return (
    lines.length === replayedLines.length &&
    replayedLines.every((line, index) => line === lines[index] || toTokenPattern(line).test(lines[index]!))
  );
}

/** Returns a plan, or a part of one, as JSON lines with one value each, so that plans can be compared line by line. */
const listPlanLines = (part: unknown): string[] =>
  (
    JSON.stringify(
      part,
      (_, value) => (value instanceof Map || value instanceof Set ? [...value] : value),
      1,
    ) ?? ''
  ).split('\n');
