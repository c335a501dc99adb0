import * as z from 'zod';
import { openEnum } from '#kind';

/*
 * The parts of the rules in a deployment policy, which says where deployments may come from. A team has one for all its projects, and a
 * project may have its own.
 */

/** Describes an environment that a rule is about. `environmentId`: the schema of the id of a custom environment. */
export const policyEnvironment = (environmentId: z.ZodType) =>
  z.union([
    z.strictObject({
      type: z.literal('system').describe("One of the platform's own environments."),
      target: z.enum(['production', 'preview']).describe('Which one.'),
    }),
    z.strictObject({
      type: z.literal('custom').describe('A custom environment.'),
      environmentId: environmentId.describe('Its id.'),
    }),
  ]);

/** Describes a Git repository, or all repositories of an owner, that may deploy. */
export const policyRepository = () =>
  z.union([
    z.strictObject({
      provider: z.enum(['github', 'bitbucket']).describe('The Git provider.'),
      org: z.string().min(1).describe('The owner of the repositories.'),
      repo: z.string().min(1).optional().describe('The repository; all of the owner if omitted.'),
    }),
    z.strictObject({
      provider: z.literal('gitlab').describe('The Git provider.'),
      namespace: z.string().min(1).describe('The namespace of the projects.'),
      project: z.string().min(1).optional().describe('The project; all of the namespace if omitted.'),
    }),
  ]);

/** Describes a way to deploy. */
export const policyOrigin = () => openEnum(['git', 'cli', 'rest-api', 'deploy-hook', 'integration', 'v0']);
