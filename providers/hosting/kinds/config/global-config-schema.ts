import { z } from 'zod';
import { atomic, defineKind } from '#kind';

/** The JSON Schema that the items of a store must fit. */
export const globalConfigSchema = defineKind({
  name: 'globalConfigSchema',
  doc: 'The JSON Schema that the items of a global config must fit.',
  section: 'schema',
  parent: 'globalConfig',
  key: [],
  lane: 'globalConfig',
  fields: {
    definition: atomic(z.record(z.string(), z.any())).describe('The JSON Schema.'),
  },
  example: `globalConfigs:
  shop:
    schema:
      definition: { type: object, properties: { banner: { type: string } } }`,
  api: {
    read: {
      endpoint: 'GET /v1/global-config/{globalConfig}/schema',
      // Whether it comes in a member, as it is written, is not documented.
      item: (answer) => ('definition' in answer ? answer : { definition: answer }),
    },
    create: 'POST /v1/global-config/{globalConfig}/schema',
    update: 'POST /v1/global-config/{globalConfig}/schema',
    delete: 'DELETE /v1/global-config/{globalConfig}/schema',
  },
});
