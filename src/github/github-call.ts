import { type Access, type Call, withApi } from '../http/comment-api.ts';

/** Whose access it is, on which server, and to which pull request, if it is about one. */
export interface Target extends Access {
  owner: string;
  repo: string;
  number?: number;
  /** The login of the writer: only a comment by this author is updated. Default: the token's owner, else GitHub Actions. */
  author?: string;
}

/** Does this with GitHub's API. Throws `Problems` that say what to do. */
export function withGithub<T>(target: Target, work: (call: Call) => Promise<T>): Promise<T> {
  const { owner, repo, number } = target;
  return withApi(target, { fixed: { owner, repo, number }, hints: hintsFor(target) }, work);
}

const hintsFor = ({ owner, repo, number }: Target): Record<number, string> => ({
  401: 'GITHUB_TOKEN is no longer valid; in a workflow it is `env: { GITHUB_TOKEN: ${{ github.token }} }`',
  403: 'the job needs `permissions: { pull-requests: write }`; the token of a pull request from a fork is always read-only',
  404:
    number === undefined
      ? `does the repository ${owner}/${repo} exist, and can the token read it?`
      : `does pull request ${number} exist in ${owner}/${repo}, and can the token read it?`,
  410: 'the conversation no longer exists',
  422: 'GitHub rejected this text; is the pull request locked, or the text too long?',
});
