import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Call, Stamped } from '../call.ts';
import type { Batch } from '../resource.ts';
import { strings } from '../validate.ts';
import { ciphertext, createEnvBody, type EnvVar } from './env-row.ts';

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
    .refine((updates) => Object.keys(updates).length > 0, 'should NOT be empty'),
});

/** The body of DELETE /v1/env. */
export const removeSharedEnvBody = z.strictObject({ ids: strings.min(1) });

/** Describes a batch whose items are the array in one member of the body. */
export const sharedEnvBatch = (member: 'evs' | 'ids', about: Batch['about']): Batch => ({
  items: (body) => {
    const items = (body as Record<string, unknown> | undefined)?.[member];
    return Array.isArray(items) ? items : [];
  },
  withItems: (body, items) => ({ ...body, [member]: items }),
  about,
});

/** A team's variable with the projects that it is linked to; the value is kept in the clear. */
export interface SharedEnvVar extends Stamped {
  ownerId: string;
  key: string;
  value: string;
  type: 'encrypted' | 'sensitive' | 'plain' | 'system';
  target: string[];
  projectId: string[];
  comment?: string;
  applyToAllCustomEnvironments?: boolean;
  createdBy: string | null;
  updatedBy: string | null;
  /** Set on a variable that was deleted: only the list still shows it. It can only come from a seed. */
  deletedAt?: number;
}

declare module '../account.ts' {
  interface AccountParts extends Keeps<'sharedEnv', SharedEnvVar> {}
}

/** Returns a shared variable as answers show it. Encrypted values come in the clear only when decrypted, sensitive ones never. */
export function readSharedEnvVar(call: Call, row: SharedEnvVar, decrypt: boolean): Record<string, unknown> {
  const { value, ...rest } = row;
  const read: Record<string, unknown> = {
    ...rest,
    created: new Date(row.createdAt).toISOString(),
    customEnvironmentIds: [],
    lastEditedByDisplayName: call.account.user.username,
    securityIssues: [],
    decrypted: decrypt && row.type === 'encrypted',
  };
  if (row.type === 'sensitive') {
    if (call.switches.sensitiveValue === '') read.value = '';
  } else if (row.type === 'encrypted') {
    read.value = decrypt ? value : ciphertext(row);
  } else {
    Object.assign(read, { value, decrypted: call.switches.plainDecryptedFlag });
  }
  return read;
}

/** Returns the rows that a project's own list has of linked shared variables. It is not confirmed that the platform lists them. */
export function linkedSharedEnv(call: Call, project: Project): EnvVar[] {
  if (!call.switches.sharedEnvInProjectList) return [];
  return call.account.sharedEnv
    .filter((row) => row.projectId.includes(project.id) && row.deletedAt === undefined)
    .map(({ ownerId: _ownerId, projectId: _projectId, applyToAllCustomEnvironments: _every, ...row }) => ({
      ...row,
      customEnvironmentIds: [],
    }));
}
