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
};
