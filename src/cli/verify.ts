import { hasErrors } from '../model/diagnostic.ts';
import { isEmpty } from '../model/plan.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { planText } from '../report/plan-text.ts';
import { sideEffectsText } from '../report/side-effects-text.ts';
import type { Planned } from '../run/open-plan.ts';
import { type Verified, verify as verifyApplied } from '../run/verify.ts';
import { exitCodes } from './exit-codes.ts';
import type { WritingOptions } from './options.ts';
import { planningOf } from './planning.ts';
import type { Session } from './session.ts';
import type { Terminal } from './terminal.ts';

/** Plans again after an apply, until nothing is left to do; Ctrl-C ends that. Says what it finds. `done`: the plan that was carried out. */
export async function verify(
  session: Session,
  done: Planned,
  options: WritingOptions,
  terminal: Terminal,
  { destroy }: { destroy: boolean },
): Promise<void> {
  const stop = new AbortController();
  const { plan, beside } = await lookAgain(session, done, options, terminal, { destroy, stop });
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
  terminal.out(sideEffectsText(beside, { style: terminal.outStyle }));
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
    return await verifyApplied(session, done, {
      ...planningOf(options, host, { destroy }),
      within: options.settle * 1000,
      onWait: () => {
        const text = `looking again for up to ${options.settle} s`;
        terminal.err(`The account does not show everything yet; ${text}.`);
        if (lease) lease.onInterrupt = () => stop.abort();
      },
      stop: stop.signal,
    });
  } finally {
    if (lease) lease.onInterrupt = () => lease.abandon();
  }
}
