import { type GitlabTarget, mergedRequests, sayNote } from '../gitlab/say-note.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { markerIn } from '../report/markdown/forms.ts';
import type { Host } from './host.ts';
import type { Terminal } from './terminal.ts';

/** True in a job of GitLab. */
export const inGitlab = ({ env }: Pick<Host, 'env'>): boolean => env.GITLAB_CI === 'true';

/** Writes a report on the merge request of this job, or on those that were merged as its commit. Gives back on how many. */
export async function commentOnGitlab(
  report: { marker?: string; text: string },
  { iid, foot }: { iid: number | undefined; foot: string },
  terminal: Terminal,
): Promise<number> {
  const { env } = terminal.run.host;
  const target = targetOf(env);
  const own = iid ?? numberIn(env.CI_MERGE_REQUEST_IID);
  const numbers = own === undefined ? await mergedRequests(target, env.CI_COMMIT_SHA ?? '') : [own];
  if (numbers.length === 0)
    terminal.err('No merge request was merged as this commit, so there is nothing to comment on.');
  const body = foot === '' ? report.text : `${report.text}\n\n${foot}`;
  for (const number of numbers) {
    const notes = await sayNote(target, {
      iid: number,
      marker: report.marker,
      body,
      isMarker: (line) => markerIn(line) !== undefined,
    });
    terminal.err(notes > 0 ? `Commented on !${number}` : `Nothing to update on !${number}`);
  }
  return numbers.length;
}

const numberIn = (text: string | undefined): number | undefined =>
  /^[1-9]\d*$/.test(text ?? '') ? Number(text) : undefined;

function targetOf(env: Host['env']): GitlabTarget {
  const { CI_API_V4_URL: apiUrl = '', CI_PROJECT_ID: project = '', TRUEUP_COMMENT_TOKEN: token = '' } = env;
  const problems = [
    ...(token === ''
      ? [
          problem('comment/no-token', 'TRUEUP_COMMENT_TOKEN is not set', {
            hint: 'set it as a project variable: a project access token with the scope `api` and the role Reporter; the job token cannot write comments',
          }),
        ]
      : []),
    ...(/^\d+$/.test(project) && apiUrl !== ''
      ? []
      : [
          problem('comment/no-repository', 'CI_API_V4_URL and CI_PROJECT_ID do not name a project', {
            hint: 'CI jobs set them',
          }),
        ]),
  ];
  if (problems.length > 0) throw new Problems(problems);
  return { apiUrl, project, token: token.trim(), env };
}
