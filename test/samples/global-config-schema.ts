import type { Sample } from '../support/sample.ts';

export const globalConfigSchema: Sample = {
  place: (block) => ({ globalConfigs: { LABEL: { schema: block } } }),
  base: { definition: { type: 'object' } },
  leaves: {
    definition: [
      { type: 'object', properties: { a: { type: 'string' } } },
      { type: 'object', required: [] },
    ],
  },
};
