import * as z from 'zod';
import type { Call, Making } from '../call.ts';
import { ApiError, notFound } from '../errors.ts';
import { projectIdsOf } from '../find-project.ts';
import { forgetting } from '../forget.ts';
import { timePage, timePageQuery } from '../http/pages.ts';
import { queryValues, several, text } from '../http/query.ts';
import { operation, type Resource, seedList, seedOwned } from '../resource.ts';
import { aboutVariable } from './env-row.ts';
import {
  addSharedEnvVar,
  changeSharedEnvVar,
  findSharedEnvVar,
  sharedEnvVars,
  writtenSharedEnvVars,
} from './shared-env-changes.ts';
import {
  createSharedEnvBody,
  readSharedEnvVar,
  removeSharedEnvBody,
  type SharedEnvVar,
  sharedEnvBatch,
  updateSharedEnvBody,
} from './shared-env-row.ts';

declare module '../account.ts' {
  interface AccountSeed extends Seeds<'sharedEnv', typeof seed> {}
}

/** An item of a batch that was refused. */
interface Failure {
  error: { code: string; message: string } & Record<string, unknown>;
}

/**
 * Runs a step for each item of a batch. Returns the items for which it succeeded, and the refusals of the others. A switch lets the
 * conflict of the only item be thrown instead. `about`: returns the members by which a refusal names its item.
 */
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

/**
 * Lists the shared variables that the query asks for, in pages of 25, or of `limit` up to 50. The reference documents neither
 * (triggerdotdev/trigger.dev#3850).
 */
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
  const { page, pagination } = timePage(call, wanted, { standard: 25, most: 50 });
  const decrypt = call.switches.sharedEnvListDecrypted;
  return { data: page.map((row) => readSharedEnvVar(call, row, decrypt)), pagination };
}

// `projects`: their names. Without a target, the variable is for all targets that its type allows.
const seed = createSharedEnvBody
  .omit({ evs: true, projectId: true })
  .extend(createSharedEnvBody.shape.evs.element.shape)
  .extend({
    ...seedOwned,
    type: z.enum(['encrypted', 'sensitive', 'plain', 'system']).optional(),
    projects: z.array(z.string()).optional(),
    deleted: z.boolean().optional(),
  });

/** Adds a shared variable of a seed. */
function load(making: Making, seeded: Omit<z.infer<typeof seed>, 'owner'>): void {
  const { id, type = 'encrypted', projects = [], key, value, comment, deleted, ...rest } = seeded;
  const variable = { key, value, ...(comment === undefined ? {} : { comment }) };
  const guarded: ('production' | 'preview')[] = ['production', 'preview'];
  const written = type === 'sensitive' ? type : 'encrypted';
  const [row] = sharedEnvVars(making, {
    target: written === 'sensitive' ? guarded : [...guarded, 'development'],
    ...rest,
    type: written,
    evs: [variable],
    projectId: projectIdsOf(making, projects),
  });
  const end = deleted ? { deletedAt: making.time() } : {};
  addSharedEnvVar(making, { ...row!, type, ...(id === undefined ? {} : { id }), ...end });
}

const listed = operation(
  {
    query: {
      search: text,
      ids: several,
      exclude_ids: several,
      'exclude-ids': several,
      projectId: several,
      exclude_projectId: several,
      'exclude-projectId': several,
      ...timePageQuery,
    },
    list: 'data',
  },
  list,
);

/** A team's shared environment variables. */
export const sharedEnvVar: Resource = {
  keeps: { account: { sharedEnv: [] } },
  operations: {
    listSharedEnvVariable: listed,
    createSharedEnvVariable: operation(
      {
        body: createSharedEnvBody,
        statuses: [201, 409],
        batch: sharedEnvBatch('evs', (item, { target }) => aboutVariable({ target, ...(item as object) })),
      },
      (call, _, body) => {
        const about = ({ key, target }: SharedEnvVar) => ({ envVarKey: key, target });
        const rows = writtenSharedEnvVars(call, body);
        const { done, failed } = each(call, rows, about, (row) => addSharedEnvVar(call, row));
        return { created: done.map((row) => readSharedEnvVar(call, row, false)), failed };
      },
    ),
    updateSharedEnvVariable: operation(
      {
        body: updateSharedEnvBody,
        statuses: [200, 409],
        batch: {
          items: (body) => Object.entries((body as { updates?: object } | undefined)?.updates ?? {}),
          withItems: (body, items) => ({
            ...body,
            updates: Object.fromEntries(items as [string, unknown][]),
          }),
          about: (item) => ({ envVarId: (item as [string, unknown])[0] }),
        },
      },
      (call, _, { updates }) => {
        const about = ([id]: [string, unknown]) => ({ envVarId: id });
        const { done, failed } = each(call, Object.entries(updates), about, ([id, change]) =>
          changeSharedEnvVar(call, findSharedEnvVar(call, id), change),
        );
        const updated = done.map(([id]) => readSharedEnvVar(call, findSharedEnvVar(call, id), false));
        return { updated, failed };
      },
    ),
    deleteSharedEnvVariable: operation(
      {
        body: removeSharedEnvBody,
        batch: sharedEnvBatch('ids', (item) => ({ envVarId: item })),
      },
      (call, _, { ids }) => {
        const { sharedEnv } = call.account;
        const about = (id: string) => ({ envVarId: id });
        const { done, failed } = each(call, ids, about, (id) => {
          sharedEnv.splice(sharedEnv.indexOf(findSharedEnvVar(call, id)), 1);
        });
        return { deleted: done, failed };
      },
    ),
    getSharedEnvVar: operation({ on: (call) => findSharedEnvVar(call, call.params.id!) }, (call, row) =>
      readSharedEnvVar(call, row, true),
    ),
    unlinkSharedEnvVariable: operation(
      { on: (call) => findSharedEnvVar(call, call.params.id!) },
      (call, row) => {
        const { projectId } = call.params;
        if (!row.projectId.includes(projectId!)) throw notFound('The link of the variable to the project');
        row.projectId = row.projectId.filter((id) => id !== projectId);
        row.updatedAt = call.time();
        return { id: row.id };
      },
    ),
  },
  clientOperations: { 'GET /v1/env/all': listed },
  after: ['projects'],
  seed: { account: { sharedEnv: seedList(seed, load) } },
  forget: forgetting('sharedEnv', 'projectId'),
};
