import { findProject } from '../find-project.ts';
import { required } from '../http/query.ts';
import { operation, type Resource } from '../resource.ts';

const purged = operation(
  {
    query: { projectIdOrName: required },
    on: (call) => findProject(call, call.query.get('projectIdOrName')!),
  },
  () => ({}),
);

/** The caches of projects. The platform's command line empties them; here they never hold anything. */
export const cache: Resource = {
  operations: {},
  clientOperations: {
    'POST /v1/edge-cache/purge-all': purged,
    'DELETE /v1/data-cache/purge-all': purged,
  },
};
