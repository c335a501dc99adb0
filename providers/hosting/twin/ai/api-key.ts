import * as z from 'zod';
import type { Making } from '../call.ts';
import { checkProjectIds } from '../find-project.ts';
import { being } from '../http/list-query.ts';
import { text } from '../http/query.ts';
import { ofOwner } from '../kept.ts';
import { operation, type Resource, seedOwned } from '../resource.ts';
import { refreshPeriod } from './budget.ts';

const quotaBody = z.strictObject({
  limitAmount: z.number().min(0),
  includeByokInQuota: z.boolean().optional(),
  refreshPeriod: refreshPeriod.optional(),
  alertThresholds: z.array(z.number()).optional(),
});
const quotaChange = quotaBody.partial().extend({ active: z.boolean(), archived: z.boolean() });
const createBody = z.strictObject({
  purpose: z.string(),
  projectId: z.string().optional(),
  name: z.string().optional(),
  expiresAt: z.number().optional(),
  aiGatewayQuota: quotaBody.optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});
const seed = createBody.omit({ projectId: true }).extend(seedOwned);

/** The spending limit of a key, in US dollars. */
type Quota = Required<Omit<z.infer<typeof quotaBody>, 'alertThresholds'>> &
  Pick<z.infer<typeof quotaBody>, 'alertThresholds'> & {
    quotaEntityId: string;
    currentSpend: number;
    currentByokSpend: number;
    active: boolean;
    archived: boolean;
    createdAt: number;
    updatedAt: number;
  };

interface ApiKey {
  id: string;
  ownerId: string;
  name: string;
  purpose: string;
  projectId: string | null;
  expiresAt: number | null;
  /** The last characters of the key. */
  partialKey: string;
  activeAt: number;
  createdAt: number;
  createdBy: string;
  quota?: Quota;
}

declare module '../account.ts' {
  interface AccountParts extends Keeps<'apiKeys', ApiKey> {}
  interface AccountSeed extends Seeds<'apiKeys', typeof seed> {}
}

const keys = ofOwner('apiKeys', {
  what: 'API key',
  as: 'apiKey',
  shows: (_, { ownerId: teamId, ...key }) => ({
    ...{ ...key, teamId },
    ...{ createdByAppId: null, leakedAt: null, leakedUrl: null },
  }),
});

/** Returns a new quota of a key. */
function quotaOf({ id, time }: Making, body: z.infer<typeof quotaBody>): Quota {
  const timestamp = time();
  return {
    ...{ quotaEntityId: id('quota_'), currentSpend: 0, currentByokSpend: 0, active: true, archived: false },
    ...{ includeByokInQuota: false, refreshPeriod: 'none', createdAt: timestamp, updatedAt: timestamp },
    ...body,
  };
}

/** Returns a new key, or throws 400 if its project does not exist. */
function make(making: Making, body: z.infer<typeof createBody>): ApiKey {
  const { account, owner, id, time } = making;
  const { aiGatewayQuota, projectId = null, expiresAt = null, name = '', ...rest } = body;
  if (projectId !== null) checkProjectIds(making, [projectId]);
  const createdAt = time();
  return {
    ...{ id: id('ak_'), ownerId: owner.id, name, projectId, expiresAt, partialKey: id('', 4) },
    ...{ activeAt: createdAt, createdAt, createdBy: account.user.id, ...rest },
    ...(aiGatewayQuota ? { quota: quotaOf(making, aiGatewayQuota) } : {}),
  };
}

/** The API keys of an owner. Only the answer to the creation has the key itself. */
export const apiKey: Resource = {
  ...keys.kept(seed, make),
  operations: {
    createApiKeys: operation({ body: createBody, statuses: [200] }, (call, _, body) => {
      const key = keys.add(call, make(call, body), call.owner);
      return {
        apiKeyString: `vck_${call.id('', 40)}${key.partialKey}`,
        apiKey: keys.show(call, key, call.owner),
      };
    }),
  },
  // Only the platform's command line calls these.
  clientOperations: {
    'GET /v1/api-keys': keys.pages('apiKeys', {
      where: { purpose: being('purpose'), search: [text, ({ name }, asked) => name.includes(asked)] },
    }),
    'GET /v1/api-keys/{id}': keys.read(),
    'PATCH /v1/api-keys/{id}/quota': operation(
      { body: quotaChange, on: keys.named },
      (call, { object: key }, body) => {
        key.quota = { ...(key.quota ?? quotaOf(call, { limitAmount: 0 })), ...body, updatedAt: call.time() };
        return { quota: key.quota };
      },
    ),
    'DELETE /v1/api-keys/{id}': keys.remove(),
  },
};
