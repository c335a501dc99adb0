import { maxReadAge } from '../model/request.ts';
import type { Clock } from './clock.ts';

/** The call had its turn but did not send anything, because it must be confirmed first. */
export class NotConfirmed extends Error {}

/** Runs `sendInTurn`, which waits for its turn and calls `beforeSending` immediately before it sends. */
export type Confirmation = <T>(sendInTurn: (beforeSending: () => void) => Promise<T>) => Promise<T>;

/**
 * Creates a guard for the attempts to send one write. Its caller has just checked that the object is unchanged. If
 * the write has to wait long for a rate limit, that check is outdated: the guard then calls `confirm`, which checks
 * again and throws if the write must not be sent. While it checks, other calls go first, and the write waits for its
 * turn once more.
 */
export function createConfirmation(confirm: (() => Promise<void>) | undefined, clock: Clock): Confirmation {
  let confirmedAt = clock.now();
  return async (sendInTurn) => {
    for (;;) {
      try {
        return await sendInTurn(() => {
          if (confirm && clock.now() - confirmedAt >= maxReadAge) throw new NotConfirmed();
        });
      } catch (error) {
        if (!(error instanceof NotConfirmed)) throw error;
        await confirm?.();
        confirmedAt = clock.now();
      }
    }
  };
}
