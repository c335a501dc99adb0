import type { Evidence } from '../kind/evidence.ts';
import type { RuleBasis } from '../model/rehearsal.ts';
import { basisOfFact } from './kind-rules.ts';

/** The rule behind a refusal of the twin, and how it is known. */
export interface RuleSource {
  /**
   * The id of a fact (`PF41`), of another rule (`published`, `limit:domain-create`), or of an assumption; absent if the twin names none.
   */
  rule?: string;
  basis: RuleBasis;
  statement: string;
  /** Where it was found; absent for a rule without a source. */
  source?: string;
}

/**
 * Returns the source behind a refusal of the twin, so that a rehearsal can say why it expects the platform to refuse a request. `rule`: the
 * id of the rule that the error of the refusal names (`HttpError.rule`); undefined if it names none. A refusal without a known rule counts
 * as an assumption.
 */
export function sourceOfRule(
  rule: string | undefined,
  { facts, furtherRules, assumptions }: Evidence,
): RuleSource {
  const assumption = assumptions.find(({ id }) => id === rule);
  if (assumption !== undefined)
    return { rule: assumption.id, basis: 'inferred', statement: assumption.statement };
  const sourcedRule = [...facts, ...furtherRules].find(({ id }) => id === rule);
  if (sourcedRule === undefined)
    return { basis: 'inferred', statement: 'The twin assumes that the platform refuses this.' };
  const { id, statement, source } = sourcedRule;
  return { rule: id, basis: basisOfFact(sourcedRule), statement, source };
}
