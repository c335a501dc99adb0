import type { Connection, Owner, Provider, RunningTwin } from '../kind/provider.ts';
import type { LeaseClock } from '../ledger/keep-lease.ts';
import { createMasking, type Masking } from '../model/masking.ts';
import { startPrivateTwin } from '../run/private-twin.ts';

/** A twin of the platform that only this rehearsal uses, with a connection to its account. */
export interface RehearsalTwin {
  twin: RunningTwin;
  connection: Connection;
  /** The account's owner as the twin answers it, with the settings that kinds depend on. */
  owner: Owner;
  /** Masks the secrets that were sent to the twin in its answers. */
  masking: Masking;
  close(): Promise<void>;
}

/**
 * The number after which the twin numbers its ids. The account of the plan may be a twin, too, and a new object here must not get the id of
 * an object there. No twin makes so many ids.
 */
const idsAfter = 1_000_000_000;

/**
 * Starts the empty twin of a rehearsal (a simulated account) in this process, with the owner of the plan, and connects to it. It keeps
 * everything in memory. Throws `Problems` if it cannot be started.
 */
export async function openRehearsalTwin(
  provider: Provider,
  owner: Owner,
  clock: LeaseClock,
): Promise<RehearsalTwin> {
  const { twin, token } = await startPrivateTwin(provider, {
    seed: provider.emptyAccountOf(owner),
    rateLimits: 'off',
    now: clock.now,
    idsAfter,
  });
  const masking = createMasking();
  let connection: Connection | undefined;
  const close = async () => {
    try {
      await connection?.close();
    } finally {
      await twin.close();
    }
  };
  try {
    connection = await provider.connect({
      baseUrl: twin.url,
      token,
      scope: owner.type === 'team' ? { team: owner.id } : { personal: true },
      masking,
      clock,
    });
    return { twin, connection, owner: await connection.owner(), masking, close };
  } catch (error) {
    await close();
    throw error;
  }
}
