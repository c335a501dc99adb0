/*
 * The checks of a file with the approved plans of several stacks. All of them are made before the first request that changes the account,
 * so that no stack is applied if one of the plans cannot be.
 */

import { haveSameTexts } from '../config/changed-stacks.ts';
import type { ChosenStacks } from '../config/workspace-stacks.ts';
import type { Host } from '../host.ts';
import { Problems, problem, Reporter, raise, raiseErrors } from '../model/diagnostic.ts';
import type { Planned } from '../run/open-plan.ts';
import { deletedIn, type RunEffects } from '../run/run-effects.ts';
import type { RunSession } from '../run/session.ts';
import type { LedgerChoice } from '../stores/ledger-choice.ts';
import { findLedgerKey } from '../stores/open-ledger.ts';
import type { SavedPart, SavedPlans } from './parse-saved-plan.ts';
import { isBegun, refuseUnapproved } from './plan-again.ts';
import { refuseOthers } from './refuse-changed-plan.ts';

/** One of several stacks after planning. */
interface PlannedPart {
  stack: { id: string };
  session?: RunSession;
  planned?: Planned;
}

/**
 * Selects the stacks of a file of approved plans, for `apply FILE`. Throws `Problems` if the workspace lacks one of them, or if a stack
 * needs other stacks than when it was planned, because the plans would be applied in another order than approved.
 */
export function chooseApproved({ name, parts }: ApprovedFile, stacks: ChosenStacks): ChosenStacks {
  const hint = 'plan again with `trueup plan --all --out FILE` and have the new plans approved';
  const problems = [...parts.values()].flatMap(({ id, needs }) => {
    const stack = stacks.all.find((workspaceStack) => workspaceStack.id === id);
    if (!stack)
      return problem('approval/difference', `${name}: there is no stack ${id} in this workspace`, { hint });
    const message = `${name}: ${id} depends on different stacks than when it was planned`;
    return haveSameTexts(stack.needs, needs) ? [] : problem('approval/difference', message, { hint });
  });
  raiseErrors(problems);
  return { ...stacks, chosen: stacks.all.filter(({ id }) => parts.has(id)) };
}

/**
 * Throws `Problems` for a file of several plans without a valid seal, before `apply FILE` carries it out. The seal is a signature with the
 * ledger key over all plans, so without it a plan could be missing or come from another file.
 */
export async function refuseUnsealed(
  saved: SavedPlans,
  file: string,
  options: LedgerChoice,
  host: Pick<Host, 'cwd' | 'env'>,
): Promise<void> {
  // The first seal is that of the whole file.
  const seal = saved.checkSeals(await findLedgerKey(options, host))[0]!;
  if (seal.state === 'sealed') return;
  const message = {
    none: `${file} is not sealed: it was made without a key, or its seal was removed`,
    unknown: `${file} is sealed with a key that is not available here`,
    broken: `${file} was edited after it was sealed, so it is not applied`,
  }[seal.state];
  raise(seal.state === 'broken' ? 'approval/damaged' : 'approval/not-sealed', message, {
    hint: 'plan with the ledger key (`trueup plan --all --out FILE`) and have those plans approved',
  });
}

/**
 * Compares new plans with the approved plans of a file, before `apply FILE` applies any of them. Throws `Problems` with the differences of
 * all stacks, unless every plan is the approved one, or the part of it that an interrupted run has not done. Objects that an earlier run of
 * these plans deleted are no difference. `effects`: what the stacks of this run have done in each account, for example which objects they
 * deleted; those of the earlier run are added first, because they matter to every stack.
 */
export async function refuseOtherPlans(
  plannedStacks: readonly PlannedPart[],
  file: ApprovedFile,
  effects: RunEffects,
): Promise<void> {
  const report = new Reporter();
  for (const { stack, session } of plannedStacks) {
    const { plan } = file.parts.get(stack.id)!;
    // An earlier, interrupted run of the same plans may have deleted these objects.
    if (isBegun(session!, plan)) effects.noteDeleted(session!, deletedIn(plan));
  }
  for (const { stack, session, planned } of plannedStacks) {
    const { plan: approved } = file.parts.get(stack.id)!;
    const name = partName(file, stack.id);
    const findDeleted = async () => effects.inAccountOf(session!).deleted;
    try {
      refuseOthers(approved, session!, name);
      await refuseUnapproved({ approved, file: name }, planned!, session!, findDeleted);
    } catch (error) {
      if (!(error instanceof Problems)) throw error;
      report.add(error.diagnostics);
    }
  }
  raiseErrors(report.diagnostics);
}

/** Returns the name of one plan in a file of several, for messages: `plans.json, shop@staging`. */
export const partName = ({ name }: ApprovedFile, id: string): string => `${name}, ${id}`;

/** A file with approved plans, by the ids of their stacks. `name`: the name of the file for messages. */
export interface ApprovedFile {
  name: string;
  parts: ReadonlyMap<string, SavedPart>;
}
