import { planOf } from '../action/plan-of.ts';
import { findFiles } from '../config/find-files.ts';
import { openActionRecord } from '../history/action-record.ts';
import type { Action } from '../kind/action.ts';
import type { Input } from '../kind/lookup.ts';
import type { Provider } from '../kind/provider.ts';
import { hasErrors, Problems } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';
import type { OwedAction } from '../model/planned-action.ts';
import type { Request } from '../model/request.ts';
import type { Fields } from '../model/value.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { withLookups } from '../run/look-up-values.ts';
import { fillActionInput } from '../run/planned-actions.ts';
import type { PlanJudge } from '../run/session.ts';
import { aboutRun } from './about-run.ts';
import { makeHome } from './home.ts';
import type { Host } from './host.ts';
import { refuseEphemeral, usesHome } from './ledger-choice.ts';
import { openGuards } from './open-guards.ts';
import { type About, openReading, type Reading } from './open-reading.ts';
import type { ScopeOptions, StackOptions } from './options.ts';
import type { RowsOptions } from './print-rows.ts';
import { refuseOthers, refuseProtected } from './refuse-action.ts';
import {
  lockSession,
  openSession,
  requireKey,
  requireWritable,
  type Session,
  unlockSession,
} from './session.ts';
import type { Terminal } from './terminal.ts';

/** All that an action stands on: an account, and a stack where there is a configuration. */
export interface Ground extends Omit<Reading, 'connection'> {
  connection: Session['connection'] | Reading['connection'];
  /** Refuses what is another's, is protected, or the guards do not allow. Throws `Problems`. */
  judge(action: Action, about: About | undefined, request: Request): Promise<void>;
  /** The actions that applies of the stack owe, by id; none without a stack. */
  owed: NonNullable<Ledger['owed']>;
  /** The input of a debt with what its holes stand for; undefined where that is not known. */
  filled(input: OwedAction['input']): Promise<Input | undefined>;
  /** Does the work under the lease of the ledger, and records it: before it begins, and how it ended. Once it is done, `settled` is owed no more. */
  recorded<T>(deed: RecordedDeed, work: () => Promise<T>): Promise<T>;
  /** Has Ctrl-C call this, in place of ending the run; returns what takes that back. */
  onInterrupt(listener: () => void): () => void;
}

/** The record of an action. */
interface RecordedDeed {
  /** As the history calls it. */
  name: string;
  about: About | undefined;
  /** The ids of the debts that it pays. */
  settled: readonly string[];
  /** The one that has to be owed still: somebody else may pay it while a person thinks. */
  debt?: string | undefined;
}

/** The ground of an action: the stack that the options name, or the account alone. Throws `Problems`. */
export async function openGround(
  provider: Provider,
  options: RunOptions,
  terminal: Terminal,
): Promise<Ground> {
  return (await isOfStack(options, terminal.run.host))
    ? stackGround(provider, options, terminal)
    : accountGround(provider, options, terminal);
}

/** With an account named there is no configuration; else where there is one. */
async function isOfStack({ team, personal, file }: RunOptions, { cwd }: Host): Promise<boolean> {
  if (team !== undefined || personal) return false;
  if (file) return true;
  const { files } = await findFiles(cwd, undefined);
  return files.length > 0;
}

async function accountGround(provider: Provider, options: RunOptions, terminal: Terminal): Promise<Ground> {
  const { host } = terminal.run;
  const reading = await openReading(provider, options, terminal);
  const { masking } = reading;
  const judges = await openGuards(provider, options, { host, files: [], masking, writes: true }).catch(
    async (error) => {
      await reading.close();
      throw error;
    },
  );
  terminal.err('Running without a configuration: nothing is recorded, and ownership is not checked.');
  return {
    ...reading,
    judge: (action, about, request) =>
      judged(planOf(action, { stack: '', ...places(about), request }), judges, terminal),
    owed: {},
    filled: async (input) => input,
    recorded: (_, work) => work(),
    onInterrupt: (listener) => host.onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], listener),
  };
}

async function stackGround(provider: Provider, options: RunOptions, terminal: Terminal): Promise<Ground> {
  const { host } = terminal.run;
  refuseEphemeral(options, host);
  const session = await openSession(provider, options, terminal, { writes: true, guards: 'apply' });
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
    around: { connection, owner, kinds, configuration, options, host },
    judge: async (action, about, request) => {
      await refuseOthers(session, about, options);
      await refuseProtected(session, action, about);
      const plan = planOf(action, { stack: desired.stack, account, ...places(about), request });
      await judged(plan, session.guards, terminal);
    },
    owed: session.ledger.owed ?? {},
    filled: async (input) => {
      const known = { desired, live: { resources: new Map() }, ledger: session.ledger };
      return fillActionInput(
        { input: await withLookups(input as Fields, desired.lookups, session.lookUp) },
        known,
      );
    },
    recorded: (deed, work) => recordedIn(session, options, terminal, { ...deed, work }),
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

const places = (about: About | undefined) =>
  about ? { about: { address: about.address, kind: about.places.at(-1)!.kind } } : {};

async function judged(plan: Plan, judge: PlanJudge | undefined, terminal: Terminal): Promise<void> {
  const diagnostics = (await judge?.judge(plan)) ?? [];
  if (hasErrors(diagnostics)) throw new Problems(diagnostics);
  terminal.err(diagnosticsText(diagnostics, { style: terminal.errStyle }));
}

interface Recorded<T> extends RecordedDeed {
  work(): Promise<T>;
}

async function recordedIn<T>(
  session: Session,
  options: RunOptions,
  terminal: Terminal,
  { name, about, settled, debt, work }: Recorded<T>,
): Promise<T> {
  const { host, documents } = session;
  await lockSession(session, options, terminal);
  try {
    if (debt !== undefined && !session.ledger.owed?.[debt])
      throw new Problems(
        'run/changed',
        `${debt} is not owed any more: another run was faster; nothing was sent`,
        {
          hint: '`trueup log` shows which',
        },
      );
    if (usesHome(options, host)) await makeHome(host);
    const key = await requireKey(session, options);
    const { stage, commit, actor, ci } = await aboutRun(session, options, {});
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

export interface RunOptions extends StackOptions, ScopeOptions, RowsOptions {
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
