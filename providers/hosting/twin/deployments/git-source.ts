import * as z from 'zod';

/** The commit that a deployment is built from. */
export const gitSource = z.strictObject({
  type: z.enum(['github', 'github-limited', 'gitlab', 'bitbucket', 'cursor-origin', 'vercel']),
  ref: z.string().optional(),
  sha: z.string().optional(),
  ...Object.fromEntries(
    ['org', 'repo', 'repoUuid', 'workspaceUuid', 'owner', 'slug'].map((name) => [
      name,
      z.string().optional(),
    ]),
  ),
  ...Object.fromEntries(
    ['repoId', 'projectId'].map((name) => [name, z.union([z.number(), z.string()]).optional()]),
  ),
});
