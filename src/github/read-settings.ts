/*
 * Reads the settings of a repository on GitHub that the workflows of `init --ci` rely on, for its `--check`. Sends only GET requests.
 */
import { type CallApi, type CommentAccess, withCommentApi } from '../http/comment-api.ts';
import { HttpError } from '../http/errors.ts';

/** An environment for deployments. */
export interface GithubEnvironment {
  /** True if only some branches may use it. */
  isRestricted: boolean;
  /** True if a person has to approve each run. */
  hasReviewers: boolean;
  /** The names of its secrets; undefined if the token may not list them. */
  secrets: string[] | undefined;
}

/** The settings of a repository. A member is undefined if the token may not read it. */
export interface GithubSettings {
  /** By name. An environment that does not exist is missing. */
  environments: Map<string, GithubEnvironment> | undefined;
  /** The names of its variables. */
  variables: string[] | undefined;
  /** True if its default branch is protected. */
  isProtected: boolean | undefined;
  /** True if workflows may open pull requests. */
  mayOpenPulls: boolean | undefined;
}

/** Marks a request that the token may not send, or whose object does not exist: GitHub may answer both with 404. */
const denied = Symbol('denied');

/** Reads the settings of a repository. Throws `Problems` if the server cannot be reached, or if it does not accept the token. */
export const readGithubSettings = (
  { owner, repo, branch, ...access }: CommentAccess & { owner: string; repo: string; branch: string },
  environmentNames: readonly string[],
): Promise<GithubSettings> =>
  withCommentApi(
    access,
    { fixed: { owner, repo, branch }, hints: { 401: 'GITHUB_TOKEN is no longer valid' } },
    async (call) => {
      const branchFacts = await get(call, 'GET /repos/{owner}/{repo}/branches/{branch}');
      const permissions = await get(call, 'GET /repos/{owner}/{repo}/actions/permissions/workflow');
      const variables = await get(call, 'GET /repos/{owner}/{repo}/actions/variables?per_page=30');
      return {
        environments: await readEnvironments(call, environmentNames),
        variables: settingNamesIn(variables, 'variables'),
        isProtected: memberIn(branchFacts, 'protected'),
        mayOpenPulls: memberIn(permissions, 'can_approve_pull_request_reviews'),
      };
    },
  );

/** Reads the environments with these names that exist; undefined if the token may not list environments. */
async function readEnvironments(
  call: CallApi,
  names: readonly string[],
): Promise<Map<string, GithubEnvironment> | undefined> {
  // A missing environment and a missing permission have the same answer, so the list decides which of the two it is.
  const list = await get(call, 'GET /repos/{owner}/{repo}/environments?per_page=100');
  if (list === denied) return undefined;
  const { environments = [] } = (list ?? {}) as { environments?: ListedEnvironment[] };
  const environmentByName = new Map<string, GithubEnvironment>();
  for (const environment of environments.filter(({ name }) => names.includes(name)))
    environmentByName.set(environment.name, await readEnvironment(call, environment));
  return environmentByName;
}

/** An environment as GitHub lists it, with the members that are used here. */
interface ListedEnvironment {
  name: string;
  protection_rules?: { type: string }[];
  deployment_branch_policy?: unknown;
}

/** Reads the names of an environment's secrets, and returns them with the rules that GitHub listed for it. */
async function readEnvironment(
  call: CallApi,
  { name, protection_rules: rules = [], deployment_branch_policy: policy }: ListedEnvironment,
): Promise<GithubEnvironment> {
  const endpoint = 'GET /repos/{owner}/{repo}/environments/{environment}/secrets?per_page=100';
  return {
    isRestricted: policy !== null && policy !== undefined,
    hasReviewers: rules.some(({ type }) => type === 'required_reviewers'),
    secrets: settingNamesIn(await get(call, endpoint, { environment: name }), 'secrets'),
  };
}

/**
 * Sends a GET to GitHub's API, for the checks of `init --ci`. Returns its answer, or `denied` if the token may not send it or there is no
 * such object.
 */
const get = (call: CallApi, endpoint: Parameters<CallApi>[0], params = {}): Promise<unknown> =>
  call(endpoint, params).catch((error) => {
    if (error instanceof HttpError && [403, 404].includes(error.status)) return denied;
    throw error;
  });

/** Returns the names of secrets or variables in the list that GitHub answered; undefined if there was no answer. */
function settingNamesIn(answer: unknown, list: 'secrets' | 'variables'): string[] | undefined {
  if (answer === denied) return undefined;
  const items = (answer as Record<string, { name: string }[]> | null)?.[list];
  return Array.isArray(items) ? items.map(({ name }) => name) : undefined;
}

/** Returns a boolean member of an answer; undefined if there was none. */
function memberIn(answer: unknown, name: string): boolean | undefined {
  const value = answer === denied ? undefined : (answer as Record<string, unknown> | null)?.[name];
  return typeof value === 'boolean' ? value : undefined;
}
