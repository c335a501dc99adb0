import { openRuleBook, type RuleBook } from '../calibration/rule-book.ts';
import type { Provider } from '../kind/provider.ts';

/** The twin's rules, with the evidence for each of them. */
export interface RuleKnowledge extends RuleBook {
  /** The facts that the answers of a real account have contradicted, by the kinds that they are about. The twin is wrong there. */
  contradicted: ReadonlyMap<string, string>;
}

/** Loads the rules of a platform's twin with their evidence, so that a result can name its sources. */
export async function openRuleKnowledge(provider: Provider): Promise<RuleKnowledge> {
  const { facts } = await provider.evidence();
  const contradictions = facts.flatMap(({ id, kinds, contradictedBy }) =>
    contradictedBy === undefined ? [] : kinds.map((kind) => [kind, id] as const),
  );
  return { ...(await openRuleBook(provider)), contradicted: new Map(contradictions) };
}
