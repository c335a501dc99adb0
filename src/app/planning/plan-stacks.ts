/*
 * Plans the stacks of a command. A command is about one stack, or about several of a workspace:
 *
 *   |                              | one stack                | several stacks                                      |
 *   | ---------------------------- | ------------------------ | --------------------------------------------------- |
 *   | connection to the account    | its own                  | `accounts`: one for all stacks of an account        |
 *   | a stack that cannot be read  | throws                   | is a report, and leaves out the stacks that need it |
 *   | target that matches nothing  | a problem of the plan    | a problem only if no stack has a match              |
 */

import type { ApprovedFile } from '../../approval/approved-stacks.ts';
import type { SavedPart } from '../../approval/parse-saved-plan.ts';
import { warnOfUnusedFlags } from '../../config/unused-flags.ts';
import type { Host } from '../../host.ts';
import type { Provider } from '../../kind/provider.ts';
import type { Address } from '../../model/address.ts';
import { createsObject } from '../../model/change.ts';
import { problemsOf } from '../../model/describe-errors.ts';
import { asWarning, type Diagnostic, raiseErrors, warning } from '../../model/diagnostic.ts';
import { groupBy, workInOrder } from '../../model/graph.ts';
import type { Plan } from '../../model/plan.ts';
import { isOpenAction } from '../../model/planned-action.ts';
import type { Desired } from '../../model/resource.ts';
import type { PlanOptions } from '../../plan/input.ts';
import { markDeclaredElsewhere } from '../../plan/list-unmanaged.ts';
import { createUnmatchedGlobProblems } from '../../plan/unmatched-globs.ts';
import { actionName } from '../../report/action-texts.ts';
import { isFailed, isUnplanned, type StackReport } from '../../report/stacks/stack-report.ts';
import { type OpenPlanOptions, openSessionPlan, openSettledPlan, type Planned } from '../../run/open-plan.ts';
import { createPartnersReader } from '../../run/session-ledger.ts';
import { ephemeralProblem, mayCreateKey } from '../../stores/ledger-choice.ts';
import type { Port } from '../port.ts';
import { openSession } from '../session/open-session.ts';
import { lockSession, requireKey, requireWritable, type Session } from '../session/session.ts';
import type { StackAccounts } from '../session/stack-accounts.ts';
import { createPlanOptions, type PlanningOptions } from './plan-options.ts';

/** One stack of a command, with its own options and its own port for messages. */
export interface StackToPlan<P extends Port = Port> {
  /** `shop`, or `shop@staging`. The only stack of a command has an empty id. */
  id: string;
  /** Its path in the workspace; empty without one. */
  path: string;
  stage?: string;
  /** The ids of the stacks that it needs, as the workspace names them, for reports. */
  needs: string[];
  /** The ids of the stacks of this command that are planned and applied before it (see `findPredecessors`). */
  waitsFor: string[];
  /** The name in its configuration, if that was read before. */
  name?: string;
  /** The addresses that its configuration declares, if that was read before. */
  declared?: readonly Address[];
  options: PlanningOptions;
  port: P;
}

/** A stack after planning. Without `session` and `planned` it could not be planned, and `report` says why. */
export interface PlannedStack<P extends Port = Port> {
  stack: StackToPlan<P>;
  report: StackReport;
  session?: Session;
  planned?: Planned;
  /** The objects that the plan refers to although they do not exist yet, with the id of the stack that creates each. */
  awaited?: ReadonlyMap<Address, string>;
  /**
   * The objects that this stack and the stacks it needs create, with the id of the stack that creates each. Later stacks may refer to them.
   */
  creates: ReadonlyMap<Address, string>;
}

/** Opens the session of one stack, with the options of its command. Throws `Problems`. */
type OpenStack = (
  provider: Provider,
  stack: StackToPlan,
  options: Pick<PlanStacksOptions, 'accounts' | 'files'>,
) => Promise<Session>;

