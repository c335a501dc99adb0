import type { Sample } from '../support/sample.ts';

export const accessGroupProject: Sample = {
  place: (block) => ({ projects: { LABEL: {} }, accessGroups: { LABEL: { projects: { LABEL: block } } } }),
  base: { role: 'ADMIN' },
  leaves: { role: ['PROJECT_VIEWER', 'PROJECT_DEVELOPER'] },
  requests: async ({ all, shop: { id } }) => {
    const group = '/v1/access-groups/Partners';
    await all(
      ['POST', '/v1/access-groups', { name: 'Partners' }],
      ['POST', `${group}/projects`, { projectId: id, role: 'ADMIN' }],
      ['PATCH', `${group}/projects/${id}`, { role: 'PROJECT_VIEWER' }],
      ['DELETE', `${group}/projects/${id}`],
      ['DELETE', group],
    );
  },
};
