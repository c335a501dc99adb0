import type { Ledger, OtherStack } from '../model/ledger.ts';
import type { OtherStacks } from '../run/other-stacks.ts';

/**
 * Returns a stack as other stacks see it, from the ledger that its rehearsal left: the plans that are rehearsed after it must know what it
 * owns by then. `isVerified`: true if its run would sign the ledger.
 */
export const toRehearsedStack = (
  { stack, entries, begun, generation, inputs }: Ledger,
  isVerified: boolean,
): OtherStack => ({
  stack,
  entries,
  generation,
  inputs,
  isVerified,
  isWellFormed: true,
  ...(begun && { begun }),
});

/**
 * Returns the other stacks of a session as they are after some of them were rehearsed: with the ledgers that the rehearsals left instead of
 * the stored ones. So a stack gets the objects that an earlier one gives away (`$from`), and leaves those alone that an earlier one has
 * created. All rehearsed stacks concern every plan: they are few, and read already.
 */
export function withRehearsedStacks(others: OtherStacks, rehearsed: readonly OtherStack[]): OtherStacks {
  const names = new Set(rehearsed.map(({ stack }) => stack));
  const replace = (stacks: readonly OtherStack[]) => [
    ...stacks.filter(({ stack }) => !names.has(stack)),
    ...rehearsed,
  ];
  return {
    readAll: async () => replace(await others.readAll()),
    count: () => others.count(),
    countReadWithoutIndex: () => others.countReadWithoutIndex(),
    readConcerned: async (ask) => {
      const concerned = await others.readConcerned(ask);
      return { ...concerned, stacks: replace(concerned.stacks) };
    },
  };
}
