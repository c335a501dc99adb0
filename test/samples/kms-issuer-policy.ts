import type { Sample } from '../support/sample.ts';

export const kmsIssuerPolicy: Sample = {
  place: (block) => ({ projects: { LABEL: {} }, kmsIssuers: { LABEL: { policies: { LABEL: block } } } }),
  base: { environments: ['production'] },
  leaves: {
    environments: [['preview', 'production'], ['development']],
    tokenClaims: [{ aud: 'shop' }, { aud: 'shop', roles: ['reader'] }],
  },
  requests: async ({ go, all, shop: { id: projectId } }) => {
    const { id } = await go('POST', '/v1/kms/issuers', { name: 'granting' });
    const policies = `/v1/kms/issuers/${id}/policies`;
    const one = `${policies}/project-grant/${projectId}`;
    await all(
      ['POST', policies, { kind: 'project-grant', projectId, environments: ['production'] }],
      ['PATCH', one, { tokenClaims: { aud: 'shop' } }],
      ['DELETE', one],
      ['DELETE', `/v1/kms/issuers/${id}`],
    );
  },
};
