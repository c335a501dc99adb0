/*
 * The checks of a file with the approved plans of several stacks. All of them come before anything is done, so that such a file is applied
 * completely or not at all.
 */
import { isBegun, refuseUnapproved } from '../../approval/plan-again.ts';
import { refuseOthers } from '../../approval/refuse-changed-plan.ts';
import type { SavedPlans } from '../../approval/saved-plans.ts';
import { addDiagnostics, type Diagnostic, Problems, problem } from '../../model/diagnostic.ts';
import type { Host } from '../host.ts';
import type { ApprovedFile, PlannedStack } from '../planning/plan-stacks.ts';
import { deletedIn, type RunEffects } from '../planning/run-effects.ts';
import type { ChosenStacks } from '../planning/workspace-stacks.ts';
import { findLedgerKey } from '../session/open-ledger.ts';
import type { StackOptions } from '../stack-options.ts';

/** Chooses the stacks that a file is for. Throws `Problems` if the workspace has others, or another order of them. */
export function chooseApproved({ name, parts }: ApprovedFile, stacks: ChosenStacks): ChosenStacks {
  const wrong = [...parts.values()].flatMap(({ id, needs }) => {
    const stack = stacks.all.find((workspaceStack) => workspaceStack.id === id);
    if (stack && [...stack.needs].sort().join('\n') === [...needs].sort().join('\n')) return [];
    return [
      problem(
        'approval/configuration',
        stack
          ? `${name}: ${id} depends on different stacks than when it was planned`
          : `${name}: there is no stack ${id} in this workspace`,
        { hint: 'plan again with `trueup plan --all --out FILE` and have the new plans approved' },
      ),
    ];
  });
  if (wrong.length > 0) throw new Problems(wrong);
  return { ...stacks, chosen: stacks.all.filter(({ id }) => parts.has(id)) };
}

/** Throws `Problems` for a file without a valid seal, because it could lack a plan, or have one of another file. */
export async function refuseUnsealed(
  saved: SavedPlans,
  file: string,
  options: StackOptions,
  host: Pick<Host, 'cwd' | 'env'>,
): Promise<void> {
  const seal = saved.checkSeals(await findLedgerKey(options, host))[0]!;
  if (seal.state === 'sealed') return;
  const message = {
    none: `${file} is not sealed: it was made without a key, or its seal was removed`,
    unknown: `${file} is sealed with a key that is not available here`,
    broken: `${file} was edited after it was sealed, so it is not applied`,
  }[seal.state];
  throw new Problems(seal.state === 'broken' ? 'approval/edited' : 'approval/not-sealed', message, {
    hint: 'plan with the ledger key (`trueup plan --all --out FILE`) and have those plans approved',
  });
}

/** Throws `Problems` with the differences of all stacks, unless every plan is the approved one. */
export async function refuseOtherPlans(
  plannedStacks: readonly PlannedStack[],
  file: ApprovedFile,
  effects: RunEffects,
): Promise<void> {
  const wrong: Diagnostic[] = [];
  for (const { stack, session } of plannedStacks) {
    const { plan } = file.parts.get(stack.id)!;
    // An earlier run of the same plans has deleted these objects.
    if (isBegun(session!, plan)) effects.noteDeleted(session!, deletedIn(plan));
  }
  for (const { stack, session, planned } of plannedStacks) {
    const { plan: approved } = file.parts.get(stack.id)!;
    const name = partName(file, stack.id);
    const findDeleted = async () => effects.on(session!).deleted;
    try {
      refuseOthers(approved, session!, name);
      await refuseUnapproved({ approved, file: name }, planned!, session!, findDeleted);
    } catch (error) {
      if (!(error instanceof Problems)) throw error;
      addDiagnostics(wrong, error.diagnostics);
    }
  }
  if (wrong.length > 0) throw new Problems(wrong);
}

/** Returns the name of one plan in a file, for messages. */
export const partName = ({ name }: ApprovedFile, id: string): string => `${name}, ${id}`;
