import type { Account, Project } from './account.ts';
import type { Call, Making, Query } from './call.ts';
import { badRequest, notFound } from './errors.ts';
import { required } from './http/query.ts';

/** Returns the projects of an owner: a team, or the user. */
export const projectsOf = ({ projects }: Account, ownerId: string): Project[] =>
  projects.filter(({ accountId }) => accountId === ownerId);

function projectOf(account: Account, ownerId: string, idOrName: string): Project | undefined {
  const projects = projectsOf(account, ownerId);
  return projects.find(({ id }) => id === idOrName) ?? projects.find(({ name }) => name === idOrName);
}

/**
 * Returns the project with this id or name that the owner of a request (a team or the user) has. Throws the platform's 404 if there is
 * none.
 */
export function findProject(call: Call, idOrName: string): Project {
  const project = projectOf(call.account, call.owner.id, idOrName);
  if (project === undefined) throw notFound('Project');
  return project;
}

/** Returns the owner's project that the path names by id or name. Throws 404 if there is none. */
export const projectOfPath = (call: Call): Project =>
  findProject(call, (call.params.idOrName ?? call.params.projectIdOrName)!);

/**
 * Returns the project that the path names, like `projectOfPath`, for a read. If the request names no team, the user's default team (the
 * first) is searched as well, unless a switch is off.
 */
export function projectToRead(call: Call): Project {
  const { account, owner, params, switches } = call;
  const team = owner.team === undefined && switches.projectInDefaultTeam ? account.teams[0] : undefined;
  const idOrName = params.idOrName!;
  const project = projectOf(account, owner.id, idOrName) ?? (team && projectOf(account, team.id, idOrName));
  if (project === undefined) throw notFound('Project');
  return project;
}

/**
 * Returns the owner's project with this id. A name is not accepted, because the platform's reference asks for the id in every parameter
 * called `projectId`. Throws 400 without an id, and 404 if there is no such project.
 */
export function projectById(call: Call, id: string | null | undefined): Project {
  if (id == null || id === '') throw badRequest('Invalid request: missing required property `projectId`.');
  const project = call.account.projects.find(
    (project) => project.id === id && project.accountId === call.owner.id,
  );
  if (project === undefined) throw notFound('Project');
  return project;
}

/** Returns the project that the query names by its id. Throws 400 without an id, and 404 if there is no such project. */
export const projectOfQuery = (call: Call): Project => projectById(call, call.query.get('projectId'));

/** Returns the project that the body names by its id. Throws 400 without an id, and 404 if there is no such project. */
export const projectOfBody = (call: Call): Project =>
  projectById(call, (call.body as { projectId?: string } | null)?.projectId);

/** The query parameters of `projectOfQuery`. */
export const projectQuery: Query = { projectId: required };

/**
 * Throws the platform's 400 if a request names a project (by id, not by name) that its owner does not have. For bodies with lists of
 * projects.
 */
export function checkProjectIds({ account, owner }: Pick<Making, 'account' | 'owner'>, ids: string[]): void {
  for (const id of ids) {
    if (account.projects.some((project) => project.id === id && project.accountId === owner.id)) continue;
    throw badRequest(`The project ${id} does not exist.`);
  }
}

/**
 * Returns the ids of the projects that a seed (the initial content of a twin) names, because a seed cannot know the ids of new projects.
 * Throws an `Error` for a name that no project of the owner has.
 */
export function projectIdsOf(
  { account, owner }: Pick<Making, 'account' | 'owner'>,
  names: string[],
): string[] {
  return names.map((name) => {
    const project = projectOf(account, owner.id, name);
    if (project === undefined) throw new Error(`There is no project "${name}".`);
    return project.id;
  });
}
