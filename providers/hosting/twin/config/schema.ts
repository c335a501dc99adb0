import * as z from 'zod';
import { Answer, type Call } from '../call.ts';
import { badRequest, conflict } from '../errors.ts';
import { text } from '../http/query.ts';
import { operation, type Resource } from '../resource.ts';
import { findGlobalConfig, valuesOf, writableGlobalConfig } from './global-config-state.ts';
import { isJsonSchema, schemaViolation } from './json-schema.ts';

// The REST documentation answers the schema itself; the Terraform provider looks for it under `definition`.
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
        // Anything but `false` and `0` asks for a dry run, an empty value too.
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
