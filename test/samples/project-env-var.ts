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
};
