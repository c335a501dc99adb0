import {
  createStackPlanOptions,
  type PlannedStack,
  planStacks,
  type StackToPlan,
} from '../../app/planning/plan-stacks.ts';
import type { Port } from '../../app/port.ts';
import type { StackAccounts } from '../../app/session/stack-accounts.ts';
import { type ApprovedFile, partName } from '../../approval/approved-stacks.ts';
import { calibrate } from '../../doctor/command/calibrating.ts';
import { findContradictedKinds } from '../../doctor/recording/contradicted-kinds.ts';
import type { Provider } from '../../kind/provider.ts';
import type { Address } from '../../model/address.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/graph.ts';
import type { Rehearsal } from '../../model/rehearsal.ts';
import type { PlanToRehearse, RehearseOptions } from '../rehearse.ts';

/** How the plans of a command are rehearsed. */
export interface RehearsalSettings extends Pick<RehearseOptions, 'crashPoints'> {
  /** A recording (HAR) of the platform's answers. Kinds for which they contradict the twin are unknown. */
  recording?: string | undefined;
}

/** Loads the twin and the rehearsal only if a plan is rehearsed. */
const loadRehearse = async () => (await import('../rehearse.ts')).rehearsePlans;

/**
 * Rehearses the plans of a command (applies them to a simulated account, the twin), and returns them with the results, which all reports of
 * a plan show. Plans of the same account are rehearsed one after the other, so that a stack finds there what the stacks that it needs
 * create. A stack that could not be planned stays as it is, and so does a plan with errors, because it cannot be applied either. Throws
 * `Problems` if the recording cannot be read.
 */
export async function rehearseStacks<P extends Port>(
  provider: Provider,
  plannedStacks: readonly PlannedStack<P>[],
  { crashPoints, recording }: RehearsalSettings,
): Promise<PlannedStack<P>[]> {
  const rehearsePlans = await loadRehearse();
  const firstStack = plannedStacks[0]?.stack;
  const contradictedKinds =
    recording === undefined || firstStack === undefined
      ? undefined
      : await readContradictedKinds(provider, recording, firstStack);
  const plans = plannedStacks.flatMap(toPlanToRehearse);
  const rehearsals = new Map<PlanToRehearse['planned'], Rehearsal>();
  for (const plansOfAccount of groupBy(plans, ({ session }) => session.owner.id).values()) {
    const results = await rehearsePlans(plansOfAccount, { provider, crashPoints, contradictedKinds });
    for (const [index, { planned }] of plansOfAccount.entries()) rehearsals.set(planned, results[index]!);
  }
  return plannedStacks.map((plannedStack) => {
    const { planned, report } = plannedStack;
    const rehearsal = planned && rehearsals.get(planned);
    if (!rehearsal) return plannedStack;
    const plan = { ...planned.plan, rehearsal };
    return { ...plannedStack, planned: { ...planned, plan }, report: { ...report, plan } };
  });
}

/** Returns the plan of a stack with what its rehearsal needs, as a list; empty for a stack without a plan, and for a plan with errors. */
function toPlanToRehearse({ session, planned, stack, awaited }: PlannedStack<Port>): PlanToRehearse[] {
  if (!session || !planned || hasErrors(planned.plan.diagnostics)) return [];
  return [
    { session, planned, planOptions: { ...createStackPlanOptions(stack, {}), awaitedStacks: awaited } },
  ];
}

/**
 * Returns the kinds for which a recording of the platform's answers shows that the twin (the simulated account of a rehearsal) behaves
 * differently, each with what shows it. Throws `Problems` if the file is no recording.
 */
async function readContradictedKinds(
  provider: Provider,
  recording: string,
  { port, options: { baseUrl } }: StackToPlan,
): Promise<Map<string, string>> {
  const [calibration, { facts }] = await Promise.all([
    calibrate(provider, recording, { host: port.run.host, baseUrl }),
    provider.evidence(),
  ]);
  return findContradictedKinds(calibration, facts);
}

/** The stacks of a file of saved plans, and how their plans are rehearsed. */
interface SavedRehearsal extends RehearsalSettings {
  /** The accounts of several stacks; absent for one stack. */
  accounts: StackAccounts | undefined;
  /** The path of the file, which a configuration may not read. */
  files: string[];
  approved: ApprovedFile;
}

/**
 * Plans the stacks of a file of saved plans again, rehearses the plans, and passes them to `show`. Throws `Problems` if a stack's plan is
 * not the saved one any more: the result would be about another plan than the one that is to be approved. `approved`: the plans of the
 * file.
 */
export async function rehearseSaved<P extends Port>(
  provider: Provider,
  stacks: readonly StackToPlan<P>[],
  { accounts, files, approved, ...settings }: SavedRehearsal,
  show: (rehearsed: PlannedStack<P>[], warnings: Diagnostic[]) => Promise<void>,
): Promise<void> {
  const options = { accounts, files, approved };
  const { planned: plannedStacks, warnings } = await planStacks(provider, stacks, options);
  try {
    await refuseChangedPlans(plannedStacks, approved);
    await show(await rehearseStacks(provider, plannedStacks, settings), warnings);
  } finally {
    // A stack without `accounts` is the only one, and has its own connection.
    if (!accounts) await plannedStacks[0]?.session?.close();
  }
}

/**
 * Throws `Problems` if the plan of a stack is neither the one in the file of saved plans, nor the part of it that an interrupted apply has
 * not done. Stacks that are not in the file, or without a plan, do not count.
 */
async function refuseChangedPlans(
  plannedStacks: readonly PlannedStack<Port>[],
  approved: ApprovedFile,
): Promise<void> {
  const { refuseUnapproved } = await import('../../approval/plan-again.ts');
  // No stack is applied to the account here, so none has deleted objects that another stack uses.
  const findDeleted = async () => new Set<Address>();
  for (const { stack, session, planned } of plannedStacks) {
    const saved = approved.parts.get(stack.id)?.plan;
    if (!session || !planned || !saved) continue;
    const file = stack.id === '' ? approved.name : partName(approved, stack.id);
    await refuseUnapproved({ approved: saved, file }, planned, session, findDeleted);
  }
}
