import type { Address } from './address.ts';
import { compileGlob, type Glob } from './glob.ts';
import { addressWithoutTarget } from './logical-changes.ts';

/**
/**
/**
 * Returns a test for addresses by globs: `projects/web` matches that address, `projects/web/**` also all below it, `**`
 * every address. The address of a variable without its target, `projects/web/env/API_URL`, matches the variable in all
 * its targets. Used for `owns`, guards and selected addresses. `compile`: can limit how long matching may take.
 */
export function createAddressMatcher(
  globs: readonly string[],
  compile: (glob: string) => Pick<Glob, 'matches'> = compileGlob,
): (address: Address) => boolean {
  const compiled = globs.map((glob) => compile(glob));
  const isMatch = (text: string) => compiled.some((glob) => glob.matches(text));
  return (address) => {
    const withoutTarget = addressWithoutTarget(address);
    return isMatch(address) || (withoutTarget !== address && isMatch(withoutTarget));
  };
}
