import { type Access, type Call, withApi } from '../http/comment-api.ts';
import { Problems, problem } from '../model/diagnostic.ts';

/** Whose access it is, on which server, and to which project, by its number. */
export interface GitlabTarget extends Access {
  project: string;
}

/** Does this with GitLab's API. Throws `Problems` that say what to do. */
export const withGitlab = <T>(target: GitlabTarget, work: (call: Call) => Promise<T>): Promise<T> =>
  withApi(target, { fixed: { project: target.project }, hints }, work);

const hints: Record<number, string> = {
  401: 'TRUEUP_COMMENT_TOKEN is no longer valid: create a new project access token with the scope `api`',
  403: 'TRUEUP_COMMENT_TOKEN must be a project access token with the scope `api` and the role Reporter',
  404: 'can TRUEUP_COMMENT_TOKEN read this project? A job token cannot write comments',
};

/** The items of an answer that is a list. Throws `Problems` for any other. */
export function listIn(answer: unknown): Record<string, unknown>[] {
  if (Array.isArray(answer) && answer.every((one) => typeof one === 'object' && one !== null)) return answer;
  throw new Problems([
    problem('comment/not-gitlab', "GitLab's API did not return the requested list", {
      hint: "does CI_API_V4_URL point to GitLab's REST API?",
    }),
  ]);
}
