import { toActionPlan } from '../../action/to-action-plan.ts';
import { findFiles } from '../../config/find-files.ts';
import { openActionRecord } from '../../history/action-record.ts';
import type { Action } from '../../kind/action.ts';
import type { Input } from '../../kind/lookup.ts';
import type { Provider } from '../../kind/provider.ts';
import { type Diagnostic, hasErrors, Problems } from '../../model/diagnostic.ts';
import type { Ledger } from '../../model/ledger.ts';
import type { Plan } from '../../model/plan.ts';
import type { OwedAction } from '../../model/planned-action.ts';
import type { Request } from '../../model/request.ts';
import type { Fields } from '../../model/value.ts';
import { withLookups } from '../../run/look-up-values.ts';
import { fillActionInput } from '../../run/planned-actions.ts';
import type { PlanJudge } from '../../run/session.ts';
import type { Host, Port } from '../host.ts';
import { createHomeFolder } from '../session/home-folder.ts';
import { refuseEphemeral, usesHome } from '../session/ledger-choice.ts';
import { openGuards } from '../session/open-guards.ts';
import { collectRunFacts } from '../session/run-facts.ts';
import {
  lockSession,
  openSession,
  requireKey,
  requireWritable,
  type Session,
  unlockSession,
} from '../session/session.ts';
import type { ScopeOptions, StackOptions } from '../stack-options.ts';
import { type ActionSubject, openReadOnlyAccount, type ReadOnlyAccount } from './read-only-account.ts';
import { refuseOwnedByOthers, refuseProtected } from './refuse-action.ts';

/** All that an action stands on: an account, and a stack where there is a configuration. */
export interface ActionContext extends Omit<ReadOnlyAccount, 'connection'> {
  connection: Session['connection'] | ReadOnlyAccount['connection'];
  /** Returns the warnings of the guards. Throws `Problems` for what is another stack's, is protected, or the guards refuse. */
  judge(action: Action, about: ActionSubject | undefined, request: Request): Promise<Diagnostic[]>;
  /** The actions that applies of the stack owe, by id; none without a stack. */
  owedActions: NonNullable<Ledger['owed']>;
  /** The input of a debt with what its holes stand for; undefined where that is not known. */
  fillInput(input: OwedAction['input']): Promise<Input | undefined>;
  /** Does the work under the lease of the ledger, and records it: before it begins, and how it ended. Once it is done, `settled` is owed no more. */
  runRecorded<T>(deed: RecordedDeed, work: () => Promise<T>): Promise<T>;
  /** Has Ctrl-C call this, in place of ending the run; returns what takes that back. */
  onInterrupt(listener: () => void): () => void;
}

/** The record of an action. */
interface RecordedDeed {
  /** As the history calls it. */
  name: string;
  about: ActionSubject | undefined;
  /** The ids of the debts that it pays. */
  settled: readonly string[];
  /** The one that has to be owed still: somebody else may pay it while a person thinks. */
  debt?: string | undefined;
}

/** The ground of an action: the stack that the options name, or the account alone. Throws `Problems`. */
export async function openActionContext(
  provider: Provider,
  options: ActionOptions,
  port: Port,
): Promise<ActionContext> {
  return (await isOfFolderStack(options, port.run.host))
    ? stackGround(provider, options, port)
    : accountGround(provider, options, port);
}

/** With an account named there is no configuration; else where there is one. */
async function isOfFolderStack({ team, personal, file }: ActionOptions, { cwd }: Host): Promise<boolean> {
  if (team !== undefined || personal) return false;
  if (file) return true;
  const { files } = await findFiles(cwd, undefined);
  return files.length > 0;
}

async function accountGround(provider: Provider, options: ActionOptions, port: Port): Promise<ActionContext> {
  const { host } = port.run;
  const reading = await openReadOnlyAccount(provider, options, port);
  const { masking } = reading;
  const judges = await openGuards(provider, options, { host, files: [], masking, writes: true }).catch(
    async (error) => {
      await reading.close();
      throw error;
    },
  );
  port.say('Running without a configuration: nothing is recorded, and ownership is not checked.');
  return {
    ...reading,
    judge: (action, about, request) =>
      judged(toActionPlan(action, { stack: '', ...places(about), request }), judges),
    owedActions: {},
    fillInput: async (input) => input,
    runRecorded: (_, work) => work(),
    onInterrupt: (listener) => host.onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], listener),
  };
}

