import { readFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import type { SecretSource } from '../config/values/secret-source.ts';
import { workTreeOf } from '../git/work-tree.ts';
import { masks, type PullRequest, pullRequestOf } from '../github/actions.ts';
import type { Sealed } from '../model/sealed.ts';
import type { Places } from '../report/markdown/forms.ts';
import { type Host, inActions, type Port, pathOn } from './host.ts';

/**
 * Has GitHub Actions hide the secrets that it does not know: those from files and commands. Those from the environment come from its
 * own secrets.
 */
export function maskInActions(
  values: ReadonlyMap<string, Sealed>,
  sources: ReadonlyMap<string, SecretSource>,
  port: Port,
): void {
  if (!inActions(port.run.host)) return;
  const foreign = [...values].filter(([name]) => !('env' in (sources.get(name) ?? {})));
  port.toRunner(masks(foreign.map(([, secret]) => secret.reveal())));
}

/** The pull request that this run is about, as far as GitHub tells. */
export function currentPullRequest(host: Host): PullRequest | undefined {
  const path = host.env.GITHUB_EVENT_PATH;
  if (!path) return undefined;
  try {
    return pullRequestOf(JSON.parse(readFileSync(pathOn(host, path), 'utf8')));
  } catch {
    return undefined;
  }
}

const missingTokenReasons = {
  fork: 'this pull request comes from a fork, so there is no token',
  dependabot: 'this pull request is from Dependabot, which gets no repository secrets, so there is no token',
};

/** Why nothing is wrong although there is no token: whoever sent this pull request gets none. Undefined where one should be there. */
export function noTokenReason(host: Host): string | undefined {
  const sort = currentPullRequest(host)?.withoutSecrets;
  return host.env.TRUEUP_TOKEN?.trim() || sort === undefined ? undefined : missingTokenReasons[sort];
}

/**
 * The path of a file as GitHub knows it: from the top of the repository, which a workflow may have checked out beside the one that it
 * runs in. What lies outside of that keeps the path that it was given.
 */
export const createPathLocator =
  (host: Host) =>
  (file: string): string => {
    const absolute = resolve(host.cwd, file);
    const path = relative(topOf(host, dirname(absolute)), absolute).replaceAll('\\', '/');
    return path.startsWith('..') ? file : path;
  };

function topOf(host: Host, folder: string): string {
  const tree = workTreeOf(folder);
  const workspace = inActions(host) ? host.env.GITHUB_WORKSPACE : undefined;
  if (!workspace) return tree ?? host.cwd;
  // The workspace first: a submodule's file has its path from there. A checkout in a workspace that is none has paths of its own.
  const isBeside =
    tree?.startsWith(`${resolve(workspace)}${sep}`) && workTreeOf(workspace) !== resolve(workspace);
  return isBeside ? tree! : workspace;
}

/** Names places in reports of a CI job: paths from the top of the repository, linked to the commit that the job is about. */
export function createReportPlaces(host: Host): Places {
  const locate = createPathLocator(host);
  const blob = blobsOf(host);
  if (blob === undefined) return { locate };
  return {
    locate,
    url: (path, line) =>
      isRelativeInside(path)
        ? `${blob}/${path.split('/').map(encodePathPart).join('/')}#L${line}`
        : undefined,
  };
}

const isRelativeInside = (path: string): boolean =>
  !/^(?:\/|[A-Za-z]:)|(?:^|\/)\.\.?(?:\/|$)|\\/.test(path) && path !== '';

/** Escapes the characters that `encodeURIComponent` leaves, and that mean something in Markdown. */
const encodePathPart = (part: string): string =>
  encodeURIComponent(part.replace(/\p{Cs}/gu, '\ufffd')).replace(
    /[!'()*~]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The address below which the server of this job shows the files of its commit; of a pull request the commit that was pushed. */
function blobsOf(host: Host): string | undefined {
  const { env } = host;
  const repository = repositoryUrlOf(host);
  const commit = inActions(host)
    ? (currentPullRequest(host)?.head ?? env.GITHUB_SHA)
    : env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA;
  const isKnown = repository !== undefined && /^[0-9a-f]{40,64}$/.test(commit ?? '');
  return isKnown ? `${repository}/blob/${commit}` : undefined;
}

/** The address below which the server of this job has `blob` and `commit`; undefined where it tells none that can stand in a link. */
export function repositoryUrlOf(host: Host): string | undefined {
  const { env } = host;
  const isNamed = /^[\w.-]+\/[\w.-]+$/.test(env.GITHUB_REPOSITORY ?? '');
  const address = inActions(host)
    ? isNamed && `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}`
    : env.GITLAB_CI === 'true' && `${env.CI_PROJECT_URL}/-`;
  return address && /^https?:\/\/[\w.:/-]+$/.test(address) ? address : undefined;
}
