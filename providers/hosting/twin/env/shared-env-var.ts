import { Answer, type Bodies, type Call, type Handlers, type Queries } from '../call.ts';
import { ApiError, notFound } from '../errors.ts';
import { timePage, timePageQuery } from '../http/pages.ts';
import { several, text } from '../http/query.ts';
import { queryValues } from '../http/query-values.ts';
import { parseBody } from '../validate.ts';
import { createSharedEnvBody, removeSharedEnvBody, updateSharedEnvBody } from './shared-env-body.ts';
import {
  addSharedEnvVar,
  changeSharedEnvVar,
  findSharedEnvVar,
  sharedEnvVars,
} from './shared-env-changes.ts';
import { readSharedEnvVar, type SharedEnvVar } from './shared-env-read.ts';

interface Failure {
  error: { code: string; message: string } & Record<string, unknown>;
}

// Partial success: what fails is an entry beside what went well. A conflict alone can be the answer's own error.
function each<T>(call: Call, items: T[], about: (item: T) => object, run: (item: T) => void) {
  const failed: Failure[] = [];
  const done = items.filter((item) => {
    try {
      run(item);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const conflict = error.status === 409 && items.length === 1;
      if (conflict && call.switches.sharedEnvConflictAlone === 409) throw error;
      failed.push({ error: { code: error.code, message: error.message, ...error.extra, ...about(item) } });
      return false;
    }
  });
  return { done, failed };
}

function create(call: Call): unknown {
  const rows = sharedEnvVars(call, parseBody(createSharedEnvBody, call.body, call.outside));
  const about = ({ key, target }: SharedEnvVar) => ({ envVarKey: key, target });
  const { done, failed } = each(call, rows, about, (row) => addSharedEnvVar(call, row));
  return new Answer(201, { created: done.map((row) => readSharedEnvVar(call, row, false)), failed });
}

function update(call: Call): unknown {
  const entries = Object.entries(parseBody(updateSharedEnvBody, call.body, call.outside).updates);
  const about = ([id]: (typeof entries)[number]) => ({ envVarId: id });
  const { done, failed } = each(call, entries, about, ([id, change]) =>
    changeSharedEnvVar(call, findSharedEnvVar(call, id), change),
  );
  const updated = done.map(([id]) => readSharedEnvVar(call, findSharedEnvVar(call, id), false));
  return { updated, failed };
}

function remove(call: Call): unknown {
  const { ids } = parseBody(removeSharedEnvBody, call.body, call.outside);
  const { done, failed } = each(
    call,
    ids,
    (id) => ({ envVarId: id }),
    (id) => {
      const { sharedEnv } = call.account;
      sharedEnv.splice(sharedEnv.indexOf(findSharedEnvVar(call, id)), 1);
    },
  );
  return { deleted: done, failed };
}

// No source documents limit and until here, but the answer has a cursor: both are served, as for a project's variables.
function list(call: Call): unknown {
  const search = call.query.get('search')?.toLowerCase() ?? '';
  const ids = queryValues(call, 'ids');
  const notIds = queryValues(call, 'exclude_ids', 'exclude-ids');
  const projects = queryValues(call, 'projectId');
  const notProjects = queryValues(call, 'exclude_projectId', 'exclude-projectId');
  const linkedTo = (row: SharedEnvVar, asked: string[]) => asked.some((id) => row.projectId.includes(id));
  const wanted = call.account.sharedEnv
    .filter((row) => row.ownerId === call.owner.id && row.key.toLowerCase().includes(search))
    .filter((row) => (ids.length === 0 || ids.includes(row.id)) && !notIds.includes(row.id))
    .filter((row) => (projects.length === 0 || linkedTo(row, projects)) && !linkedTo(row, notProjects));
  const paged = call.query.has('limit') || call.pageSize < wanted.length;
  const { page, pagination } = paged
    ? timePage(call, wanted, (row) => row.createdAt)
    : { page: [...wanted].reverse(), pagination: { count: wanted.length, next: null, prev: null } };
  const decrypt = call.switches.sharedEnvListDecrypted;
  return { data: page.map((row) => readSharedEnvVar(call, row, decrypt)), pagination };
}

function unlink(call: Call): unknown {
  const row = findSharedEnvVar(call, call.params.id!);
  const { projectId } = call.params;
  if (!row.projectId.includes(projectId!)) throw notFound('The link of the variable to the project');
  row.projectId = row.projectId.filter((id) => id !== projectId);
  row.updatedAt = call.time();
  return { id: row.id };
}

/** A team's shared environment variables. */
export const sharedEnvHandlers: Handlers = {
  listSharedEnvVariable: list,
  createSharedEnvVariable: create,
  updateSharedEnvVariable: update,
  deleteSharedEnvVariable: remove,
  getSharedEnvVar: (call) => readSharedEnvVar(call, findSharedEnvVar(call, call.params.id!), true),
  unlinkSharedEnvVariable: unlink,
};

/** The schemas of their request bodies. */
export const sharedEnvBodies: Bodies = {
  createSharedEnvVariable: createSharedEnvBody,
  updateSharedEnvVariable: updateSharedEnvBody,
  deleteSharedEnvVariable: removeSharedEnvBody,
};

/** The query parameters that they read. */
export const sharedEnvQueries: Queries = {
  listSharedEnvVariable: {
    search: text,
    ids: several,
    exclude_ids: several,
    'exclude-ids': several,
    projectId: several,
    exclude_projectId: several,
    'exclude-projectId': several,
    ...timePageQuery,
  },
};
