import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { SecretSource } from '../config/values/secret-source.ts';
import { workTreeOf } from '../git/work-tree.ts';
import { masks, type PullRequest, pullRequestOf } from '../github/actions.ts';
import { type Host, inActions, resolvePath } from '../host.ts';
import type { Sealed } from '../model/sealed.ts';
import { isInside, pathFrom } from '../paths.ts';
import type { Places } from '../report/markdown/forms.ts';

/**
 * Makes the runner of GitHub Actions hide the secrets that come from files and commands in its logs, and each secret
 * that is a part of a text with several, such as a JSON object. It already hides whole variables of the environment,
 * because it provided them itself. `sources`: where each secret comes from.
 */
export function maskInActions(
  values: ReadonlyMap<string, Sealed>,
  sources: ReadonlyMap<string, SecretSource>,
  port: { run: { host: Host }; toRunner(lines: string[]): void },
): void {
  if (!inActions(port.run.host)) return;
  const unknownToRunner = [...values].filter(([name]) => {
    const source = sources.get(name);
    const isWholeVariable = source !== undefined && 'env' in source && !source.pick;
    return !isWholeVariable;
  });
  port.toRunner(masks(unknownToRunner.map(([, secret]) => secret.reveal())));
}

/**
 * Returns the pull request that this job of GitHub Actions is about; undefined in other jobs and outside of GitHub
 * Actions. Used by `trueup comment` to find where to write, and to treat the configuration of a pull request with
 * caution, because it is not reviewed.
 */
export function currentPullRequest(host: Host): PullRequest | undefined {
  const path = host.env.GITHUB_EVENT_PATH;
  if (!path) return undefined;
  try {
    return pullRequestOf(JSON.parse(readFileSync(resolvePath(host, path), 'utf8')));
  } catch {
    return undefined;
  }
}

/**
 * True if the run is for a pull request or merge request. Its configuration was written by the author and not yet approved by another
 * person, so the run trusts it less: for example, the checkout must not bring its own guards.
 */
export const isReviewRun = (host: Host): boolean =>
  host.isReview === true || currentPullRequest(host) !== undefined || Boolean(host.env.CI_MERGE_REQUEST_IID);

const missingTokenReasons = {
  fork: 'this pull request comes from a fork, so there is no token',
  dependabot: 'this pull request is from Dependabot, which gets no repository secrets, so there is no token',
};

/**
 * Returns why GitHub gives this job no token: the pull request comes from a fork or from Dependabot, so its configuration can only be
 * validated. Undefined if there is a token or there should be one.
 */
export function noTokenReason(host: Host): string | undefined {
  const author = currentPullRequest(host)?.withoutSecrets;
  return host.env.TRUEUP_TOKEN?.trim() || author === undefined ? undefined : missingTokenReasons[author];
}

/**
 * Returns a function which converts the path of a file to a path from the top of its repository, as annotations and
 * links on GitHub need it. A file outside of the repository keeps its path.
 */
export const createPathLocator =
  (host: Host) =>
  (file: string): string => {
    const absolute = resolve(host.cwd, file);
    const top = resolve(findRepositoryTop(host, dirname(absolute)));
    return isInside(absolute, top) ? pathFrom(top, absolute) : file;
  };

/**
 * Returns the folder from which reports name files of a repository. In GitHub Actions it is the workspace of the
 * job, because GitHub expects paths from there, also for a file in a submodule. If the workspace itself is not a
 * checkout, it may contain several: then it is the work tree around `folder`.
 */
function findRepositoryTop(host: Host, folder: string): string {
  const tree = workTreeOf(folder);
  const workspace = inActions(host) ? host.env.GITHUB_WORKSPACE : undefined;
  if (!workspace) return tree ?? host.cwd;
  const isCheckout = workTreeOf(workspace) === resolve(workspace);
  if (isCheckout) return workspace;
  const isInWorkspace = tree !== undefined && isInside(tree, resolve(workspace));
  return isInWorkspace ? tree : workspace;
}

/**
 * Returns how reports of a CI job name places in files: `locate` returns the path from the top of the repository,
 * `url` a link to the line in the commit of the job. So a reviewer can go from a comment to the line of the YAML.
 */
export function createReportPlaces(host: Host): Places {
  const locate = createPathLocator(host);
  const filesUrl = commitFilesUrlOf(host);
  if (filesUrl === undefined) return { locate };
  return {
    locate,
    url: (path, line) =>
      isRelativeInside(path)
        ? `${filesUrl}/${path.split('/').map(encodePathPart).join('/')}#L${line}`
        : undefined,
  };
}

/**
 * True for a relative path without `.`, `..` and backslashes, so that a link with it stays inside of the repository. Other paths get no
 * link.
 */
const isRelativeInside = (path: string): boolean =>
  !/^(?:\/|[A-Za-z]:)|(?:^|\/)\.\.?(?:\/|$)|\\/.test(path) && path !== '';

/**
 * Encodes one name of a file path for a link in the report on a pull request, including the characters that
 * `encodeURIComponent` leaves but Markdown interprets. Half of a surrogate pair cannot be encoded and becomes a
 * replacement character.
 */
const encodePathPart = (part: string): string =>
  encodeURIComponent(part.replace(/\p{Cs}/gu, '\ufffd')).replace(
    /[!'()*~]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * Returns the URL under which the server of this CI job shows the files of its commit, so that a report can link to
 * lines of the configuration; undefined if the variables of the job do not name the commit. For a pull request it
 * is the pushed commit, not the merge commit that the job checks out.
 */
function commitFilesUrlOf(host: Host): string | undefined {
  const { env } = host;
  const repository = repositoryUrlOf(host);
  const commit = inActions(host)
    ? (currentPullRequest(host)?.head ?? env.GITHUB_SHA)
    : env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA;
  const hasCommit = repository !== undefined && /^[0-9a-f]{40,64}$/.test(commit ?? '');
  return hasCommit ? `${repository}/blob/${commit}` : undefined;
}

/**
 * Returns the URL of the repository on GitHub or GitLab, from the variables of this CI job, for links in reports.
 * Undefined outside of a job, and for a URL with characters that could break a link.
 */
export function repositoryUrlOf(host: Host): string | undefined {
  const { env } = host;
  // `acme/shop`
  const hasName = /^[\w.-]+\/[\w.-]+$/.test(env.GITHUB_REPOSITORY ?? '');
  const url = inActions(host)
    ? hasName && `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}`
    : // In URLs of GitLab, `/-` ends the path of the project.
      env.GITLAB_CI === 'true' && `${env.CI_PROJECT_URL}/-`;
  return url && /^https?:\/\/[\w.:/-]+$/.test(url) ? url : undefined;
}
