import * as z from 'zod';
import { Answer, type Bodies, type Call, type Handlers, type Queries } from '../call.ts';
import { ApiError, badRequest } from '../errors.ts';
import { text } from '../http/query.ts';
import { parseBody } from '../validate.ts';
import { findGlobalConfig, valuesOf, writableGlobalConfig } from './global-config-state.ts';
import { isJsonSchema, schemaViolation } from './json-schema.ts';

const upsertBody = z.strictObject({ definition: z.unknown() });

// The REST documentation answers the schema itself; the Terraform provider looks for it under `definition`.
function readSchema(call: Call, definition: unknown): Answer {
  return new Answer(200, call.switches.globalConfigSchemaWrapped ? { definition } : definition);
}

function upsert(call: Call): unknown {
  const config = writableGlobalConfig(call);
  const { definition } = parseBody(upsertBody, call.body, call.outside);
  if (!isJsonSchema(definition)) throw badRequest('Invalid request: `definition` should be a JSON schema.');
  const problem = schemaViolation(definition, valuesOf(config.items));
  if (problem !== undefined) {
    throw new ApiError(409, 'conflict', `The existing items do not fit the schema: ${problem}.`);
  }
  const dryRun = call.query.get('dryRun');
  if (dryRun === null || dryRun === 'false' || dryRun === '0') {
    config.schema = definition;
    config.updatedAt = call.time();
  }
  return readSchema(call, definition);
}

/** The JSON schema that a global config's items, as one object, have to fit. */
export const globalConfigSchemaHandlers: Handlers = {
  getEdgeConfigSchema(call) {
    const { schema } = findGlobalConfig(call);
    return schema === undefined ? new Answer(204) : readSchema(call, schema);
  },
  patchEdgeConfigSchema: upsert,
  deleteEdgeConfigSchema(call) {
    delete writableGlobalConfig(call).schema;
    return new Answer(204);
  },
};

/** The schemas of their request bodies. */
export const globalConfigSchemaBodies: Bodies = { patchEdgeConfigSchema: upsertBody };

/** The query parameters that they read. */
// Anything but `false` and `0` asks for a dry run, an empty value too.
export const globalConfigSchemaQueries: Queries = { patchEdgeConfigSchema: { dryRun: text } };
