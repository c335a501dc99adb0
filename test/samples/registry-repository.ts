import { flag, inProject, type Sample } from '../support/sample.ts';

export const registryRepository: Sample = {
  place: (block) => inProject({ registryRepositories: { LABEL: block } }),
  leaves: { public: flag },
  seed: {
    project: { registryRepositories: [{ name: 'api', permissions: [{ teamId: 'team_other' }] }] },
  },
  requests: async ({ go, all, shop: { id: projectId } }) => {
    const path = '/v1/vcr/repository';
    const { repository } = await go('POST', path, { projectId, name: 'api' });
    const permissions = `${path}/${repository.id}/permissions`;
    const team = { teamSlug: 'other' };
    await all(
      ['POST', `${permissions}?projectId=${projectId}`, team],
      ['DELETE', `${permissions}?projectId=${projectId}`, team],
      ['DELETE', `${permissions}/all?projectId=${projectId}`],
      ['DELETE', `${path}/api?projectId=${projectId}`],
    );
  },
};
