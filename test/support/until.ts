import { setTimeout } from 'node:timers/promises';

/** Waits until something is so, for as long as the test may take: how fast the machine is does not matter. */
export async function until(isSo: () => unknown): Promise<void> {
  while (!(await isSo())) await setTimeout(10);
}
