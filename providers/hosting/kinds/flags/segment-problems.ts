import { type Fields, holesIn, isRef, lastNameOf } from '#kind';
import { ruleProblems } from './rule-problems.ts';
import type { SegmentData } from './segment-data.ts';

/** What is wrong in a segment by itself: rules that name no segment where they should, or the segment itself. */
export function segmentProblems({ slug, data }: Fields): ReturnType<typeof ruleProblems> {
  const { rules } = data as unknown as SegmentData;
  const own = holesIn(data).find((hole) => isRef(hole) && lastNameOf(hole.$ref) === slug);
  return [
    ...ruleProblems(rules).map(({ path, ...finding }) => ({ path: ['data', ...path], ...finding })),
    ...(own
      ? [{ path: ['data', 'rules'], message: `the segment "${slug}" names itself`, hint: 'name another one' }]
      : []),
  ];
}
