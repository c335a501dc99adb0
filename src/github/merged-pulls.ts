import { Problems, problem } from '../model/diagnostic.ts';
import { type Target, withGithub } from './github-call.ts';

/** So many are read at most; a commit that more pull requests brought is none of a person. */
const most = 100;

/** The numbers of the pull requests that were merged as this commit, or with it. Throws `Problems`. */
export function mergedPulls(target: Omit<Target, 'number'>, sha: string): Promise<number[]> {
  return withGithub(target, async (call) => {
    const pulls = await call('GET /repos/{owner}/{repo}/commits/{sha}/pulls?per_page={most}', { sha, most });
    if (!Array.isArray(pulls))
      throw new Problems([
        problem(
          'comment/not-github',
          'the answer to the request for the pull requests of a commit is not a list',
          {
            hint: "does GITHUB_API_URL point to GitHub's REST API?",
          },
        ),
      ]);
    return (pulls as unknown[]).flatMap((pull) => {
      const { number, merged_at: merged } = (pull ?? {}) as { number?: unknown; merged_at?: unknown };
      // One that is open only has the commit, too: it was not merged.
      return Number.isSafeInteger(number) && typeof merged === 'string' ? [number as number] : [];
    });
  });
}
