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

/**
 * Returns the metadata of a deployment that say from which commit its uploaded files are, such as `githubCommitSha`: the members of
 * `gitMetadata` under the name of the Git provider (source: the acceptance tests of the Terraform provider).
 */
export function metaOfCommit(gitMetadata: Record<string, unknown> = {}): Record<string, string> {
  const [host] = /github|gitlab|bitbucket/.exec(String(gitMetadata.remoteUrl)) ?? [];
  const ofCommit = Object.entries(gitMetadata).filter(([name]) => host && name.startsWith('commit'));
  return Object.fromEntries(ofCommit.map(([name, value]) => [`${host}C${name.slice(1)}`, String(value)]));
}
