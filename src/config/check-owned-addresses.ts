import { normalAddressGlob } from '../kind/address-spelling.ts';
import type { Kinds } from '../kind/kind.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { listFirst } from '../model/fold-wordings.ts';
import { compileGlob, createAddressMatcher } from '../model/glob.ts';
import type { Resource } from '../model/resource.ts';
import { CountedGlobs } from './counted-globs.ts';
import type { Growth } from './growth.ts';
import type { Spot } from './yaml/source.ts';

/** The globs of one `owns` (in the header or the workspace), and the place of the list. */
export interface OwnsList {
  owns: readonly string[];
  at: Spot;
}

/**
 * Reports declared resources that some `owns` does not cover. In a repository of several teams, that is usually a mistake. Resources with
 * `$existing` or `$forget` may be outside, because the stack does not manage them.
 */
export function checkOwnedAddresses(
  ownsLists: readonly OwnsList[],
  resources: Iterable<Resource>,
  { kinds, growth }: { kinds: Kinds; growth: Growth },
): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const globs = new CountedGlobs({ growth, diagnostics });
  const declared = [...resources].filter(({ meta }) => !meta.existing && !meta.forget);
  const compile = (spot: Spot) => (text: string) => {
    const glob = globs.compileAt(spot, text);
    return 'fault' in glob ? compileGlob(text) : glob;
  };
  const problems = ownsLists.flatMap(({ owns, at }) => {
    // Match all addresses with one glob before the next, because a glob caches the common beginnings of addresses.
    const uncovered = owns.reduce((resources, glob) => {
      const isCovered = createAddressMatcher([normalAddressGlob(glob, kinds)], compile(at));
      return resources.filter(({ address }) => !isCovered(address));
    }, declared);
    if (growth.isExceeded) return [];
    const globList = formatOwns(owns);
    const hintFor = (pronoun: string) =>
      `\`owns\` says ${globList}; declare ${pronoun} in the owning stack, or extend \`owns\``;
    const alike = {
      cause: owns.join('\n'),
      are: 'resources are outside what this stack may own',
      hint: hintFor('them'),
    };
    return uncovered.map(({ address, at }) =>
      problem('stack/outside', `${address} is outside what this stack may own`, {
        address,
        at,
        hint: hintFor('it'),
        alike,
      }),
    );
  });
  return growth.isExceeded ? diagnostics : problems;
}

const maxListed = 12;

/** Returns the globs of an `owns` for the hint of a resource that it does not cover. Shortened, because the hint must stay readable. */
function formatOwns(owns: readonly string[]): string {
  if (owns.length === 0) return 'nothing';
  return listFirst(
    owns.map((glob) => `\`${glob}\``),
    maxListed,
  );
}
