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
  requests: async ({ go, all }) => {
    const { id } = await go('POST', '/v1/global-config', { slug: 'schema' });
    const config = `/v1/global-config/${id}`;
    await all(
      ['POST', `${config}/schema`, { definition: true }],
      ['GET', `${config}/schema`],
      ['DELETE', `${config}/schema`],
      ['DELETE', config],
    );
  },
};
