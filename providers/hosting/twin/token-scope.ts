/*
 * What the tokens of the account may do. A token that the account does not list has the full account, like the token of a login.
 *
 * | Token        | `teamId` and `slug`       | May do                                                                                  |
 * | ------------ | ------------------------- | --------------------------------------------------------------------------------------- |
 * | full account | name the team             | everything                                                                              |
 * | one team     | may be left out           | everything of that team; creates no tokens                                              |
 * | one project  | may be left out           | the project, its domains, variables, deployments and firewall; nothing of user and team |
 *
 * Sources: the platform's pages "Access tokens" and "Project-scoped Tokens"; the code and the message of refusals are those of the
 * platform's command line. Which operations a token of one project reaches is not published: operations that the table does not name are
 * refused.
 */

import { type Account, findOwner, type Owner, type Project, type Team } from './account.ts';
import { ApiError, forbidden } from './errors.ts';
import type { Route } from './router.ts';
import type { Switches } from './switches.ts';
import { type AuthToken, findToken } from './team/auth-token-state.ts';

/** The parts of a request that decide whether a token may make it. */
interface ScopedRequest {
  route: Route;
  query: URLSearchParams;
  body: unknown;
  authorization: string | undefined;
}

/**
 * Returns the owner of the objects that a request to the twin is about: the team that it names, the team of its token, or the user. Throws
 * the platform's 403 for everything that the token does not reach: another team, or things outside the project of the token.
 */
export function findRequestOwner(
  account: Account,
  request: ScopedRequest,
  { projectInDefaultTeam }: Pick<Switches, 'projectInDefaultTeam'>,
): Owner {
  const { route, query, authorization } = request;
  const { operation, params } = route;
  const token = findToken(account, authorization);
  const team = account.teams.find(({ id }) => id === token?.teamId);
  const requestedScope = params.teamId ?? query.get('teamId') ?? query.get('slug');
  const owner = requestedScope ? findOwner(account, requestedScope) : { id: (team ?? account.user).id, team };
  if (token && operation.operationId === 'createAuthToken') checkMayCreateTokens(account, token);
  if (token?.withoutSso && owner?.team) throw ssoRequired(owner.team);
  if (team && owner?.team !== team) throw outOfScope(requestedScope ?? team.slug);
  if (team && token?.projectId !== undefined && !reachesProject(account, token.projectId, request))
    throw outOfScope(team.slug);
  // The handlers of these operations find the team in the path, and a team that does not exist is their 404.
  if (operation.path.includes('{teamId}')) return { id: account.user.id };
  if (owner === undefined)
    throw forbidden(`Not authorized: Trying to access resource under scope "${requestedScope}".`);
  const isPersonal = owner.team === undefined;
  return (isPersonal && projectInDefaultTeam && ownerOfIdInPath(account, route)) || owner;
}

/**
 * Returns the default team (the first) if the path of a request without a team has the id of one of its projects or deployments. The
 * Terraform provider and the platform's command line send such requests, and the platform finds the object; undefined otherwise.
 */
function ownerOfIdInPath({ projects, teams: [team] }: Account, route: Route): Owner | undefined {
  const projectId = route.params[projectParameter(route.operation.path) ?? ''];
  const deploymentId = deploymentInPath(route);
  const isNamed = ({ id, deployments }: Project) =>
    id === projectId || deployments.some((deployment) => deployment.id === deploymentId);
  return team && projects.some((project) => project.accountId === team.id && isNamed(project))
    ? { id: team.id, team }
    : undefined;
}

/** Returns the first segment of an operation's path after its version and the `now` of older clients. */
const areaOf = (path: string): string => /^(?:\/v\d+)?(?:\/now)?\/([^/]+)/.exec(path)?.[1] ?? '';

/** Returns the id or host name of the deployment in a path; undefined for paths that name none. */
const deploymentInPath = ({ operation, params }: Route): string | undefined =>
  params.deploymentId ??
  (areaOf(operation.path) === 'deployments' ? (params.id ?? params.idOrUrl) : undefined);

/** Returns the name of the parameter in a path that names a project; undefined for paths that are not below a project. */
const projectParameter = (path: string): string | undefined =>
  /^(?:\/v\d+)?\/projects\/\{(\w+)\}/.exec(path)?.[1];

/** The first segments of paths whose operations are about the project in the query. */
const areasByQuery = ['security', 'deployments', 'bulk-redirects', 'edge-cache', 'speed-insights', 'web'];

/**
 * True if a request to the twin is about one project, so that a token of this project may make it: its path, the deployment in its path,
 * its body or its query names the project. `id`: the project of the token.
 */
function reachesProject({ projects }: Account, id: string, { route, query, body }: ScopedRequest): boolean {
  const { operation, params } = route;
  const project = projects.find((project) => project.id === id);
  if (!project) return false;
  const isNamedBy = (idOrName: unknown) => idOrName === project.id || idOrName === project.name;
  const parameter = projectParameter(operation.path);
  if (parameter !== undefined) return isNamedBy(params[parameter]);
  const deployment = deploymentInPath(route);
  if (deployment !== undefined) return hasDeployment(project, deployment);
  const { project: projectOfBody, name } = (body ?? {}) as { project?: unknown; name?: unknown };
  if (operation.operationId === 'createDeployment') return isNamedBy(projectOfBody ?? name);
  return areasByQuery.includes(areaOf(operation.path)) && isNamedBy(query.get('projectId'));
}

/** True if a project has the deployment with this id or host name. */
const hasDeployment = ({ deployments }: Project, idOrUrl: string): boolean =>
  deployments.some(({ id }) => id === idOrUrl || idOrUrl.includes(id.slice(-9).toLowerCase()));

/**
 * Throws the platform's 403 if a request creates a token with a token of a team, of a project or of a login: only one of the full account
 * may.
 */
function checkMayCreateTokens({ user }: Account, { origin, teamId }: AuthToken): void {
  if (origin !== 'manual')
    throw forbidden('Only user authentication tokens can be used to create new tokens.').by('PT6');
  if (teamId !== undefined)
    throw forbidden(`To create a token you must be authenticated to scope "${user.username}".`).by('PT6');
}

/** Returns the 403 for an object that the token does not reach. */
const outOfScope = (scope: string): ApiError =>
  new ApiError(
    403,
    'team_unauthorized',
    `Not authorized: Trying to access resource under scope "${scope}".`,
  ).by('PT3');

/** Returns the 403 of a team with single sign-on for a token that was made without it. */
const ssoRequired = ({ id, slug }: Team): ApiError =>
  forbidden(
    `Not authorized: Trying to access resource under scope "${slug}". You must re-authenticate to this scope or use a token with access to this scope.`,
    { saml: true, teamId: id, scope: slug, enforced: true },
  ).by('PT4');
