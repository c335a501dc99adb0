/** How an account is read with a token that is limited to one project, or may be. */

import { callNameOf, fillEndpoint } from '../../src/http/endpoint.ts';
import { HttpError, LimitedList } from '../../src/http/errors.ts';
import { isRead, type Pages, type Request } from '../../src/model/request.ts';
import { tokenRules } from './token-rules.ts';

export const projectEndpoint = 'GET /v9/projects/{id}';
export const projectsEndpoint = 'GET /v10/projects';

/**
 * These reads are not beyond a token: the list of projects has its own rule (`readProjects`), and the others are about the token itself.
 */
const ownReads = new Set<string>([projectsEndpoint, ...Object.values(tokenRules.reads)]);

/**
 * True if a request reads objects outside of projects, such as `sharedEnv`. A token of one project does not see them, even if the answer is
 * 200.
 */
export const isBeyondProject = (request: Request): boolean =>
  isRead(request) &&
  !ownReads.has(request.endpoint.split('?')[0]!) &&
  !tokenRules.reachOf(request.endpoint).includes('project');

/**
 * Throws an error for a read that is beyond a token of one project (`projectId`); does nothing for other tokens. The read is not sent. The
 * error equals a refusal of the platform (403), so that a plan counts the objects as not compared: it would create them after an empty list
 * with status 200.
 */
export function refuseToken({ projectId }: { projectId?: string }, request: Request): void {
  if (projectId === undefined) return;
  throw new HttpError(callNameOf(fillEndpoint(request.endpoint, request.params)), {
    status: 403,
    code: 'team_unauthorized',
    message: 'The platform refused the team, so this was not sent.',
  });
}

/** The reads of an account with such a token. */
interface ProjectReads {
  /** Reads the list of projects: an array, or its first page. */
  list(): Promise<unknown>;
  /** Sends the read of a single project. */
  readSingle(request: Request): Promise<unknown>;
}

/**
 * Reads the list of projects with a token that may be limited to the project with this id. Throws `LimitedList` with this project if the
 * platform refuses the list, or if the list has no other project: then it is unknown which other projects exist, and a plan must not create
 * them.
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
