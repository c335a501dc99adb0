import * as z from 'zod';
import { defineKind } from '#kind';
import { isSwitchedOn } from '../switched-on.ts';
import { insightsGrade, insightsIn } from './insights.ts';

/** Web analytics of a project: written by an endpoint of their own, read in the project. */
export const webAnalytics = defineKind({
  name: 'webAnalytics',
  doc: 'Web analytics of a project: who visits which of its pages.',
  section: 'webAnalytics',
  otherWords: ['analytics'],
  parent: 'project',
  key: [],
  // The endpoint may ask for a payment (402), and nothing tells on which plans it does not.
  lifecycle: { asks: { cost: isSwitchedOn('enabled') } },
  usual: { enabled: false },
  fields: () => ({
    enabled: z.boolean().describe('Whether visits are counted. Some plans charge for it.'),
  }),
  example: `$allow: [cost]
projects:
  web:
    webAnalytics: { enabled: true }`,
  rules: { grade: insightsGrade },
  read: { endpoint: 'GET /v9/projects/{project}', item: (answer) => insightsIn(answer, 'webAnalytics') },
  encode: ({ enabled }) => ({ value: enabled }),
  update: 'POST /web/insights/toggle?projectId={project}',
});
