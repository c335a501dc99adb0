import * as z from 'zod';
import type { Project } from '../account.ts';
import { Answer, type Call, type Making, times } from '../call.ts';
import { ApiError, badRequest, notFound } from '../errors.ts';
import { projectOfPath } from '../find-project.ts';
import { timePage } from '../http/pages.ts';
import { boolean, text } from '../http/query.ts';
import { customEnvironmentId } from '../projects/custom-environment.ts';
import { operation, type Resource, seedList } from '../resource.ts';
import { seesProduction } from '../team/team-member-state.ts';
import { parseBody } from '../validate.ts';
import { variablesFor } from './deployed-env.ts';
import { changeEnvVar, checkOwn, createEnvVars } from './env-changes.ts';
import {
  aboutVariable,
  checkEnvVar,
  conflicting,
  createEnvBody,
  createEnvsBody,
  type EnvVar,
  readEnvVar,
  removeEnvBody,
  updateEnvBody,
} from './env-row.ts';
import { linkedSharedEnv } from './shared-env-row.ts';

declare module '../account.ts' {
  interface ProjectParts extends Keeps<'env', EnvVar> {}
  interface ProjectSeed extends Seeds<'env', typeof seed> {}
}

/** True if the token's user may see a variable. */
const isShown = (call: Call, { target }: EnvVar): boolean =>
  !target.includes('production') || seesProduction(call);

/** Returns the variable that the path names, with its project, or throws 404. */
function find(call: Call): { project: Project; env: EnvVar } {
  const project = projectOfPath(call);
  const env = project.env.find((variable) => variable.id === call.params.id && isShown(call, variable));
  if (env === undefined) throw notFound('Environment variable');
  return { project, env };
}

/**
 * Creates the variables of a POST. The conflict of a single object is the answer's error, that of an array's item an entry of `failed`. If
 * all items are refused, the answer is a 400 with `failed` beside the error (Terraform provider).
 */
function create(call: Call): unknown {
  const project = projectOfPath(call);
  const upsert = call.query.get('upsert') === 'true';
  const many = Array.isArray(call.body);
  const bodies = many ? (call.body as unknown[]) : [call.body];
  if (bodies.length === 0) throw badRequest('Invalid request: body should NOT be empty.');
  const parsed = bodies.map((body) => parseBody(createEnvBody, body, call.outside));
  const { created, failed } = createEnvVars(call, project, parsed, upsert);
  if (!many && failed[0] !== undefined) throw failed[0];
  const read = created.map((env) => readEnvVar(call, env, false));
  const failures = failed.map(({ code, message, extra }) => ({ error: { code, message, ...extra } }));
  if (created.length === 0) {
    const bodyMembers = { failed: failures };
    throw new ApiError(400, 'BAD_REQUEST', 'No environment variables were created', {}, bodyMembers).by(
      failed[0]?.rule ?? 'PF7',
    );
  }
  return new Answer(201, { created: many ? read : read[0], failed: failures });
}

/**
 * Lists the variables of a project: all of them, even if `limit` is smaller. A user whose role has no access to production gets the other
 * rows, and the number of hidden ones.
 */
function list(call: Call, project: Project): unknown {
  const gitBranch = call.query.get('gitBranch');
  // `env rm` and `env ls` of the command line send it; in the catalog only the description of `gitBranch` names it.
  const target = call.query.get('target');
  const slug = call.query.get('customEnvironmentSlug');
  const environmentId =
    call.query.get('customEnvironmentId') ??
    (slug === null
      ? null
      : (project.customEnvironments.find((customEnvironment) => customEnvironment.slug === slug)?.id ?? ''));
  const variables = [...project.env, ...linkedSharedEnv(call, project)];
  const shown = variables.filter((env) => isShown(call, env));
  const wanted = shown
    .filter((env) => target === null || env.target.includes(target))
    .filter((env) => gitBranch === null || env.gitBranch === gitBranch)
    .filter((env) => environmentId === null || env.customEnvironmentIds.includes(environmentId));
  const { page, pagination } =
    call.pageSize < wanted.length
      ? timePage(call, wanted)
      : { page: [...wanted].reverse(), pagination: { count: wanted.length, next: null, prev: null } };
  const envs = page.map((env) => readEnvVar(call, env, call.query.get('decrypt') === 'true'));
  if (call.switches.envListDuplicates && envs[0] !== undefined) envs.push(envs[0]);
  const hiddenCount = variables.length - shown.length;
  return { envs, pagination, ...(hiddenCount > 0 && { hiddenProductionEnvCount: hiddenCount }) };
}

