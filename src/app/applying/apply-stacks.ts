import { type ApprovedPlan, planAgain } from '../../approval/plan-again.ts';
import { raiseErrors } from '../../model/diagnostic.ts';
import { workInOrder } from '../../model/graph.ts';
import type { Planned } from '../../run/open-plan.ts';
import type { RunEffects } from '../../run/run-effects.ts';
import { createPartnersReader } from '../../run/session-ledger.ts';
import { createStackPlanOptions, type PlannedStack } from '../planning/plan-stacks.ts';
import type { Port } from '../port.ts';
import type { JointHost } from '../session/leased-ledgers.ts';
import { endWriting, lockSession } from '../session/session.ts';
import type { StackAccounts } from '../session/stack-accounts.ts';

/**
 * The result of one stack. `isComplete`: its objects are applied, so stacks that need it may be applied. Its `$then` actions may still be
 * owed.
 */
export interface StackEnd {
  code: number;
  isComplete: boolean;
}

/** A stack to apply. Without `planned` it has nothing to apply, and only keeps its place in the order. */
export type ApplicableStack<P extends Port = Port> = Pick<PlannedStack<P>, 'stack' | 'session' | 'planned'>;

/** The steps of applying or undoing one stack. The command line implements them, and shows each. */
export interface StackSteps<S extends ApplicableStack> {
  /** Called first, when the stacks that this one needs have ended. */
  begin?(stack: S): void;
  apply(stack: S): Promise<StackEnd>;
  /** Called instead of `apply` if needed stacks are not completely applied. `unfinished`: those stacks by id. */
  skip(stack: S, unfinished: ReadonlyMap<string, StackEnd>): StackEnd;
  /** Called instead of `apply` if a signal came before. Takes precedence over `skip`. */
  stop(stack: S): StackEnd;
  /** Reports the error of one of several stacks, or throws that of the only stack. */
  fail(stack: S, error: unknown): StackEnd;
}

/**
 * Tells the sessions of stacks that are applied together (partners) about each other. Each then knows which objects the others change and
 * can read their ledgers, so that it does not report these changes as made by other people.
 */
function connectPartners(planned: readonly ApplicableStack[]): void {
  const names = new Set(planned.map(({ session }) => session!.desired.stack));
  for (const { session } of planned) {
    const partners = planned.filter((plannedStack) => plannedStack.session !== session);
    const changes = partners.flatMap((partner) => partner.planned?.plan.changes ?? []);
    const changedAddresses = new Set(changes.map(({ address }) => address));
    session!.findChangedByPartners = async () => changedAddresses;
    session!.readPartners = createPartnersReader(session!, names);
  }
}

/**
 * Applies the approved stacks of `apply` or `undo`, each after the stacks that it needs, and returns how each ended. Stacks that need an
 * incomplete stack are skipped. After a signal no other stack is applied. An error of a stack ends only this stack, if there are several.
 *
 * - `steps`: does and shows the work of one stack.
 * - `effects`: makes stacks that write to the same lists take turns.
 * - `several`: what the stacks of one command share, their accounts and their host (the process, `joint`). Absent if the command is about
 *   one stack.
 * - `failedToPlan`: by id, the stacks whose undo could not be planned. They are not in `planned`, and stacks waiting for them are skipped.
 */
export async function applyStacks<S extends ApplicableStack>(
  planned: readonly S[],
  several: { accounts: StackAccounts; joint: JointHost } | undefined,
  effects: RunEffects,
  steps: StackSteps<S>,
  failedToPlan: ReadonlyMap<string, StackEnd> = new Map(),
): Promise<StackEnd[]> {
  if (several) {
    // The accounts change from now on, so answers are no longer cached, and a signal must not end the process in the middle of a write.
    several.accounts.endReading();
    several.joint.begin();
    connectPartners(planned);
  }
  const hasSignalCome = () => several?.joint.isEnding() === true;
  const byId = new Map(planned.map((plannedStack) => [plannedStack.stack.id, plannedStack]));
  const applyInTurn = (stack: S) =>
    effects.takeTurn(stack, async (endTurn) => {
      // The signal may have come while the stack waited for its turn.
      if (hasSignalCome()) return steps.stop(stack);
      // The turn ends when the session releases its lease, although `steps.apply` may go on, for example to wait for objects.
      stack.session!.onUnlock = endTurn;
      return steps.apply(stack).finally(() => endWriting(stack.session!));
    });
  const ends = await workInOrder<PlannedStack['stack'], StackEnd>(
    planned.map(({ stack }) => stack),
    async ({ id, waitsFor }, needed) => {
      const stack = byId.get(id)!;
      steps.begin?.(stack);
      const unfinished = new Map([
        ...[...failedToPlan].filter(([failedId]) => waitsFor.includes(failedId)),
        ...[...needed].filter(([, { isComplete }]) => !isComplete),
      ]);
      if (hasSignalCome()) return steps.stop(stack);
      if (unfinished.size > 0) return steps.skip(stack, unfinished);
      try {
        return await applyInTurn(stack);
      } catch (error) {
        return steps.fail(stack, error);
      }
    },
  );
  return [...ends.values()];
}

/**
 * Takes the lease (the right to write the ledger) of a stack of `apply` and plans it again right before it is applied. The lease comes
 * after the answer of the user, so that other runs need not wait meanwhile. Changes that the other stacks of the run made are accepted.
 * Returns the old plan if it was made under the lease already. Throws `Problems` if the new plan is not the approved one, or has errors.
 */
export async function lockAndPlanAgain(
  { stack, session, planned, awaited }: PlannedStack,
  approved: ApprovedPlan,
  mode: { unattended?: boolean },
  effects: RunEffects,
): Promise<Planned> {
  if (session!.lease) return planned!;
  const { options, port } = stack;
  await lockSession(session!, options, port);
  const { written, deleted } = effects.inAccountOf(session!);
  // Guards limit the duration of plan and apply together, so its forecast must not count the reads of the shown plan again.
  const openOptions = { ...createStackPlanOptions(stack, mode), sentBefore: session!.sent() };
  const otherStacksWork = { awaited, written, findDeleted: async () => deleted };
  const current = await planAgain(session!, approved, openOptions, otherStacksWork);
  const errors = current.plan.diagnostics.filter(({ severity }) => severity === 'error');
  raiseErrors(errors);
  return current;
}
