/** How an account is read with a token that is limited to one project, or may be. */

import { HttpError, LimitedList } from '../../src/http/errors.ts';
import type { Pages, Request } from '../../src/model/request.ts';

export const projectEndpoint = 'GET /v9/projects/{id}';
export const projectsEndpoint = 'GET /v10/projects';

/** The reads of an account with such a token. */
interface ProjectReads {
  /** Reads the list of projects: an array, or its first page. */
  list(): Promise<unknown>;
  /** Sends the read of a single project. */
  readSingle(request: Request): Promise<unknown>;
}

/**
 * Reads the list of projects with a token that may be limited to the project with this id. Throws `LimitedList` with this project if the platform
 * refuses the list, or if the list has no other project: then it is unknown which other projects exist, and a plan must not create them.
 */
export async function readProjects(id: string, { list, readSingle }: ProjectReads): Promise<unknown> {
  const listed = await list().catch((error) => {
    if (error instanceof HttpError && error.status === 403 && !error.invalidToken) return error;
    throw error;
  });
  const projects = (Array.isArray(listed) ? listed : ((listed as Partial<Pages>).items?.() ?? [])) as {
    id?: unknown;
  }[];
  if (projects.some((project) => project.id !== id)) return listed;
  const reason =
    listed instanceof HttpError
      ? listed.message
      : `${projectsEndpoint} shows only one project: this token may be limited to it`;
  const project = await readSingle({ endpoint: projectEndpoint, params: { id } });
  throw new LimitedList({ method: 'GET', path: '/v10/projects' }, reason, [project]);
}
