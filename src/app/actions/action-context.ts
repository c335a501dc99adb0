import { type ActionSubject, nameSubject } from '../../action/find-subject.ts';
import { refuseOwnedByOthers, refuseProtected } from '../../action/refuse-action.ts';
import type { ActionAccount, RecordedRun } from '../../action/requested-action.ts';
import { toActionPlan } from '../../action/to-action-plan.ts';
import type { ScopeOptions } from '../../config/choose-scope.ts';
import { findFiles } from '../../config/find-files.ts';
import { openGuards } from '../../guards/open-guards.ts';
import { openActionRecord } from '../../history/ledger-record.ts';
import { type Host, listenToSignals } from '../../host.ts';
import type { Action } from '../../kind/action.ts';
import type { Provider } from '../../kind/provider.ts';
import { type Diagnostic, raise, raiseErrors } from '../../model/diagnostic.ts';
import type { Ledger } from '../../model/ledger.ts';
import type { Plan } from '../../model/plan.ts';
import type { Request } from '../../model/request.ts';
import type { Fields } from '../../model/value.ts';
import { withLookups } from '../../run/look-up-values.ts';
import { fillActionInput } from '../../run/planned-actions.ts';
import type { PlanJudge } from '../../run/session.ts';
import { createHomeFolder, usesHome } from '../../stores/ledger-choice.ts';
import { createLedgerReader } from '../../stores/open-ledger.ts';
import { collectRunFacts } from '../applying/apply-options.ts';
import type { Port } from '../port.ts';
import { openSession } from '../session/open-session.ts';
import { lockSession, requireKey, requireWritable, type Session, unlockSession } from '../session/session.ts';
import type { StackOptions } from '../stack-options.ts';
import { openReadOnlyAccount, type ReadOnlyAccount } from './read-only-account.ts';

/*
 * What running one action needs, for `trueup run`. With a configuration the action belongs to a stack: it is judged like a plan of that
 * stack and recorded in its history. Without a configuration there is only an account.
 *
 * An action is owed if an apply changed an object whose `$then` asks for the action, and the action has not run yet. The ledger lists the
 * owed actions by id, and running one of them removes it there (settles it).
 */

/** The account, and the stack if there is one, in which an action runs. */
export interface ActionContext extends ReadOnlyAccount, Omit<ActionAccount, 'owner'> {
  /**
   * Returns the warnings of the guards about an action. Throws `Problems` if the guards refuse it. In a stack also if its object belongs to
   * another stack or is protected.
   */
  judge(action: Action, about: ActionSubject | undefined, request: Request): Promise<Diagnostic[]>;
}

/**
 * Opens the context in which `trueup run` sends its action: the stack that the options or the current folder name, or else the account
 * alone. Throws `Problems`.
 */
export async function openActionContext(
  provider: Provider,
  options: ActionOptions,
  port: Port,
): Promise<ActionContext> {
  return (await belongsToStack(options, port.run.host))
    ? openStackContext(provider, options, port)
    : openAccountContext(provider, options, port);
}

/**
 * True if an action of `trueup run` runs in a stack, with checks of ownership and a record: a file is named or there are default files, and
 * no flag (`--team`, `--personal`) chooses an account instead.
 */
async function belongsToStack({ team, personal, file }: ActionOptions, { cwd }: Host): Promise<boolean> {
  if (team !== undefined || personal) return false;
  if (file) return true;
  const { files } = await findFiles(cwd, undefined);
  return files.length > 0;
}

/**
 * Opens the context of `trueup run` without a stack: guards (the operator's rules) judge the action, but nothing is recorded, because no
 * ledger is known.
 */
async function openAccountContext(
  provider: Provider,
  options: ActionOptions,
  port: Port,
): Promise<ActionContext> {
  const { host } = port.run;
  const account = await openReadOnlyAccount(provider, options, port);
  const { masking } = account;
  // `isReview` refuses guards from the checkout of the judged configuration. Here no configuration is judged, so it would refuse none.
  const judged = { host, files: [], masking, writes: true, isReview: false };
  const guards = await openGuards(provider, options, judged).catch(async (error) => {
    await account.close();
    throw error;
  });
  port.say('Running without a configuration: nothing is recorded, and ownership is not checked.');
  return {
    ...account,
    judge: (action, about, request) =>
      judgePlan(toActionPlan(action, { stack: '', ...subjectMember(about), request }), guards),
    // Only a ledger remembers owed actions. Without them, no input has references to fill.
    owedActions: {},
    fillInput: async (input) => input,
    runRecorded: (_, work) => work(),
    onInterrupt: (listener) => listenToSignals(host, listener),
  };
}

/**
 * Opens the context in which `trueup run` sends an action of a stack: `judge` checks ownership, `$protect` and the operator's guards,
 * `fillInput` fills the references in the input of an owed action (one of `$then` that has not run yet), and `runRecorded` records the
 * action for `trueup log`. Signals call the listener of `onInterrupt`; without one they release the lease and end the process.
 */
