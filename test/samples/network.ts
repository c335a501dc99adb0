import type { Sample } from '../support/sample.ts';

export const network: Sample = {
  place: (block) => ({ networks: { LABEL: block } }),
  base: { region: 'iad1', cidr: '10.0.0.0/16' },
  leaves: {
    region: ['sfo1', 'iad1'],
    cidr: ['10.1.0.0/16', '10.2.0.0/16'],
    awsAvailabilityZoneIds: [['use1-az1', 'use1-az2'], ['use1-az3']],
  },
  seed: { account: { networks: [{ name: 'backend', region: 'iad1', cidr: '10.0.0.0/16' }] } },
  requests: async ({ go, all }) => {
    const at = '/v1/connect/networks';
    const { id } = await go('POST', at, { name: 'other', region: 'iad1', cidr: '10.0.0.0/16' });
    await all(['PATCH', `${at}/${id}`, { name: 'another' }], ['DELETE', `${at}/${id}`]);
  },
};
