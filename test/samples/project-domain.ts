import { type Sample, text } from '../support/sample.ts';

export const projectDomain: Sample = {
  place: (block) => ({
    projects: {
      LABEL: {
        customEnvironments: { qa: {}, staging: {} },
        domains: {
          'LABEL.example.org': block,
          'one.LABEL.example.org': {},
          'two.LABEL.example.org': {},
        },
      },
    },
  }),
  base: {},
  leaves: {
    gitBranch: text,
    customEnvironmentId: ['staging', 'qa'],
    redirect: ['one.LABEL.example.org', 'two.LABEL.example.org'],
    redirectStatusCode: [301, 308, { redirect: 'one.LABEL.example.org' }],
  },
};
