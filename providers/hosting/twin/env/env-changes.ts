import type { Project } from '../account.ts';
import { type Call, times } from '../call.ts';
import { type ApiError, badRequest, forbidden } from '../errors.ts';
import { seesProduction } from '../team/team-member-state.ts';
import {
  type CreateEnv,
  checkEnvVar,
  conflicting,
  type EnvVar,
  envConflict,
  sameSet,
  type UpdateEnv,
} from './env-row.ts';
import {
  checkEnvCount,
  checkWrittenEnvVar,
  olderUnlessRewritten,
  withPolicyType,
} from './env-write-rules.ts';

/**
 * Returns the refusal of a write to a row: it belongs to the platform or an integration, or it is sensitive and would get another type.
 * Undefined if it can be written. No source has the status and the message of the first refusal.
 */
function whyNotOverwritten(env: EnvVar, change: { type?: string }): ApiError | undefined {
  if (env.system === true || env.configurationId) {
    return forbidden(`The environment variable ${env.key} is managed by the platform or an integration.`);
  }
  if (env.type === 'sensitive' && change.type !== undefined && change.type !== 'sensitive') {
    const message = `You cannot change the type of the sensitive environment variable ${env.key}.`;
    return badRequest(message).by('PF15');
  }
  return undefined;
}

/** Throws the refusal of a row that cannot be changed or deleted, see `whyNotOverwritten`. */
export function checkOwn(env: EnvVar, change: { type?: string } = {}): void {
  const refused = whyNotOverwritten(env, change);
  if (refused !== undefined) throw refused;
}

/** Throws 403 for a production variable if the token's user has no access to production. The status is inferred. */
function checkProductionAccess(call: Call, target: readonly string[]): void {
  if (target.includes('production') && !seesProduction(call))
    throw forbidden('Additional permissions are required to create production environment variables').by(
      'PF82',
    );
}

/** Returns a new variable with the content of a body, not yet in its project. */
function build(call: Call, body: CreateEnv): EnvVar {
  const { target = [], customEnvironmentIds = [], gitBranch, ...given } = body;
  return {
    id: call.id('', 16),
    ...given,
    target: [...new Set(target)],
    customEnvironmentIds: [...new Set(customEnvironmentIds)],
    ...(gitBranch ? { gitBranch } : {}),
    ...times(call),
    createdBy: call.account.user.id,
    updatedBy: null,
  };
}

/**
 * Adds variables to a project, one after the other, and returns them. Those that conflict with another variable, or that may not be
 * overwritten, are returned as `failed`. Throws if a variable breaks a rule. `upsert`: overwrite a conflicting variable.
 */
export function createEnvVars(
  call: Call,
  project: Project,
  requestedEnv: CreateEnv[],
  upsert: boolean,
): { created: EnvVar[]; failed: ApiError[] } {
  const bodies = requestedEnv.map((body) => withPolicyType(call, body));
  for (const body of bodies) {
    checkEnvVar(project, body);
    checkWrittenEnvVar(call, body);
    checkProductionAccess(call, body.target ?? []);
  }
  checkEnvCount(project, bodies);
  const created: EnvVar[] = [];
  const failed: ApiError[] = [];
  for (const body of bodies) {
    const variables = conflicting(project, body);
    const old = variables[0];
    const isSameRow =
      old !== undefined &&
      sameSet(old.target, body.target ?? []) &&
      sameSet(old.customEnvironmentIds, body.customEnvironmentIds ?? []);
    const replace = upsert && variables.length === 1 && (isSameRow || call.switches.upsertOverlapping);
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

/** Applies a PATCH to a variable. Throws if the variable cannot be changed, or would break a rule or conflict with another one. */
export function changeEnvVar(call: Call, project: Project, env: EnvVar, body: UpdateEnv): void {
  checkOwn(env, body);
  const { gitBranch, target, ...given } = body;
  const targets = target === undefined ? env.target : (target ?? []);
  const changed: EnvVar = { ...env, ...given, target: targets, updatedBy: call.account.user.id };
  if (gitBranch) changed.gitBranch = gitBranch;
  else if (gitBranch !== undefined) delete changed.gitBranch;
  checkEnvVar(project, changed);
  checkWrittenEnvVar(call, changed, olderUnlessRewritten(env, body));
  checkEnvCount({ env: project.env.filter((row) => row !== env) }, [changed]);
  checkProductionAccess(call, changed.target);
  const variable = conflicting(project, changed).find((variable) => variable !== env);
  if (variable !== undefined) throw envConflict(call, changed, variable);
  changed.updatedAt = call.time();
  if (changed.gitBranch === undefined) delete env.gitBranch;
  Object.assign(env, changed);
}
