import type { Project } from '../account.ts';
import type { Call, Making } from '../call.ts';
import { ApiError, badRequest } from '../errors.ts';
import type { EnvVar } from './env-read.ts';

/** What the rules look at, in a request or a row. */
export interface EnvShape {
  key: string;
  type: string;
  target?: string[];
  customEnvironmentIds?: string[];
  gitBranch?: string | null;
}

/** The rules for one variable by itself, or 400. */
export function checkEnvVar(
  making: Pick<Making, 'owner'>,
  project: Pick<Project, 'customEnvironments'>,
  env: EnvShape,
): void {
  const target = env.target ?? [];
  const custom = env.customEnvironmentIds ?? [];
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(env.key)) {
    throw badRequest(
      `The name of the environment variable \`${env.key}\` contains invalid characters. Only letters, digits, and underscores are allowed, and it must not start with a digit.`,
    );
  }
  if (target.length + custom.length === 0) {
    throw badRequest('Invalid request: missing required property `target` or `customEnvironmentIds`.');
  }
  for (const id of custom) {
    if (project.customEnvironments.some((one) => one.id === id)) continue;
    throw badRequest(`The custom environment ${id} does not exist in this project.`);
  }
  if (env.gitBranch && (target.length !== 1 || target[0] !== 'preview' || custom.length > 0)) {
    throw badRequest('A Git branch can only be set for the target preview.');
  }
  if (env.type === 'sensitive' && target.includes('development')) {
    throw badRequest('You cannot set a sensitive environment variable for the target development.');
  }
  const strict = making.owner.team?.sensitiveEnvironmentVariablePolicy === 'on';
  const guarded = target.some((one) => one !== 'development') || custom.length > 0;
  if (strict && guarded && env.type !== 'sensitive') {
    throw badRequest(
      'The policy of this team allows only sensitive environment variables for production, preview and custom environments.',
    );
  }
}

const overlap = (a: string[], b: string[]) => a.some((one) => b.includes(one));

/** Whether two lists hold the same members, in any order. */
export const sameSet = (a: string[], b: string[]): boolean =>
  a.every((one) => b.includes(one)) && b.every((one) => a.includes(one));

/** The rows that a variable cannot stand beside: same key and branch, and a target or custom environment in common. */
export function conflicting(project: Project, env: EnvShape): EnvVar[] {
  return project.env.filter(
    (row) =>
      row.key === env.key &&
      (row.gitBranch || undefined) === (env.gitBranch || undefined) &&
      (overlap(row.target, env.target ?? []) ||
        overlap(row.customEnvironmentIds, env.customEnvironmentIds ?? [])),
  );
}

/** The two ways in which the sources tell of a conflict (the Terraform provider's 400, an emulator's 409). */
export function envConflict(call: Call, env: EnvShape, row: EnvVar): ApiError {
  const message = `A variable with the name \`${env.key}\` already exists for the target ${row.target.join(', ')}${row.gitBranch ? ` on branch ${row.gitBranch}` : ''}.`;
  if (call.switches.envConflictStatus === 409) return new ApiError(409, 'env_already_exists', message);
  return new ApiError(400, 'ENV_CONFLICT', message, {
    envVarKey: env.key,
    envVarId: row.id,
    target: row.target,
    ...(row.gitBranch ? { gitBranch: row.gitBranch } : {}),
  });
}
