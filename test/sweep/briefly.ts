/**
 * The same check, which passes everything once it has failed and was tried so many times more: a story that fails is made
 * shorter, but nobody waits for the shortest one.
 */
export function briefly<T>(check: (one: T) => Promise<void>, tries = 60): (one: T) => Promise<void> {
  let left = Number.POSITIVE_INFINITY;
  return async (one) => {
    if (left === 0) return;
    left -= 1;
    await check(one).catch((error) => {
      left = Math.min(left, tries);
      throw error;
    });
  };
}
