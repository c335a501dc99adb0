import * as z from 'zod';
import { defineKind, label, openEnum, refTo, setOf } from '#kind';
import { labelled } from '#shapes';
import { namedProjects } from './named-projects.ts';
import { webhookEvents } from './webhook-events.ts';

/** A webhook. The platform has no name for it and no way to change it; its secret is shown once. */
export const webhook = defineKind({
  name: 'webhook',
  doc: 'A URL that is called when something happens, for all projects or some.',
  section: 'webhooks',
  key: ['label'],
  shape: labelled([['url', 'events', 'projectIds']]),
  fields: () => ({
    label: label().describe('Its name here; the platform has none.'),
    url: z.url({ protocol: /^https?$/ }).describe('The URL to call.'),
    events: setOf(openEnum(webhookEvents)).min(1).describe('The events it is called for.'),
    projectIds: setOf(refTo('project')).default([]).describe('Only these projects; all if omitted.'),
  }),
  example: `webhooks:
  deploys:
    url: https://hooks.example.com/deploys
    events: [deployment.succeeded, deployment.error]
    $secretTo: { file: .secrets/deploys-webhook }`,
  read: {
    endpoint: 'GET /v1/webhooks',
    items: '',
    byId: { endpoint: 'GET /v1/webhooks/{id}', within: 'ownerId' },
  },
  create: 'POST /v1/webhooks',
  delete: 'DELETE /v1/webhooks/{id}',
  shows: 'secret',
  decode: ({ url, events, projectIds }) => ({ url, events, projectIds: projectIds ?? [] }) as never,
  encode: ({ projectIds, ...fields }) => ({ ...fields, ...namedProjects(projectIds) }),
});
