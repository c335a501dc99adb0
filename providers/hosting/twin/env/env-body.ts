import * as z from 'zod';

const type = z.enum(['system', 'encrypted', 'plain', 'sensitive']);
const target = z.array(z.enum(['production', 'preview', 'development']));
// The length limits of the platform are not in any source; these only stop what cannot be meant.
const key = z.string().min(1).max(256);
const value = z.string().max(65_536);
const comment = z.string().max(500);
const customEnvironmentIds = z.array(z.string());

/** One variable in POST /v10/projects/{idOrName}/env. */
export const createEnvBody = z.strictObject({
  key,
  value,
  type,
  target: target.optional(),
  gitBranch: z.string().nullable().optional(),
  comment: comment.optional(),
  customEnvironmentIds: customEnvironmentIds.optional(),
});
export type CreateEnv = z.infer<typeof createEnvBody>;

/** The body of POST /v10/projects/{idOrName}/env: one variable, or several. */
export const createEnvsBody = z.union([createEnvBody, z.array(createEnvBody).min(1)]);

/** The body of PATCH /v9/projects/{idOrName}/env/{id}. */
export const updateEnvBody = z.strictObject({
  key: key.optional(),
  value: value.optional(),
  type: type.optional(),
  target: target.optional(),
  gitBranch: z.string().nullable().optional(),
  comment: comment.optional(),
  customEnvironmentIds: customEnvironmentIds.optional(),
});

export type UpdateEnv = z.infer<typeof updateEnvBody>;

/** The body of DELETE /v1/projects/{idOrName}/env. */
export const removeEnvBody = z.strictObject({ ids: z.array(z.string()).min(1).max(1000) });

/** What an error of a batch says that is about one variable. */
export const aboutVariable = ({ key, target, gitBranch }: Record<string, unknown>) => ({
  envVarKey: key,
  ...(target === undefined ? {} : { target }),
  ...(gitBranch === undefined ? {} : { gitBranch }),
});
