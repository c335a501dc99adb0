import * as z from 'zod';
import { Answer, type Bodies, type Call, type Handlers } from '../call.ts';
import { ApiError, badRequest, notFound } from '../errors.ts';
import { parseBody } from '../validate.ts';
import { itemKey } from './global-config.ts';
import {
  findGlobalConfig,
  type GlobalConfig,
  type GlobalConfigItem,
  valuesOf,
  writableGlobalConfig,
} from './global-config-state.ts';
import { schemaViolation } from './json-schema.ts';

const operation = z.strictObject({
  operation: z.enum(['create', 'update', 'upsert', 'delete']),
  key: itemKey,
  value: z.unknown().optional(),
  description: z.string().max(512).nullable().optional(),
});
const patchBody = z.strictObject({ items: z.array(operation).min(1) });
type Operation = z.infer<typeof operation>;

/** The problem of the items with the store's schema, or 400. */
export function checkItems(schema: unknown, items: GlobalConfigItem[]): void {
  const problem = schema === undefined ? undefined : schemaViolation(schema, valuesOf(items));
  if (problem !== undefined) throw badRequest(`The items do not fit the schema: ${problem}.`);
}

function write(item: GlobalConfigItem, { description, ...given }: Operation, at: number): void {
  if ('value' in given) item.value = given.value;
  if (description === null) delete item.description;
  else if (description !== undefined) item.description = description;
  item.updatedAt = at;
}

function apply(call: Call, items: GlobalConfigItem[], one: Operation): void {
  const index = items.findIndex(({ key }) => key === one.key);
  const missing = index < 0;
  if (one.operation === 'delete') {
    if (!missing) items.splice(index, 1);
    else if (!call.switches.globalConfigDeleteIgnoresMissing) throw notFound(`The item "${one.key}"`);
    return;
  }
  if (one.operation === 'create' && !missing) {
    throw new ApiError(409, 'conflict', `The item "${one.key}" already exists.`);
  }
  if (one.operation === 'update' && missing) throw notFound(`The item "${one.key}"`);
  if (missing && !('value' in one)) throw badRequest('Invalid request: missing required property `value`.');
  const at = call.time();
  if (missing) items.push({ key: one.key, value: one.value, createdAt: at, updatedAt: at });
  write(items.at(missing ? -1 : index)!, one, at);
}

// All or nothing: the operations are tried on a copy, one after the other.
function patch(call: Call): unknown {
  const config = writableGlobalConfig(call);
  const body = parseBody(patchBody, call.body, call.outside);
  const items = structuredClone(config.items);
  for (const one of body.items) apply(call, items, one);
  checkItems(config.schema, items);
  config.items = items;
  config.updatedAt = call.time();
  return { status: 'ok' };
}

const readItem = (config: GlobalConfig, item: GlobalConfigItem) => ({ ...item, edgeConfigId: config.id });

// The Terraform provider meets 204 for a missing item; 404 is what the documentation lists.
function read(call: Call): unknown {
  const config = findGlobalConfig(call);
  const item = config.items.find(({ key }) => key === call.params.edgeConfigItemKey);
  if (item !== undefined) return readItem(config, item);
  if (call.switches.globalConfigMissingItem === 204) return new Answer(204);
  throw notFound('Item');
}

/** The values in a global config. */
export const globalConfigItemHandlers: Handlers = {
  getEdgeConfigItems(call) {
    const config = findGlobalConfig(call);
    return config.items.map((item) => readItem(config, item));
  },
  getEdgeConfigItem: read,
  patchEdgeConfigItems: patch,
};

/** The schemas of their request bodies. */
export const globalConfigItemBodies: Bodies = { patchEdgeConfigItems: patchBody };
