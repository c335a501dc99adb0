import type { Sample } from '../support/sample.ts';

export const accessGroup: Sample = {
  place: (block) => ({ accessGroups: { LABEL: block } }),
  leaves: {},
  // Named like the project, because the paths of both call it idOrName.
  seed: {
    account: { accessGroups: [{ name: 'web', projects: [{ project: 'web', role: 'ADMIN' }] }] },
    team: { members: [{ email: 'eve@example.com', uid: 'user_1' }] },
  },
  requests: ({ all }) =>
    all(
      ['POST', '/v1/access-groups', { name: 'Guests' }],
      ['POST', '/v1/access-groups/Guests', { membersToAdd: ['user_1'] }],
      ['GET', '/v1/access-groups/Guests/members'],
      ['DELETE', '/v1/access-groups/Guests'],
    ),
};
