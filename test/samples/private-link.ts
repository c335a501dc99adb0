import { flag, inProject, type Sample } from '../support/sample.ts';

const service = (name: string) => `com.amazonaws.vpce.us-east-1.vpce-svc-${name}`;
const described = { name: 'database', vercelRegion: 'iad1', awsServiceName: service('0') };

export const privateLink: Sample = {
  place: (block) => inProject({ privateLinks: { database: block } }),
  base: { vercelRegion: 'iad1', awsServiceName: service('1') },
  leaves: {
    vercelRegion: ['sfo1', 'iad1'],
    awsServiceName: [service('2'), service('3')],
    enablePrivateDns: flag,
  },
  seed: { project: { privateLinks: [described] } },
  requests: async ({ go, all, shop: { id: projectId } }) => {
    const at = '/v1/networking/privatelink/endpoints';
    const { endpointId } = await go('POST', at, { projectId, ...described });
    const one = `${at}/${endpointId}?projectId=${projectId}`;
    await all(['PATCH', one, { enablePrivateDns: true }], ['DELETE', one]);
  },
};
