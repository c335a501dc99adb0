import { type ApiObject, type ItemOutcome, type Request, request } from '#kind';
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

/** The outcome of each row of a POST. A 2xx answer may still list failures. */
export const createdOrFailed = (answer: unknown, { body }: Request): ItemOutcome[] =>
  outcomesOfCreation(body as ApiObject[], objectsAt(answer, 'created'), failuresIn(answer));
