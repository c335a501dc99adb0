import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type Making, stamped } from '../call.ts';
import { conflict } from '../errors.ts';
import { projectIdsOf } from '../find-project.ts';
import { operation, type Resource, seedList, seedOwned } from '../resource.ts';
import { strings } from '../validate.ts';
import {
  checkItems,
  configSlug,
  findGlobalConfig,
  type GlobalConfig,
  itemKey,
  valuesOf,
  writableGlobalConfig,
} from './global-config-state.ts';
import { isJsonSchema } from './json-schema.ts';
import { addToken } from './token.ts';

declare module '../account.ts' {
  interface AccountParts extends Keeps<'globalConfigs', GlobalConfig> {}
  interface AccountSeed extends Seeds<'globalConfigs', typeof seed> {}
}

// Bounds from the public REST documentation.
const createBody = z.strictObject({
  slug: configSlug,
  items: z.record(itemKey, z.unknown()).optional(),
});
const updateBody = z.strictObject({ slug: configSlug });

/** Throws 409 if another store of the owner has the slug. */
function checkSlugFree({ account, owner, switches }: Making, slug: string, except?: GlobalConfig): void {
  const isTaken = account.globalConfigs.some(
    (globalConfig) =>
      globalConfig.ownerId === owner.id &&
      globalConfig.slug === slug &&
      globalConfig !== except &&
      globalConfig.deletedAt === undefined,
  );
  if (isTaken && switches.globalConfigSlugsUnique) {
    throw conflict(`A global config with the slug "${slug}" already exists.`);
  }
}

/** Adds a new store to the account. */
function add(making: Making, { slug, items = {} }: z.infer<typeof createBody>): GlobalConfig {
  checkSlugFree(making, slug);
  const { id, ...times } = stamped(making, 'ecfg_', 27);
  const config: GlobalConfig = {
    ...{ id, ownerId: making.owner.id, slug, createdBy: making.account.user.id, ...times },
    items: Object.entries(items).map(([key, value]) => ({ key, value, ...times })),
    tokens: [],
  };
  making.account.globalConfigs.push(config);
  return config;
}

/** Returns a store as answers show it. */
function read(config: GlobalConfig): unknown {
  const { id, ownerId, slug, createdBy, createdAt, updatedAt, deletedAt, purpose, schema, items } = config;
  const text = JSON.stringify(valuesOf(items));
  return {
    ...{ id, ownerId, slug, createdBy, createdAt, updatedAt },
    ...(deletedAt !== undefined && { deletedAt }),
    ...(purpose !== undefined && { purpose }),
    ...(schema !== undefined && { schema }),
    digest: createHash('sha256').update(text).digest('hex'),
    itemCount: items.length,
    sizeInBytes: Buffer.byteLength(text),
    syncedToDynamoAt: updatedAt,
  };
}

// `items`: the values by their keys; `tokens`: the labels of the tokens.
const seed = createBody.extend({
  ...seedOwned,
  descriptions: z.record(z.string(), z.string()).optional(),
  schema: z.unknown().refine(isJsonSchema, 'should be a JSON schema').optional(),
  tokens: strings.optional(),
  /** Set on a store that the platform manages itself: for the flags of a project, or for experiments. */
  purpose: z
    .union([z.strictObject({ flagsOf: z.string() }), z.strictObject({ experimentsOf: z.string() })])
    .optional(),
  deleted: z.boolean().optional(),
});

/** Adds a store of a seed, with its items, schema and tokens. */
function load(making: Making, seeded: Omit<z.infer<typeof seed>, 'owner'>): void {
  const { id, descriptions = {}, schema, tokens = [], purpose, deleted, ...body } = seeded;
  let storedPurpose: GlobalConfig['purpose'];
  if (purpose !== undefined && 'flagsOf' in purpose) {
    storedPurpose = { type: 'flags', projectId: projectIdsOf(making, [purpose.flagsOf])[0]! };
  } else if (purpose !== undefined) {
    storedPurpose = { type: 'experimentation', resourceId: purpose.experimentsOf };
  }
  const config = add(making, body);
  if (id !== undefined) config.id = id;
  if (storedPurpose !== undefined) config.purpose = storedPurpose;
  for (const item of config.items) {
    if (descriptions[item.key] !== undefined) item.description = descriptions[item.key]!;
  }
  if (schema !== undefined) config.schema = schema;
  for (const label of tokens) addToken(making, config, label);
  if (deleted) config.deletedAt = making.time();
  checkItems(schema, config.items);
}

/** Global configs (edge configs, by their older name) themselves. */
export const globalConfig: Resource = {
  keeps: { account: { globalConfigs: [] } },
  operations: {
    getEdgeConfigs: operation({ list: '' }, ({ account, owner }) =>
      account.globalConfigs.filter((globalConfig) => globalConfig.ownerId === owner.id).map(read),
    ),
    createEdgeConfig: operation({ body: createBody, statuses: [201, 409] }, (call, _, body) =>
      read(add(call, body)),
    ),
    getEdgeConfig: operation({ on: findGlobalConfig }, (_, config) => read(config)),
    updateEdgeConfig: operation(
      { on: writableGlobalConfig, body: updateBody, statuses: [200, 409] },
      (call, config, { slug }) => {
        checkSlugFree(call, slug, config);
        return read(Object.assign(config, { slug, updatedAt: call.time() }));
      },
    ),
    deleteEdgeConfig: operation(
      { on: writableGlobalConfig, statuses: [204, 409] },
      ({ account: { globalConfigs }, switches, time }, config) => {
        if (switches.globalConfigDeletedListed) config.deletedAt = time();
        else globalConfigs.splice(globalConfigs.indexOf(config), 1);
      },
    ),
  },
  seed: { account: { globalConfigs: seedList(seed, load) } },
  forget(account, projectId) {
    account.globalConfigs = account.globalConfigs.filter(
      ({ purpose }) => purpose?.type !== 'flags' || purpose.projectId !== projectId,
    );
  },
};
