import * as z from 'zod';
import { atomic, defineKind, isPlainObject, type Step, type WriteRequest } from '#kind';

const requires = ({ body: { definition } }: Step): boolean =>
  isPlainObject(definition) && Array.isArray(definition.required) && definition.required.length > 0;

/** It comes before the items that it judges; but what it requires must be there already. */
const write: WriteRequest[] = [
  { endpoint: 'POST /v1/global-config/{globalConfig}/schema', when: (step) => !requires(step) },
  { endpoint: 'POST /v1/global-config/{globalConfig}/schema', when: requires, phase: 'last' },
];

/** The JSON Schema that the items of a store must fit. */
export const globalConfigSchema = defineKind({
  name: 'globalConfigSchema',
  doc: 'The JSON Schema for the items of a global config.',
  section: 'schema',
  otherWords: ['edgeConfigSchema'],
  parent: 'globalConfig',
  key: [],
  lifecycle: { lane: 'globalConfig' },
  fields: () => ({
    definition: atomic(z.record(z.string(), z.any())).describe('The JSON Schema.'),
  }),
  example: { definition: { type: 'object', properties: { banner: { type: 'string' } } } },
  read: {
    endpoint: 'GET /v1/global-config/{globalConfig}/schema',
    // Whether it comes in a member, as it is written, is not documented.
    item: (answer) => ('definition' in answer ? answer : { definition: answer }),
  },
  create: write,
  update: write,
  delete: { endpoint: 'DELETE /v1/global-config/{globalConfig}/schema', phase: 'first' },
});
