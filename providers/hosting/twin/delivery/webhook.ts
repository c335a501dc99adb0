import * as z from 'zod';
import { type Making, type Stamped, stamped } from '../call.ts';
import { ApiError } from '../errors.ts';
import { checkProjectIds, projectIdsOf } from '../find-project.ts';
import { forgetting } from '../forget.ts';
import { text } from '../http/query.ts';
import { ofOwner } from '../kept.ts';
import { operation, type Resource, seedOwned } from '../resource.ts';
import { isHttpUrl, strings } from '../validate.ts';

/** The events that a webhook can be created for (the public SDK's createWebhook; reads know some more). */
export const webhookEvents =
  'budget.reached domain.created domain.dns.records.changed domain.transfer-in.started domain.transfer-in.completed domain.transfer-in.failed domain.certificate.add domain.certificate.add.failed domain.certificate.renew domain.certificate.renew.failed domain.certificate.deleted domain.renewal domain.renewal.failed domain.auto-renew.changed deployment.created deployment.build-requested deployment.cleanup deployment.error deployment.blocked deployment.canceled deployment.succeeded deployment.ready deployment.check-rerequested deployment.promoted deployment.rollback deployment.integration.action.start deployment.integration.action.cancel deployment.integration.action.cleanup deployment.checkrun.start deployment.checkrun.cancel edge-config.created edge-config.deleted edge-config.items.updated firewall.attack firewall.system-rule-anomaly firewall.custom-rule-anomaly function.archival-required function.removal-required alerts.triggered integration-configuration.permission-upgraded integration-configuration.removed integration-configuration.scope-change-confirmed integration-configuration.transferred integration-resource.project-connected integration-resource.project-disconnected project.created project.removed project.renamed project.env-variable.created project.env-variable.updated project.env-variable.deleted project.domain.created project.domain.updated project.domain.deleted project.domain.verified project.domain.unverified project.domain.moved project.rolling-release.started project.rolling-release.aborted project.rolling-release.completed project.rolling-release.approved deployment.checks.failed deployment.checks.succeeded deployment-checks-completed deployment-ready deployment-prepared deployment-error deployment-check-rerequested deployment-canceled project-created project-removed domain-created deployment integration-configuration-permission-updated integration-configuration-removed integration-configuration-scope-change-confirmed marketplace.member.changed marketplace.invoice.created marketplace.invoice.paid marketplace.invoice.notpaid marketplace.invoice.overdue marketplace.invoice.refunded ai-gateway.balance-depleted ai-gateway.auto-reload.limit-reached observability.anomaly observability.anomaly-error observability.usage-anomaly observability.error-anomaly botid.anomaly flag.created flag.updated flag.deleted flag.segment.created flag.segment.updated flag.segment.deleted test-webhook message.created message.updated message.deleted thread.resolved thread.unresolved message.reaction-added message.reaction-removed message.mentioned comment.created comment.updated comment.deleted comment.resolved comment.unresolved comment.reaction-added comment.reaction-removed comment.mentioned'.split(
    ' ',
  );

declare module '../account.ts' {
  interface AccountParts extends Keeps<'webhooks', Webhook> {}
  interface AccountSeed extends Seeds<'webhooks', typeof seed> {}
}

const createBody = z.strictObject({
  url: z.string(),
  events: z.array(z.enum(webhookEvents)).min(1),
  projectIds: strings.optional(),
});
/** One webhook; without projectIds it is for all projects of its owner. */
export interface Webhook extends z.infer<typeof createBody>, Stamped {
  ownerId: string;
  secret: string;
}

// Projects by their names, none for all.
const seed = createBody.omit({ projectIds: true }).extend({ ...seedOwned, projects: strings.optional() });

// The platform's CLI tells these two mistakes from others by their codes.
function checkTarget(body: unknown): void {
  const { url, events } = (body ?? {}) as Record<string, unknown>;
  if (typeof url === 'string' && !isHttpUrl(url))
    throw new ApiError(400, 'invalid_url', 'The webhook URL should be an http or https URL.');
  for (const event of Array.isArray(events) ? events : [])
    if (typeof event === 'string' && !webhookEvents.includes(event))
      throw new ApiError(400, 'invalid_event', `The event "${event}" does not exist.`);
}

const webhooks = ofOwner('webhooks', {
  what: 'Webhook',
  shows(call, { secret: _secret, ...webhook }) {
    const projects = call.account.projects.filter(({ id }) => webhook.projectIds?.includes(id));
    const metadata = projects.map(({ id, name, framework }) => ({ id, name, framework }));
    return { ...webhook, projectsMetadata: webhook.projectIds === undefined ? null : metadata };
  },
});

/** Returns a new webhook, or throws 400 if one of its projects does not exist. */
function make(making: Making, body: z.infer<typeof createBody>): Webhook {
  checkProjectIds(making, body.projectIds ?? []);
  const stamps = stamped(making, 'hook_');
  return { ownerId: making.owner.id, ...body, ...stamps, secret: making.id('', 32) };
}

/** Webhooks: made and deleted, never changed. */
export const webhook: Resource = {
  ...webhooks.kept(seed, (making, { projects, ...body }) => {
    checkTarget(body);
    const projectIds = projects && projectIdsOf(making, projects);
    return make(making, { ...body, ...(projectIds && { projectIds }) });
  }),
  operations: {
    // It finds the webhooks for the project. No source says if it also finds those for all projects.
    getWebhooks: webhooks.list('', {
      where: { projectId: [text, ({ projectIds }, asked) => projectIds?.includes(asked) === true] },
    }),
    // The only answer that has the secret.
    createWebhook: operation({ on: ({ body }) => checkTarget(body), body: createBody }, (call, _, body) =>
      webhooks.add(call, make(call, body), call.owner),
    ),
    getWebhook: webhooks.read(),
    deleteWebhook: webhooks.remove(),
  },
  after: ['projects'],
  forget: forgetting('webhooks', 'projectIds'),
};
