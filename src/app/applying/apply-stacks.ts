import { type ApprovedPlan, planAgain } from '../../approval/plan-again.ts';
import { raiseErrors } from '../../model/diagnostic.ts';
import { workInOrder } from '../../model/graph.ts';
import type { Planned } from '../../run/open-plan.ts';
import type { RunEffects } from '../../run/run-effects.ts';
import { createPartnersReader } from '../../run/session-ledger.ts';
import { createPlanOptions } from '../planning/plan-options.ts';
import type { PlannedStack } from '../planning/plan-stacks.ts';
import type { JointHost } from '../session/joint-host.ts';
import { lockSession, unlockSession } from '../session/session.ts';
import type { StackAccounts } from '../session/stack-accounts.ts';

/** The result of one stack. `isComplete`: its objects are applied, so stacks that need it may be applied. Its `$then` actions may still be owed. */
export interface StackEnd {
  code: number;
  isComplete: boolean;
}

/** A stack that is applied with others. Without `planned` it has nothing to apply, and only keeps its place in the order. */
type ApplicableStack = Pick<PlannedStack, 'stack' | 'session' | 'planned'>;

/** The steps of applying or undoing one of several stacks. The command line implements them, and shows each. */
export interface StackSteps<S extends ApplicableStack> {
  /** Called when the stacks that this one needs are done. */
  begin?(stack: S): void;
  apply(stack: S): Promise<StackEnd>;
  /** Called instead of `apply` if needed stacks are not completely applied. `unfinished`: those stacks by id. */
  skip(stack: S, unfinished: ReadonlyMap<string, StackEnd>): StackEnd;
  /** Called instead of `apply` if a signal came before. */
  stop(stack: S): StackEnd;
  fail(stack: S, error: unknown): StackEnd;
}

/** Tells the sessions of stacks that are applied together about each other, so that they do not take each other's changes for foreign ones. */
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
 * Applies several approved stacks, each after the stacks that it needs, and returns how each ended. Stacks that write to the same lists take turns.
 * Stacks that need a failed stack are skipped. `failed`: the stacks that have failed before, by id.
 */
export async function applyStacks<S extends ApplicableStack>(
  planned: readonly S[],
  { accounts, joint }: { accounts: StackAccounts; joint: JointHost },
  effects: RunEffects,
  steps: StackSteps<S>,
  failed: ReadonlyMap<string, StackEnd> = new Map(),
): Promise<StackEnd[]> {
  accounts.endReading();
  joint.begin();
  connectPartners(planned);
  const byId = new Map(planned.map((plannedStack) => [plannedStack.stack.id, plannedStack]));
  const ends = await workInOrder<PlannedStack['stack'], StackEnd>(
    planned.map(({ stack }) => stack),
    async ({ id, waitsFor }, needed) => {
      const stack = byId.get(id)!;
      steps.begin?.(stack);
      const unfinished = new Map([
        ...[...failed].filter(([failedId]) => waitsFor.includes(failedId)),
        ...[...needed].filter(([, { isComplete }]) => !isComplete),
      ]);
      if (joint.isEnding()) return steps.stop(stack);
      if (unfinished.size > 0) return steps.skip(stack, unfinished);
      try {
        return await effects.takeTurn(stack, async (release) => {
          if (joint.isEnding()) return steps.stop(stack);
          stack.session!.onUnlock = release;
          // The lease is returned before other stacks take their turn.
          return steps.apply(stack).finally(() => unlockSession(stack.session!));
        });
      } catch (error) {
        return steps.fail(stack, error);
      }
    },
  );
  return [...ends.values()];
}

/**
 * Takes the lease of one of the stacks of `apply --all` and plans it again right before it is applied. Changes that the other stacks of the run
 * made are accepted. Throws `Problems` if the new plan is not the approved one, or has errors.
 */
export async function lockAndPlanAgain(
  { stack, session, awaited }: PlannedStack,
  approved: ApprovedPlan,
  mode: { unattended?: boolean },
  effects: RunEffects,
): Promise<Planned> {
  const { options, port } = stack;
  await lockSession(session!, options, port);
  const { written, deleted } = effects.on(session!);
  const openOptions = createPlanOptions(options, session!.host, { ...mode, toleratesMissing: 'one' });
  const otherStacksWork = { awaited, written, findDeleted: async () => deleted };
  const current = await planAgain(session!, approved, openOptions, otherStacksWork);
  const errors = current.plan.diagnostics.filter(({ severity }) => severity === 'error');
  raiseErrors(errors);
  return current;
}
