import * as z from 'zod';

const redirectStatusCode = z
  .union([z.literal(301), z.literal(302), z.literal(307), z.literal(308)])
  .nullable()
  .optional();
const settings = {
  gitBranch: z.string().nullable().optional(),
  redirect: z.string().nullable().optional(),
  redirectStatusCode,
};

/** The body of POST /v10/projects/{idOrName}/domains. */
export const addProjectDomainBody = z.strictObject({
  name: z.string(),
  customEnvironmentId: z.string().optional(),
  ...settings,
});

/** The body of PATCH /v9/projects/{idOrName}/domains/{domain}: without customEnvironmentId, as in the SDK. */
export const updateProjectDomainBody = z.strictObject(settings);

/** The body of POST /v1/projects/{idOrName}/domains/{domain}/move. */
export const moveProjectDomainBody = z.strictObject({ projectId: z.string(), ...settings });

/** The optional body of DELETE /v9/projects/{idOrName}/domains/{domain}. */
export const removeProjectDomainBody = z.strictObject({ removeRedirects: z.boolean().optional() });
