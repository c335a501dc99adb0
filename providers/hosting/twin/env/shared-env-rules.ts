import type { Call } from '../call.ts';
import { ApiError } from '../errors.ts';
import { checkEnvVar } from './env-rules.ts';
import type { SharedEnvVar } from './shared-env-read.ts';

type Scope = Pick<Call, 'account' | 'owner'>;
type Shape = Pick<SharedEnvVar, 'key' | 'type' | 'target' | 'applyToAllCustomEnvironments'>;

/** The rules for one variable by itself, or 400. Custom environments count like preview. */
export function checkSharedEnvVar(call: Scope, row: Shape): void {
  const everyCustom = row.applyToAllCustomEnvironments === true && row.target.length === 0;
  const target = everyCustom ? ['preview'] : row.target;
  checkEnvVar(call, { customEnvironments: [] }, { key: row.key, type: row.type, target });
}

/** 409 if another variable of the owner has the key and one of the targets. */
export function checkNoSharedConflict(call: Scope, row: Shape, except?: SharedEnvVar): void {
  const other = call.account.sharedEnv.find(
    (one) =>
      one !== except &&
      one.ownerId === call.owner.id &&
      one.deletedAt === undefined &&
      one.key === row.key &&
      one.target.some((target) => row.target.includes(target)),
  );
  if (other === undefined) return;
  throw new ApiError(
    409,
    'existing_key_and_target',
    `A shared variable with the name \`${row.key}\` already exists for the target ${other.target.join(', ')}.`,
    { envVarKey: row.key, envVarId: other.id, target: other.target },
  );
}
