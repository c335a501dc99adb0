import * as z from 'zod';
import type { Call, Stamped } from '../call.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { schemaViolation } from './json-schema.ts';

/** One value of a global config; any JSON. */
export interface GlobalConfigItem {
  key: string;
  value: unknown;
  description?: string;
  createdAt: number;
  updatedAt: number;
}

/** One read token of a global config. */
export interface GlobalConfigToken {
  id: string;
  label: string;
  token: string;
  createdAt: number;
}

/** A store of values with its schema and tokens. */
export interface GlobalConfig extends Stamped {
  ownerId: string;
  slug: string;
  createdBy: string;
  deletedAt?: number;
  /** Set on a store that the platform manages itself, for flags or experiments. */
  purpose?: { type: 'flags'; projectId: string } | { type: 'experimentation'; resourceId: string };
  schema?: unknown;
  items: GlobalConfigItem[];
  /** The items that reads still show after a write, until a time in milliseconds; see the switch `globalConfigReadSeconds`. */
  earlier?: { items: GlobalConfigItem[]; until: number };
  tokens: GlobalConfigToken[];
}

/** Returns the store that the path names by its id, or throws 404. */
export function findGlobalConfig(call: Call): GlobalConfig {
  const id = call.params.edgeConfigId;
  const globalConfig = call.account.globalConfigs.find(
    (globalConfig) =>
      globalConfig.id === id &&
      globalConfig.ownerId === call.owner.id &&
      globalConfig.deletedAt === undefined,
  );
  if (globalConfig === undefined) throw notFound('Global config');
  return globalConfig;
}

/**
 * Returns the store that the path names, for a write. Throws 409 for a store of the platform. No source says what such a write answers; 409
 * is documented for every write below a store.
 */
export function writableGlobalConfig(call: Call): GlobalConfig {
  const config = findGlobalConfig(call);
  if (config.purpose === undefined) return config;
  throw conflict(`The global config is managed by the platform (${config.purpose.type}).`);
}

/** Returns the items that a read shows now: those from before a write, as long as the platform does not show it. */
export const readableItems = (
  { now }: Pick<Call, 'now'>,
  { items, earlier }: GlobalConfig,
): GlobalConfigItem[] => (earlier !== undefined && now() < earlier.until ? earlier.items : items);

/** Returns the items as one object, from key to value. */
export const valuesOf = (items: GlobalConfigItem[]): Record<string, unknown> =>
  Object.fromEntries(items.map(({ key, value }) => [key, value]));

const word = /^[\w-]+$/;
const wanted = 'should hold only letters, digits, "_" and "-"';

/** The key of an item. */
export const itemKey = z.string().max(256).regex(word, wanted);
/** The slug of a store. */
export const configSlug = z.string().max(64).regex(word, wanted);

/** Throws 400 if the items of a store do not fit its schema. */
export function checkItems(schema: unknown, items: GlobalConfigItem[]): void {
  const problem = schema === undefined ? undefined : schemaViolation(schema, valuesOf(items));
  if (problem !== undefined) throw badRequest(`The items do not fit the schema: ${problem}.`);
}