async function stackGround(provider: Provider, options: ActionOptions, port: Port): Promise<ActionContext> {
  const { host } = port.run;
  refuseEphemeral(options, host);
  const session = await openSession(provider, options, port, { writes: true, guards: 'apply' });
  try {
    requireWritable(session, options);
  } catch (error) {
    await session.close();
    throw error;
  }
  const { kinds, configuration, connection, owner, masking, account, desired } = session;
  return {
    ...{ kinds, configuration, connection, owner, masking },
    baseUrl: session.ledger.baseUrl,
    operations: await provider.operations(),
    context: { connection, owner, kinds, configuration, options, host },
    judge: async (action, about, request) => {
      await refuseOwnedByOthers(session, about, options);
      await refuseProtected(session, action, about);
      const plan = toActionPlan(action, { stack: desired.stack, account, ...places(about), request });
      return judged(plan, session.guards);
    },
    owedActions: session.ledger.owed ?? {},
    fillInput: async (input) => {
      const known = { desired, live: { resources: new Map() }, ledger: session.ledger };
      return fillActionInput(
        { input: await withLookups(input as Fields, desired.lookups, session.lookUp) },
        known,
      );
    },
    runRecorded: (deed, work) => recordedIn(session, options, port, { ...deed, work }),
    onInterrupt(listener) {
      const { lease } = session;
      lease!.onInterrupt = listener;
      return () => {
        lease!.onInterrupt = () => lease!.abandon();
      };
    },
    close: () => session.close(),
  };
}

const places = (about: ActionSubject | undefined) =>
  about ? { about: { address: about.address, kind: about.lineage.at(-1)!.kind } } : {};

/** Returns the warnings of the guards about a plan. Throws `Problems` if they refuse it. */
async function judged(plan: Plan, judge: PlanJudge | undefined): Promise<Diagnostic[]> {
  const diagnostics = (await judge?.judge(plan)) ?? [];
  if (hasErrors(diagnostics)) throw new Problems(diagnostics);
  return diagnostics;
}

interface Recorded<T> extends RecordedDeed {
  work(): Promise<T>;
}

async function recordedIn<T>(
  session: Session,
  options: ActionOptions,
  port: Port,
  { name, about, settled, debt, work }: Recorded<T>,
): Promise<T> {
  const { host, documents } = session;
  await lockSession(session, options, port);
  try {
    if (debt !== undefined && !session.ledger.owed?.[debt])
      throw new Problems(
        'run/changed',
        `${debt} is not owed any more: another run was faster; nothing was sent`,
        {
          hint: '`trueup log` shows which',
        },
      );
    if (usesHome(options, host)) await createHomeFolder(host);
    const key = await requireKey(session, options);
    const { stage, commit, actor, ci } = await collectRunFacts(session, options, {});
    const record = await openActionRecord(
      {
        documents,
        ledger: session.ledger,
        key,
        by: { ...(actor ? { actor } : {}), ...(ci ? { ci } : {}) },
        now: host.clock.now,
      },
      {
        action: name,
        ...places(about),
        ...(stage === undefined ? {} : { stage }),
        ...(commit ? { commit } : {}),
        approval: options.autoApprove ? 'flag' : 'asked',
      },
    );
    const write = async (outcome: 'begun' | 'done' | 'failed') => {
      await session.lease!.confirm();
      const lastWrite = new Date(host.clock.now()).toISOString();
      const ledger = outcome === 'done' ? withoutDebts(session.ledger, settled) : session.ledger;
      const next = { ...ledger, lastRun: record.name, lastWrite };
      session.ledger = await session.store.write(next, { historyUpdate: record.composeUpdate(outcome) });
    };
    await write('begun');
    let result: T;
    try {
      result = await work();
    } catch (error) {
      // What became of it may not be known: then the record keeps saying that it began.
      if (!(error as { isUnknown?: true }).isUnknown) await write('failed');
      throw error;
    }
    // What was done is not written down as failed because this cannot be written.
    await write('done');
    return result;
  } finally {
    await unlockSession(session);
  }
}

function withoutDebts({ owed = {}, ...rest }: Ledger, ids: readonly string[]): Ledger {
  const left = Object.entries(owed).filter(([id]) => !ids.includes(id));
  return left.length > 0 ? { ...rest, owed: Object.fromEntries(left) } : rest;
}

/** The options of a run of one action. */
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
