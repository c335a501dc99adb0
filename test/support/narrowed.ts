import type { Kinds } from '../../src/kind/kind.ts';
import type { OtherStack } from '../../src/model/ledger.ts';
import { summarizeClaims } from '../../src/plan/summarize-claims.ts';
import { knownStacks, type OtherStacks } from '../../src/run/other-stacks.ts';

/** Other stacks of which a plan gets only those that an ownership index would lead to; `onNarrowed` gets the numbers of those and of all. */
export function narrowedStacks(
  all: readonly OtherStack[],
  kinds: Kinds,
  onNarrowed: (read: number, of: number) => void = () => {},
): OtherStacks {
  const known = knownStacks(all);
  return {
    ...known,
    readConcerned: async (ask) => {
      const question = ask();
      if (question === 'all') return known.readConcerned(ask);
      const isAny = (texts: Iterable<string>, asked: ReadonlySet<string>) =>
        [...texts].some((text) => asked.has(text));
      const summaries = all.map((stack) => ({
        stack,
        summary: stack.isVerified && !stack.begun ? summarizeClaims(stack.entries, kinds) : undefined,
      }));
      const unread = summaries.flatMap(({ summary }) => {
        if (!summary) return [];
        const ownedTexts = [...summary.owned].map((key) => key.slice(key.indexOf(' ') + 1));
        const isConcerned =
          isAny(summary.names, question.names) || isAny([...summary.ids, ...ownedTexts], question.ids);
        return isConcerned ? [] : [summary];
      });
      const read = summaries.flatMap(({ stack, summary }) =>
        summary && unread.includes(summary) ? [] : [stack],
      );
      onNarrowed(read.length, all.length);
      return { stacks: read, unread: { has: (key) => unread.some(({ owned }) => owned.has(key)) } };
    },
  };
}
