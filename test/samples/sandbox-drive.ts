import { inProject, type Sample } from '../support/sample.ts';

export const sandboxDrive: Sample = {
  place: (block) => inProject({ sandboxDrives: { cache: block } }),
  leaves: {
    maxSizeBytes: [1_073_741_824, 2_147_483_648],
    region: ['sfo1', 'fra1'],
  },
  seed: { project: { sandboxDrives: [{ name: 'cache' }] } },
  requests: async ({ go, all, shop: { id: projectId } }) => {
    const drive = '/v2/sandboxes/drives/cache';
    await go('POST', drive, { projectId });
    await all(['POST', drive, { projectId }], ['DELETE', `${drive}?projectId=${projectId}`]);
  },
};
