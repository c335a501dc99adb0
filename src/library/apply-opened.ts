import { Readable } from 'node:stream';
import { carryOut } from '../app/applying/carry-out.ts';
import type { WritingOptions } from '../app/planning/plan-options.ts';
import type { Port } from '../app/port.ts';
import { lockSession, requireWritable, type Session, unlockSession } from '../app/session/session.ts';
import { type Host, isInCi } from '../host.ts';
import { raise, raiseErrors } from '../model/diagnostic.ts';
import { withoutCommands } from '../model/runner-commands.ts';
import { processHost } from '../process-host.ts';
import { type Style, styleFor, useUnicode } from '../report/style.ts';
import { escapeHidden } from '../report/text.ts';
import type { ActionEnd } from '../run/await-actions.ts';
import { refuseMissingSecrets } from '../run/fill-request.ts';
import type { Planned } from '../run/open-plan.ts';
import { mayCreateKey } from '../stores/ledger-choice.ts';
import type { Applied, ApplyOptions, Surroundings } from './surface.ts';

/** The members of an open plan that users of the library do not see. */
export interface Opened {
  session: Session;
  planned: Planned;
  options: WritingOptions;
  port: Port;
  /** Present once an apply of the plan has started. A plan can be applied only once. */
  isBegun?: true;
}

/**
 * Applies a plan that the library opened, verifies the result, and waits for objects with `$wait` and actions with
 * `wait`: the implementation of `apply` in the library. Throws `Problems` if the plan cannot be applied (then
 * nothing was changed), or if the lease is lost meanwhile.
 */
export async function applyOpened(opened: Opened, applyOptions: ApplyOptions): Promise<Applied> {
  const { session, planned, options, port } = opened;
  await beginApply(opened);
  const { parallelism = options.parallelism } = applyOptions;
  const { outcome, verification, readiness, actionEnds } = await carryOut(
    session,
    planned,
    { ...options, parallelism },
    {
      say: port.say,
      stop: applyOptions.signal,
      onEvent: applyOptions.onEvent,
      onWait: applyOptions.onWait,
      // The caller sees the differences in `after`, and decides.
      waitsUnverified: true,
    },
  );
  if (!verification) return { outcome };
  const notReady = readiness!.notReady.map((event) => ({
    address: event.address,
    why: event.type === 'gone' ? 'it no longer exists' : event.why,
  }));
  const unfinished = unfinishedActions(actionEnds);
  return {
    outcome,
    after: verification.planned.plan,
    notReady: notReady.length > 0 ? notReady : undefined,
    unfinished: unfinished.length > 0 ? unfinished : undefined,
  };
}

/**
 * Checks that an open plan can be applied, and takes the lease of its ledger. Throws `Problems` if it cannot, or was applied before. The
 * plan counts as begun (`isBegun`) from then on, but not if taking the lease or reading the ledger after it fails, because nothing was
 * changed.
 */
async function beginApply(opened: Opened): Promise<void> {
  const { session, planned, options, port } = opened;
  if (opened.isBegun)
    raise(
      'apply/again',
      'this plan is being applied or was applied already: a plan can be applied only once',
      {
        hint: 'close it and open a new one with `openPlan`: that shows the remaining changes',
      },
    );
  const { diagnostics, operations } = planned.plan;
  raiseErrors(diagnostics.filter(({ severity }) => severity === 'error'));
  requireWritable(session, options);
  refuseMissingSecrets(operations, session.secrets);
  // Before the lock, so that a second call meanwhile is refused.
  opened.isBegun = true;
  await lockSession(session, options, port).catch(async (error) => {
    // If the ledger could not be read, this run has the lease already, and its next try would find it taken.
    await unlockSession(session);
    delete opened.isBegun;
    throw error;
  });
}

/**
 * Returns the actions (`$then` with `wait`) whose work did not succeed, each with the reason, for the member
 * `unfinished` in the result of the library's `apply`.
 */
const unfinishedActions = (ends: readonly ActionEnd[]): NonNullable<Applied['unfinished']> =>
  ends.flatMap(({ action, minutes, end, state }) => {
    const reasons = {
      ended: `it ended as ${state}`,
      'under way': `it is still running after ${minutes} min`,
      stopped: 'the wait was called off',
    };
    return end === 'reached' ? [] : [{ id: action.id, why: reasons[end] }];
  });

/** Lets the plan of a session compare secrets as if there were a ledger key if `apply` may create a missing one. */
export function expectKey(session: Session, options: WritingOptions, host: Host): void {
  session.writes = mayCreateKey(options, host);
}

/** Returns the style of the texts that the library returns: plain lines without colours, as in a log. */
export const textStyle = ({ env }: Pick<Host, 'env'>): Style =>
  styleFor({ color: false, width: 100, isLog: true, unicode: useUnicode(env) });

/**
 * Returns the port (where a run shows messages and asks questions) of a run inside of another program. Its messages
 * go to `say`, and there is no person to answer questions. It sends no commands to a CI runner, because the output
 * belongs to the other program.
 */
export const portFor = (host: Host, { say = () => {} }: Surroundings): Port => ({
  run: { host },
  say: (text) => {
    if (text !== '') say(withoutCommands(escapeHidden(text), isInCi(host)).trimEnd());
  },
  canAsk: false,
  ask: async () => '',
  toRunner: () => {},
});

/**
 * Returns the host (environment, clock, signals) of a run inside of another program, for the library. The run
 * ignores signals, because the program handles them, and must not end the process.
 */
export function hostFor({ cwd, env }: Surroundings): Host {
  const host = processHost();
  return {
    stdin: Readable.from([]),
    env: env ?? host.env,
    cwd: cwd ?? host.cwd,
    processes: host.processes,
    clock: host.clock,
    onSignal: () => () => {},
    exit: (code) => {
      throw new Error(`the run ended with ${code}`);
    },
    // The flags of the JavaScript engine are those of the program around the run.
    engine: { ...host.engine, starting: () => {}, started: () => {}, connecting: () => {} },
  };
}
