import { openRuleBook, type RuleBook } from '../calibration/rule-book.ts';
import type { Provider } from '../kind/provider.ts';

/** The twin's rules, with the evidence for each of them. */
export interface RuleKnowledge extends RuleBook {
  /**
   * The kinds for which the answers of a real account contradict the twin, each with what shows it: a fact, or an operation. The twin is
   * wrong there.
   */
  contradicted: ReadonlyMap<string, string>;
}

/**
 * Loads how well the rules of a platform's twin (the simulated account of a rehearsal) are known, so that the result of a rehearsal can
 * name its sources. `contradictedInAccount`: further kinds for which answers of the account contradict the twin, each with what shows it. Their rules
 * count as inferred only.
 */
export async function openRuleKnowledge(
  provider: Provider,
  contradictedInAccount: ReadonlyMap<string, string> = new Map(),
): Promise<RuleKnowledge> {
  const { facts } = await provider.evidence();
  const contradictions = facts.flatMap(({ id, kinds, contradictedBy }) =>
    contradictedBy === undefined ? [] : kinds.map((kind) => [kind, id] as const),
  );
  const book = await openRuleBook(provider);
  return {
    ...book,
    rulesOf: (kind) => ({
      ...book.rulesOf(kind),
      ...(contradictedInAccount.has(kind) ? { basis: 'inferred' } : {}),
    }),
    contradicted: new Map([...contradictions, ...contradictedInAccount]),
  };
}
