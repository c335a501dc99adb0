/*
 * Plans the stacks of a command. A command is about one stack, or about several of a workspace:
 *
 *   |                              | one stack                | several stacks                                      |
 *   | ---------------------------- | ------------------------ | --------------------------------------------------- |
 *   | connection to the account    | its own                  | `accounts`: one for all stacks of an account        |
 *   | a stack that cannot be read  | throws                   | is a report, and leaves out the stacks that need it |
 *   | target that matches nothing  | a problem of the plan    | a problem only if no stack has a match              |
 */
import type { SavedPart } from '../../approval/saved-plans.ts';
import type { Provider } from '../../kind/provider.ts';
import type { Address } from '../../model/address.ts';
import { createsObject } from '../../model/change.ts';
import { type Diagnostic, Problems, problem, warning } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/graph.ts';
import type { Plan } from '../../model/plan.ts';
import { isOpenAction } from '../../model/planned-action.ts';
import type { Desired } from '../../model/resource.ts';
import type { PlanOptions } from '../../plan/input.ts';
import { createUnmatchedGlobProblems } from '../../plan/select-changes.ts';
import { actionName } from '../../report/action-texts.ts';
import { isFailed, isUnplanned, type StackReport } from '../../report/stacks/stack-report.ts';
import { type OpenPlanOptions, openPlan, openSettledPlan, type Planned } from '../../run/open-plan.ts';
import { type Host, inCi, type Port } from '../host.ts';
import { problemsOf } from '../problems-of.ts';
import { ephemeralProblem } from '../session/ledger-choice.ts';
import {
  loadForRun,
  lockSession,
  openSession,
  requireKey,
  requireWritable,
  type Session,
} from '../session/session.ts';
import { createPartnersReader } from '../session/session-ledger.ts';
import type { StackAccounts } from '../session/stack-accounts.ts';
import { warnOfUnusedFlags } from '../session/unused-flags.ts';
import { createPlanOptions, type PlanningOptions } from './plan-options.ts';
import { workInOrder } from './work-in-order.ts';

/** A stack to plan. */
export interface StackToPlan<P extends Port = Port> {
  /** `shop`, or `shop@staging`. The only stack of a command has an empty id. */
  id: string;
  /** Its path in the workspace; empty without one. */
  path: string;
  stage?: string;
  /** The ids of the stacks that come first. */
  needs: string[];
  /** Its own name, if its configuration was looked at before. */
  name?: string;
  /** The addresses that its configuration declares, if it was looked at before. */
  declared?: readonly Address[];
  options: PlanningOptions;
  port: P;
}

/** A stack with its plan, and the session that made it. */
export interface PlannedStack<P extends Port = Port> {
  stack: StackToPlan<P>;
  report: StackReport;
  session?: Session;
  planned?: Planned;
  /** The objects that did not exist yet when it was planned, because other stacks create them, each with its stack. */
  awaited?: ReadonlyMap<Address, string>;
  /** The objects that it and the stacks it needs create, each with its stack. Others may refer to them as existing. */
  creates: ReadonlyMap<Address, string>;
}

interface PlanStacksOptions {
  /** The accounts of several stacks; absent for one stack. */
  accounts?: StackAccounts | undefined;
  /** True for plans that are applied: forbidden sources are errors, guards judge an apply, and lists must have settled. */
  writes?: boolean;
  /** True if the lease is taken before a stack is planned, so that its plan can be applied as it is. */
  locks?: boolean;
  /** True if there must be a key, for plans that will be approved. */
  needsKey?: boolean;
  mode?: Pick<PlanOptions, 'unattended'>;
  /** The addresses that the options of several stacks name. */
  selection?: Pick<PlanningOptions, 'target' | 'exclude' | 'delete'>;
  /** Files of plans that are read or written, which a configuration may not read. */
  files?: string[];
  /** The file of the plans that were approved. The stacks are planned as these were. */
  approved?: ApprovedFile | undefined;
}

/** The plans of a file, by the ids of their stacks. `name`: the name of the file for messages. */
export interface ApprovedFile {
  name: string;
  parts: ReadonlyMap<string, SavedPart>;
}

/**
 * Plans stacks, those that are needed first and the others at once. Nothing is written, and the sessions stay open. Returns the warnings
 * about all stacks together, too. Throws `Problems` if the only stack cannot be planned, or if targets match nothing in any stack.
 */
