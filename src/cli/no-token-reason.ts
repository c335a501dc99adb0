import { currentPullRequest } from './actions-run.ts';
import type { Host } from './host.ts';

const reasons = {
  fork: 'this pull request comes from a fork, so there is no token',
  dependabot:
    "this pull request is Dependabot's, which gets none of the repository's secrets, so there is no token",
};

/** Why nothing is wrong although there is no token: whoever sent this pull request gets none. Undefined where one should be there. */
export function noTokenReason(host: Host): string | undefined {
  const sort = currentPullRequest(host)?.withoutSecrets;
  return host.env.TRUEUP_TOKEN?.trim() || sort === undefined ? undefined : reasons[sort];
}
