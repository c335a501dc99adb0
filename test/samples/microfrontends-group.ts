import { flag, type Sample } from '../support/sample.ts';

export const microfrontendsGroup: Sample = {
  place: (block) => ({
    projects: { LABEL: {} },
    microfrontends: {
      LABEL: { defaultApp: 'LABEL', ...block, projects: { LABEL: { isDefaultApp: true } } },
    },
  }),
  leaves: {
    defaultApp: ['LABEL', 'LABEL'],
    otherApplications: [[], ['LABEL']],
    fallbackEnvironment: ['PRODUCTION', 'SAME_ENV'],
    enablePolyrepoBranchRouting: flag,
  },
  single: ['defaultApp'],
  seed: { account: { microfrontendsGroups: [{ name: 'shop', projects: ['web'] }] } },
  requests: async ({ go, all, shop, other, twin }) => {
    const at = '/v1/microfrontends';
    const apps = { defaultApp: { projectId: shop.id }, otherApplications: [{ projectId: other.id }] };
    const { newMicrofrontendsGroup: group } = await go('POST', `${at}/group`, { groupName: 'one', ...apps });
    const inTeam = `/v1/teams/${twin.account.teams[0]!.id}/microfrontends/${group.id}`;
    const leave = { enabled: false };
    await all(
      ['PATCH', inTeam, { name: 'two' }],
      ['PATCH', `/v1/projects/${other.id}/microfrontends`, leave],
      ['PATCH', `/v1/projects/${shop.id}/microfrontends`, leave],
      ['DELETE', inTeam],
    );
  },
};
