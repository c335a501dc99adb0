import { hasErrors } from '../model/diagnostic.ts';
import { isEmpty } from '../model/plan.ts';
import { fold } from '../report/cut.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { sideEffectsText } from '../report/outcome-text.ts';
import { waitingLines } from '../report/plan-end.ts';
import { planText } from '../report/plan-text.ts';
import { verifiedText } from '../report/verified-text.ts';
import type { Planned } from '../run/open-plan.ts';
import { type Verified, verify } from '../run/verify.ts';
import { exitCodes } from './exit-codes.ts';
import { planningOf, type WritingOptions } from './planning.ts';
import type { Session } from './session.ts';
import type { Terminal } from './terminal.ts';

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
  const { planned, beside } = await lookAgain(session, done, options, terminal, { destroy, stop });
  const { plan } = planned;
  const isDone = isEmpty(plan) && !hasErrors(plan.diagnostics);
  if (terminal.run.deed)
    terminal.run.deed.proof = isDone ? 'settled' : isEmpty(plan) ? 'unread' : 'unsettled';
  const { outStyle: style } = terminal;
  const news = beside.filter(({ address }) => !session.changedBeside?.has(address));
  const effects = sideEffectsText(news, { style });
  if (isDone) {
    // What is to be waited for is told by the wait.
    const waiting = (plan.waiting ?? []).filter(({ minutes }) => minutes === undefined);
    const goal = destroy ? 'destroyed' : done.after ? 'undone' : 'configuration';
    terminal.out(waitingLines({ waiting }, { style, verbose: false }).join('\n'));
    terminal.out(effects);
    const proven = verifiedText({ ...plan, waiting }, { goal, beside: news });
    terminal.out(fold(proven, style.prose).map(style.strong).join('\n'));
  } else {
    terminal.run.exitCode = stop.signal.aborted ? exitCodes.interrupted : exitCodes.failed;
    terminal.err(
      isEmpty(plan)
        ? 'Applied, but not verified: the account could not be read again.'
        : 'Applied, but not verified: the account still differs from the configuration.',
    );
    terminal.err(diagnosticsText(plan.diagnostics, { style: terminal.errStyle }));
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
      ...planningOf(options, host, { destroy }),
      within: options.settle * 1000,
      onWait: () => {
        const text = `checking again for up to ${options.settle} s`;
        terminal.err(`The account does not show everything yet; ${text}.`);
        if (lease) lease.onInterrupt = () => stop.abort();
      },
      stop: stop.signal,
    });
  } finally {
    if (lease) lease.onInterrupt = () => lease.abandon();
  }
}
