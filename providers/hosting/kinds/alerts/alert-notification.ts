import * as z from 'zod';
import { defineKind, type Fields, immutable, label, mayIdentify, openEnum } from '#kind';
import { labelled } from '#shapes';
import { idAfter, idOfTarget, targetOf, withWebhookId } from './alert-targets.ts';
import { warnOfOtherTypes } from './fields-by-type.ts';

/** The members that name a target of each type, and no other has. */
const fieldsByType = { webhook: ['webhookId'], slack: ['configId', 'channelId'] };

/** A target that gets the alerts of a rule: a webhook, or a channel of Slack. Its id here consists of the members that name it. */
export const alertNotification = defineKind({
  name: 'alertNotification',
  doc: 'A webhook or a channel of Slack that gets the alerts of a rule.',
  section: 'notifications',
  parent: 'alertRule',
  key: ['label'],
  id: idOfTarget,
  shape: labelled(Object.values(fieldsByType)),
  lifecycle: { replace: 'free' },
  fields: () => ({
    label: label().describe('Its name here; the platform has none.'),
    type: immutable(openEnum(['webhook', 'slack'])).describe('What gets the alerts.'),
    webhookId: immutable(mayIdentify('webhook', z.string().min(1)))
      .optional()
      .describe('The id of the webhook, `${webhooks.NAME.id}`; it needs the event `alerts.triggered`.'),
    configId: immutable(z.string().min(1))
      .optional()
      .describe('The id of the installed Slack integration (`icfg_...`).'),
    channelId: immutable(z.string().min(1)).optional().describe('The id of the channel of Slack.'),
    minimumSeverityLevel: openEnum(['critical'])
      .nullish()
      .describe('The least severity that is sent there; null for all.'),
  }),
  example: `webhooks: { pager: { url: https://hooks.example.com/alerts, events: [alerts.triggered], $secretTo: discard } }
alertRules:
  anomalies:
    type: built-in
    ruleScope: { type: all }
    triggers: { mode: all }
    matchMinimumSeverityLevel: low
    notifications:
      on-call: { type: webhook, webhookId: "\${webhooks.pager.id}", minimumSeverityLevel: critical }
      everybody: { type: slack, configId: icfg_cuwj0AdCdH3BwWT4LPijCC7t, channelId: C0123456789 }`,
  rules: { check: (fields) => warnOfOtherTypes(fields, fieldsByType, 'target') },
  read: {
    endpoint: 'GET /alerts/v3/alert-rules/{alertRule}/notifications',
    items: ({ notifications }) => (notifications as Fields[]).map(withWebhookId),
  },
  create: {
    endpoint: 'POST /alerts/v3/alert-rules/{alertRule}/notifications/links',
    returns: ({ address, after }) => [{ address, id: idAfter(after!.fields) }],
  },
  update: {
    endpoint: 'PATCH /alerts/v3/alert-rules/{alertRule}/notifications/links',
    body: ({ body, after }) => ({ ...targetOf(after!.fields), ...body }),
  },
  delete: {
    endpoint: 'DELETE /alerts/v3/alert-rules/{alertRule}/notifications/links',
    body: ({ before }) => targetOf(before!.fields),
  },
});
