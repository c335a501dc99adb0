import { inPartnerResource, type Sample } from '../support/sample.ts';

export const experimentationConfig: Sample = {
  place: (block) => inPartnerResource({ experimentationConfig: block }),
  base: { data: {} },
  leaves: { data: [{ checkout: true }, { checkout: { share: 10 } }] },
  requests: async ({ all }) => {
    const at = '/v1/installations/icfg_flags/resources/one';
    await all(
      ['PUT', at, { productId: 'iap_one', name: 'one', status: 'ready' }],
      ['PUT', `${at}/experimentation/global-config`, { data: {} }],
      ['HEAD', `${at}/experimentation/global-config`],
    );
  },
};
