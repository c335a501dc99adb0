import { normalAddressGlob } from '../kind/address-spelling.ts';
import type { Kinds } from '../kind/kind.ts';
import { matcherOf } from '../model/address-glob.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import type { Resource } from '../model/resource.ts';

/** The declared resources that one of the fences does not have: a slip, in a repository of several teams. What exists elsewhere may be named. */
export function outsideOf(
  fences: readonly (readonly string[] | undefined)[],
  resources: Iterable<Resource>,
  kinds: Kinds,
): Diagnostic[] {
  const declared = [...resources].filter(({ meta }) => !meta.existing && !meta.forget);
  return fences.flatMap((owns) => {
    if (!owns) return [];
    const isIn = matcherOf(owns.map((glob) => normalAddressGlob(glob, kinds)));
    const declaring = (what: string) =>
      `\`owns\` says ${owns.map((glob) => `\`${glob}\``).join(', ') || 'nothing'}; declare ${what} in the owning stack, or extend \`owns\``;
    return declared
      .filter(({ address }) => !isIn(address))
      .map(({ address, at }) =>
        problem('stack/outside', `${address} is outside what this stack may own`, {
          address,
          at,
          hint: declaring('it'),
          alike: {
            cause: owns.join('\n'),
            are: 'resources are outside what this stack may own',
            hint: declaring('them'),
          },
        }),
      );
  });
}
