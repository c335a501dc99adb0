import { flag, type Sample, unset } from '../support/sample.ts';

export const domain: Sample = {
  place: (block) => ({ domains: { 'LABEL.example': block } }),
  leaves: { zone: unset, cdnEnabled: flag, echMode: ['auto', 'disabled'] },
  requests: async ({ go, all }) => {
    const name = 'other.example';
    await go('POST', '/v7/domains', { name });
    await all(['DELETE', `/v6/domains/${name}`]);
  },
};
