import { inProject, type Sample, text } from '../support/sample.ts';

export const projectEnvVar: Sample = {
  place: (block) => inProject({ customEnvironments: { qa: {}, staging: {} }, env: { NAME: block } }),
  base: { value: 'text' },
  leaves: {
    value: ['one', 'two'],
    type: ['plain', 'encrypted'],
    target: [['production', 'preview'], ['development']],
    gitBranch: ['one', 'two', { target: ['preview'] }],
    customEnvironmentIds: [['staging'], ['qa']],
    comment: text,
    visibility: ['config', 'secret'],
  },
  identity: ['target', 'gitBranch', 'customEnvironmentIds'],
  seed: {
    project: {
      env: [
        { key: 'A', value: '1' },
        { key: 'S', value: '1', type: 'sensitive' },
      ],
    },
  },
  requests: async ({ go, all }) => {
    const variable = { value: 'v', type: 'plain', target: ['production'] };
    const { created } = await go('POST', '/v10/projects/shop/env', [
      { key: 'A', ...variable },
      { key: 'B', ...variable },
    ]);
    await all(
      ['GET', '/v10/projects/shop/env?limit=20'],
      ['PATCH', `/v9/projects/shop/env/${created[0].id}`, { value: 'w' }],
      ['DELETE', `/v9/projects/shop/env/${created[0].id}`],
      ['DELETE', '/v1/projects/shop/env', { ids: [created[1].id] }],
    );
  },
};
