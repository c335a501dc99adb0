import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Call } from '../call.ts';
import { notFound } from '../errors.ts';
import { projectOfPath } from '../find-project.ts';
import { operation, type Resource } from '../resource.ts';
import { linkOf, writing } from './project-link.ts';

const hookBody = z.strictObject({ name: z.string(), ref: z.string() });

declare module '../account.ts' {
  interface ProjectParts
    extends Keeps<'deployHooks', z.infer<typeof hookBody> & { id: string; url: string }> {}
}

/** Adds a deploy hook to a project, or throws 404 if the project has no Git link. */
function addHook(call: Call, project: Project, body: z.infer<typeof hookBody>): void {
  linkOf(project);
  const id = call.id('', 10);
  const url = `https://api.vercel.com/v1/integrations/deploy/${project.id}/${id}`;
  project.deployHooks.push({ id, ...body, url });
}

/** Removes the deploy hook that the path names from its project. Throws 404 if there is none. */
function removeHook(call: Call, project: Project): unknown {
  const otherHooks = project.deployHooks.filter(({ id }) => id !== call.params.hookId);
  if (otherHooks.length === project.deployHooks.length) throw notFound('The deploy hook');
  project.deployHooks = otherHooks;
  return {};
}

/**
 * Deploy hooks: URLs that start the build of a branch. Only official clients write them. Reads show them in the Git link of a project, but
 * they are stored apart from it, because they can be deleted after the repository was unlinked (Terraform provider).
 */
export const deployHook: Resource = {
  keeps: { project: { deployHooks: [] } },
  operations: {},
  clientOperations: {
    'POST /v2/projects/{idOrName}/deploy-hooks': writing(hookBody, addHook),
    'DELETE /v2/projects/{idOrName}/deploy-hooks/{hookId}': operation({ on: projectOfPath }, removeHook),
  },
};