async function openStackContext(
  provider: Provider,
  options: ActionOptions,
  port: Port,
): Promise<ActionContext> {
  const { host } = port.run;
  const session = await openSession(provider, options, port, { writes: true, guards: 'apply' });
  try {
    requireWritable(session, options);
  } catch (error) {
    await session.close();
    throw error;
  }
  const { kinds, configuration, connection, owner, masking, account, desired } = session;
  return {
    kinds,
    configuration,
    connection,
    owner,
    masking,
    baseUrl: session.ledger.baseUrl,
    operations: await provider.operations(),
    readLedger: createLedgerReader(desired.stack, session.ledgerChoice, host),
    judge: async (action, about, request) => {
      await refuseOwnedByOthers(session, about, options);
      await refuseProtected(session, action, about);
      const plan = toActionPlan(action, { stack: desired.stack, account, ...subjectMember(about), request });
      return judgePlan(plan, session.guards);
    },
    owedActions: session.ledger.owed ?? {},
    fillInput: async (input) => {
      const withLookedUp = await withLookups(input as Fields, desired.lookups, session.lookUp);
      const values = { desired, live: { resources: new Map() }, ledger: session.ledger };
      return fillActionInput({ input: withLookedUp }, values);
    },
    runRecorded: (run, work) => runRecorded(session, options, port, run, work),
    onInterrupt(listener) {
      const { lease } = session;
      lease!.onInterrupt = listener;
      // Ends the listening.
      return () => {
        lease!.onInterrupt = () => lease!.abandon();
      };
    },
    close: () => session.close(),
  };
}

/** Returns the member `about` for a plan or a record of an action; nothing for an action about the account itself. */
const subjectMember = (about: ActionSubject | undefined) => (about ? { about: nameSubject(about) } : {});

/**
 * Returns the warnings of the guards (the rules of `--guards` and `--check`) about an action of `trueup run`, in the form of a plan. Throws
 * `Problems` if they refuse it.
 */
async function judgePlan(plan: Plan, guards: PlanJudge | undefined): Promise<Diagnostic[]> {
  const diagnostics = (await guards?.judge(plan)) ?? [];
  raiseErrors(diagnostics);
  return diagnostics;
}

/**
 * Does the `work` of `trueup run` under the lease (the right to write the ledger), and records before it in the history that the action
 * started, and after it how it ended if that is known. Throws `Problems` without doing it if the action that `--again` or `--skip` chose is
 * no longer owed, because another run has sent or dropped it.
 */
async function runRecorded<T>(
  session: Session,
  options: ActionOptions,
  port: Port,
  run: RecordedRun,
  work: () => Promise<T>,
): Promise<T> {
  await lockSession(session, options, port);
  try {
    refuseSettled(session, run);
    const record = await startActionRecord(session, options, run);
    /** Writes the ledger together with the record of the action. */
    const writeOutcome = async (outcome: ActionRecordOutcome) => {
      await session.lease!.confirm();
      const lastWrite = new Date(session.host.clock.now()).toISOString();
      const ledger = outcome === 'done' ? withoutOwed(session.ledger, run.settled) : session.ledger;
      const nextLedger = { ...ledger, lastRun: record.name, lastWrite };
      const historyUpdate = record.composeUpdate(outcome);
      session.ledger = await session.store.write(nextLedger, { historyUpdate });
    };
    await writeOutcome('begun');
    const result = await work().catch(async (error) => {
      // If the result is unknown, the record keeps saying that the action started.
      if (!(error as { isUnknown?: true }).isUnknown) await writeOutcome('failed');
      throw error;
    });
    // Not followed by that `catch`: an action that succeeded must not be recorded as failed if this write fails.
    await writeOutcome('done');
    return result;
  } finally {
    await unlockSession(session);
  }
}

/** The history record of an action that is running, and the outcomes that can be written to it. */
type OpenActionRecord = Awaited<ReturnType<typeof openActionRecord>>;
type ActionRecordOutcome = Parameters<OpenActionRecord['composeUpdate']>[0];

/**
 * Throws `Problems` if the user chose an owed action (one of `$then` that an earlier apply left undone; `debt` is its id), but another run
 * has sent or dropped it meanwhile. Prevents that it is sent twice.
 */
function refuseSettled({ ledger }: Session, { debt }: RecordedRun): void {
  if (debt === undefined || ledger.owed?.[debt]) return;
  raise('apply/changed', `${debt} is not owed any more: another run was faster; nothing was sent`, {
    hint: '`trueup log` shows which',
  });
}

/**
 * Starts the history record of an action of `trueup run`, which `trueup log` shows. Creates the ledger key and the folder `.trueup` before,
 * if they are needed and missing.
 */
async function startActionRecord(
  session: Session,
  options: ActionOptions,
  { name, about }: RecordedRun,
): Promise<OpenActionRecord> {
  const { host, documents, ledger } = session;
  if (usesHome(session.ledgerChoice, host)) await createHomeFolder(host);
  const key = await requireKey(session, options);
  const { stage, commit, actor, ci } = await collectRunFacts(session, options, {});
  return openActionRecord(
    { documents, ledger, key, by: { actor, ci }, now: host.clock.now },
    {
      action: name,
      ...subjectMember(about),
      stage,
      commit,
      approval: options.autoApprove ? 'flag' : 'asked',
    },
  );
}

/**
 * Returns a ledger in which actions with these ids are no longer owed (to be sent for a `$then` of an earlier apply), after `trueup run`
 * has sent or dropped them.
 */
function withoutOwed({ owed = {}, ...ledger }: Ledger, ids: readonly string[]): Ledger {
  const stillOwed = Object.entries(owed).filter(([id]) => !ids.includes(id));
  return stillOwed.length > 0 ? { ...ledger, owed: Object.fromEntries(stillOwed) } : ledger;
}

/** The options of `trueup run`, which runs one action. */
export interface ActionOptions extends StackOptions, ScopeOptions {
  list?: boolean;
  input?: string[];
  secretInput?: string[];
  secretTo?: string;
  secretToCommand?: string;
  wait?: boolean;
  timeout: number;
  autoApprove?: boolean;
  confirm?: string;
  again?: boolean;
  skip?: boolean;
  otherStack?: boolean;
  guards?: string;
  check?: string[];
}
