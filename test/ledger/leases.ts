import { expect } from 'vitest';
import type { Documents } from '../../src/ledger/documents.ts';
import { acquireLease } from '../../src/ledger/lease.ts';
import type { Holder } from '../../src/ledger/lease-record.ts';
import { Problems } from '../../src/model/diagnostic.ts';
import type { manualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';

/** The first problem that some work ends with; fails if it ends otherwise. */
export async function problemOf(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(Problems);
  return (error as Problems).diagnostics[0]!;
}

/** The lease, after watching whoever has it; the clock goes on while it waits. */
export async function watched(
  place: Documents,
  user: string,
  clock: ReturnType<typeof manualClock>,
  wait = 0,
) {
  let isDone = false;
  const before = clock.sleeping();
  const taking = acquireLease(place, { holder: holder(user), clock, wait }).finally(() => {
    isDone = true;
  });
  taking.catch(() => {});
  while (!isDone) {
    await until(() => isDone || clock.sleeping() > before);
    if (!isDone) clock.advance(2000);
  }
  return taking;
}

/** A run of somebody. */
export const holder = (user: string): Holder => ({ run: `run of ${user}`, user, host: 'here', pid: 7 });
