import { readFile } from 'node:fs/promises';
import type { FleetRepository } from '../fleet/fleet-file.ts';
import type { StackJob } from '../fleet/job.ts';
import { jobHost } from './fleet-job-host.ts';
import type { Workshop } from './workshop.ts';

/** Tells a pull request what became of its plan, or those that were merged as this commit what was applied, by `trueup comment`. */
export async function tellPullRequest(
  job: StackJob,
  report: string,
  { comments }: FleetRepository,
  shop: Workshop,
  say: (text: string) => void,
): Promise<void> {
  const isTold = job.action === 'apply' || (job.action === 'plan' && job.pull !== undefined);
  if (!comments || !isTold || (await readFile(report, 'utf8').catch(() => '')) === '') return;
  const member = jobHost(shop, shop.folder);
  const { env } = shop.host;
  const own =
    'github' in comments
      ? {
          GITHUB_TOKEN: env.GITHUB_TOKEN,
          GITHUB_REPOSITORY: comments.github,
          GITHUB_EVENT_NAME: 'push',
          // What the worker itself may run in is another job.
          GITHUB_EVENT_PATH: undefined,
          GITHUB_SHA: job.commit,
        }
      : {
          TRUEUP_COMMENT_TOKEN: env.TRUEUP_COMMENT_TOKEN,
          GITLAB_CI: 'true',
          CI_PROJECT_ID: comments.gitlab,
          CI_COMMIT_SHA: job.commit,
        };
  member.host.env = { ...member.host.env, ...own };
  const pull = job.pull === undefined ? [] : [`--pull-request=${job.pull}`];
  const exit = await member.run(['comment', report, ...pull], false);
  if (exit !== 0) say(`could not update the pull request: ${member.err().trim().split('\n')[0]}`);
}
