import type { Sample } from '../support/sample.ts';

export const webhook: Sample = {
  place: (block) => ({ projects: { LABEL: {}, 'LABEL-2': {} }, webhooks: { LABEL: block } }),
  base: {
    url: 'https://LABEL.example.com',
    events: ['domain.created'],
    $secretTo: 'discard',
    $replace: 'allow',
  },
  leaves: {
    url: ['https://LABEL-1.example.com', 'https://LABEL-2.example.com'],
    events: [['domain.created', 'project.created'], ['project.created']],
    projectIds: [['LABEL'], ['LABEL-2', 'LABEL']],
  },
  identity: ['projectIds'],
  seed: {
    account: {
      webhooks: [{ url: 'https://example.com', events: ['deployment.created'], projects: ['web'] }],
    },
  },
  requests: async ({ go }) => {
    const { id } = await go('POST', '/v1/webhooks', {
      url: 'https://example.com',
      events: ['deployment.created'],
    });
    await go('DELETE', `/v1/webhooks/${id}`);
  },
};
