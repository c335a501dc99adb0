import { type ActionEnd, awaitStartedWork } from '../app/applying/await-actions.ts';
import type { Session } from '../app/session/session.ts';
import { type Diagnostic, problem, warning } from '../model/diagnostic.ts';
import type { Outcome } from '../model/event.ts';
import { actionName } from '../report/action-texts.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import type { Planned } from '../run/open-plan.ts';
import { annotate } from './actions-run.ts';
import { exitCodes, worstCode } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/**
 * Waits for the actions of a run that have a `wait`, once all is done and recorded: Ctrl-C only ends the wait. Sets the exit code where one does
 * not end as it should.
 */
export async function awaitActions(
  session: Session,
  planned: Planned,
  outcome: Outcome,
  terminal: Terminal,
): Promise<void> {
  const stop = new AbortController();
  const stopListening = session.host.onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], () => stop.abort());
  try {
    const ends = await awaitStartedWork(session, planned, outcome, { stop: stop.signal, say: terminal.say });
    if (ends.length > 0) tellEnds(ends, terminal);
  } finally {
    stopListening();
  }
}

function tellEnds(ends: readonly ActionEnd[], terminal: Terminal): void {
  const diagnostics = ends.flatMap(({ end, action, minutes, state }): Diagnostic[] => {
    const name = actionName(action);
    const about = action.about === undefined ? {} : { address: action.about };
    if (end === 'ended')
      return [
        problem('then/ended', `${name} was sent and ended as ${state}`, {
          ...about,
          hint: 'everything is applied and nothing is pending; see its log in the dashboard',
        }),
      ];
    return end === 'under way'
      ? [
          warning('then/under-way', `${name} is still running after ${minutes} min`, {
            ...about,
            hint: 'it continues on its own: use `trueup wait`',
          }),
        ]
      : [];
  });
  terminal.say(diagnosticsText(diagnostics, { style: terminal.errStyle }));
  annotate(diagnostics, terminal);
  const some = (wanted: ActionEnd['end']) => ends.some(({ end }) => end === wanted);
  if (some('stopped'))
    terminal.say('Stopped waiting. Everything is applied and recorded; what was sent continues.');
  terminal.run.exitCode = worstCode([
    terminal.run.exitCode,
    ...(some('stopped') ? [exitCodes.interrupted] : []),
    ...(some('ended') ? [exitCodes.failed] : []),
    ...(some('under way') ? [exitCodes.tryAgainLater] : []),
  ]);
}
