import { createPlanOptions, type WritingOptions } from '../app/planning/plan-options.ts';
import { type Session, unlockSession } from '../app/session/session.ts';
import type { Address } from '../model/address.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { WaitEvent } from '../model/event.ts';
import { isEmpty } from '../model/plan.ts';
import { cleanLine } from '../report/clean.ts';
import { fold } from '../report/cut.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { waitingLines } from '../report/plan-end.ts';
import { planText } from '../report/plan-text.ts';
import { sideEffectsText } from '../report/side-effects-text.ts';
import { endDiagnostic, readyText, verifiedText } from '../report/verified-text.ts';
import { askedIn, awaitAsked, lookerOf } from '../run/await-ready.ts';
import type { Planned } from '../run/open-plan.ts';
import { type Verified, verify } from '../run/verify.ts';
import { annotate } from './actions-run.ts';
import { exitCodes, problemsCode } from './exit-codes.ts';
import { type LiveText, liveText, type Terminal } from './terminal.ts';

/**
 * Waits for what is not ready and has `$wait`, once all else is done: the ledger is complete, its lease is given back, and a signal only
 * ends the wait. Sets the exit code where not all of it becomes ready. `planned`: the account as it was seen last.
 */
export async function waitUntilReady(session: Session, planned: Planned, terminal: Terminal): Promise<void> {
  const asked = askedIn(planned.plan);
  if (asked.length === 0) return;
  const { say, host } = session;
  const stop = new AbortController();
  const stopListening = host.onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], () => stop.abort());
  const view = createWaitView(terminal, await liveText(terminal));
  const ends: Parameters<typeof endDiagnostic>[0][] = [];
  const onEvent = (event: WaitEvent) => {
    view.show(event);
    if (event.type !== 'waiting' && event.type !== 'ready') ends.push(event);
  };
  const look = lookerOf(session, planned);
  let isLooking = false;
  try {
    await unlockSession(session);
    session.say = view.note;
    await awaitAsked(asked, {
      look: async (addresses) => {
        isLooking = true;
        return look(addresses).finally(() => {
          isLooking = false;
        });
      },
      clock: session.clock,
      stop: stop.signal,
      onEvent,
    });
  } finally {
    view.done();
    session.say = say;
    stopListening();
  }
  const diagnostics = ends.map((end) => endDiagnostic(end, planned.desired.resources.get(end.address)?.at));
  terminal.say(diagnosticsText(diagnostics, { style: terminal.errStyle }));
  annotate(diagnostics, terminal);
  if (stop.signal.aborted)
    terminal.say(
      'Stopped waiting. Everything is applied and recorded; the next apply waits again for what is not ready.',
    );
  terminal.run.exitCode = stop.signal.aborted
    ? exitCodes.interrupted
    : ends.some(({ type }) => type !== 'over')
      ? exitCodes.failed
      : ends.length > 0
        ? exitCodes.tryAgainLater
        : terminal.run.exitCode;
  // A look that waits for a rate limit would keep the process for as long as that takes.
  if (stop.signal.aborted && isLooking) host.exit(exitCodes.interrupted);
}

interface WaitView {
  show(event: WaitEvent): void;
  note(text: string): void;
  /** Leaves the screen to others. */
  done(): void;
}

/** A line for each object that is redrawn on a terminal; lines of a log elsewhere. */
function createWaitView({ say, errStyle }: Terminal, update: LiveText | undefined): WaitView {
  if (!update) return { show: (event) => say(readyText(event, errStyle)), note: say, done: () => {} };
  const waiting = new Map<Address, string>();
  const draw = () => {
    update.clear();
    if (waiting.size > 0) update([...waiting.values()].join('\n'));
  };
  const note = (text: string) => {
    update.clear();
    say(text);
    draw();
  };
  return {
    show(event) {
      const text = readyText(event, errStyle);
      if (event.type === 'waiting') {
        waiting.set(event.address, text);
        draw();
      } else {
        waiting.delete(event.address);
        note(text);
      }
    },
    note,
    done: () => update.clear(),
  };
}

/**
 * Plans again after an apply, until nothing is left to do; Ctrl-C ends that. Says what it finds, and gives back the empty plan. `done`: the
 * plan that was carried out.
 */
export async function verifyApplied(
  session: Session,
  done: Planned,
  options: WritingOptions,
  terminal: Terminal,
  { destroy }: { destroy: boolean },
): Promise<Planned | undefined> {
  const stop = new AbortController();
  const { planned, beside, remaining } = await lookAgain(session, done, options, terminal, { destroy, stop });
  const { plan } = planned;
  const isDone = isEmpty(plan) && !hasErrors(plan.diagnostics) && remaining.length === 0;
  if (terminal.run.deed) terminal.run.deed.proof = isEmpty(plan) ? 'unread' : 'unsettled';
  const { outStyle: style } = terminal;
  const changedByPartners = beside.length > 0 ? await session.findChangedByPartners?.() : undefined;
  const news = beside.filter(({ address }) => !changedByPartners?.has(address));
  const effects = sideEffectsText(news, { style });
  if (isDone) {
    // What is to be waited for is told by the wait.
    const waiting = (plan.waiting ?? []).filter(({ minutes }) => minutes === undefined);
    const goal = destroy ? 'destroyed' : done.after ? 'undone' : 'configuration';
    terminal.out(waitingLines({ waiting }, { style, verbose: false }).join('\n'));
    terminal.out(effects);
    const proven = verifiedText(
      { ...plan, waiting },
      {
        goal,
        beside: news,
        unrestored: done.after?.unrestored ?? 0,
      },
    );
    if (terminal.run.deed) terminal.run.deed.proof = { verified: proven };
    terminal.out(fold(proven, style.prose).map(style.strong).join('\n'));
  } else {
    const unverified = (isEmpty(plan) && problemsCode(plan.diagnostics)) || exitCodes.failed;
    terminal.run.exitCode = stop.signal.aborted ? exitCodes.interrupted : unverified;
    terminal.say(
      remaining.length > 0
        ? cleanLine(`Applied, but not verified: the account still shows ${remaining.join(', ')}.`)
        : isEmpty(plan)
          ? 'Applied, but not verified: the account could not be read again.'
          : 'Applied, but not verified: the account still differs from the configuration.',
    );
    terminal.say(diagnosticsText(plan.diagnostics, { style: terminal.errStyle }));
    terminal.out(planText(plan, { style, requests: false }));
    terminal.out(effects);
  }
  return isDone ? planned : undefined;
}

async function lookAgain(
  session: Session,
  done: Planned,
  options: WritingOptions,
  terminal: Terminal,
  { destroy, stop }: { destroy: boolean; stop: AbortController },
): Promise<Verified> {
  const { lease, host } = session;
  try {
    return await verify(session, done, {
      ...createPlanOptions(options, host, { destroy }),
      within: options.settle * 1000,
      onWait: () => {
        const text = `checking again for up to ${options.settle} s`;
        terminal.say(`The account does not show everything yet; ${text}.`);
        if (lease) lease.onInterrupt = () => stop.abort();
      },
      stop: stop.signal,
    });
  } finally {
    if (lease) lease.onInterrupt = () => lease.abandon();
  }
}
