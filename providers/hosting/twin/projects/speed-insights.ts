import type { Resource } from '../resource.ts';
import { seeded, toggled } from './insights.ts';

/** Speed insights of a project. This operation switches them on or off; only reads of the project show them. */
export const speedInsights: Resource = {
  keeps: { project: { speedInsights: null } },
  operations: { createSpeedInsightsToggle: toggled('speedInsights') },
  seed: { project: { speedInsights: seeded('speedInsights') } },
};
