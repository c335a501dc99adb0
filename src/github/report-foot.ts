const shortest = 7;

/**
 * The last line of a report: the commit that it is about, and the run that made it. Empty if the server does not tell. `head`: the commit of the
 * pull request, since the one of the run is its merge, which nobody knows by its name; without it the run is about what was merged.
 */
export function reportFoot(env: Record<string, string | undefined>, head?: string): string {
  const run = runIn(env);
  const commit = head ?? env.GITHUB_SHA ?? env.CI_COMMIT_SHA ?? '';
  if (run === undefined || !/^[0-9a-f]{40,64}$/.test(commit)) return '';
  const what = head === undefined ? 'Merged as' : 'Plan of';
  return `${what} \`${commit.slice(0, shortest)}\`, [run](${run})`;
}

/** The address of the run, as GitHub or GitLab tells it; undefined where it is none that can stand in a link. */
function runIn(env: Record<string, string | undefined>): string | undefined {
  const { GITHUB_RUN_ID: id = '', GITHUB_SERVER_URL: server = '', GITHUB_REPOSITORY: repository = '' } = env;
  const isLink =
    /^\d+$/.test(id) && /^https?:\/\/[\w.:-]+$/.test(server) && /^[\w.-]+\/[\w.-]+$/.test(repository);
  if (isLink) return `${server}/${repository}/actions/runs/${id}`;
  const { GITLAB_CI: isGitlab, CI_JOB_URL: job = '' } = env;
  return isGitlab === 'true' && /^https?:\/\/[\w./:-]+$/.test(job) ? job : undefined;
}

/**
 * The text of a comment but for that line, and for the commit that its links lead to: the same plan of a later commit is the same plan. That
 * something was merged is news, whatever was planned.
 */
export const withoutFoot = (body: string): string =>
  body
    .replace(/\n\nPlan of `[0-9a-f]{7}`, \[run\]\(\S+\)\s*$/, '')
    .replace(/(?<=\/blob\/)[0-9a-f]{40,64}(?=\/)/g, '')
    .trimEnd();
