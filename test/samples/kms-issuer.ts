import type { Sample } from '../support/sample.ts';

export const kmsIssuer: Sample = {
  place: (block) => ({ kmsIssuers: { LABEL: block } }),
  leaves: {
    algorithm: ['ES256', 'RS256'],
    claimsSchema: [{ type: 'object' }, { type: 'object', required: ['sub'] }],
  },
  seed: {
    account: {
      kmsIssuers: [{ name: 'sessions', policies: [{ project: 'web', environments: ['production'] }] }],
    },
  },
  requests: async ({ go, all }) => {
    const at = '/v1/kms/issuers';
    const { id } = await go('POST', at, { name: 'other' });
    await all(['PATCH', `${at}/${id}`, { claimsSchema: null }], ['DELETE', `${at}/${id}`]);
  },
};
