import type { Fact } from '../../kind/evidence.ts';
import type { Calibration } from './calibration-findings.ts';

/**
 * Returns the kinds for which a recording shows that the twin (a simulated platform) does not behave like the platform, each with what
 * shows it, for the end of a sentence. The platform then has a rule that the twin lacks, or the other way round, so that a rehearsal can
 * promise nothing about changes of these kinds. An operation that several kinds use contradicts the rules of each of them. `facts`: all
 * facts about the platform.
 */
export function findContradictedKinds(
  { operations, facts: findings }: Calibration,
  facts: readonly Fact[],
): Map<string, string> {
  const contradictedFacts = new Set(
    findings.flatMap(({ id, verdict }) => (verdict === 'contradicted' ? [id] : [])),
  );
  return new Map([
    ...facts.flatMap(({ id, kinds }) =>
      contradictedFacts.has(id) ? kinds.map((kind) => [kind, id] as const) : [],
    ),
    ...operations.flatMap(({ operation, kinds, differs }) =>
      differs > 0 ? kinds.map((kind) => [kind, `the recorded answer to ${operation}`] as const) : [],
    ),
  ]);
}
