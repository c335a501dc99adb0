import type { Evidence, Fact, FactVerdict, ObservedAnswer } from '../kind/evidence.ts';

/** A fact that answers have confirmed or contradicted. */
export interface FactFinding extends Pick<Fact, 'id' | 'statement' | 'confidence'> {
  verdict: 'confirmed' | 'contradicted';
}

/** A line of a report: a label in the first column, and the text about it. */
export type LabelledLine = [label: string, text: string];

/**
 * Returns the facts (documented statements about the platform) that answers have confirmed or contradicted, for the reports of `trueup
 * doctor`. `verdicts`: by the fact's id.
 */
export const toFactFindings = (
  { facts }: Evidence,
  verdicts: ReadonlyMap<string, NonNullable<FactVerdict>>,
): FactFinding[] =>
  facts.flatMap(({ id, statement, confidence }) => {
    const verdict = verdicts.get(id);
    return verdict ? [{ id, verdict, statement, confidence }] : [];
  });

/** Collects what answers show about facts, one answer at a time, and keeps none of them. */
export interface FactJudge {
  judge(answer: ObservedAnswer): void;
  /** The facts that answers confirmed or contradicted, by id. */
  verdicts: ReadonlyMap<string, NonNullable<FactVerdict>>;
}

/**
 * Creates the judge of facts (documented statements about the platform) for the answers of an account or of a recording, for `trueup
 * doctor`. A fact has a test for answers, or none. It is contradicted by one answer, however many confirm it.
 */
export function createFactJudge(facts: readonly Fact[]): FactJudge {
  const verdicts = new Map<string, NonNullable<FactVerdict>>();
  return {
    judge(answer) {
      for (const { id, operations, answer: judgeAnswer } of facts) {
        // A fact without operations is about all answers.
        const isAboutAnswer = operations.length === 0 || operations.includes(answer.operation);
        const verdict = isAboutAnswer ? judgeAnswer?.(answer) : undefined;
        if (verdict && verdicts.get(id) !== 'contradicted') verdicts.set(id, verdict);
      }
    },
    verdicts,
  };
}

/**
 * Returns the lines about facts (documented statements about the platform) in a report of `trueup doctor`: one with counts, and one for
 * each fact that an answer contradicted. `furtherCounts`: more counts for the first line.
 */
export function describeFacts(
  findings: readonly FactFinding[],
  furtherCounts: string[] = [],
): LabelledLine[] {
  const contradicted = findings.filter(({ verdict }) => verdict === 'contradicted');
  const counts = [
    `${findings.length - contradicted.length} confirmed`,
    `${contradicted.length} contradicted`,
    ...furtherCounts,
  ];
  return [
    ['in total', counts.join(', ')],
    ...contradicted.map(
      ({ id, statement, confidence }): LabelledLine => [id, `contradicted (${confidence}): ${statement}`],
    ),
  ];
}
