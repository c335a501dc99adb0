import * as z from 'zod';
import { Answer, type Call } from '../call.ts';
import { badRequest, conflict } from '../errors.ts';
import { text } from '../http/query.ts';
import { operation, type Resource } from '../resource.ts';
import { findGlobalConfig, valuesOf, writableGlobalConfig } from './global-config-state.ts';
import { isJsonSchema, schemaViolation } from './json-schema.ts';

// Returns a schema as answers show it: according to the REST documentation as it is; the Terraform provider reads it under `definition`.
const readSchema = (call: Call, definition: unknown) =>
  call.switches.globalConfigSchemaWrapped ? { definition } : definition;

/** The JSON schema that a global config's items, as one object, have to fit. */
export const globalConfigSchema: Resource = {
  operations: {
    getEdgeConfigSchema: operation(
      { on: findGlobalConfig, statuses: [200, 204], answers: ['object', 'boolean'] },
      (call, { schema }) => (schema === undefined ? new Answer(204) : readSchema(call, schema)),
    ),
    patchEdgeConfigSchema: operation(
      {
        on: writableGlobalConfig,
        body: z.strictObject({ definition: z.unknown() }),
        // Any value except `false` and `0` requests a dry run, also an empty one.
        query: { dryRun: text },
        statuses: [200, 409],
        answers: ['object', 'boolean'],
      },
      (call, config, { definition }) => {
        if (!isJsonSchema(definition)) {
          throw badRequest('Invalid request: `definition` should be a JSON schema.');
        }
        const problem = schemaViolation(definition, valuesOf(config.items));
        if (problem !== undefined) {
          throw conflict(`The existing items do not fit the schema: ${problem}.`);
        }
        const dryRun = call.query.get('dryRun');
        if (dryRun === null || dryRun === 'false' || dryRun === '0') {
          Object.assign(config, { schema: definition, updatedAt: call.time() });
        }
        return readSchema(call, definition);
      },
    ),
    deleteEdgeConfigSchema: operation({ on: writableGlobalConfig, statuses: [204, 409] }, (_, config) => {
      delete config.schema;
    }),
  },
};
