import type { EnvVar, Project } from '../account.ts';
import { Answer, type Bodies, type Call, type Handlers, type Queries } from '../call.ts';
import { type ApiError, badRequest, forbidden, notFound } from '../errors.ts';
import { timePage, timePageQuery } from '../http/pages.ts';
import { boolean, text } from '../http/query.ts';
import { findProject } from '../projects/project-state.ts';
import { parseBody } from '../validate.ts';
import { type CreateEnv, createEnvBody, createEnvsBody, removeEnvBody, updateEnvBody } from './env-body.ts';
import { readEnvVar } from './env-read.ts';
import { checkEnvVar, conflicting, envConflict, sameSet } from './env-rules.ts';
import { linkedSharedEnv } from './shared-env-read.ts';

function findEnv(call: Call, project: Project): EnvVar {
  const env = project.env.find((one) => one.id === call.params.id);
  if (env === undefined) throw notFound('Environment variable');
  return env;
}

// Rows of the platform: no source says what a write to them answers; that they are not the user's is certain.
function whyNotOverwritten(env: EnvVar, change: { type?: string }): ApiError | undefined {
  if (env.system === true || env.configurationId) {
    return forbidden(`The environment variable ${env.key} is managed by the platform or an integration.`);
  }
  if (env.type === 'sensitive' && change.type !== undefined && change.type !== 'sensitive') {
    return badRequest(`You cannot change the type of the sensitive environment variable ${env.key}.`);
  }
  return undefined;
}

function checkOwn(env: EnvVar, change: { type?: string } = {}): void {
  const refused = whyNotOverwritten(env, change);
  if (refused !== undefined) throw refused;
}

function build(call: Call, body: CreateEnv): EnvVar {
  const at = call.time();
  const { target = [], customEnvironmentIds = [], gitBranch, ...given } = body;
  return {
    id: call.id('', 16),
    ...given,
    target: [...new Set(target)],
    customEnvironmentIds: [...new Set(customEnvironmentIds)],
    ...(gitBranch ? { gitBranch } : {}),
    createdAt: at,
    updatedAt: at,
    createdBy: call.account.user.id,
    updatedBy: null,
  };
}

/** Adds variables to a project, one after the other; those that conflict are left out and returned as failed. */
export function createEnvVars(
  call: Call,
  project: Project,
  bodies: CreateEnv[],
  upsert: boolean,
): { created: EnvVar[]; failed: ApiError[] } {
  for (const body of bodies) checkEnvVar(call, project, body);
  const created: EnvVar[] = [];
  const failed: ApiError[] = [];
  for (const body of bodies) {
    const others = conflicting(project, body);
    const old = others[0];
    const same =
      old !== undefined &&
      sameSet(old.target, body.target ?? []) &&
      sameSet(old.customEnvironmentIds, body.customEnvironmentIds ?? []);
    const replace = upsert && others.length === 1 && (same || call.switches.upsertOverlapping);
    if (old !== undefined && !replace) {
      failed.push(envConflict(call, body, old));
      continue;
    }
    const refused = old && whyNotOverwritten(old, body);
    if (refused) {
      failed.push(refused);
      continue;
    }
    const env = build(call, body);
    if (old === undefined) {
      project.env.push(env);
      created.push(env);
      continue;
    }
    const { id, createdAt, createdBy } = old;
    for (const member of ['comment', 'gitBranch'] as const) delete old[member];
    Object.assign(old, env, { id, createdAt, createdBy, updatedBy: call.account.user.id });
    created.push(old);
  }
  return { created, failed };
}

// A single object's conflict is the answer's error; in an array it is an entry of `failed` beside what was created.
function create(call: Call): unknown {
  const project = findProject(call);
  const upsert = call.query.get('upsert') === 'true';
  const many = Array.isArray(call.body);
  const bodies = many ? (call.body as unknown[]) : [call.body];
  if (bodies.length === 0) throw badRequest('Invalid request: body should NOT be empty.');
  const parsed = bodies.map((one) => parseBody(createEnvBody, one, call.outside));
  const { created, failed } = createEnvVars(call, project, parsed, upsert);
  if (!many && failed[0] !== undefined) throw failed[0];
  const read = created.map((env) => readEnvVar(call, env, false));
  return new Answer(201, {
    created: many ? read : read[0],
    failed: failed.map(({ code, message, extra }) => ({ error: { code, message, ...extra } })),
  });
}

