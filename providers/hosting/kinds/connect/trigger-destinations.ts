import * as z from 'zod';
import { defineKind, type Fields, mayIdentify, setOf } from '#kind';

/** The deployments that get the events of a connector. They are written all at once. */
export const triggerDestinations = defineKind({
  name: 'triggerDestinations',
  doc: 'The deployments that receive the events of a connector.',
  section: 'triggerDestinations',
  parent: 'connector',
  key: [],
  lifecycle: { after: ['connectorProject'] },
  usual: { destinations: [] },
  form: 2,
  fields: () => ({
    destinations: setOf(
      z.strictObject({
        projectId: mayIdentify('project', z.string().min(1)).describe('The id of the project.'),
        branch: z.string().min(1).optional().describe('The branch whose preview deployment receives them.'),
        customEnvironmentId: mayIdentify('customEnvironment', z.string().min(1))
          .optional()
          .describe('The id of the custom environment.'),
        path: z.string().min(1).optional().describe('The route to send them to.'),
      }),
    )
      .max(3)
      .describe(
        'The complete list, at most 3: `projectId` (`${projects.NAME.id}`), with a `branch` or a `customEnvironmentId`; production without either. `[]` for none.',
      ),
  }),
  example: `projects: { web: {} }
connectors:
  auth.example.com/shop:
    name: Shop
    type: oauth
    data: { clientId: shop, serverUrl: "https://auth.example.com" }
    triggerDestinations:
      destinations:
        - { projectId: "\${projects.web.id}", path: /api/events }`,
  rules: {
    check: ({ destinations }) =>
      (destinations as Fields[]).flatMap(({ branch, customEnvironmentId }, index) =>
        branch === undefined || customEnvironmentId === undefined
          ? []
          : [
              {
                path: ['destinations', index, 'branch'],
                message: 'a destination can have a `branch` or a `customEnvironmentId`, not both',
              },
            ],
      ),
  },
  read: {
    endpoint: 'GET /v1/connect/connectors/{connector}',
    item: ({ triggerDestinations }) => ({ destinations: triggerDestinations ?? [] }),
  },
  update: 'PATCH /v1/connect/connectors/{connector}/trigger-destinations',
});
