import { flag, type Sample, unset } from '../support/sample.ts';

export const domain: Sample = {
  place: (block) => ({ domains: { 'LABEL.example': block } }),
  base: {},
  leaves: { zone: unset, cdnEnabled: flag, echMode: ['auto', 'disabled'] },
  requests: async ({ twin, go, all }) => {
    const name = 'bought.example';
    await go('POST', '/v7/domains', { name });
    twin.account.domains.find((domain) => domain.name === name)!.boughtAt = 1;
    await all(
      ['PATCH', `/v1/registrar/domains/${name}/auto-renew`, { autoRenew: true }],
      ['PATCH', `/v1/registrar/domains/${name}/nameservers`, { nameservers: ['ns.example.net'] }],
      ['DELETE', `/v6/domains/${name}`],
    );
  },
};
