import type { Project } from '../account.ts';
import type { Call, Query } from '../call.ts';
import { badRequest, notFound } from '../errors.ts';
import { required } from '../http/query.ts';

/**
 * The owner's project with this id. No name is taken: the reference wants the id wherever a parameter is called
 * projectId. Without an id it is the 400 about a missing `projectId`.
 */
export function projectById(call: Call, id: string | null | undefined): Project {
  if (id == null || id === '') throw badRequest('Invalid request: missing required property `projectId`.');
  const found = call.account.projects.find((one) => one.id === id && one.accountId === call.owner.id);
  if (found === undefined) throw notFound('Project');
  return found;
}

/** The project that the query names. */
export const projectOfQuery = (call: Call): Project => projectById(call, call.query.get('projectId'));

/** What `projectOfQuery` reads. */
export const projectQuery: Query = { projectId: required };
