import { freshFor } from '../model/request.ts';
import type { Clock } from './clock.ts';

/** The call had its turn but did not send anything, because it must be confirmed first. */
export class NotConfirmed extends Error {}

/** Runs `sendInTurn`, which waits for its turn and calls `beforeSending` immediately before it sends. */
export type Confirmation = <T>(sendInTurn: (beforeSending: () => void) => Promise<T>) => Promise<T>;

/**
 * Creates a guard for all attempts to send one request. The caller has just read the object that the request changes. If an attempt would be sent
 * long after that, for example because of a rate limit, the guard calls `confirm`, which reads the object again and throws if the request
 * must not be sent any more. Other calls are not delayed meanwhile; the attempt then waits for its turn once more.
 */
export function createConfirmation(confirm: (() => Promise<void>) | undefined, clock: Clock): Confirmation {
  let confirmedAt = clock.now();
  return async (sendInTurn) => {
    for (;;) {
      try {
        return await sendInTurn(() => {
          if (confirm && clock.now() - confirmedAt >= freshFor) throw new NotConfirmed();
        });
      } catch (error) {
        if (!(error instanceof NotConfirmed)) throw error;
        await confirm?.();
        confirmedAt = clock.now();
      }
    }
  };
}
