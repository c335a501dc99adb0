import type { Clock } from '../http/clock.ts';

/** How long a question may take, and how long nothing is asked after one that was not answered; in milliseconds. */
const deadline = 5000;
const pause = 5000;

/** The database, as far as it answers. */
export interface Contact {
  /** False for a while after a question that was not answered. */
  isDue(): boolean;
  /** What the answer was; undefined where none came in time. */
  ask<T>(question: () => Promise<T>): Promise<T | undefined>;
}

/** `onSilence` is called once, when the first question is not answered. */
export function openContact(clock: Clock, onSilence: (error: Error) => void): Contact {
  let silentUntil = 0;
  let isTold = false;

  return {
    isDue: () => clock.now() >= silentUntil,
    async ask(question) {
      try {
        return await inTime(question());
      } catch (error) {
        silentUntil = clock.now() + pause;
        if (!isTold) onSilence(error as Error);
        isTold = true;
        return undefined;
      }
    },
  };
}

/** Whatever a network does with a connection. The timer holds up no process that ends. */
export async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${deadline / 1000} seconds`)), deadline);
    timer.unref();
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
