/*
 * How well the twin's rules are known, by kind. A rule is a refusal or an effect of a request that changes objects, such as "an MX record needs
 * `mxPriority`". What a rehearsal predicts on the twin holds on the platform only as far as the platform has the same rules.
 */
import type { Assumption, Evidence, Fact } from '../kind/evidence.ts';
import { type RuleBasis, ruleBases } from '../model/rehearsal.ts';

/** How the rules of one kind are known, with everything that this follows from. */
export interface KindRules {
  kind: string;
  basis: RuleBasis;
  /** The documented and measured facts about requests that change its objects. */
  facts: Fact[];
  /** The facts about such requests that only the code of clients shows. */
  clientFacts: Fact[];
  /** What the twin assumes about it without a source. */
  assumptions: Assumption[];
}

/** Returns how a fact is known, in the three words that verdicts use. A contradicted fact is only inferred. */
export const basisOfFact = ({
  confidence,
  contradictedBy,
}: Pick<Fact, 'confidence' | 'contradictedBy'>): RuleBasis =>
  contradictedBy === undefined && (confidence === 'documented' || confidence === 'measured')
    ? confidence
    : 'inferred';

/**
 * Returns how the twin's rules of a kind are known, so that a rehearsal can say how far its result can be trusted. A kind is only as well known as
 * the weakest of its sourced facts; without such a fact, or if an account has contradicted one, it is inferred. Rate limits and facts about reads
 * do not count, because they say nothing about refusals. `writes`: the operations of the catalog that change objects of the kind.
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

/** Returns the weakest of several bases, because they cannot promise more together. Without any, it is `inferred`. */
export function weakestBasis(several: readonly RuleBasis[]): RuleBasis {
  if (several.length === 0) return 'inferred';
  return ruleBases.findLast((basis) => several.includes(basis))!;
}