// The SDK documents no paging here; the Terraform provider sends limit and until, so both are served.
function list(call: Call): unknown {
  const project = findProject(call);
  const gitBranch = call.query.get('gitBranch');
  const slug = call.query.get('customEnvironmentSlug');
  const environmentId =
    call.query.get('customEnvironmentId') ??
    (slug === null ? null : (project.customEnvironments.find((one) => one.slug === slug)?.id ?? ''));
  const wanted = [...project.env, ...linkedSharedEnv(call, project)]
    .filter((env) => gitBranch === null || env.gitBranch === gitBranch)
    .filter((env) => environmentId === null || env.customEnvironmentIds.includes(environmentId));
  const limit = call.query.has('limit') ? undefined : wanted.length;
  const { page, pagination } =
    limit === undefined || call.pageSize < wanted.length
      ? timePage(call, wanted, (env) => env.createdAt)
      : { page: [...wanted].reverse(), pagination: { count: wanted.length, next: null, prev: null } };
  const envs = page.map((env) => readEnvVar(call, env, call.query.get('decrypt') === 'true'));
  if (call.switches.envListDuplicates && envs[0] !== undefined) envs.push(envs[0]);
  return { envs, pagination };
}

function update(call: Call): unknown {
  const project = findProject(call);
  const env = findEnv(call, project);
  const body = parseBody(updateEnvBody, call.body, call.outside);
  checkOwn(env, body);
  const { gitBranch, ...given } = body;
  const changed: EnvVar = { ...env, ...given, updatedBy: call.account.user.id };
  if (gitBranch) changed.gitBranch = gitBranch;
  else if (gitBranch !== undefined) delete changed.gitBranch;
  checkEnvVar(call, project, changed);
  const other = conflicting(project, changed).find((one) => one !== env);
  if (other !== undefined) throw envConflict(call, changed, other);
  changed.updatedAt = call.time();
  if (changed.gitBranch === undefined) delete env.gitBranch;
  Object.assign(env, changed);
  return readEnvVar(call, env, false);
}

function removeOne(call: Call): unknown {
  const project = findProject(call);
  const env = findEnv(call, project);
  checkOwn(env);
  const read = readEnvVar(call, env, false);
  const environmentId = call.query.get('customEnvironmentId');
  env.customEnvironmentIds = env.customEnvironmentIds.filter((id) => id !== environmentId);
  const left = environmentId !== null && env.target.length + env.customEnvironmentIds.length > 0;
  if (!left) project.env.splice(project.env.indexOf(env), 1);
  return read;
}

function removeMany(call: Call): unknown {
  const project = findProject(call);
  const { ids } = parseBody(removeEnvBody, call.body, call.outside);
  const found = project.env.filter((env) => ids.includes(env.id));
  for (const env of found) checkOwn(env);
  project.env = project.env.filter((env) => !found.includes(env));
  return { deleted: found.length, ids: found.map((env) => env.id) };
}

/** A project's environment variables. */
export const envHandlers: Handlers = {
  filterProjectEnvs: list,
  createProjectEnv: create,
  getProjectEnv: (call) => {
    const env = findEnv(call, findProject(call));
    const { value, ...read } = readEnvVar(call, env, true);
    return env.type === 'sensitive' ? read : { ...read, value };
  },
  editProjectEnv: update,
  removeProjectEnv: removeOne,
  batchRemoveProjectEnv: removeMany,
};

/** The schemas of their request bodies. */
export const envBodies: Bodies = {
  createProjectEnv: createEnvsBody,
  editProjectEnv: updateEnvBody,
  batchRemoveProjectEnv: removeEnvBody,
};

/** The query parameters that they read. */
export const envQueries: Queries = {
  filterProjectEnvs: {
    gitBranch: text,
    customEnvironmentId: text,
    customEnvironmentSlug: text,
    decrypt: boolean,
    ...timePageQuery,
  },
  createProjectEnv: { upsert: boolean },
  removeProjectEnv: { customEnvironmentId: text },
};
