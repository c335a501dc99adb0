import type { WritingOptions } from '../app/planning/planning.ts';
import { lockSession, type Session } from '../app/session/session.ts';
import type { Planned } from '../run/open-plan.ts';
import { recordSources, rewriteLedger } from '../run/session.ts';
import { ledgerLine } from './ledger-line.ts';
import type { Terminal } from './terminal.ts';

/** After an apply that had nothing to do but to be told: says what was written into the ledger all the same. */
export async function keepLedgerCurrent(
  session: Session,
  planned: Planned,
  options: WritingOptions,
  terminal: Terminal,
): Promise<void> {
  const lock = () => lockSession(session, options, terminal);
  if (await recordSources(session, planned, lock))
    terminal.say('The ledger now records where secrets and variables are read from.');
  if (await rewriteLedger(session, lock))
    terminal.out(ledgerLine(session.store, session.ledger, session.host.clock.now()));
}