export async function planStacks<P extends Port>(
  provider: Provider,
  stacks: readonly StackToPlan<P>[],
  options: PlanStacksOptions,
): Promise<{ planned: PlannedStack<P>[]; warnings: Diagnostic[] }> {
  // A first run makes the key: the other stacks find it.
  let firstOpening: Promise<unknown> | undefined;
  const open = async (stack: StackToPlan): Promise<Session> => {
    await firstOpening?.catch(() => {});
    const opening = openStack(provider, stack, options);
    firstOpening ??= opening;
    return opening;
  };
  const done = await workInOrder<StackToPlan<P>, PlannedStack<P>>(stacks, (stack, needed) =>
    planStack(stack, [...needed.values()], open, options),
  );
  const planned = [...done.values()];
  if (!options.accounts) return { planned, warnings: [] };
  refuseUnmatchedTargets(planned, options.selection ?? {});
  const sessions = planned.flatMap(({ stack, session }) => (session && !stack.options.twin ? [session] : []));
  const isComplete = sessions.length === planned.length;
  return {
    planned,
    warnings: [...equalActions(planned), ...(isComplete ? warnOfUnusedFlags(sessions) : [])],
  };
}

/** Opens the session of one stack, with all that its plan needs. */
async function openStack(
  provider: Provider,
  { id, options: planningOptions, port }: StackToPlan,
  { accounts, writes = false, locks = false, needsKey = false, files = [], approved }: PlanStacksOptions,
): Promise<Session> {
  const { host } = port.run;
  const session = await openSession(provider, planningOptions, port, {
    plans: files,
    writes,
    guards: writes ? 'apply' : 'plan',
    loaded: await loadForRun(provider, { ...planningOptions, plans: files }, port),
    accounts,
  });
  try {
    if (writes) requireWritable(session, planningOptions);
    if (needsKey && (!inCi(host) || planningOptions.twin)) await requireKey(session, planningOptions);
    if (locks) await lockSession(session, planningOptions, port);
    if (host.partners && approved?.parts.has(id)) await meetPartners(session, host.partners);
    else if (accounts && approved) {
      const names = new Set([...approved.parts.values()].map(({ plan }) => plan.stack));
      session.readPartners = createPartnersReader(session, names);
    }
    const lostLedger = writes ? undefined : ephemeralProblem(planningOptions, host);
    if (lostLedger) session.diagnostics.push({ ...lostLedger, severity: 'warning' });
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** Lets a session tell what its partners created, changed and deleted from what somebody else did. */
async function meetPartners(session: Session, { names, deleted }: NonNullable<Host['partners']>) {
  const readPartners = createPartnersReader(session, await names());
  session.readPartners = readPartners;
  session.findChangedByPartners = async () => {
    const ledgers = await readPartners();
    const addresses = ledgers.flatMap(({ entries, begun }) => Object.keys({ ...entries, ...begun }));
    return new Set([...addresses, ...(await deleted())]);
  };
}

/** Plans one stack after those that it needs. */
async function planStack<P extends Port>(
  stack: StackToPlan<P>,
  needed: readonly PlannedStack[],
  open: (stack: StackToPlan<P>) => Promise<Session>,
  options: PlanStacksOptions,
): Promise<PlannedStack<P>> {
  const { id, path, stage, needs, name } = stack;
  const head: StackReport = { id, path, stage, needs, stack: name || undefined };
  // An incomplete plan can be shown, and so can the plans that build on it.
  const cannotFollow = options.writes ? isFailed : isUnplanned;
  const skipped = needed.filter(({ report }) => cannotFollow(report)).map((other) => other.stack.id);
  if (skipped.length > 0) return { stack, report: { ...head, skipped }, creates: new Map() };
  let session: Session | undefined;
  try {
    session = await open(stack);
    const part = options.approved?.parts.get(id);
    const awaited = part ? await awaitedBy(part, session) : createdBefore(needed, session.desired);
    const planned = await planSession(session, stack, awaited, options);
    const created = planned.plan.changes.filter(createsObject).map(({ address }) => [address, id] as const);
    return {
      stack,
      report: { ...head, plan: planned.plan },
      session,
      planned,
      awaited,
      creates: new Map([...awaited, ...created]),
    };
  } catch (error) {
    if (options.accounts)
      return { stack, report: { ...head, failed: problemsOf(error) }, session, creates: new Map() };
    await session?.close();
    throw error;
  }
}

/** Plans a stack in its session: as its approved plan was made, if there is one. */
async function planSession(
  session: Session,
  { id, options: planningOptions, port }: StackToPlan,
  awaited: ReadonlyMap<Address, string>,
  { accounts, writes, locks, mode = {}, approved: file }: PlanStacksOptions,
): Promise<Planned> {
  const { host } = port.run;
  const part = file?.parts.get(id);
  const approved = part && { file: file!.name, approved: part.plan };
  const approval = approved && (await loadApproval());
  const openOptions: OpenPlanOptions = {
    ...createPlanOptions(planningOptions, host, accounts ? { ...mode, toleratesMissing: 'one' } : mode),
    ...(accounts ? { awaitedStacks: awaited } : {}),
    ...(approved ? approval!.optionsAsApproved(approved) : {}),
  };
  if (approved && locks) {
    const findDeleted = host.partners?.deleted;
    return approval!.planAgain(session, approved, openOptions, { findDeleted });
  }
  if (writes)
    return withoutReads(await openSettledPlan(session, openOptions, accounts?.forgetReads), accounts);
  const planned = withoutReads(await openPlan(session, openOptions), accounts);
  return { ...planned, plan: tellForgotten(planned.plan) };
}

/** Returns a plan of several stacks without its number of reads, because they share their reads. */
function withoutReads(planned: Planned, accounts: StackAccounts | undefined): Planned {
  if (!accounts) return planned;
  const { reads: _, ...plan } = planned.plan;
  return { ...planned, plan };
}

/** Returns a plan whose warning about a ledger that will be lost also says that pending actions are lost with it. */
function tellForgotten(plan: Plan): Plan {
  if (!plan.actions?.some(isOpenAction)) return plan;
  const diagnostics = plan.diagnostics.map((diagnostic) =>
    diagnostic.code === 'ledger/ephemeral'
      ? { ...diagnostic, message: `${diagnostic.message}, along with any pending \`$then\` action` }
      : diagnostic,
  );
  return { ...plan, diagnostics };
}

/** Loads the code that compares plans with approved ones only if there are some. */
const loadApproval = () => import('../../approval/plan-again.ts');

/** Returns the objects that a saved plan waits for, each with its stack. After a first apply of the plan they exist. */
async function awaitedBy({ awaits = [], plan }: SavedPart, session: Session): Promise<Map<Address, string>> {
  const { isBegun } = await loadApproval();
  return isBegun(session, plan) ? new Map() : new Map(awaits.map(({ address, stack }) => [address, stack]));
}

/** Returns the objects that the needed stacks create, each with its stack, without those that this stack declares as its own. */
function createdBefore(needed: readonly PlannedStack[], { resources }: Desired): Map<Address, string> {
  const isOwn = (address: Address) => resources.has(address) && !resources.get(address)!.meta.existing;
  return new Map(needed.flatMap(({ creates }) => [...creates]).filter(([address]) => !isOwn(address)));
}

/** Warns of an action that several stacks ask for: each sends it, because each has its own approval and its own time. */
function equalActions(plannedStacks: readonly PlannedStack[]): Diagnostic[] {
  const following = plannedStacks.flatMap(({ report: { id, plan } }) =>
    (plan?.actions ?? [])
      .filter(isOpenAction)
      .map((action) => ({ action, id, account: plan?.account?.name })),
  );
  return [...groupBy(following, ({ action, account }) => `${account} ${action.id}`).values()].flatMap(
    (same) => {
      const ids = same.map(({ id }) => id);
      const { action } = same[0]!;
      if (ids.length < 2) return [];
      const message = `${actionName(action)} is requested by ${ids.length} stacks and runs once for each: ${ids.join(', ')}`;
      return [warning('then/several', message, { hint: 'if once is enough, keep `$then` in one of them' })];
    },
  );
}

/** Throws `Problems` for addresses of options that no stack has. If a stack could not be planned, it may have them. */
function refuseUnmatchedTargets(
  plannedStacks: readonly PlannedStack[],
  { target = [], exclude = [], delete: deletions = [] }: NonNullable<PlanStacksOptions['selection']>,
) {
  if (plannedStacks.some(({ planned }) => !planned)) return;
  const changes = plannedStacks.flatMap(({ planned }) => planned!.plan.changes);
  const changed = changes.map(({ address }) => address);
  const declared = plannedStacks.flatMap(({ stack }) => stack.declared ?? []);
  const gone = new Set(changes.flatMap(({ address, after }) => (after ? [] : [address])));
  const unmatched = [
    ...createUnmatchedGlobProblems(target, changed),
    ...createUnmatchedGlobProblems(exclude, declared),
    ...deletions
      .filter((address) => !gone.has(address))
      .map((address) =>
        problem(
          'delete/not-owned',
          `--delete names ${address}, which no stack here both owns and no longer declares`,
          {
            hint: 'remove its block and run this again; `trueup ledger list` shows what a stack owns',
          },
        ),
      ),
  ];
  if (unmatched.length > 0) throw new Problems(unmatched);
}
