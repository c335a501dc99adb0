import type { Sample } from '../support/sample.ts';

export const globalConfig: Sample = {
  place: (block) => ({ globalConfigs: { LABEL: block } }),
  leaves: {},
  seed: {
    account: {
      globalConfigs: [
        { slug: 'store', items: { greeting: 'hello' }, schema: { type: 'object' }, tokens: ['read'] },
      ],
    },
  },
  requests: async ({ go, all }) => {
    const { id } = await go('POST', '/v1/global-config', { slug: 'c', items: { one: 1 } });
    const config = `/v1/global-config/${id}`;
    await all(
      ['PUT', config, { slug: 'd' }],
      // What is not there is answered without a body.
      ['GET', `${config}/item/two`],
      ['GET', `${config}/schema`],
      ['DELETE', config],
    );
  },
};
