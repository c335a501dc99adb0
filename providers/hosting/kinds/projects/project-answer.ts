import type { ApiObject } from '#kind';

/** The project in an answer: nothing may be concluded from an answer that is something else. */
export function projectIn(answer: ApiObject): ApiObject {
  if (typeof answer.id !== 'string') throw new Error('the answer is not a project');
  return answer;
}
