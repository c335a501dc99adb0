import * as z from 'zod';
import { defineKind } from '#kind';
import { isSwitchedOn } from '../switched-on.ts';
import { insightsGrade, insightsIn } from './insights.ts';

/** Speed insights of a project: written by an endpoint of their own, read in the project. */
export const speedInsights = defineKind({
  name: 'speedInsights',
  doc: 'Speed insights of a project: how fast its pages are for those who visit them.',
  section: 'speedInsights',
  parent: 'project',
  key: [],
  // The endpoint may ask for a payment (402), and nothing tells on which plans it does not.
  lifecycle: { asks: { cost: isSwitchedOn('enabled') } },
  usual: { enabled: false },
  fields: () => ({
    enabled: z.boolean().describe('Whether the speed of pages is measured. Some plans charge for it.'),
  }),
  example: `$allow: [cost]
projects:
  web:
    speedInsights: { enabled: true }`,
  rules: { grade: insightsGrade },
  read: { endpoint: 'GET /v9/projects/{project}', item: (answer) => insightsIn(answer, 'speedInsights') },
  encode: ({ enabled }) => ({ value: enabled }),
  update: 'POST /speed-insights/toggle?projectId={project}',
});
