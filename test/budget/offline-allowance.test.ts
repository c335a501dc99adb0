import { expect, it } from 'vitest';
import { createOfflineAllowance } from '../../src/budget/database-share.ts';
import { systemClock } from '../../src/http/clock.ts';

it('where nothing was left and nobody knows until when, one call is free: its answer tells', () => {
  const allowance = createOfflineAllowance(
    { granted: 0, free: 0, runs: 2, isSpent: false },
    systemClock.now(),
    systemClock,
  );
  expect([allowance.take(), allowance.take(), allowance.availableAt()]).toEqual([1, 0, undefined]);
  // The answer says nothing: the next one is free.
  expect(allowance.noteAnswer(undefined)).toBe(1);
});