/** Opens sessions without an account, such as those of a snapshot (`src/snapshot/command`). */
export interface SessionSource {
  /** Returns the stacks to plan instead of those of the command: the source may have stacks of its own. */
  listStacks<P extends Port>(stacks: readonly StackToPlan<P>[]): readonly StackToPlan<P>[];
  openStack: OpenStack;
  /** Returns the error to show for a stack that could not be planned. It may blame the source instead of the program. */
  describeFailure(error: unknown): unknown;
}

/** The options of planning the stacks of a command. */
interface PlanStacksOptions {
  /** The accounts of several stacks; absent for one stack. */
  accounts?: StackAccounts | undefined;
  /** True for plans that are applied: forbidden sources are errors, guards judge an apply, and lists must have settled. */
  writes?: boolean;
  /** True if the lease is taken before a stack is planned, so that its plan can be applied as it is. */
  locks?: boolean;
  /**
   * True to create a missing key first, because plans will be sealed, or several stacks applied. CI may not create one, except for the
   * twin.
   */
  needsKey?: boolean;
  mode?: Pick<PlanOptions, 'unattended'>;
  /** The address globs of `--target` and `--exclude`. Each must match in at least one of several stacks. */
  selection?: Pick<PlanningOptions, 'target' | 'exclude'>;
  /** Files of plans that are read or written, which a configuration may not read. */
  files?: string[];
  /** True to record the reads of the stacks, for a snapshot. */
  records?: boolean;
  /** Opens the sessions from somewhere else than from the accounts of the stacks. */
  source?: SessionSource | undefined;
  /** The file of the approved plans. Each stack is planned with the options of its approved plan. */
  approved?: ApprovedFile | undefined;
}

/**
 * Plans the stacks of `plan` or `apply`: each after the stacks that it needs, and otherwise at the same time. Changes no account, and
 * leaves the sessions open for the apply. Several stacks share `options.accounts`; the only stack of a command has its own account.
 * `options.source`: opens the sessions from a snapshot (`plan --from`) instead of accounts. `warnings`: those about all stacks together.
 * Throws `Problems` if the only stack cannot be planned, or if a target matches nothing in any of several stacks.
 */
export async function planStacks<P extends Port>(
  provider: Provider,
  stacks: readonly StackToPlan<P>[],
  options: PlanStacksOptions,
): Promise<{ planned: PlannedStack<P>[]; warnings: Diagnostic[] }> {
  // The first session may create the ledger key, and ask whether the place of the ledgers is allowed. The other stacks are opened after it,
  // even if it fails.
  let firstOpening: Promise<unknown> | undefined;
  const open = (stack: StackToPlan): Promise<Session> => {
    const openNow = () => (options.source?.openStack ?? openStack)(provider, stack, options);
    const opening = firstOpening ? firstOpening.then(openNow, openNow) : openNow();
    firstOpening ??= opening;
    return opening;
  };
  const stacksToPlan = options.source?.listStacks(stacks) ?? stacks;
  const plannedById = await workInOrder<StackToPlan<P>, PlannedStack<P>>(stacksToPlan, (stack, needed) =>
    planStack(stack, [...needed.values()], open, options),
  );
  const planned = markUnmanaged([...plannedById.values()]);
  const isOnlyStack = options.accounts === undefined;
  if (isOnlyStack) return { planned, warnings: [] };
  refuseUnmatchedTargets(planned, options.selection ?? {});
  const sessions = planned.flatMap(({ stack, session }) => (session && !stack.options.twin ? [session] : []));
  // A stack without a session may be the one that uses a flag. On the twin, flags are not checked.
  const areFlagsComparable = sessions.length === planned.length;
  return {
    planned,
    warnings: [...warnOfRepeatedActions(planned), ...(areFlagsComparable ? warnOfUnusedFlags(sessions) : [])],
  };
}

/**
 * Returns the planned stacks with a mark on each unmanaged object that another of these stacks declares, so that a plan does not call it
 * unmanaged.
 */
