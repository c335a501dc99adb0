import { flag, type Sample, text } from '../support/sample.ts';

export const sharedEnvVar: Sample = {
  place: (block) => ({ projects: { LABEL: {}, 'LABEL-2': {} }, sharedEnv: { LABEL: block } }),
  base: { value: 'text' },
  leaves: {
    value: ['one', 'two'],
    type: ['encrypted', 'sensitive', { target: ['production', 'preview'] }],
    target: [['production', 'preview'], ['development']],
    projectId: [['LABEL'], ['LABEL-2', 'LABEL']],
    comment: text,
    applyToAllCustomEnvironments: flag,
  },
  // A type has one other value only, and that one is the default.
  identity: ['target', 'type'],
  seed: { account: { sharedEnv: [{ key: 'SHARED', value: '1', projects: ['web'] }] } },
  requests: async ({ go, all, shop }) => {
    const { created } = await go('POST', '/v1/env', {
      evs: [{ key: 'REST', value: 'v' }],
      target: ['production'],
      projectId: [shop.id],
    });
    const [{ id }] = created;
    await all(
      ['GET', '/v1/env?limit=20'],
      ['PATCH', '/v1/env', { updates: { [id]: { comment: 'c' } } }],
      ['PATCH', `/v1/env/${id}/unlink/${shop.id}`],
      ['DELETE', '/v1/env', { ids: [id] }],
    );
  },
};
