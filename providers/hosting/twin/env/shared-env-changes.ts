import { type Making, times } from '../call.ts';
import { ApiError, badRequest, forbidden, notFound } from '../errors.ts';
import { checkProjectIds } from '../find-project.ts';
import { checkEnvVar } from './env-row.ts';
import { checkWrittenEnvVar, olderUnlessRewritten, withPolicyType } from './env-write-rules.ts';
import type { CreateSharedEnv, SharedEnvVar, UpdateSharedEnv } from './shared-env-row.ts';

type Scope = Pick<Making, 'account' | 'owner'>;
type Shape = Pick<SharedEnvVar, 'key' | 'type' | 'target' | 'applyToAllCustomEnvironments'>;

/** Throws 400 if a shared variable breaks a rule that needs no other variable. Seeds obey these rules, too. */
function checkSharedEnvVar({ key, type, target, applyToAllCustomEnvironments }: Shape): void {
  const isOnlyInCustom = applyToAllCustomEnvironments === true && target.length === 0;
  checkEnvVar({ customEnvironments: [] }, { key, type, target: isOnlyInCustom ? ['preview'] : target });
}

/** Throws 409 if another variable of the owner has the key and one of the targets. */
function checkNoSharedConflict(call: Scope, row: Shape, except?: SharedEnvVar): void {
  const variable = call.account.sharedEnv.find(
    (variable) =>
      variable !== except &&
      variable.ownerId === call.owner.id &&
      variable.deletedAt === undefined &&
      variable.key === row.key &&
      variable.target.some((target) => row.target.includes(target)),
  );
  if (variable === undefined) return;
  throw new ApiError(
    409,
    'existing_key_and_target',
    `A shared variable with the name \`${row.key}\` already exists for the target ${variable.target.join(', ')}.`,
    { envVarKey: row.key, envVarId: variable.id, target: variable.target },
  );
}

const unique = (list: string[]) => [...new Set(list)];

/** Returns the variables of a POST, not added yet. Throws 400 if one of them breaks a rule for single variables. */
export function sharedEnvVars(making: Making, body: CreateSharedEnv): SharedEnvVar[] {
  const { evs, type = 'encrypted', target = [], projectId = [], ...rest } = body;
  checkProjectIds(making, projectId);
  const common = { type, target: unique(target), projectId: unique(projectId), ...rest };
  for (const variable of evs) checkSharedEnvVar({ ...common, ...variable });
  // Rows of one request have equal times, which their pages cannot tell apart.
  const stamps = times(making);
  return evs.map((variable) => {
    return {
      id: making.id('env_', 28),
      ownerId: making.owner.id,
      ...structuredClone(common),
      ...variable,
      ...stamps,
      createdBy: making.account.user.id,
      updatedBy: null,
    };
  });
}

/**
 * Returns the variables of a POST like `sharedEnvVars`, as the team's policy makes them. Throws 400 also for a rule that only writes obey.
 */
export function writtenSharedEnvVars(making: Making, body: CreateSharedEnv): SharedEnvVar[] {
  const { type = 'encrypted' } = body;
  const rows = sharedEnvVars(making, withPolicyType(making, { ...body, type }));
  for (const row of rows) checkWrittenEnvVar(making, row);
  return rows;
}

/** Adds a shared variable to the account. Throws 409 if another one has its key and one of its targets. */
export function addSharedEnvVar(making: Making, row: SharedEnvVar): void {
  checkNoSharedConflict(making, row);
  making.account.sharedEnv.push(row);
}

/**
 * Returns the ids of the projects of a shared variable after a change. Throws 400 if the change is contradictory or names an unknown
 * project.
 */
function linked(making: Making, row: SharedEnvVar, change: UpdateSharedEnv): string[] {
  const { projectId, projectIdUpdates } = change;
  const { link = [], unlink = [] } = projectIdUpdates ?? {};
  // The Terraform provider always sends both, the updates without anything in them.
  if (projectId !== undefined && link.length + unlink.length > 0) {
    throw badRequest('Invalid request: only one of `projectId` and `projectIdUpdates` can be given.');
  }
  checkProjectIds(making, projectId ?? link);
  return unique(projectId ?? [...row.projectId.filter((id) => !unlink.includes(id)), ...link]);
}

/** Returns the owner's variable with an id, or throws 404. */
export function findSharedEnvVar({ account, owner }: Scope, id: string): SharedEnvVar {
  const variable = account.sharedEnv.find(
    (variable) => variable.id === id && variable.ownerId === owner.id && variable.deletedAt === undefined,
  );
  if (variable === undefined) throw notFound('Environment variable');
  return variable;
}

/** Applies one entry of a PATCH to a shared variable. Throws without any effect if it is not allowed. */
export function changeSharedEnvVar(making: Making, row: SharedEnvVar, change: UpdateSharedEnv): void {
  if (row.type === 'system')
    throw forbidden(`The environment variable ${row.key} is managed by the platform.`);
  if (row.type === 'sensitive' && change.type === 'encrypted') {
    throw badRequest(`You cannot change the type of the sensitive environment variable ${row.key}.`).by(
      'PF15',
    );
  }
  const projectId = linked(making, row, change);
  const { projectIdUpdates: _updates, ...fields } = change;
  const changed: SharedEnvVar = { ...row, ...fields, projectId };
  checkSharedEnvVar(changed);
  checkWrittenEnvVar(making, changed, olderUnlessRewritten(row, change));
  checkNoSharedConflict(making, changed, row);
  Object.assign(row, changed, { updatedAt: making.time(), updatedBy: making.account.user.id });
}
