import type { ApiObject, Kind } from '#kind';
import { projectIn } from './project-answer.ts';

interface Insights {
  enabledAt?: number | null;
  disabledAt?: number | null;
  canceledAt?: number | null;
}

/** Finds one of a project's measurements in the project's answer. The answer has the times when it was switched: the last one counts. */
export function insightsIn(answer: ApiObject, name: string): ApiObject {
  const { enabledAt, disabledAt, canceledAt } = (projectIn(answer)[name] ?? {}) as Insights;
  return { enabled: enabledAt != null && enabledAt >= Math.max(disabledAt ?? 0, canceledAt ?? 0) };
}

/** Grades switching a measurement on or off. */
export const insightsGrade: Kind['rules']['grade'] = ({ fields }) =>
  fields.some(({ after }) => after === false)
    ? { grade: 'disruptive', reason: 'nothing is measured while it is off' }
    : undefined;
