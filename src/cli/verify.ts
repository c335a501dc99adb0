import { hasErrors } from '../model/diagnostic.ts';
import { sideEffects } from '../plan/side-effects.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { planText } from '../report/plan-text.ts';
import { sideEffectsText } from '../report/side-effects-text.ts';
import { exitCodes } from './exit-codes.ts';
import type { WritingOptions } from './options.ts';
import { isEmpty, type Planned, planSession } from './plan-session.ts';
import type { Session } from './session.ts';
import { settle } from './settle.ts';
import type { Terminal } from './terminal.ts';

/**
 * Plans again after an apply: only an empty second plan proves that it worked. The platform may show a write late, so it looks
 * for a while; Ctrl-C ends that. `done`: what was carried out. Whatever else is different since then is told.
 */
export async function verify(
  session: Session,
  done: Planned,
  options: WritingOptions,
  terminal: Terminal,
  { destroy }: { destroy: boolean },
): Promise<void> {
  const stop = new AbortController();
  const { plan, live } = await lookAgain(session, options, terminal, { destroy, stop });
  if (isEmpty(plan) && !hasErrors(plan.diagnostics))
    terminal.out('A second plan finds nothing left to do: No changes.');
  else {
    terminal.run.exitCode = stop.signal.aborted ? exitCodes.interrupted : exitCodes.failed;
    terminal.err(
      isEmpty(plan)
        ? 'Applied, but not verified: the account could not be read again.'
        : 'Applied, but not settled: a second plan still finds differences.',
    );
    terminal.err(diagnosticsText(plan.diagnostics, { style: terminal.errStyle }));
    terminal.out(planText(plan, { style: terminal.outStyle, requests: false }));
  }
  const { kinds, configuration } = session;
  const known = { kinds, ledger: done.ledger, desired: configuration.desired };
  terminal.out(sideEffectsText(sideEffects(done.plan, done.live, live, known), { style: terminal.outStyle }));
}

/** The second plan, as it is once nothing is left to do, something is wrong with it, or the time is over. */
async function lookAgain(
  session: Session,
  options: WritingOptions,
  terminal: Terminal,
  { destroy, stop }: { destroy: boolean; stop: AbortController },
): Promise<Planned> {
  const { lease } = session;
  // It is not carried out: how much it would delete does not matter, and what is not shown yet would count.
  const looking = { ...options, sendUnverified: [], delete: [], maxDeletions: Number.MAX_SAFE_INTEGER };
  const before = session.sent();
  try {
    return await settle(
      () => planSession(session, looking, { destroy, before }),
      ({ plan }) => isEmpty(plan) || hasErrors(plan.diagnostics),
      {
        clock: terminal.run.host.clock,
        within: options.settle * 1000,
        onWait: () => {
          const text = `looking again for up to ${options.settle} s`;
          terminal.err(`The account does not show everything yet; ${text}.`);
          if (lease) lease.onInterrupt = () => stop.abort();
        },
        stop: stop.signal,
      },
    );
  } finally {
    if (lease) lease.onInterrupt = () => lease.abandon();
  }
}
