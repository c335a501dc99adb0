import * as z from 'zod';
import { Answer, type Bodies, type Call, type Handlers } from '../call.ts';
import { ApiError } from '../errors.ts';
import { parseBody } from '../validate.ts';
import {
  findGlobalConfig,
  type GlobalConfig,
  readGlobalConfig,
  writableGlobalConfig,
} from './global-config-state.ts';

const word = /^[\w-]+$/;

/** The key of an item. */
export const itemKey = z.string().max(256).regex(word, 'should hold only letters, digits, "_" and "-"');
const slug = z.string().max(64).regex(word, 'should hold only letters, digits, "_" and "-"');

/** The body of POST /v1/global-config: bounds from the public REST documentation. */
export const createGlobalConfigBody = z.strictObject({
  slug,
  items: z.record(itemKey, z.unknown()).optional(),
});
const updateBody = z.strictObject({ slug });

function checkSlugFree(
  call: Pick<Call, 'account' | 'owner' | 'switches'>,
  slug: string,
  except?: GlobalConfig,
) {
  const taken = call.account.globalConfigs.some(
    (one) =>
      one.ownerId === call.owner.id && one.slug === slug && one !== except && one.deletedAt === undefined,
  );
  if (taken && call.switches.globalConfigSlugsUnique) {
    throw new ApiError(409, 'conflict', `A global config with the slug "${slug}" already exists.`);
  }
}

/** A new store, added to the account. */
export function addGlobalConfig(
  call: Pick<Call, 'account' | 'owner' | 'switches' | 'id' | 'time'>,
  body: z.infer<typeof createGlobalConfigBody>,
): GlobalConfig {
  checkSlugFree(call, body.slug);
  const at = call.time();
  const config: GlobalConfig = {
    id: call.id('ecfg_', 27),
    ownerId: call.owner.id,
    slug: body.slug,
    createdBy: call.account.user.id,
    createdAt: at,
    updatedAt: at,
    items: Object.entries(body.items ?? {}).map(([key, value]) => ({
      key,
      value,
      createdAt: at,
      updatedAt: at,
    })),
    tokens: [],
  };
  call.account.globalConfigs.push(config);
  return config;
}

function list(call: Call): unknown {
  return call.account.globalConfigs.filter((one) => one.ownerId === call.owner.id).map(readGlobalConfig);
}

function update(call: Call): unknown {
  const config = writableGlobalConfig(call);
  const { slug } = parseBody(updateBody, call.body, call.outside);
  checkSlugFree(call, slug, config);
  config.slug = slug;
  config.updatedAt = call.time();
  return readGlobalConfig(config);
}

function remove(call: Call): unknown {
  const config = writableGlobalConfig(call);
  const { globalConfigs } = call.account;
  if (call.switches.globalConfigDeletedListed) config.deletedAt = call.time();
  else globalConfigs.splice(globalConfigs.indexOf(config), 1);
  return new Answer(204);
}

/** Global configs (edge configs, by their older name) themselves. */
export const globalConfigHandlers: Handlers = {
  getEdgeConfigs: list,
  createEdgeConfig: (call) =>
    new Answer(
      201,
      readGlobalConfig(addGlobalConfig(call, parseBody(createGlobalConfigBody, call.body, call.outside))),
    ),
  getEdgeConfig: (call) => readGlobalConfig(findGlobalConfig(call)),
  updateEdgeConfig: update,
  deleteEdgeConfig: remove,
};

/** The schemas of their request bodies. */
export const globalConfigBodies: Bodies = {
  createEdgeConfig: createGlobalConfigBody,
  updateEdgeConfig: updateBody,
};
