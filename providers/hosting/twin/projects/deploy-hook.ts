import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Call } from '../call.ts';
import { notFound } from '../errors.ts';
import { projectOfPath } from '../find-project.ts';
import { operation, type Resource } from '../resource.ts';
import { linkOf, writing } from './project-link.ts';

const hookBody = z.strictObject({ name: z.string(), ref: z.string() });

/** Adds a deploy hook to a project's Git link. */
function addHook(call: Call, project: Project, body: z.infer<typeof hookBody>): void {
  const id = call.id('', 10);
  const url = `https://api.vercel.com/v1/integrations/deploy/${project.id}/${id}`;
  linkOf(project).deployHooks.push({ id, ...body, url });
}

/** Removes a deploy hook from a project's Git link, or throws 404. */
function removeHook(call: Call, project: Project): unknown {
  const link = linkOf(project);
  if (!link.deployHooks.some(({ id }) => id === call.params.hookId)) throw notFound('The deploy hook');
  link.deployHooks = link.deployHooks.filter(({ id }) => id !== call.params.hookId);
  return {};
}

/** Addresses that build a branch for anybody who calls them. They are part of a project's Git link; only the official clients write them. */
export const deployHook: Resource = {
  operations: {},
  clientOperations: {
    'POST /v2/projects/{idOrName}/deploy-hooks': writing(hookBody, addHook),
    'DELETE /v2/projects/{idOrName}/deploy-hooks/{hookId}': operation({ on: projectOfPath }, removeHook),
  },
};
