import picomatch from 'picomatch';
import type { Address } from './address.ts';
import { wholeAddress } from './wholes.ts';

/** A test by one glob, of names and of addresses. */
export function globTest(glob: string): (text: string) => boolean {
  const matches = picomatch(glob, { dot: true, noextglob: true, nonegate: true });
  // With a second argument, as `filter` gives one, picomatch answers something else.
  return (text) => matches(text);
}

/**
 * A test for addresses by globs: `projects/web` is that one, `projects/web/**` what is below it, `**` everything. A variable without its
 * place, `projects/web/env/API_URL`, is all of its places.
 */
export function matcherOf(globs: readonly string[]): (address: Address) => boolean {
  const tests = globs.map(globTest);
  return (address) => {
    const entry = wholeAddress(address);
    return tests.some((test) => test(address) || (entry !== address && test(entry)));
  };
}
