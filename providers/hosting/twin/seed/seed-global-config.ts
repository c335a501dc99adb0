import * as z from 'zod';
import { addGlobalConfig, createGlobalConfigBody } from '../config/global-config.ts';
import type { GlobalConfig } from '../config/global-config-state.ts';
import { checkItems } from '../config/item.ts';
import { isJsonSchema } from '../config/json-schema.ts';
import { addToken } from '../config/token.ts';
import { type Loading, making, ownerOf, projectIdsOf } from './seed-loading.ts';

/** A global config as a seed has it: values by their keys, tokens by their labels. */
export const seedGlobalConfig = createGlobalConfigBody.extend({
  id: z.string().optional(),
  owner: z.string().optional(),
  descriptions: z.record(z.string(), z.string()).optional(),
  schema: z.unknown().refine(isJsonSchema, 'should be a JSON schema').optional(),
  tokens: z.array(z.string()).optional(),
  /** Set on a store that the platform keeps for itself: for the flags of a project, or for experiments. */
  purpose: z
    .union([z.strictObject({ flagsOf: z.string() }), z.strictObject({ experimentsOf: z.string() })])
    .optional(),
  deleted: z.boolean().optional(),
});

/** Adds a seed's global config. */
export function loadGlobalConfig(loading: Loading, seed: z.infer<typeof seedGlobalConfig>): void {
  const { id, owner: ownerName, descriptions = {}, schema, tokens = [], purpose, deleted, ...body } = seed;
  const owner = ownerOf(loading, ownerName);
  const make = making(loading, owner);
  let kept: GlobalConfig['purpose'];
  if (purpose !== undefined && 'flagsOf' in purpose) {
    kept = { type: 'flags', projectId: projectIdsOf(loading, owner, [purpose.flagsOf])[0]! };
  } else if (purpose !== undefined) {
    kept = { type: 'experimentation', resourceId: purpose.experimentsOf };
  }
  const config = addGlobalConfig(make, body);
  if (id !== undefined) config.id = id;
  if (kept !== undefined) config.purpose = kept;
  for (const item of config.items) {
    if (descriptions[item.key] !== undefined) item.description = descriptions[item.key]!;
  }
  if (schema !== undefined) config.schema = schema;
  for (const label of tokens) addToken(make, config, label);
  if (deleted) config.deletedAt = make.time();
  checkItems(schema, config.items);
}
