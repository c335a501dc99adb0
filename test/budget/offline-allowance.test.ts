import { expect, it } from 'vitest';
import { goAlone } from '../../src/budget/database-contact.ts';
import { systemClock } from '../../src/http/clock.ts';

it('where nothing was left and nobody knows until when, one call is free: its answer tells', () => {
  const alone = goAlone({ granted: 0, free: 0, runs: 2, isSpent: false }, systemClock.now(), systemClock);
  expect([alone.more(), alone.more(), alone.until()]).toEqual([1, 0, undefined]);
  // The answer says nothing: the next one is free.
  expect(alone.hear(undefined)).toBe(1);
});
