import * as z from 'zod';
import { Answer, type Call } from '../call.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { operation, type Resource } from '../resource.ts';
import {
  checkItems,
  findGlobalConfig,
  type GlobalConfig,
  type GlobalConfigItem,
  itemKey,
  readableItems,
  writableGlobalConfig,
} from './global-config-state.ts';

const step = z.strictObject({
  operation: z.enum(['create', 'update', 'upsert', 'delete']),
  key: itemKey,
  value: z.unknown().optional(),
  description: z.string().max(512).nullable().optional(),
});
const patchBody = z.strictObject({ items: z.array(step).min(1) });
type Step = z.infer<typeof step>;

/** Writes the members that a step of a PATCH has into an item. */
function write(item: GlobalConfigItem, { description, ...given }: Step, timestamp: number): void {
  if ('value' in given) item.value = given.value;
  if (description === null) delete item.description;
  else if (description !== undefined) item.description = description;
  item.updatedAt = timestamp;
}

/** Applies one operation of a PATCH to a store's items, or throws if the item is missing or exists already. */
function apply(call: Call, items: GlobalConfigItem[], step: Step): void {
  const index = items.findIndex(({ key }) => key === step.key);
  const missing = index < 0;
  if (step.operation === 'delete') {
    if (!missing) items.splice(index, 1);
    else if (!call.switches.globalConfigDeleteIgnoresMissing) throw notFound(`The item "${step.key}"`);
    return;
  }
  if (step.operation === 'create' && !missing) {
    throw conflict(`The item "${step.key}" already exists.`);
  }
  if (step.operation === 'update' && missing) throw notFound(`The item "${step.key}"`);
  if (missing && !('value' in step)) throw badRequest('Invalid request: missing required property `value`.');
  const timestamp = call.time();
  if (missing) items.push({ key: step.key, value: step.value, createdAt: timestamp, updatedAt: timestamp });
  write(items.at(missing ? -1 : index)!, step, timestamp);
}

const readItem = (config: GlobalConfig, item: GlobalConfigItem) => ({ ...item, edgeConfigId: config.id });

/** The values in a global config. */
export const globalConfigItem: Resource = {
  operations: {
    getEdgeConfigItems: operation({ on: findGlobalConfig, list: '' }, (call, config) =>
      readableItems(call, config).map((item) => readItem(config, item)),
    ),
    // The Terraform provider meets 204 for a missing item; 404 is what the documentation lists.
    getEdgeConfigItem: operation({ on: findGlobalConfig, statuses: [200, 204] }, (call, config) => {
      const item = readableItems(call, config).find(({ key }) => key === call.params.edgeConfigItemKey);
      if (item !== undefined) return readItem(config, item);
      if (call.switches.globalConfigMissingItem === 204) return new Answer(204);
      throw notFound('Item');
    }),
    // All steps are applied to a copy first, so that a PATCH takes effect completely or not at all.
    patchEdgeConfigItems: operation(
      { on: writableGlobalConfig, body: patchBody, statuses: [200, 409] },
      (call, config, body) => {
        const items = structuredClone(config.items);
        for (const item of body.items) apply(call, items, item);
        checkItems(config.schema, items);
        const { globalConfigReadSeconds: seconds } = call.switches;
        if (seconds)
          config.earlier = { items: readableItems(call, config), until: call.now() + seconds * 1000 };
        Object.assign(config, { items, updatedAt: call.time() });
        return { status: 'ok' };
      },
    ),
  },
};
