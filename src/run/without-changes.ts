import { isVerified } from '../ledger/proof.ts';
import type { Planned } from './open-plan.ts';
import type { Session } from './session.ts';

/** Takes the lease of a session that has none yet. */
type Lock = () => Promise<void>;

/**
 * After an apply that had nothing to do but to be told: the ledger remembers where secrets and variables are read now. Where there
 * is no ledger yet, or somebody else wrote it meanwhile, that is left to the next apply. True if it was written.
 */
export async function recordSources(
  session: Session,
  { plan, ledger }: Pick<Planned, 'plan' | 'ledger'>,
  lock: Lock,
): Promise<boolean> {
  const now = Object.fromEntries((plan.sources ?? []).map(({ name, source }) => [name, source]));
  const known = session.ledger.sources ?? {};
  const names = new Set([...Object.keys(now), ...Object.keys(known)]);
  const isSame = [...names].every((name) => now[name] === known[name]);
  if (isSame || session.ledger.generation === 0) return false;
  if (!session.lease) await lock();
  if (session.ledger.generation !== ledger.generation) return false;
  await session.lease!.confirm();
  session.ledger = await session.store.write({ ...session.ledger, sources: now });
  return true;
}

/** Signs the ledger anew where the previous key signed it, so that this one can go after one apply. True if it was written. */
export async function signAnew(session: Session, lock: Lock): Promise<boolean> {
  const isPrevious = () => {
    const proof = session.store.proof();
    return proof !== undefined && isVerified(proof) && proof.previous === true;
  };
  if (!isPrevious()) return false;
  if (!session.lease) await lock();
  if (!isPrevious()) return false;
  await session.lease!.confirm();
  session.ledger = await session.store.write(session.ledger);
  await session.store.close();
  return true;
}
