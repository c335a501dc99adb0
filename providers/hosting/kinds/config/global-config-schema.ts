import * as z from 'zod';
import { atomic, type Draft, defineKind, isPlainObject, request, type Step } from '#kind';

/** It comes before the items that it judges; but what it requires must be there already. */
const write = ({ address, body }: Step): Draft => ({
  changes: [address],
  requests: [request('POST /v1/global-config/{globalConfig}/schema', body)],
  ...(requires(body.definition) ? { phase: 'last' } : {}),
});

const requires = (definition: unknown): boolean =>
  isPlainObject(definition) && Array.isArray(definition.required) && definition.required.length > 0;

/** The JSON Schema that the items of a store must fit. */
export const globalConfigSchema = defineKind({
  name: 'globalConfigSchema',
  doc: 'The JSON Schema that the items of a global config must fit.',
  section: 'schema',
  parent: 'globalConfig',
  key: [],
  lane: 'globalConfig',
  fields: () => ({
    definition: atomic(z.record(z.string(), z.any())).describe('The JSON Schema.'),
  }),
  claims: ['POST /v1/global-config/{globalConfig}/schema', 'DELETE /v1/global-config/{globalConfig}/schema'],
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
    create: write,
    update: write,
    delete: ({ address }) => ({
      changes: [address],
      requests: [request('DELETE /v1/global-config/{globalConfig}/schema')],
      phase: 'first',
    }),
  },
});
