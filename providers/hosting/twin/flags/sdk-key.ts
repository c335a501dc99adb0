import * as z from 'zod';
import type { Project } from '../account.ts';
import { type Making, times } from '../call.ts';
import { notFound } from '../errors.ts';
import { ofFlags } from '../kept.ts';
import { operation, type Resource } from '../resource.ts';

declare module '../account.ts' {
  interface FeatureFlagsSeed extends Seeds<'sdkKeys', typeof seed> {}
}

// `sdkKeyType` reads back as `type`.
const createBody = z.strictObject({
  sdkKeyType: z.enum(['server', 'mobile', 'client']),
  environment: z.string(),
  label: z.string().optional(),
});

/** Returns a new key of a project, and its value. The value is shown only once. */
function newKey(call: Making, project: Project, { sdkKeyType: type, ...fields }: z.infer<typeof createBody>) {
  const keyValue = call.id(`vf_${type}_`, 32);
  const key = {
    ...fields,
    hashKey: call.id('', 40),
    projectId: project.id,
    type,
    partialKeyValue: `${keyValue.slice(0, -28)}…`,
    createdBy: call.account.user.id,
    ...times(call),
  };
  return { key, keyValue };
}

const keys = ofFlags('sdkKeys', {
  ...{ what: 'SDK key', param: 'hashKey', by: ['hashKey'], shows: (_, key) => key },
});

const seed = createBody.omit({ sdkKeyType: true }).extend({
  type: createBody.shape.sdkKeyType,
  hashKey: z.string().optional(),
  deleted: z.boolean().optional(),
});

/** The keys with which applications read a project's flags. */
export const flagSdkKey: Resource = {
  ...keys.kept(seed, (making, { type, hashKey, deleted, ...one }, project) => {
    const { key } = newKey(making, project, { ...one, sdkKeyType: type });
    const end = deleted ? { deletedAt: making.time() } : {};
    return { ...key, hashKey: hashKey ?? key.hashKey, ...end };
  }),
  operations: {
    getSdkKeys: keys.list('data'),
    createSdkKey: operation({ on: keys.home, body: createBody }, (call, project, body) => {
      const { key, keyValue } = newKey(call, project, body);
      keys.add(call, key, project);
      return { ...key, keyValue, connectionString: `flags:sdkKey=${keyValue}` };
    }),
    // A deleted key stays in the list, with the time of its end.
    deleteSdkKey: operation({ on: keys.named, statuses: [204] }, (call, { object: sdkKey }) => {
      if (sdkKey.deletedAt !== undefined) throw notFound('SDK key');
      sdkKey.deletedAt = call.time();
      sdkKey.updatedAt = sdkKey.deletedAt;
    }),
  },
};
