import { type Host, inCi } from '../app/host.ts';
import { type PlanningOptions, planningOf } from '../app/planning/planning.ts';
import {
  type ChosenStacks,
  chosenBy,
  inTurn,
  type WorkspaceStack,
} from '../app/planning/workspace-stacks.ts';
import type { StackAccounts } from '../app/session/common-accounts.ts';
import { ephemeral } from '../app/session/ledger-choice.ts';
import { loadFor, openSession, requireKey, requireWritable, type Session } from '../app/session/session.ts';
import { unusedFlags } from '../app/session/unused-flags.ts';
import type { Provider } from '../kind/provider.ts';
import type { Address } from '../model/address.ts';
import { createsObject } from '../model/change.ts';
import { type Diagnostic, Problems, problem, warning } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import { isOpenAction } from '../model/planned-action.ts';
import type { Desired } from '../model/resource.ts';
import type { PlanOptions } from '../plan/input.ts';
import { createUnmatchedGlobProblems } from '../plan/select-changes.ts';
import { actionName } from '../report/action-texts.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { isFailed, isUnplanned, type StackReport } from '../report/stacks/stack-report.ts';
import { logLine, type UiLine } from '../report/terraform/ui-line.ts';
import { openPlan, type Planned } from '../run/open-plan.ts';
import { createPartnersReader } from '../run/session.ts';
import type { CommandRun } from './command-run.ts';
import { problemsOf } from './report-error.ts';
import type { Terminal } from './terminal.ts';

/** A stack with its plan, and the session that made it. */
export interface PlannedStack {
  stack: WorkspaceStack;
  report: StackReport;
  /** The flags that it was planned with. */
  options: PlanningOptions;
  session?: Session;
  planned?: Planned;
  /** The objects that were not there yet when it was planned. */
  awaited?: ReadonlyMap<Address, string>;
  /** The objects that it and the stacks it needs create, each with its stack: the others may name them as existing. */
  creates: ReadonlyMap<Address, string>;
}

interface How {
  accounts: StackAccounts;
  /** A plan that is to be carried out: what may not be read is an error, and there has to be a key. */
  writes?: boolean;
  /** Plans that are to be approved need a key. */
  needsKey?: boolean;
  mode?: Pick<PlanOptions, 'unattended'>;
  /** Files of plans that are read or written. */
  plans?: string[];
  /** The names of stacks whose plans were approved together. */
  partners?: ReadonlySet<string>;
  /** The objects that a stack waits for, by a saved plan. Default: those that the stacks it needs create. */
  awaitedBy?(stack: WorkspaceStack, session: Session): ReadonlyMap<Address, string>;
  /** True for a stack that is planned as in a pull request, since its saved plan was. */
  review?(stack: WorkspaceStack): boolean;
  /** The canary of a stack by its saved plan. Default: chosen on first contact. */
  canary?(stack: WorkspaceStack): PlanOptions['canary'];
  /** The folder in which each stack runs. Default: that of the command. */
  host?(): Host;
}

/**
 * Plans all chosen stacks, those that are needed first, and the others at once; nothing is written. One that cannot be planned leaves out those
 * that need it. The sessions stay open.
 */
