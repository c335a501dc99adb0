import * as z from 'zod';
import { defineKind, immutable } from '#kind';

/** A disk for sandboxes. The platform cannot change one: a repeated creation leaves it as it is. */
export const sandboxDrive = defineKind({
  name: 'sandboxDrive',
  doc: 'A disk that sandboxes of a project can mount; its content survives when they stop. It costs money, and deleting it deletes its content.',
  section: 'sandboxDrives',
  parent: 'project',
  key: ['name'],
  id: 'name',
  lifecycle: { replace: 'never', container: true, refusedWhileUsed: true, asks: { cost: 'create' } },
  fields: () => ({
    name: z.string().min(1).describe('Its name in the project.'),
    maxSizeBytes: immutable(z.int().positive())
      .optional()
      .describe('Its maximum size; by default the most the plan allows (1 TiB, or 1 GiB on the hobby plan).'),
    region: immutable(z.string().min(1)).optional().describe('Its region; `iad1` by default.'),
  }),
  usual: { region: 'iad1' },
  example: { cache: { maxSizeBytes: 10737418240 } },
  read: { endpoint: 'GET /v2/sandboxes/drives?projectId={project}', items: 'drives' },
  create: {
    endpoint: 'POST /v2/sandboxes/drives/{name}',
    body: ({ parent, body: { name: _, ...body } }) => ({ projectId: parent, ...body }),
  },
  delete: 'DELETE /v2/sandboxes/drives/{id}?projectId={project}',
});
