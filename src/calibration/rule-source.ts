import type { Evidence } from '../kind/evidence.ts';
import type { RuleBasis } from '../model/rehearsal.ts';
import { basisOfFact } from './kind-rules.ts';

/** The rule behind a refusal of the twin, and how it is known. */
export interface RuleSource {
  /** The id of a fact (`PF41`), of another rule (`published`, `limit:domain-create`), or of an assumption; absent if the twin names none. */
  rule?: string;
  basis: RuleBasis;
  statement: string;
  /** Where it was found; absent for a rule without a source. */
  source?: string;
}

/**
 * Returns what a refusal of the twin rests on, so that a rehearsal can say from which source it knows that the platform would refuse a request.
 * `rule`: the rule that the error of the refusal names (`HttpError.rule`); undefined if it names none, as for an assumption of the twin.
 */
export function sourceOfRule(
  rule: string | undefined,
  { facts, furtherRules, assumptions }: Evidence,
): RuleSource {
  const assumption = assumptions.find(({ id }) => id === rule);
  if (assumption !== undefined)
    return { rule: assumption.id, basis: 'inferred', statement: assumption.statement };
  const named = [...facts, ...furtherRules].find(({ id }) => id === rule);
  if (named === undefined)
    return { basis: 'inferred', statement: 'The twin assumes that the platform refuses this.' };
  const { id, statement, source } = named;
  return { rule: id, basis: basisOfFact(named), statement, source };
}
