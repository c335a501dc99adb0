import type { Evidence, Fact, FactVerdict } from '../kind/evidence.ts';

/** A fact that answers have confirmed or contradicted. */
export interface FactFinding extends Pick<Fact, 'id' | 'statement' | 'confidence'> {
  verdict: 'confirmed' | 'contradicted';
}

/** Returns the facts that answers have shown something about, in the order of the evidence. `verdicts`: what they have shown, by the fact's id. */
export const toFactFindings = (
  { facts }: Evidence,
  verdicts: ReadonlyMap<string, NonNullable<FactVerdict>>,
): FactFinding[] =>
  facts.flatMap(({ id, statement, confidence }) => {
    const verdict = verdicts.get(id);
    return verdict ? [{ id, verdict, statement, confidence }] : [];
  });
