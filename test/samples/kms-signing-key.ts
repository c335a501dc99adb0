import type { Sample } from '../support/sample.ts';

export const kmsSigningKey: Sample = {
  place: (block) => ({ kmsIssuers: { LABEL: { signingKey: block } } }),
  base: { importKeyId: 'first', importKey: 'a key in PEM' },
  leaves: {
    importKeyId: ['second', 'third'],
    importKey: ['another key in PEM', 'one more key in PEM'],
  },
  requests: async ({ go, all }) => {
    const { id } = await go('POST', '/v1/kms/issuers', { name: 'rotated' });
    const keys = `/v1/kms/issuers/${id}/keys`;
    const { keyId } = await go('POST', keys, { activation: 'manual' });
    const { keyId: next } = await go('POST', keys, { activation: 'manual' });
    await all(
      ['POST', `${keys}/${next}/activate`, {}],
      ['POST', `${keys}/${keyId}/revoke`],
      ['DELETE', `/v1/kms/issuers/${id}`],
    );
  },
};
