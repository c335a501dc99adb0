import type { Kind } from '../kind/kind.ts';
import type { Provider } from '../kind/provider.ts';
import { operationNameOf } from '../manual/coverage.ts';
import { requestsOf } from '../manual/kind-requests.ts';
import { isRead } from '../model/request.ts';
import { type KindRules, rulesOfKind } from './kind-rules.ts';
import { type RuleSource, sourceOfRule } from './rule-source.ts';

/** What is known about the twin's rules: how well those of a kind are known, and the source behind a refusal. */
export interface RuleBook {
  /** Returns how the rules of a kind are known. Throws an error for a name that no kind has. */
  rulesOf(kind: string): KindRules;
  /** Returns the source behind a refusal of the twin. `rule`: the rule that its error names (`HttpError.rule`). */
  sourceOf(rule: string | undefined): RuleSource;
}

/**
 * Loads a provider's evidence about its platform, so that rehearsals and manual pages can say whether a rule by which the twin refuses a
 * request is documented, measured, inferred or an assumption.
 */
export async function openRuleBook(provider: Provider): Promise<RuleBook> {
  const [evidence, published, extra] = await Promise.all([
    provider.evidence(),
    provider.operations(),
    provider.extraOperations(),
  ]);
  const operations = [...published, ...extra];
  const kinds = new Map(provider.kinds.map((kind) => [kind.name, kind]));
  const writesOf = (kind: Kind) =>
    requestsOf(kind)
      .filter((request) => !isRead(request))
      .map(({ endpoint }) => operationNameOf(endpoint, operations));
  return {
    rulesOf(name) {
      const kind = kinds.get(name);
      if (kind === undefined) throw new Error(`there is no kind ${name}`);
      return rulesOfKind(name, writesOf(kind), evidence);
    },
    sourceOf: (rule) => sourceOfRule(rule, evidence),
  };
}
