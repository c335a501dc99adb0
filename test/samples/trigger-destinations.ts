import type { Sample } from '../support/sample.ts';

const projectId = '$' + '{projects.LABEL.id}';

export const triggerDestinations: Sample = {
  place: (block) => ({
    projects: { LABEL: {} },
    connectors: {
      LABEL: {
        ...{ name: 'One', type: 'snowflake-wif', triggers: true },
        triggerDestinations: block,
      },
    },
  }),
  base: { destinations: [] },
  leaves: {
    destinations: [
      [{ projectId }],
      [
        { projectId, path: '/api/events' },
        { projectId, branch: 'main' },
      ],
    ],
  },
};
