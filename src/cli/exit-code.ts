import type { Outcome } from '../model/event.ts';

/**
 * What a shell is told of an apply: 0, 130 after Ctrl-C, 1 if anything failed, and EX_TEMPFAIL of sysexits.h if all that was not
 * done waits for a rate limit only: run again later.
 */
export function exitCode({ failed, left, skipped, interrupted }: Outcome): number {
  if (interrupted) return 130;
  if (failed.length > 0 || skipped.length > 0) return 1;
  return left.length > 0 ? 75 : 0;
}
