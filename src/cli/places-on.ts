import type { Places } from '../report/markdown/forms.ts';
import { currentPullRequest, locateOn } from './actions-run.ts';
import { type Host, inActions } from './host.ts';

/** How reports name places in a job of CI: from the top of the repository, and as links to the commit that the job is about. */
export function placesOn(host: Host): Places {
  const locate = locateOn(host);
  const blob = blobsOf(host);
  if (blob === undefined) return { locate };
  return {
    locate,
    url: (path, line) =>
      isInside(path) ? `${blob}/${path.split('/').map(encoded).join('/')}#L${line}` : undefined,
  };
}

const isInside = (path: string): boolean =>
  !/^(?:\/|[A-Za-z]:)|(?:^|\/)\.\.?(?:\/|$)|\\/.test(path) && path !== '';

/** Escapes the characters that `encodeURIComponent` leaves, and that mean something in Markdown. */
const encoded = (part: string): string =>
  encodeURIComponent(part.replace(/\p{Cs}/gu, '\ufffd')).replace(
    /[!'()*~]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The address below which the server of this job shows the files of its commit; of a pull request the commit that was pushed. */
function blobsOf(host: Host): string | undefined {
  const { env } = host;
  const repository = repositoryOn(host);
  const commit = inActions(host)
    ? (currentPullRequest(host)?.head ?? env.GITHUB_SHA)
    : env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA;
  const isKnown = repository !== undefined && /^[0-9a-f]{40,64}$/.test(commit ?? '');
  return isKnown ? `${repository}/blob/${commit}` : undefined;
}

/** The address below which the server of this job has `blob` and `commit`; undefined where it tells none that can stand in a link. */
export function repositoryOn(host: Host): string | undefined {
  const { env } = host;
  const isNamed = /^[\w.-]+\/[\w.-]+$/.test(env.GITHUB_REPOSITORY ?? '');
  const address = inActions(host)
    ? isNamed && `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}`
    : env.GITLAB_CI === 'true' && `${env.CI_PROJECT_URL}/-`;
  return address && /^https?:\/\/[\w.:/-]+$/.test(address) ? address : undefined;
}
