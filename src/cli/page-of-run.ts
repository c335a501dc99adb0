import type { PageAbout } from '../report/html/summary.ts';
import { configurationCommit, startedBy } from './about-run.ts';
import { currentPullRequest } from './actions-run.ts';
import type { Host } from './host.ts';
import { repositoryOn } from './places-on.ts';
import type { Session } from './session.ts';

/** The commit that a plan was made of, where a page will name it: only git knows outside of CI, and to ask it takes a moment. */
export async function commitForPage({ configuration, host }: Session, { format }: { format?: string }) {
  const commit = format === 'html' ? await configurationCommit(configuration, host) : undefined;
  return commit ? { commit } : {};
}

/** The run that made the plan, for its page: commit, run and time. */
export function aboutPage(host: Host, commit?: { id: string; dirty: boolean }): PageAbout {
  const { env, clock } = host;
  const { ci } = startedBy(env);
  // In a pull request what is checked out is a merge that nobody knows by its name.
  const id = currentPullRequest(host)?.head ?? commit?.id ?? env.GITHUB_SHA ?? env.CI_COMMIT_SHA;
  const isId = id !== undefined && /^[0-9a-f]{40,64}$/.test(id);
  const repository = repositoryOn(host);
  return {
    ...(isId
      ? {
          commit: {
            id,
            ...(repository === undefined ? {} : { url: `${repository}/commit/${id}` }),
            ...(commit?.dirty ? { isDirty: true } : {}),
          },
        }
      : {}),
    ...(ci
      ? { run: { name: [ci.name, ci.run].filter(Boolean).join(' '), ...(ci.url ? { url: ci.url } : {}) } }
      : {}),
    time: clock.now(),
  };
}
