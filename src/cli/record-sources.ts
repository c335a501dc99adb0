import type { StackOptions } from './options.ts';
import type { Planned } from './plan-session.ts';
import { lockSession, type Session } from './session.ts';
import type { Terminal } from './terminal.ts';

/**
 * After an apply that had nothing to do but to be told: the ledger remembers where secrets and variables are read now. Where there
 * is no ledger yet, or somebody else wrote it meanwhile, that is left to the next apply.
 */
export async function recordSources(
  session: Session,
  { plan, ledger }: Planned,
  options: StackOptions,
  terminal: Terminal,
): Promise<void> {
  const now = Object.fromEntries((plan.sources ?? []).map(({ name, source }) => [name, source]));
  const known = session.ledger.sources ?? {};
  const names = new Set([...Object.keys(now), ...Object.keys(known)]);
  const isSame = [...names].every((name) => now[name] === known[name]);
  if (isSame || session.ledger.generation === 0) return;
  if (!session.lease) await lockSession(session, options, terminal);
  if (session.ledger.generation !== ledger.generation) return;
  await session.lease!.confirm();
  session.ledger = await session.store.write({ ...session.ledger, sources: now });
  terminal.err('The ledger remembers from now on where secrets and variables are read.');
}
