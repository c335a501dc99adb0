import type { Resource } from '../resource.ts';
import { seeded, toggled } from './insights.ts';

/** Speed insights of a project: switched here, read only in the project. */
export const speedInsights: Resource = {
  keeps: { project: { speedInsights: null } },
  operations: { createSpeedInsightsToggle: toggled('speedInsights') },
  seed: { project: { speedInsights: seeded('speedInsights') } },
};
