import * as z from 'zod';
import type { Project } from '../account.ts';
import { Answer, type Bodies, type Call, type Handlers } from '../call.ts';
import { notFound } from '../errors.ts';
import { findProject } from '../projects/project-state.ts';
import { parseBody } from '../validate.ts';
import type { FlagSdkKey } from './flag-state.ts';

/** The body that creates a key: what is `sdkKeyType` here reads back as `type`. */
export const createSdkKeyBody = z.strictObject({
  sdkKeyType: z.enum(['server', 'mobile', 'client']),
  environment: z.string(),
  label: z.string().optional(),
});

/** A new key of a project, and the value that is shown once. */
export function newSdkKey(
  call: Pick<Call, 'account' | 'id' | 'time'>,
  project: Project,
  { sdkKeyType: type, ...fields }: z.infer<typeof createSdkKeyBody>,
): { key: FlagSdkKey; keyValue: string } {
  const at = call.time();
  const keyValue = call.id(`vf_${type}_`, 32);
  const key = {
    ...fields,
    hashKey: call.id('', 40),
    projectId: project.id,
    type,
    partialKeyValue: `${keyValue.slice(0, -28)}…`,
    createdBy: call.account.user.id,
    createdAt: at,
    updatedAt: at,
  };
  return { key, keyValue };
}

function create(call: Call): unknown {
  const project = findProject(call, call.params.projectIdOrName);
  const { key, keyValue } = newSdkKey(call, project, parseBody(createSdkKeyBody, call.body, call.outside));
  project.featureFlags.sdkKeys.push(key);
  return { ...key, keyValue, connectionString: `flags:sdkKey=${keyValue}` };
}

// A deleted key stays in the list, with the time of its end.
function remove(call: Call): unknown {
  const project = findProject(call, call.params.projectIdOrName);
  const key = project.featureFlags.sdkKeys.find((one) => one.hashKey === call.params.hashKey);
  if (key === undefined || key.deletedAt !== undefined) throw notFound('SDK key');
  key.deletedAt = call.time();
  key.updatedAt = key.deletedAt;
  return new Answer(204);
}

/** The keys with which applications read a project's flags. */
export const flagSdkKeyHandlers: Handlers = {
  getSdkKeys: (call) => ({ data: findProject(call, call.params.projectIdOrName).featureFlags.sdkKeys }),
  createSdkKey: create,
  deleteSdkKey: remove,
};

/** The schemas of their request bodies. */
export const flagSdkKeyBodies: Bodies = { createSdkKey: createSdkKeyBody };
