import type { Sample } from '../support/sample.ts';

export const globalConfigToken: Sample = {
  place: (block) => ({ globalConfigs: { LABEL: { tokens: { web: block } } } }),
  base: { $secretTo: 'discard' },
  leaves: {},
  requests: async ({ go, all }) => {
    const config = await go('POST', '/v1/global-config', { slug: 'token' });
    const at = `/v1/global-config/${config.id}`;
    const { id } = await go('POST', `${at}/token`, { label: 'l' });
    await all(['DELETE', `${at}/tokens`, { ids: [id] }], ['DELETE', at]);
  },
};
