import * as z from 'zod';
import { addWebhook, createWebhookBody } from '../delivery/webhook.ts';
import { type Loading, making, ownerOf, projectIdsOf } from './seed-loading.ts';

/** A webhook as a seed has it: projects by their names, none for all. */
export const seedWebhook = createWebhookBody.omit({ projectIds: true }).extend({
  id: z.string().optional(),
  owner: z.string().optional(),
  projects: z.array(z.string()).optional(),
});

/** Adds a seed's webhook. */
export function loadWebhook(loading: Loading, seed: z.infer<typeof seedWebhook>): void {
  const { id, owner: ownerName, projects, ...body } = seed;
  const owner = ownerOf(loading, ownerName);
  const projectIds = projects && projectIdsOf(loading, owner, projects);
  const webhook = addWebhook(making(loading, owner), { ...body, ...(projectIds ? { projectIds } : {}) });
  if (id !== undefined) webhook.id = id;
}
