import {
  type ApiObject,
  type CreationWithParent,
  type Endpoint,
  type ItemOutcome,
  type Request,
  request,
} from '#kind';
import { failuresIn, objectsAt, outcomesOfCreation } from '../env/env-var-answer.ts';
import { hasHoles } from '../env/env-var-homes.ts';
import type { RowTable } from '../env/env-var-row-table.ts';

/** A project's variables: a POST takes any rows, a PATCH is for one row, and a DELETE has one endpoint for one row and one for several. */
export const projectRows: RowTable = {
  fields: ['comment', 'visibility'],
  waitsFor: (unit) => (hasHoles(unit) ? 'what it refers to' : ''),
  createdWith: () => '',
  patchedWith: ({ row }) => row.id,
  removedWith: () => '',
  create: (rows) =>
    request(
      'POST /v10/projects/{project}/env',
      rows.map(({ fields }) => fields),
    ),
  patch: ([change]) => request('PATCH /v9/projects/{project}/env/{id}', change!.body, { id: change!.row.id }),
  remove: (rows) =>
    rows.length === 1
      ? request('DELETE /v9/projects/{project}/env/{id}', undefined, { id: rows[0]!.id })
      : request('DELETE /v1/projects/{project}/env', { ids: rows.map(({ id }) => id) }),
};

/** Creates a project, with variables if the body has them. */
const projectCreation: Endpoint = 'POST /v11/projects';

/**
 * The fields that a variable in the creation of its project may have. The documentation also names `gitBranch`, but not whether the project
 * has its Git repository by then.
 */
const fieldsInNewProject: ReadonlySet<string> = new Set(['key', 'value', 'type', 'target']);

/** Puts the variables of a new project into its creation. The Terraform provider creates them in this way. */
export const inNewProject: CreationWithParent = {
  doc: 'The request that creates a project also creates its variables, if they have only a key, targets, a type and a value that stands in the configuration.',
  join(parentRequest, { body, batch }) {
    const variables = body as ApiObject[];
    const isTaken = (name: string) => fieldsInNewProject.has(name);
    const areTaken = variables.every((variable) => Object.keys(variable).every(isTaken));
    if (!areTaken || parentRequest.endpoint !== projectCreation || parentRequest.batch) return undefined;
    return {
      ...parentRequest,
      body: { ...(parentRequest.body as ApiObject), environmentVariables: variables },
      batch,
    };
  },
};

/**
 * The outcome of each variable of a creation. A 2xx answer may still list failures. The answer for a new project has its variables in
 * `env`; without that member, the run looks for them in the account.
 */
export const createdOrFailed = (answer: unknown, { endpoint, body }: Request): ItemOutcome[] =>
  endpoint === projectCreation
    ? outcomesOfCreation(
        (body as ApiObject).environmentVariables as ApiObject[],
        objectsAt(answer, 'env'),
        [],
      )
    : outcomesOfCreation(body as ApiObject[], objectsAt(answer, 'created'), failuresIn(answer));