function markUnmanaged<P extends Port>(stacks: readonly PlannedStack<P>[]): PlannedStack<P>[] {
  const plans = stacks.flatMap(({ report }) => report.plan ?? []);
  const marked = new Map(markDeclaredElsewhere(plans).map((plan, index) => [plans[index]!, plan]));
  return stacks.map((stack) => {
    const plan = stack.report.plan && marked.get(stack.report.plan);
    if (!plan || plan === stack.report.plan) return stack;
    return {
      ...stack,
      report: { ...stack.report, plan },
      planned: stack.planned && { ...stack.planned, plan },
    };
  });
}

/**
 * Opens the session of one stack (its configuration, account and ledger) for `plan` or `apply`. Depending on the options it also creates a
 * missing key of the ledger (`needsKey`), takes the lease, the exclusive right to write the ledger (`locks`), and gives the session its
 * partners: the stacks that were approved together with it, whose changes count as expected. They come from the host if other workers of a
 * fleet apply them. If the run does not write, warns of a ledger that an apply would lose. Throws `Problems`, and closes the session then.
 */
async function openStack(
  provider: Provider,
  { id, options: planningOptions, port }: StackToPlan,
  {
    accounts,
    writes = false,
    locks = false,
    needsKey = false,
    files = [],
    approved,
    records = false,
  }: PlanStacksOptions,
): Promise<Session> {
  const { host } = port.run;
  const session = await openSession(provider, planningOptions, port, {
    plans: files,
    writes,
    guards: writes ? 'apply' : 'plan',
    accounts,
    records,
  });
  try {
    if (writes) requireWritable(session, planningOptions);
    if (needsKey && mayCreateKey(planningOptions, host)) await requireKey(session, planningOptions);
    if (locks) await lockSession(session, planningOptions, port);
    if (host.partners && approved?.parts.has(id)) await addPartners(session, host.partners);
    else if (accounts && approved) {
      const partners = new Set([...approved.parts.values()].map(({ plan }) => plan.stack));
      session.readPartners = createPartnersReader(session, partners);
    }
    const lostLedger = writes ? undefined : ephemeralProblem(session.ledgerChoice, host);
    if (lostLedger) session.diagnostics.push(asWarning(lostLedger));
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}

/**
 * Tells a session about the partners of its stack (the stacks approved together with it) that other runs apply, such as those of other
 * fleet workers. Objects that partners own, create (`begun`) or deleted then do not count as changed by other people, because that would
 * refuse the apply. The partners are known now, but their ledgers and deletions are read on each call, because they are still at work.
 */
async function addPartners(session: Session, { names, deleted }: NonNullable<Host['partners']>) {
  const readPartners = createPartnersReader(session, await names());
  session.readPartners = readPartners;
  session.findChangedByPartners = async () => {
    const partners = await readPartners();
    const addresses = partners.flatMap((partner) => Object.keys({ ...partner.entries, ...partner.begun }));
    return new Set([...addresses, ...(await deleted())]);
  };
}

/**
 * Plans one stack of `plan` or `apply`, after the stacks that it needs (`needed`). The session stays open for the apply.
 * - `awaited` has the objects that the plan may refer to before they exist. `creates` has these and the ones that this stack creates, for
 *   later stacks.
 * - A stack is skipped if a needed one has no usable plan: its values could be wrong. For an apply, a plan with errors is unusable.
 * - With an approved plan, `awaited` has the objects that were approved as such; otherwise those that the needed stacks will create.
 * - An error of one of several stacks becomes its report, so that the others are shown. The error of the only stack is thrown.
 */
async function planStack<P extends Port>(
  stack: StackToPlan<P>,
  needed: readonly PlannedStack[],
  open: (stack: StackToPlan<P>) => Promise<Session>,
  options: PlanStacksOptions,
): Promise<PlannedStack<P>> {
  const { id, path, stage, needs, name } = stack;
  const head: StackReport = { id, path, stage, needs, stack: name || undefined };
  // An incomplete plan can be shown but not applied, and so can the plans that build on it.
  const isUnusable = options.writes ? isFailed : isUnplanned;
  const skipped = needed.filter(({ report }) => isUnusable(report)).map((other) => other.stack.id);
  if (skipped.length > 0) return { stack, report: { ...head, skipped }, creates: new Map() };
  const approvedPart = options.approved?.parts.get(id);
  const isOneOfSeveral = options.accounts !== undefined;
  let session: Session | undefined;
  try {
    session = await open(stack);
    const awaited = approvedPart
      ? await objectsAwaitedByApproved(approvedPart, session)
      : objectsCreatedBy(needed, session.desired);
    const planned = await planSession(session, stack, awaited, options);
    const created = planned.plan.changes.filter(createsObject).map(({ address }) => [address, id] as const);
    const report: StackReport = { ...head, plan: planned.plan };
    return { stack, report, session, planned, awaited, creates: new Map([...awaited, ...created]) };
  } catch (thrown) {
    // The snapshot that the session comes from may be to blame.
    const error = options.source ? options.source.describeFailure(thrown) : thrown;
    if (isOneOfSeveral)
      return { stack, report: { ...head, failed: problemsOf(error) }, session, creates: new Map() };
    await session?.close();
    throw error;
  }
}

/**
 * Returns the options of planning a stack of `plan` or `apply`. The first plan and the one right before the apply take the same options, so
 * that they can be compared. `toleratesMissing`: a target that matches nothing in one of several stacks is no problem, because it may match
 * in another one. Only the single stack of a command has an empty id.
 */
export function createStackPlanOptions(
  { id, options, port }: StackToPlan,
  mode: Pick<PlanOptions, 'unattended'>,
): OpenPlanOptions {
  const ofSeveral = id === '' ? {} : ({ toleratesMissing: 'one-of-several' } as const);
  return createPlanOptions(options, port.run.host, { ...mode, ...ofSeveral });
}

/**
 * Plans a stack of `plan` or `apply` in its session. A plan that will be applied is repeated until the lists of the platform show earlier
 * writes. With an approved plan (`apply FILE`) it uses the options of that plan. If the lease is held (`locks`) it is the last plan before
 * the apply, so it throws `Problems` unless it equals the approved one. `awaited`: objects that other stacks will create. A plan that is
 * only shown also says that its pending actions are lost with the ledger (`extendLossWarning`).
 */
async function planSession(
  session: Session,
  stack: StackToPlan,
  awaited: ReadonlyMap<Address, string>,
  { accounts, writes, locks, mode = {}, approved: file }: PlanStacksOptions,
): Promise<Planned> {
  const approvedPart = file?.parts.get(stack.id);
  const approved = approvedPart && { file: file!.name, approved: approvedPart.plan };
  const approval = approved && (await importApproval());
  const isOfSeveral = accounts !== undefined || stack.id !== '';
  const openOptions: OpenPlanOptions = {
    ...createStackPlanOptions(stack, mode),
    awaitedStacks: isOfSeveral ? awaited : undefined,
    ...(approved ? approval!.optionsAsApproved(approved) : {}),
  };
  if (approved && locks) {
    const findDeleted = stack.port.run.host.partners?.deleted;
    return approval!.planAgain(session, approved, openOptions, { findDeleted });
  }
  if (writes)
    return withoutReads(await openSettledPlan(session, openOptions, accounts?.forgetReads), accounts);
  const planned = withoutReads(await openSessionPlan(session, openOptions), accounts);
  return { ...planned, plan: extendLossWarning(planned.plan) };
}

/**
 * Returns a plan without the number of its reads if it is one of several. Their stacks share each read, so a number per stack would be
 * wrong.
 */
function withoutReads(planned: Planned, accounts: StackAccounts | undefined): Planned {
  if (!accounts) return planned;
  const { reads: _, ...plan } = planned.plan;
  return { ...planned, plan };
}

/**
 * Returns a plan whose warning `ledger/ephemeral` (the ledger is lost after the CI job) also says that pending `$then` actions are lost
 * with it, because only the ledger remembers them.
 */
function extendLossWarning(plan: Plan): Plan {
  if (!plan.actions?.some(isOpenAction)) return plan;
  const diagnostics = plan.diagnostics.map((diagnostic) =>
    diagnostic.code === 'ledger/ephemeral'
      ? { ...diagnostic, message: `${diagnostic.message}, along with any pending \`$then\` action` }
      : diagnostic,
  );
  return { ...plan, diagnostics };
}

/** Imports the code that compares plans with approved plans. Runs without approved plans start faster without it. */
const importApproval = () => import('../../approval/plan-again.ts');

/**
 * Returns the objects that an approved plan refers to and that other stacks have yet to create, by address with the id of that stack. So
 * the plan does not report their `$existing` blocks as missing. Empty if an earlier run began to apply this plan, because it began only
 * after these objects were created.
 */
async function objectsAwaitedByApproved(
  { awaits = [], plan }: SavedPart,
  session: Session,
): Promise<Map<Address, string>> {
  const { isBegun } = await importApproval();
  return isBegun(session, plan) ? new Map() : new Map(awaits.map(({ address, stack }) => [address, stack]));
}

/**
 * Returns the objects that the needed stacks create, with the id of each stack, so that the plan of a later stack may refer to them. Empty
 * for the only stack of a command. Leaves out objects that this stack declares as its own.
 */
function objectsCreatedBy(needed: readonly PlannedStack[], { resources }: Desired): Map<Address, string> {
  const isOwn = (address: Address) => resources.has(address) && !resources.get(address)!.meta.existing;
  return new Map(needed.flatMap(({ creates }) => [...creates]).filter(([address]) => !isOwn(address)));
}

/**
 * Returns warnings about actions that several stacks request in the same account. Such an action runs once for each stack, because each
 * stack is approved and applied on its own, and that is often not intended.
 */
function warnOfRepeatedActions(plannedStacks: readonly PlannedStack[]): Diagnostic[] {
  const requested = plannedStacks.flatMap(({ report: { id, plan } }) =>
    (plan?.actions ?? [])
      .filter(isOpenAction)
      .map((action) => ({ action, id, account: plan?.account?.name })),
  );
  const groups = groupBy(requested, ({ action, account }) => `${account} ${action.id}`);
  return [...groups.values()].flatMap((requests) => {
    if (requests.length < 2) return [];
    const { action } = requests[0]!;
    const ids = requests.map(({ id }) => id);
    const message = `${actionName(action)} is requested by ${ids.length} stacks and runs once for each: ${ids.join(', ')}`;
    return [warning('then/several', message, { hint: 'if once is enough, keep `$then` in one of them' })];
  });
}

/**
 * Throws `Problems` for addresses of `--target` and `--exclude` that match in no stack, because they may be misspelled. Does nothing if a
 * stack could not be planned, because that stack may have them. Excluded objects have no change in the plans, so they are looked up among
 * the declared ones.
 */
function refuseUnmatchedTargets(
  plannedStacks: readonly PlannedStack[],
  { target = [], exclude = [] }: NonNullable<PlanStacksOptions['selection']>,
) {
  if (plannedStacks.some(({ planned }) => !planned)) return;
  const changes = plannedStacks.flatMap(({ planned }) => planned!.plan.changes);
  const changedAddresses = changes.map(({ address }) => address);
  const declaredAddresses = plannedStacks.flatMap(({ stack }) => stack.declared ?? []);
  const unmatched = [
    ...createUnmatchedGlobProblems(target, changedAddresses, declaredAddresses),
    ...createUnmatchedGlobProblems(exclude, declaredAddresses),
  ];
  raiseErrors(unmatched);
}
