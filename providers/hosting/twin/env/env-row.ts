import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Call, Stamped } from '../call.ts';
import { ApiError, badRequest } from '../errors.ts';

const type = z.enum(['system', 'encrypted', 'plain', 'sensitive']);
const target = z.array(z.enum(['production', 'preview', 'development']));
// No source has the platform's length limits. These only stop values that must be mistakes.
const key = z.string().min(1).max(256);
const value = z.string().max(65_536);
const comment = z.string().max(500);
const customEnvironmentIds = z.array(z.string());
// The platform's command line sends it, and answers have it; the public schema's bodies lack it.
const visibility = z.enum(['config', 'secret']).optional();

/** One variable in POST /v10/projects/{idOrName}/env. */
export const createEnvBody = z.strictObject({
  key,
  value,
  type,
  target: target.optional(),
  gitBranch: z.string().nullable().optional(),
  comment: comment.optional(),
  customEnvironmentIds: customEnvironmentIds.optional(),
  visibility,
});
export type CreateEnv = z.infer<typeof createEnvBody>;

/** The body of POST /v10/projects/{idOrName}/env: one variable, or several. */
export const createEnvsBody = z.union([createEnvBody, z.array(createEnvBody).min(1)]);

/** The body of PATCH /v9/projects/{idOrName}/env/{id}. */
export const updateEnvBody = z.strictObject({
  key: key.optional(),
  value: value.optional(),
  type: type.optional(),
  // The Terraform provider sends null for a variable that is in custom environments only (client/environment_variable.go).
  target: target.nullable().optional(),
  gitBranch: z.string().nullable().optional(),
  comment: comment.optional(),
  customEnvironmentIds: customEnvironmentIds.optional(),
  visibility,
});

export type UpdateEnv = z.infer<typeof updateEnvBody>;

/** The body of DELETE /v1/projects/{idOrName}/env. */
export const removeEnvBody = z.strictObject({ ids: z.array(z.string()).min(1).max(1000) });

/** Returns the members of a batch's error that identify its variable. */
export const aboutVariable = ({ key, target, gitBranch }: Record<string, unknown>) => ({
  envVarKey: key,
  ...(target === undefined ? {} : { target }),
  ...(gitBranch === undefined ? {} : { gitBranch }),
});

/** One row of a project's environment variables; the value is kept in the clear. */
export interface EnvVar extends Stamped {
  key: string;
  value: string;
  type: 'system' | 'encrypted' | 'plain' | 'sensitive' | 'secret';
  target: string[];
  customEnvironmentIds: string[];
  gitBranch?: string;
  comment?: string;
  visibility?: 'config' | 'secret';
  createdBy: string | null;
  updatedBy: string | null;
  /** The platform's own row: cannot be written. */
  system?: boolean;
  /** Set on a row that an integration owns: cannot be written. */
  configurationId?: string | null;
}

/** Returns the text that reads show instead of an encrypted value. It changes with the value. */
export function ciphertext(env: Pick<EnvVar, 'id' | 'updatedAt' | 'value'>): string {
  const hash = createHash('sha512').update(`${env.id}\n${env.updatedAt}\n${env.value}`).digest('base64');
  return `eyJ2IjoidjIiLCJjIjoi${hash.replace(/=+$/, '')}`;
}

/** Returns a variable as answers show it. Encrypted values come in the clear only when decrypted, sensitive ones never. */
export function readEnvVar(call: Call, env: EnvVar, decrypt: boolean): Record<string, unknown> {
  const { value, target, ...rest } = env;
  const read: Record<string, unknown> = {
    ...rest,
    target: call.switches.envTargetAsString && target.length === 1 ? target[0] : target,
    configurationId: env.configurationId ?? null,
    contentHint: null,
    securityIssues: [],
    decrypted: decrypt && env.type === 'encrypted',
  };
  const hidden = env.type === 'sensitive' || env.type === 'secret';
  if (hidden) {
    if (call.switches.sensitiveValue === '') read.value = '';
  } else if (env.type === 'encrypted' && !decrypt) {
    read.value = ciphertext(env);
  } else {
    read.value = value;
    if (env.type !== 'encrypted') read.decrypted = call.switches.plainDecryptedFlag;
  }
  return read;
}

/** The fields that the rules check, in a request or a row. */
export interface EnvShape {
  key: string;
  type: string;
  target?: string[];
  customEnvironmentIds?: string[];
  gitBranch?: string | null;
  visibility?: 'config' | 'secret' | undefined;
  /** True for a team's variable in all custom environments. */
  applyToAllCustomEnvironments?: boolean | undefined;
}

/** Throws 400 if a variable breaks a rule that needs no other variable. Seeds obey these rules, too. */
export function checkEnvVar(project: Pick<Project, 'customEnvironments'>, env: EnvShape): void {
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
    if (project.customEnvironments.some((customEnvironment) => customEnvironment.id === id)) continue;
    throw badRequest(`The custom environment ${id} does not exist in this project.`);
  }
  if (env.gitBranch && (target.length !== 1 || target[0] !== 'preview' || custom.length > 0)) {
    throw badRequest('A Git branch can only be set for the target preview.');
  }
  if (env.type === 'sensitive' && target.includes('development')) {
    throw badRequest('You cannot set a sensitive environment variable for the target development.').by(
      'PF11',
    );
  }
}

const overlap = (a: string[], b: string[]) => a.some((member) => b.includes(member));

/** True if two lists hold the same members, in any order. */
export const sameSet = (a: string[], b: string[]): boolean =>
  a.every((member) => b.includes(member)) && b.every((member) => a.includes(member));

/** Returns the rows that a variable cannot coexist with: same key and branch, and a target or custom environment in common. */
export function conflicting(project: Project, env: EnvShape): EnvVar[] {
  return project.env.filter(
    (row) =>
      row.key === env.key &&
      (row.gitBranch || undefined) === (env.gitBranch || undefined) &&
      (overlap(row.target, env.target ?? []) ||
        overlap(row.customEnvironmentIds, env.customEnvironmentIds ?? [])),
  );
}

/**
 * Returns a conflict as one of the two errors in the sources (the Terraform provider's 400, an emulator's 409). The message of the 400
 * names a branch even if the row has none (vercel/vercel#16588).
 */
export function envConflict(call: Call, env: EnvShape, row: EnvVar): ApiError {
  const message = `A variable with the name \`${env.key}\` already exists for the target ${row.target}`;
  if (call.switches.envConflictStatus === 409)
    return new ApiError(409, 'env_already_exists', `${message}.`).by('envConflictStatus');
  return new ApiError(400, 'ENV_CONFLICT', `${message} on branch ${row.gitBranch}`, {
    envVarKey: env.key,
    envVarId: row.id,
    target: row.target,
    ...(row.gitBranch ? { gitBranch: row.gitBranch } : {}),
  }).by(call.query.get('upsert') === 'true' ? 'PF3' : 'PF6');
}
