/*
 * Decides how well the twin's rules are known, by kind. What a rehearsal predicts on the twin holds on the platform only as far as the
 * platform has the same rules.
 *
 * Terms
 *   rule         a refusal or an effect of a request that changes objects, such as "an MX record needs `mxPriority`"
 *   fact         a sourced statement about the platform (`Fact`)
 *   assumption   a statement about the platform without a source, which the twin makes because it must behave in some way
 *   basis        how a rule is known: documented, measured or inferred (`ruleBases`)
 */
import type { Assumption, Evidence, Fact } from '../kind/evidence.ts';
import { type RuleBasis, ruleBases } from '../model/rehearsal.ts';

/** How the rules of one kind are known, with the evidence for that. */
export interface KindRules {
  kind: string;
  basis: RuleBasis;
  /** The documented and measured facts about requests that change its objects. */
  facts: Fact[];
  /** The other facts about such requests: those that only the code of clients shows, and contradicted ones. */
  clientFacts: Fact[];
  /** The assumptions about the kind. */
  assumptions: Assumption[];
}

/**
 * Returns how a fact about the platform is known: documented, measured or inferred. A fact that the answers of an account have contradicted
 * counts as inferred.
 */
export const basisOfFact = ({
  confidence,
  contradictedBy,
}: Pick<Fact, 'confidence' | 'contradictedBy'>): RuleBasis =>
  contradictedBy === undefined && (confidence === 'documented' || confidence === 'measured')
    ? confidence
    : 'inferred';

/**
 * Returns how the twin's rules of a kind are known, so that a rehearsal can say how far its result can be trusted.
 *
 * The basis is that of the weakest documented or measured fact about the kind. It is `inferred` if there is no such fact, or if an account
 * has contradicted any fact about the kind. Rate limits and facts about reads do not count, because they say nothing about refusals.
 * `writes`: the operations of the catalog that change objects of the kind.
 */
export function rulesOfKind(
  kind: string,
  writes: readonly string[],
  { facts, assumptions, confirmedKinds }: Evidence,
): KindRules {
  const factsOfKind = facts.filter((fact) => fact.kinds.includes(kind));
  const aboutWrites = factsOfKind.filter(
    ({ area, operations }) => area !== 'limits' && operations.some((operation) => writes.includes(operation)),
  );
  const sourced = aboutWrites.filter((fact) => basisOfFact(fact) !== 'inferred');
  const isContradicted = factsOfKind.some(({ contradictedBy }) => contradictedBy !== undefined);
  const basesOfRules: RuleBasis[] = [
    ...sourced.map(basisOfFact),
    ...(confirmedKinds.includes(kind) ? ['measured' as const] : []),
  ];
  return {
    kind,
    basis: isContradicted ? 'inferred' : weakestBasis(basesOfRules),
    facts: sourced,
    clientFacts: aboutWrites.filter((fact) => !sourced.includes(fact)),
    assumptions: assumptions.filter(({ kinds }) => kinds.includes(kind)),
  };
}

/** Returns the weakest of several bases: a result that depends on all of them is known no better. Without any, it is `inferred`. */
export function weakestBasis(bases: readonly RuleBasis[]): RuleBasis {
  if (bases.length === 0) return 'inferred';
  return ruleBases.findLast((basis) => bases.includes(basis))!;
}
