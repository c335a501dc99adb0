import * as z from 'zod';
import { Answer, type Bodies, type Call, type Handlers, type Queries } from '../call.ts';
import { ApiError, notFound } from '../errors.ts';
import { text } from '../http/query.ts';
import { checkProjectIds } from '../projects/project-references.ts';
import { isHttpUrl, parseBody } from '../validate.ts';
import { webhookEvents } from './webhook-events.ts';

/** One webhook; without projectIds it is for all projects of its owner. */
export interface Webhook {
  id: string;
  ownerId: string;
  url: string;
  events: string[];
  projectIds?: string[];
  secret: string;
  createdAt: number;
  updatedAt: number;
}

/** The body of POST /v1/webhooks. */
export const createWebhookBody = z.strictObject({
  url: z.string(),
  events: z.array(z.enum(webhookEvents)).min(1),
  projectIds: z.array(z.string()).optional(),
});

// The platform's CLI tells these two mistakes from others by their codes.
function checkTarget(body: unknown): void {
  const { url, events } = (body ?? {}) as Record<string, unknown>;
  if (typeof url === 'string' && !isHttpUrl(url)) {
    throw new ApiError(400, 'invalid_url', 'The webhook URL should be an http or https URL.');
  }
  for (const event of Array.isArray(events) ? events : []) {
    if (typeof event !== 'string' || webhookEvents.includes(event)) continue;
    throw new ApiError(400, 'invalid_event', `The event "${event}" does not exist.`);
  }
}

function findWebhook(call: Call): Webhook {
  const { id } = call.params;
  const found = call.account.webhooks.find((one) => one.id === id && one.ownerId === call.owner.id);
  if (found === undefined) throw notFound('Webhook');
  return found;
}

// The secret is in no read.
function readWebhook(call: Call, { secret: _secret, ...webhook }: Webhook): Record<string, unknown> {
  const projects = call.account.projects.filter(({ id }) => webhook.projectIds?.includes(id));
  const metadata = projects.map(({ id, name, framework }) => ({ id, name, framework }));
  return { ...webhook, projectsMetadata: webhook.projectIds === undefined ? null : metadata };
}

/** A new webhook with a secret of its own, added to the account. */
export function addWebhook(
  call: Pick<Call, 'account' | 'owner' | 'id' | 'time'>,
  body: z.infer<typeof createWebhookBody>,
): Webhook {
  checkTarget(body);
  checkProjectIds(call, body.projectIds ?? []);
  const at = call.time();
  const webhook: Webhook = {
    id: call.id('hook_'),
    ownerId: call.owner.id,
    ...body,
    secret: call.id('', 32),
    createdAt: at,
    updatedAt: at,
  };
  call.account.webhooks.push(webhook);
  return webhook;
}

// The filter finds what was made for the project; whether it also finds what is for all projects is in no source.
function list(call: Call): unknown {
  const projectId = call.query.get('projectId');
  return call.account.webhooks
    .filter((one) => one.ownerId === call.owner.id)
    .filter((one) => projectId === null || one.projectIds?.includes(projectId))
    .map((one) => readWebhook(call, one));
}

/** Webhooks: made and deleted, never changed. */
export const webhookHandlers: Handlers = {
  getWebhooks: list,
  createWebhook(call) {
    checkTarget(call.body);
    return addWebhook(call, parseBody(createWebhookBody, call.body, call.outside));
  },
  getWebhook: (call) => readWebhook(call, findWebhook(call)),
  deleteWebhook(call) {
    const { webhooks } = call.account;
    webhooks.splice(webhooks.indexOf(findWebhook(call)), 1);
    return new Answer(204);
  },
};

/** The schemas of their request bodies. */
export const webhookBodies: Bodies = { createWebhook: createWebhookBody };

/** The query parameters that they read. */
export const webhookQueries: Queries = { getWebhooks: { projectId: text } };
