import picomatch from 'picomatch';
import type { Address } from '../model/address.ts';
import { wholeAddress } from '../model/wholes.ts';

/**
 * A test for addresses by globs: `projects/web` is that one, `projects/web/**` what is below it, `**` everything. A variable without its
 * place, `projects/web/env/API_URL`, is all of its places.
 */
export function matcherOf(globs: string[]): (address: Address) => boolean {
  const tests = globs.map((glob) => picomatch(glob, { dot: true, noextglob: true, nonegate: true }));
  return (address) => {
    const entry = wholeAddress(address);
    return tests.some((test) => test(address) || (entry !== address && test(entry)));
  };
}
