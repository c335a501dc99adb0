import type * as z from 'zod';
import { describeIssue } from '../validate.ts';

/** Thrown for a fault plan that cannot be used. `problems`: one sentence for each problem, with its place in the plan. */
export class FaultPlanError extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(`The fault plan is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

type Issue = z.core.$ZodIssue;

const unknownKeys = (issues: Issue[]) =>
  issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : [])).length;

/**
 * Returns the issues of the alternative with the fewest unknown members, because the author probably meant this one. Undefined if several
 * have as few.
 */
function nearest(errors: Issue[][]): Issue[] | undefined {
  const unknown = errors.map(unknownKeys);
  const best = errors.filter((_, i) => unknown[i] === Math.min(...unknown));
  return best.length === 1 ? best[0] : undefined;
}

const describe = (issue: Issue, input: unknown): string =>
  describeIssue(issue, input)
    .replace(/^body /, '')
    .replace(/\.$/, '');

/** Returns the problems of a fault plan as texts with their positions. */
export function problemsIn(issues: readonly Issue[], input: unknown): string[] {
  return issues.flatMap((issue): string[] => {
    const { path } = issue;
    const custom = (message: string) => [describe({ code: 'custom', path, message, input }, input)];
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => describe({ ...issue, keys: [key] }, input));
    if (issue.code !== 'invalid_union') return [describe(issue, input)];
    // The member that decides among the alternatives has a value of none of them: lists the possible values.
    if ('options' in issue && issue.errors.length === 0)
      return custom(`should be one of ${(issue.options as unknown[]).join(', ')}`);
    const inner = nearest(issue.errors);
    if (inner === undefined)
      return custom('should be {request}, {every}, {operation} with or without {nth}, or {seed, share}');
    return problemsIn(
      inner.map((issue) => ({ ...issue, path: [...path, ...issue.path] })),
      input,
    );
  });
}
