import { pathOn } from '../app/host.ts';
import type { ApplyCommandOptions } from '../app/planning/planning.ts';
import { type ChosenStacks, withAbsolutePaths, workspaceStacks } from '../app/planning/workspace-stacks.ts';
import { refuseEphemeral } from '../app/session/ledger-choice.ts';
import { keyOf } from '../app/session/ledger-place.ts';
import type { StacksOptions } from '../app/stack-options.ts';
import { isBegun, isReview, refuseUnapproved } from '../approval/plan-again.ts';
import { refuseOthers } from '../approval/plan-as-approved.ts';
import { checkStacksSeal, type SavedPart, type SavedStacks } from '../approval/saved-stacks.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { everyStack } from '../report/markdown/stacks-markdown.ts';
import { applyStacks, noteUnbegun, withStacks } from './apply-all.ts';
import type { CommandRun } from './command-run.ts';
import { stacksCode } from './exit-codes.ts';
import { inWorkspace, refuseOneStacks, sayLedgers } from './plan-all.ts';
import { readStacksFile, refuseShaping } from './plan-file.ts';
import { type PlannedStack, planStacks } from './plan-stacks.ts';
import { deletedIn, RunEffects } from './run-effects.ts';
import { showStacks } from './show-stacks.ts';
import { terminalFor } from './terminal.ts';

/** Carries out the plans of several stacks that were saved and approved together: all of them are looked at before any is begun. */
export async function applyStacksFile(
  provider: Provider,
  file: string,
  given: ApplyCommandOptions & StacksOptions,
  run: CommandRun,
): Promise<void> {
  refuseShaping(given);
  refuseOneStacks(given, run);
  refuseEphemeral(given, run.host);
  const terminal = terminalFor(run, given);
  // What a pull request is told of a failure stands where the plans did.
  run.stack = everyStack;
  const saved = await readStacksFile(file, run.host);
  const chosenStacks = await workspaceStacks(provider, given, run);
  const parts = new Map(saved.parts.map((part) => [part.id, part]));
  const chosen = stacksOf(saved, chosenStacks, file);
  await refuseUnsealed(saved, file, inWorkspace(terminal, chosenStacks.folder).run, given);
  // The options are the same of all: one command made them.
  const options = { ...withAbsolutePaths(given, run), ...saved.parts[0]!.plan.options };
  const awaitedOf = ({ awaits = [] }: SavedPart) =>
    new Map(awaits.map(({ address, stack }) => [address, stack]));
  await withStacks(provider, options, terminal, chosen, async (accounts, joint) => {
    const planned = await planStacks(provider, options, terminal, chosen, {
      accounts,
      writes: true,
      plans: [pathOn(run.host, file)],
      partners: new Set(saved.parts.map(({ plan }) => plan.stack)),
      awaitedBy: ({ id }, session) =>
        isBegun(session, parts.get(id)!.plan) ? new Map() : awaitedOf(parts.get(id)!),
      review: ({ id }) => isReview(parts.get(id)!.plan),
      canary: ({ id }) => ({ agreed: parts.get(id)!.plan.firstContact }),
      host: joint.member,
    });
    await sayLedgers(planned, terminal, chosen.folder);
    const reports = planned.map(({ report }) => report);
    const fine = showStacks(reports, given, terminal, await accounts.paceNow(provider.pace));
    if (!fine) {
      terminal.say('Nothing was changed: not every stack could be planned.');
      noteUnbegun(run, planned);
      run.exitCode = stacksCode(reports);
      return;
    }
    const effects = new RunEffects(planned);
    for (const { stack, session } of planned) {
      const { plan } = parts.get(stack.id)!;
      if (isBegun(session!, plan)) effects.noteDeleted(session!, deletedIn(plan));
    }
    refuseOtherPlans(planned, parts, file, effects);
    const around = { terminal, chosen, accounts, joint, mode: {}, effects };
    await applyStacks(planned, options, around, ({ stack }) => ({
      file: `${file}, ${stack.id}`,
      approved: parts.get(stack.id)!.plan,
    }));
  });
}

/** The stacks that a file is for. Throws `Problems` where the workspace has others, or another order of them. */
function stacksOf({ parts }: SavedStacks, chosenStacks: ChosenStacks, file: string): ChosenStacks {
  const wrong = parts.flatMap(({ id, needs }) => {
    const stack = chosenStacks.all.find((workspaceStack) => workspaceStack.id === id);
    if (stack && [...stack.needs].sort().join('\n') === [...needs].sort().join('\n')) return [];
    return [
      problem(
        'approval/configuration',
        stack
          ? `${file}: ${id} depends on different stacks than when it was planned`
          : `${file}: there is no stack ${id} in this workspace`,
        { hint: 'plan again with `trueup plan --all --out FILE` and have the new plans approved' },
      ),
    ];
  });
  if (wrong.length > 0) throw new Problems(wrong);
  const ids = new Set(parts.map(({ id }) => id));
  return { ...chosenStacks, chosen: chosenStacks.all.filter(({ id }) => ids.has(id)) };
}

/** A list without its seal could lack a part, or have one of another list. Throws `Problems`. */
async function refuseUnsealed(
  saved: SavedStacks,
  file: string,
  { host }: CommandRun,
  options: ApplyCommandOptions,
): Promise<void> {
  const seal = checkStacksSeal(saved, await keyOf(options, host));
  if (seal.state === 'sealed') return;
  const why = {
    none: `${file} is not sealed: it was made without a key, or its seal was removed`,
    unknown: `${file} is sealed with a key that is not available here`,
    broken: `${file} was edited after it was sealed, so it is not applied`,
  }[seal.state];
  throw new Problems(seal.state === 'broken' ? 'approval/edited' : 'approval/not-sealed', why, {
    hint: 'plan with the ledger key (`trueup plan --all --out FILE`) and have those plans approved',
  });
}

/** Before anything is done: every plan is the approved one. Throws `Problems` with what differs, of all of them. */
function refuseOtherPlans(
  planned: PlannedStack[],
  parts: ReadonlyMap<string, SavedPart>,
  file: string,
  effects: RunEffects,
): void {
  const wrong = planned.flatMap(({ stack, session, planned: one }) => {
    const { plan } = parts.get(stack.id)!;
    const name = `${file}, ${stack.id}`;
    try {
      refuseOthers(plan, session!, name);
      refuseUnapproved({ approved: plan, file: name }, one!, session!, effects.on(session!).deleted);
      return [];
    } catch (error) {
      if (error instanceof Problems) return error.diagnostics;
      throw error;
    }
  });
  if (wrong.length > 0) throw new Problems(wrong);
}
