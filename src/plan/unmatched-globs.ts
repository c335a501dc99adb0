import type { Address } from '../model/address.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { createAddressMatcher } from '../model/glob.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import { closestName } from '../model/similar-name.ts';

/**
 * Creates a problem for each glob of an option such as `--target`, or of an argument, that matches none of the addresses, because it is
 * probably misspelled. `suggested`: the addresses that the hint may name, if they are others than those that may match.
 */
export const createUnmatchedGlobProblems = (
  globs: string[],
  addresses: readonly Address[],
  suggested: readonly Address[] = addresses,
): Diagnostic[] =>
  globs
    .filter((glob) => !addresses.some(createAddressMatcher([glob])))
    .map((glob) => {
      const similar = findSimilarGlob(glob, suggested);
      return problem('target/nothing', `no address matches ${glob}`, {
        hint:
          similar === undefined
            ? 'addresses look like `projects/web/env/API_URL@production`; `**` matches any number of parts'
            : `did you mean \`${similar}\`?`,
      });
    });

/**
 * Returns a glob that matches one of the addresses, and differs from a misspelled one in the spelling of one part: `projects/web/**` for
 * `projects/wbe/**`. Undefined if there is none. Comparing part by part finds no address that is only similar because it begins alike.
 */
function findSimilarGlob(glob: string, addresses: readonly Address[]): string | undefined {
  // A glob with groups or escapes cannot be divided into parts.
  if (/[[{\\]/.test(glob)) return undefined;
  const parts = glob.split('/');
  // The parts behind `**` have no fixed place.
  const fixedParts = parts.includes('**') ? parts.slice(0, parts.indexOf('**')) : parts;
  for (const [index, part] of fixedParts.entries()) {
    if (/[*?]/.test(part)) continue;
    const alike = addresses.filter(createAddressMatcher([parts.with(index, '*').join('/')]));
    const names = alike.flatMap((address) =>
      [address, addressWithoutTarget(address)].flatMap((spelling) => spelling.split('/')[index] ?? []),
    );
    const similar = closestName(part, [...new Set(names)]);
    if (similar !== undefined) return parts.with(index, similar).join('/');
  }
  return undefined;
}
