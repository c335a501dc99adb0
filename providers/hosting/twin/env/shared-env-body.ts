import * as z from 'zod';
import type { Batch } from '../resource.ts';
import { strings } from '../validate.ts';
import { createEnvBody } from './env-body.ts';

const { key, value, comment } = createEnvBody.shape;
const type = z.enum(['encrypted', 'sensitive']);
const target = z.array(z.enum(['production', 'preview', 'development']));
// Sent by the Terraform provider, and in the answers; the SDK's bodies do not have it.
const applyToAllCustomEnvironments = z.boolean().optional();

/** The body of POST /v1/env: the variables have all but key, value and comment in common. */
export const createSharedEnvBody = z.strictObject({
  evs: z.array(z.strictObject({ key, value, comment })).min(1),
  type: type.optional(),
  target: target.optional(),
  projectId: strings.optional(),
  applyToAllCustomEnvironments,
});
export type CreateSharedEnv = z.infer<typeof createSharedEnvBody>;

const update = z.strictObject({
  key: key.optional(),
  value: value.optional(),
  target: target.optional(),
  projectId: strings.optional(),
  projectIdUpdates: z.strictObject({ link: strings.optional(), unlink: strings.optional() }).optional(),
  type: type.optional(),
  comment,
  applyToAllCustomEnvironments,
});
export type UpdateSharedEnv = z.infer<typeof update>;

/** The body of PATCH /v1/env: changes by the id of the variable. */
export const updateSharedEnvBody = z.strictObject({
  updates: z
    .record(z.string(), update)
    .refine((given) => Object.keys(given).length > 0, 'should NOT be empty'),
});

/** The body of DELETE /v1/env. */
export const removeSharedEnvBody = z.strictObject({ ids: strings.min(1) });

/** A batch whose items are the array in one member of the body. */
export const sharedEnvBatch = (member: 'evs' | 'ids', about: Batch['about']): Batch => ({
  items: (body) => {
    const items = (body as Record<string, unknown> | undefined)?.[member];
    return Array.isArray(items) ? items : [];
  },
  only: (body, items) => ({ ...body, [member]: items }),
  about,
});
