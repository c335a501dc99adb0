import { type Fields, holesIn, isRef, lastNameOf } from '#kind';
import { ruleProblems } from './rule-problems.ts';
import type { SegmentData } from './segment-data.ts';

/**
 * Finds the mistakes in a segment (a group of visitors) that can be seen without other objects: rules that do not refer to a
 * segment where they must, or that refer to the segment itself.
 */
export function segmentProblems({ slug, data }: Fields): ReturnType<typeof ruleProblems> {
  const { rules } = data as unknown as SegmentData;
  const selfReference = holesIn(data).find((hole) => isRef(hole) && lastNameOf(hole.$ref) === slug);
  return [
    ...ruleProblems(rules).map(({ path, ...finding }) => ({ path: ['data', ...path], ...finding })),
    ...(selfReference
      ? [
          {
            path: ['data', 'rules'],
            message: `the segment "${slug}" refers to itself`,
            hint: 'refer to another one',
          },
        ]
      : []),
  ];
}
