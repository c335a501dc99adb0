/*
 * Adds up what a recording has shown about the twin.
 *
 * Terms
 *   exchange      a request and its answer, as the recording has them
 *   agree         the twin answers an exchange like the platform, apart from differences that are not serious
 *   serious       a difference that can make a rehearsal or a plan wrong (`isSerious`)
 *   comparable    an exchange that can say something about the twin; see `NotComparable` for the others
 */
import { groupBy } from '../../model/graph.ts';
import type { FactFinding } from '../fact-findings.ts';
import type { FormDifference } from './answer-form.ts';
import type { Judgement, NotComparable } from './replay-recording.ts';

/** The number of exchanges by their result. They add up to the exchanges that were counted. */
export interface ResultCounts {
  agrees: number;
  differs: number;
  notComparable: number;
}

/** A difference between the platform and the twin, and the number of exchanges that show it. */
export type CalibrationDifference =
  | { what: 'status'; platform: number; twin: number; count: number }
  | { what: 'code'; status: number; platform: string; twin: string; count: number }
  | (FormDifference & {
      what: 'form';
      /** Whether a kind reads the member. Only such differences can lead to wrong plans. */
      isRead: boolean;
      /** True if the member may be missing in an answer, so that the difference can be one between the states of two objects. */
      isOptional: boolean;
      count: number;
    });

/** What the exchanges of one operation have shown. */
export interface CalibratedOperation extends ResultCounts {
  operation: string;
  /** The kinds that use it. */
  kinds: string[];
  differences: CalibrationDifference[];
  /** The number of exchanges that could not be compared, by reason. */
  reasons: Partial<Record<NotComparable, number>>;
}

/** What a recording has shown about the rules of the twin. It has no value, name or id of the recording. */
export interface Calibration extends ResultCounts {
  /** All exchanges of the file: the sum of the three counts. */
  recorded: number;
  reasons: Partial<Record<NotComparable, number>>;
  operations: CalibratedOperation[];
  /** The counts by kind. An operation that several kinds use counts for each of them. */
  kinds: (ResultCounts & { kind: string })[];
  /** The facts about the platform that recorded answers confirm or contradict. */
  facts: FactFinding[];
}

/** An exchange of a recording with its result. `operation`: undefined if the catalog has none for it. */
export interface JudgedExchange {
  operation: string | undefined;
  judgement: Judgement;
}

/** The facts about an operation that decide whether a difference is serious. */
export interface OperationKnowledge {
  /** The names of the kinds that use it. */
  kinds: string[];
  /** True for a path of an answer that a kind reads. */
  isRead(path: string): boolean;
  /** True if answers to the operation need not have the member. */
  isOptional(path: string): boolean;
}

/**
 * Adds up the results of all exchanges (requests with their answers) of a recording, by operation and by kind, for the report of `trueup
 * doctor --calibrate`. `knowledgeOf`: returns which kinds use an operation, and which differences in its answers are serious. It is called
 * once for each operation.
 */
export function summarizeCalibration(
  exchanges: readonly JudgedExchange[],
  facts: FactFinding[],
  knowledgeOf: (operation: string) => OperationKnowledge,
): Calibration {
  const groups = groupBy(exchanges, ({ operation }) => operation);
  const operations = [...groups]
    .flatMap(([operation, group]) =>
      operation === undefined ? [] : summarizeOperation(operation, group, knowledgeOf(operation)),
    )
    .toSorted((a, b) => (a.operation < b.operation ? -1 : 1));
  const withoutOperation = groups.get(undefined) ?? [];
  const kindNames = [...new Set(operations.flatMap(({ kinds }) => kinds))].toSorted();
  const kinds = kindNames.map((kind) => ({
    kind,
    ...sumCounts(operations.filter((operation) => operation.kinds.includes(kind))),
  }));
  const counts = sumCounts(operations);
  return {
    recorded: exchanges.length,
    ...counts,
    notComparable: counts.notComparable + withoutOperation.length,
    reasons: countReasons(exchanges),
    operations,
    kinds,
    facts,
  };
}

/**
 * Adds up for `trueup doctor --calibrate` how the recorded answers of one API operation compare with those of the twin (a simulated
 * platform): how many agree, differ, or cannot be compared, and the differences. Answers without a serious difference (one that could lead
 * to a wrong plan) agree.
 */
function summarizeOperation(
  operation: string,
  exchanges: readonly JudgedExchange[],
  knowledge: OperationKnowledge,
): CalibratedOperation {
  const differences = exchanges.map(({ judgement }) => differencesIn(judgement, knowledge));
  const notComparable = exchanges.filter(({ judgement }) => judgement.result === 'notComparable').length;
  const differs = differences.filter((ofExchange) => ofExchange.some(isSerious)).length;
  return {
    operation,
    kinds: knowledge.kinds,
    agrees: exchanges.length - notComparable - differs,
    differs,
    notComparable,
    reasons: countReasons(exchanges),
    differences: countRepetitions(differences.flat()),
  };
}

/**
 * Returns the differences between the answers of the platform and the twin (a simulated platform) to one recorded request, each with the
 * count 1. `isRead`: true if a kind reads the place, so that the difference matters for plans. `isOptional`: true if answers need not have
 * the member.
 */
function differencesIn(
  judgement: Judgement,
  { isRead, isOptional }: OperationKnowledge,
): CalibrationDifference[] {
  switch (judgement.result) {
    case 'notComparable':
      return [];
    case 'status':
      return [{ what: 'status', platform: judgement.platform, twin: judgement.twin, count: 1 }];
    case 'code': {
      const { status, platform, twin } = judgement;
      return [{ what: 'code', status, platform, twin, count: 1 }];
    }
    case 'same':
      return judgement.form.map((difference) => ({
        what: 'form',
        ...difference,
        isRead: isRead(difference.path),
        isOptional: difference.problem !== 'type' && isOptional(difference.path),
        count: 1,
      }));
  }
}

/** True for a difference that can make a rehearsal or a plan wrong. */
export const isSerious = (difference: CalibrationDifference): boolean =>
  difference.what !== 'form' || (difference.isRead && !difference.isOptional);

/**
 * Returns each difference between the platform and its twin (a simulated platform) once, with the number of its repetitions in the
 * recording, for the report of `trueup doctor --calibrate`. Serious differences (those that could lead to a wrong plan) come first.
 */
function countRepetitions(differences: readonly CalibrationDifference[]): CalibrationDifference[] {
  const groups = groupBy(differences, (difference) => JSON.stringify({ ...difference, count: 0 }));
  const counted = [...groups.values()].map((repetitions) => ({
    ...repetitions[0]!,
    count: repetitions.length,
  }));
  return [...counted.filter(isSerious), ...counted.filter((difference) => !isSerious(difference))];
}

/**
 * Returns for `trueup doctor --calibrate` how many recorded exchanges (a request and its answer) cannot be compared with the twin (a
 * simulated platform), by reason.
 */
function countReasons(exchanges: readonly JudgedExchange[]): Partial<Record<NotComparable, number>> {
  const reasons = exchanges.flatMap(({ judgement }) =>
    judgement.result === 'notComparable' ? [judgement.reason] : [],
  );
  return Object.fromEntries(
    [...groupBy(reasons, (reason) => reason)].map(([reason, group]) => [reason, group.length]),
  );
}

function sumCounts(parts: readonly ResultCounts[]): ResultCounts {
  const sum = (count: keyof ResultCounts) => parts.reduce((total, part) => total + part[count], 0);
  return { agrees: sum('agrees'), differs: sum('differs'), notComparable: sum('notComparable') };
}
