import { count } from '../../report/text.ts';
import { describeFacts, type LabelledLine } from '../fact-findings.ts';
import {
  type CalibratedOperation,
  type Calibration,
  type CalibrationDifference,
  isSerious,
  type ResultCounts,
} from './calibration-findings.ts';
import type { NotComparable } from './replay-recording.ts';

const reasonWords: Record<NotComparable, string> = {
  'other host': 'sent to another host',
  'no operation': 'no operation of the API',
  'not recorded': 'the answer or the body of the request is not recorded as JSON',
  'rate limit': 'refused by a rate limit',
  failure: 'the platform failed',
  token: 'refused for the token',
  'missing object': 'about an object that the recording does not show from its beginning',
  'not modelled': 'the twin knows only the published form',
};

const formatCounts = ({ agrees, differs, notComparable }: ResultCounts): string =>
  `${agrees} agree, ${differs} differ, ${notComparable} not comparable`;

/**
 * Returns the sections of `trueup doctor --calibrate` for a screen. It compares a recording of the platform's answers with those of the
 * twin (a simulated platform): counts with the reasons why exchanges could not be compared, the operations whose answers differ, the kinds,
 * and documented facts that the recording confirms or contradicts. Empty without a recording. `rows`: formats the lines of a section.
 */
export function calibrationSections(
  calibration: Calibration | undefined,
  rows: (lines: LabelledLine[]) => string[],
): [title: string, lines: string[]][] {
  if (calibration === undefined) return [];
  const { recorded, reasons, operations, kinds, facts } = calibration;
  const reasonLines = Object.entries(reasons).map(
    ([reason, number]): LabelledLine => [`${number} not comparable`, reasonWords[reason as NotComparable]],
  );
  return [
    [
      'Recorded answers and the twin',
      rows([[count(recorded, 'exchange'), formatCounts(calibration)], ...reasonLines]),
    ],
    ['Answers of the twin that differ', rows(operations.flatMap(describeOperation))],
    [
      'Kinds in the recording',
      rows(kinds.map((counts): LabelledLine => [counts.kind, formatCounts(counts)])),
    ],
    ['Facts in the recording', rows(describeFacts(facts))],
  ];
}

/**
 * Returns the line about an operation in the report of `trueup doctor --calibrate`: the first serious differences (those that could make a
 * rehearsal or a plan wrong) between its recorded answers and those of the twin, and the numbers of the others. No line if all agree.
 */
function describeOperation({ operation, differences }: CalibratedOperation): LabelledLine[] {
  const serious = differences.filter(isSerious);
  const otherCount = differences.length - serious.length;
  const shown = serious.slice(0, 5).map(describeCountedDifference);
  const further = [
    ...(serious.length > shown.length ? [`${serious.length - shown.length} more`] : []),
    ...(otherCount > 0 ? [`${count(otherCount, 'difference')} that can lead to no wrong plan`] : []),
  ];
  const parts = [...shown, ...further];
  return parts.length > 0 ? [[operation, parts.join('; ')]] : [];
}

const describeCountedDifference = (difference: CalibrationDifference): string =>
  difference.count > 1
    ? `${describeCalibrationDifference(difference)} (${difference.count} times)`
    : describeCalibrationDifference(difference);

/**
 * Describes a difference for the report of `trueup doctor --calibrate`: first the answer of the platform, then that of the twin (a
 * simulated platform).
 */
function describeCalibrationDifference(difference: CalibrationDifference): string {
  if (difference.what === 'status') return `${difference.platform}, and ${difference.twin} by the twin`;
  if (difference.what === 'code')
    return `${difference.status} with the code ${difference.platform}, and ${difference.twin} by the twin`;
  const { path, problem, platform, twin } = difference;
  if (problem === 'only platform') return `${path}: ${platform}, missing in the twin`;
  if (problem === 'only twin') return `${path}: only in the twin`;
  return `${path || 'answer'}: ${platform}, and ${twin} in the twin`;
}