export async function planStacks(
  provider: Provider,
  options: PlanningOptions,
  terminal: Terminal,
  { folder, chosen }: ChosenStacks,
  {
    accounts,
    writes = false,
    needsKey = writes,
    mode = {},
    plans = [],
    partners,
    awaitedBy,
    review,
    canary,
    host: hostOf,
  }: How,
): Promise<PlannedStack[]> {
  const { host } = terminal.run;
  // A first run makes the key: the others find it.
  let gate: Promise<unknown> | undefined;

  const open = async (stack: WorkspaceStack, planningOptions: PlanningOptions): Promise<Session> => {
    const member = terminalOf(terminal, stack, folder, hostOf?.());
    const loaded = await loadFor(provider, { ...planningOptions, plans }, member);
    const session = await openSession(provider, planningOptions, member, {
      plans,
      writes,
      guards: writes ? 'apply' : 'plan',
      loaded,
      accounts,
    });
    if (partners) session.readPartners = createPartnersReader(session, partners);
    if (writes) requireWritable(session, planningOptions);
    if (needsKey && (!inCi(host) || planningOptions.twin)) await requireKey(session, planningOptions);
    return session;
  };

  const done = await inTurn<PlannedStack>(chosen, async (stack, needed) => {
    const { id, path, stage, needs } = stack;
    const own = { ...options, ...chosenBy(stack.entry, stage) };
    const name = stack.look.desired.stack;
    const about = {
      id,
      path,
      ...(stage === undefined ? {} : { stage }),
      needs,
      ...(name ? { stack: name } : {}),
    };
    // An incomplete plan can be shown, and so can the plans that build on it.
    const cannotFollow = writes ? isFailed : isUnplanned;
    const skipped = [...needed.values()]
      .filter(({ report }) => cannotFollow(report))
      .map((plannedStack) => plannedStack.stack.id);
    if (skipped.length > 0) return { stack, report: { ...about, skipped }, options: own, creates: new Map() };
    let session: Session | undefined;
    try {
      await gate?.catch(() => {});
      const opening = open(stack, own);
      gate ??= opening;
      session = await opening;
      const awaited = awaitedBy?.(stack, session) ?? createdBefore([...needed.values()], session.desired);
      const unkept = ephemeral(own, host);
      if (unkept && !writes) session.diagnostics.push({ ...unkept, severity: 'warning' });
      const how = {
        ...planningOf(own, host, { ...mode, toleratesMissing: 'one' }),
        awaitedStacks: awaited,
        ...(review ? { review: review(stack) } : {}),
        ...(canary ? { canary: canary(stack) } : {}),
      };
      let planned = await openPlan(session, how);
      while (writes && planned.settlesIn !== undefined) {
        session.say('Waiting: the account may not show what the last run created yet.');
        await session.clock.sleep(planned.settlesIn + 1);
        accounts.forget();
        planned = await openPlan(session, how);
      }
      const { reads: _, ...plan } = planned.plan;
      const made = plan.changes.filter(createsObject).map(({ address }) => [address, id] as const);
      return {
        stack,
        report: { ...about, plan },
        options: own,
        session,
        planned: { ...planned, plan },
        awaited,
        creates: new Map([...awaited, ...made]),
      };
    } catch (error) {
      return {
        stack,
        report: { ...about, failed: problemsOf(error) },
        options: own,
        ...(session ? { session } : {}),
        creates: new Map(),
      };
    }
  });
  const plannedStacks = [...done.values()];
  refuseUnmet(plannedStacks, options);
  const sessions = options.twin ? [] : plannedStacks.flatMap(({ session }) => session ?? []);
  const isComplete = sessions.length === plannedStacks.length;
  const warnings = [...equalActions(plannedStacks), ...(isComplete ? unusedFlags(sessions) : [])];
  terminal.say(diagnosticsText(warnings, { style: terminal.errStyle }));
  return plannedStacks;
}

/** Returns the objects that the needed stacks create, each with its stack, without those that this stack declares as its own. */
function createdBefore(needed: readonly PlannedStack[], { resources }: Desired): Map<Address, string> {
  const isOwn = (address: Address) => resources.has(address) && !resources.get(address)!.meta.existing;
  return new Map(needed.flatMap(({ creates }) => [...creates]).filter(([address]) => !isOwn(address)));
}

/** Warns of an action that follows in several stacks: each does it, since each has its own approval and its own time. */
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

/** Throws `Problems` for what the options name and no stack has. Where one could not be planned, nobody knows. */
function refuseUnmet(
  plannedStacks: PlannedStack[],
  { target = [], exclude = [], delete: deletions = [] }: PlanningOptions,
) {
  if (plannedStacks.some(({ planned }) => !planned)) return;
  const changes = plannedStacks.flatMap(({ planned }) => planned!.plan.changes);
  const planned = changes.map(({ address }) => address);
  const declared = plannedStacks.flatMap(({ stack }) => [...stack.look.desired.resources.keys()]);
  const gone = new Set(changes.flatMap(({ address, after }) => (after ? [] : [address])));
  const unmet = [
    ...createUnmatchedGlobProblems(target, planned),
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
  if (unmet.length > 0) throw new Problems(unmet);
}

/** The terminal of one stack: what it says comes with its name, and so does each event of a stream. Its exit code is its own. */
export function terminalOf(
  terminal: Terminal,
  { id }: WorkspaceStack,
  folder: string,
  host?: Host,
): Terminal {
  const run: CommandRun = { host: { ...terminal.run.host, ...host, cwd: folder }, exitCode: 0 };
  const named = (say: (text: string) => void) => (text: string) => {
    const lines = text.replace(/\n$/, '').split('\n');
    if (text.trim() !== '') say(lines.map((line) => `${id}: ${line}`).join('\n'));
  };
  const member = { ...terminal, run, isLive: false };
  if (terminal.stream) return { ...member, ...streamOf(id, terminal.stream) };
  return { ...member, out: named(terminal.out), say: named(terminal.say) };
}

/** Each line of a stream names its stack. */
export function streamOf(
  id: string,
  write: NonNullable<Terminal['stream']>,
): Required<Pick<Terminal, 'stream' | 'out' | 'say'>> {
  const stream = (lines: UiLine[]) => write(lines.map((line) => ({ ...line, stack: id })));
  const say = (text: string) => stream(text.trim() ? [logLine(text)] : []);
  return { stream, out: say, say };
}
