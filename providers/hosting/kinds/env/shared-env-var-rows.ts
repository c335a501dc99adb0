import {
  type ApiObject,
  type BatchContext,
  canonicalJson,
  type Fields,
  holesIn,
  type ItemOutcome,
  type Request,
  request,
  type Step,
  type Value,
} from '#kind';
import { failuresIn, objectsAt, outcomesOf, outcomesOfCreation, textsAt } from './env-var-answer.ts';
import { addressesOf, type RowTable } from './env-var-row-table.ts';

/**
 * A team's variables: all writes are batches that may fail in part. A POST is for rows of one type, one target set and one
 * list of projects; a PATCH takes any rows, by id. A request that another one waits for is sent alone: otherwise the failure of another
 * row in its batch would stop the waiting request, and a variable that has left its row would stay away.
 */
export const sharedRows: RowTable = {
  fields: ['comment', 'projectId', 'applyToAllCustomEnvironments'],
  // Rows of one request get equal times. If they filled a page of the list (50 rows), the next page could not be reached by time.
  mostCreated: 40,
  waitsFor: ({ fields, step }, context) => pending(fields, step ? [step] : [], context),
  createdWith: ({ type, target, projectId, applyToAllCustomEnvironments = false }) =>
    canonicalJson([type, target, inOrder(projectId), applyToAllCustomEnvironments]),
  patchedWith: ({ row, body }, context) =>
    row.leaving.length > 0
      ? row.id
      : pending(
          body,
          row.staying.flatMap(({ step }) => step ?? []),
          context,
        ),
  removedWith: ({ id, leaving }) => (leaving.length > 0 ? id : ''),
  create(rows) {
    const { type, target, projectId = [], applyToAllCustomEnvironments } = rows[0]!.fields;
    const evs = rows.map(({ fields: { key, value, comment } }) => ({
      key,
      value,
      ...(comment ? { comment } : {}),
    }));
    const links = inOrder(projectId).length > 0 ? { projectId } : {};
    const everyCustom = applyToAllCustomEnvironments ? { applyToAllCustomEnvironments } : {};
    return request('POST /v1/env', { evs, type, target, ...links, ...everyCustom });
  },
  patch(changes) {
    const byId = new Map(changes.map((change) => [change.row.id, change]));
    const updates = Object.fromEntries(
      [...byId].map(([id, { row, body }]) => [id, encodeLinks(body, row.staying[0]!.step?.before?.fields)]),
    );
    const batch = Object.keys(updates).map((id) => addressesOf(byId.get(id)!));
    return { ...request('PATCH /v1/env', { updates }), batch };
  },
  remove: (rows) => ({
    ...request('DELETE /v1/env', { ids: rows.map(({ id }) => id) }),
    batch: rows.map((row) => addressesOf({ row, body: {}, joining: [] })),
  }),
};

/**
 * Returns the prerequisites of a row as a text: projects still to be created, secrets not yet known,
 * `$dependsOn`. Rows with equal texts can share a request.
 */
function pending(value: unknown, steps: Step[], { exists }: BatchContext): string {
  const holes = holesIn(value).filter((hole) => !('$ref' in hole && exists(hole.$ref)));
  const needed = [...holes, ...steps.flatMap(({ after }) => after?.meta.dependsOn ?? [])];
  return [...new Set(needed.map(canonicalJson))].sort().join();
}

const inOrder = (set: Value | undefined): Value[] =>
  [...((set ?? []) as Value[])].sort((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1));

/**
 * Returns the body of an update with the project links as additions and removals. A complete list would remove links
 * that others have added since the read.
 */
function encodeLinks({ projectId, ...body }: Fields, before: Fields = {}): ApiObject {
  if (projectId === undefined) return body;
  const [wanted, live] = [inOrder(projectId), inOrder(before.projectId)];
  const without = (value: Value[], removed: Value[]) =>
    value.filter((value) => !removed.some((excluded) => canonicalJson(excluded) === canonicalJson(value)));
  const [link, unlink] = [without(wanted, live), without(live, wanted)];
  const projectIdUpdates = { ...(link.length > 0 ? { link } : {}), ...(unlink.length > 0 ? { unlink } : {}) };
  return { ...body, projectIdUpdates };
}

/** Returns the outcome of each variable of a request, because an answer with a success status may still list failures. */
export function outcomesOfWrite(answer: unknown, { endpoint, body }: Request): ItemOutcome[] {
  const failed = failuresIn(answer);
  const {
    evs = [],
    updates = {},
    ids = Object.keys(updates),
    ...common
  } = body as {
    evs?: ApiObject[];
    updates?: ApiObject;
    ids?: string[];
    target?: string[];
  };
  if (endpoint.startsWith('POST')) {
    const rows = evs.map(({ key }) => ({ key, target: common.target }));
    return outcomesOfCreation(rows, objectsAt(answer, 'created'), failed);
  }
  const done = new Set([...objectsAt(answer, 'updated').map(({ id }) => id), ...textsAt(answer, 'deleted')]);
  const isAbout = ({ envVarId }: ApiObject, id: string) => envVarId === id;
  const outcomes = outcomesOf(ids, (id) => (done.has(id) ? id : undefined), failed, isAbout);
  // The variable was already deleted, here or by somebody else. The account shows the outcome.
  return outcomes.map((outcome) =>
    endpoint.startsWith('DELETE') && 'error' in outcome && outcome.code === 'not_found'
      ? { unknown: true, refusals: [outcome] }
      : outcome,
  );
}
