import type { Resource } from '../resource.ts';
import { seeded, toggled } from './insights.ts';

/** Web analytics of a project: switched here, read only in the project. */
export const webAnalytics: Resource = {
  keeps: { project: { webAnalytics: null } },
  operations: { createWebInsightsToggle: toggled('webAnalytics') },
  seed: { project: { webAnalytics: seeded('webAnalytics') } },
};