/** Removes a variable, or only one custom environment of it if the query names one and the variable has other places. */
function removeOne(call: Call, { project, env }: ReturnType<typeof find>): unknown {
  checkOwn(env);
  const read = readEnvVar(call, env, false);
  const environmentId = call.query.get('customEnvironmentId');
  env.customEnvironmentIds = env.customEnvironmentIds.filter((id) => id !== environmentId);
  const isStillUsed = environmentId !== null && env.target.length + env.customEnvironmentIds.length > 0;
  if (!isStillUsed) project.env.splice(project.env.indexOf(env), 1);
  return read;
}

/** Returns the project's own variables that a deployment for a target gets; empty texts for those that cannot be read. */
function pull(call: Call, project: Project): unknown {
  const { target = 'development', gitBranch } = call.params;
  const rows = variablesFor(project, { target, gitBranch });
  const env = rows.map((row) => [row.key, readEnvVar(call, row, true).value ?? '']);
  return { env: Object.fromEntries(env), buildEnv: {} };
}

const seed = createEnvBody.omit({ type: true, customEnvironmentIds: true }).extend({
  type: z.enum(['system', 'encrypted', 'plain', 'sensitive', 'secret']).optional(),
  /** Slugs of the project's custom environments. */
  customEnvironments: z.array(z.string()).optional(),
  system: z.boolean().optional(),
  configurationId: z.string().optional(),
});

/** Adds a variable of a seed to its project. */
function load(making: Making, seeded: z.infer<typeof seed>, project: Project): void {
  const { customEnvironments: slugs = [], gitBranch, type = 'encrypted', ...rest } = seeded;
  const everywhere = slugs.length > 0 ? [] : gitBranch ? ['preview'] : ['production', 'preview'];
  // Like the shorthand of the YAML: without targets a variable is for all that its type allows.
  const usualTargets =
    type === 'sensitive' || gitBranch || slugs.length > 0 ? everywhere : [...everywhere, 'development'];
  const row = {
    ...rest,
    type,
    target: rest.target ?? usualTargets,
    customEnvironmentIds: slugs.map((slug) => customEnvironmentId(project, slug)),
    ...(gitBranch ? { gitBranch } : {}),
  };
  checkEnvVar(project, row);
  if (conflicting(project, row).length > 0) throw new Error(`${row.key} is there twice for one target.`);
  const userId = making.account.user.id;
  const stamps = { ...times(making), createdBy: userId, updatedBy: null };
  project.env.push({ ...row, id: making.id('', 16), ...stamps });
}

const pullEnv = operation({ on: projectOfPath }, pull);

/** A project's environment variables. */
export const envVar: Resource = {
  keeps: { project: { env: [] } },
  operations: {
    filterProjectEnvs: operation(
      {
        on: projectOfPath,
        query: {
          gitBranch: text,
          target: text,
          customEnvironmentId: text,
          customEnvironmentSlug: text,
          decrypt: boolean,
        },
        list: 'envs',
      },
      list,
    ),
    createProjectEnv: {
      body: createEnvsBody,
      query: { upsert: boolean },
      statuses: [201, 409],
      batch: {
        items: (body) => (Array.isArray(body) ? body : []),
        withItems: (_, items) => items,
        about: (item) => aboutVariable(item as Record<string, unknown>),
      },
      serve: create,
    },
    getProjectEnv: operation({ on: find }, (call, { env }) => {
      const { value, ...read } = readEnvVar(call, env, true);
      return env.type === 'sensitive' ? read : { ...read, value };
    }),
    editProjectEnv: operation(
      { on: find, body: updateEnvBody, statuses: [200, 409] },
      (call, { project, env }, body) => {
        changeEnvVar(call, project, env, body);
        return readEnvVar(call, env, false);
      },
    ),
    removeProjectEnv: operation({ on: find, query: { customEnvironmentId: text } }, removeOne),
    batchRemoveProjectEnv: operation({ on: projectOfPath, body: removeEnvBody }, (_, project, { ids }) => {
      const variables = project.env.filter((env) => ids.includes(env.id));
      for (const env of variables) checkOwn(env);
      project.env = project.env.filter((env) => !variables.includes(env));
      return { deleted: variables.length, ids: variables.map((env) => env.id) };
    }),
  },
  clientOperations: {
    'GET /v3/env/pull/{idOrName}': pullEnv,
    'GET /v3/env/pull/{idOrName}/{target}': pullEnv,
    'GET /v3/env/pull/{idOrName}/{target}/{gitBranch}': pullEnv,
  },
  after: ['projects.customEnvironments'],
  seed: { project: { env: seedList(seed, load) } },
};
