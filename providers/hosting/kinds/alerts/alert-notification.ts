import * as z from 'zod';
import {
  type ApiObject,
  defineKind,
  dropUndefined,
  type Fields,
  immutable,
  label,
  mayIdentify,
  openEnum,
  type Step,
} from '#kind';
import { labelled } from '#shapes';

const links = '/alerts/v3/alert-rules/{alertRule}/notifications/links' as const;

/** The members by which requests name a target, by its type. */
const membersByType: Record<string, string[]> = { webhook: ['webhookId'], slack: ['configId', 'channelId'] };

/** Returns the members that name a target, for the requests that change it: they have them in the body instead of an id in the path. */
const targetOf = (fields: Fields): ApiObject => {
  const { type, webhookId, configId, channelId } = fields;
  return dropUndefined({ type, webhookId, configId, channelId });
};

/** A target that gets the alerts of a rule: a webhook, or a channel of Slack. Its id here consists of the members that name it. */
export const alertNotification = defineKind({
  name: 'alertNotification',
  doc: 'A webhook or a channel of Slack that gets the alerts of a rule.',
  section: 'notifications',
  parent: 'alertRule',
  key: ['label'],
  id: ({ type, webhook, configId, channelId }) =>
    type === 'webhook' ? (webhook as ApiObject).id : `${configId}/${channelId}`,
  shape: labelled([['webhookId'], ['configId', 'channelId']]),
  lifecycle: { replace: 'free' },
  fields: () => ({
    label: label().describe('Its name here; the platform has none.'),
    type: immutable(openEnum(Object.keys(membersByType))).describe('What gets the alerts.'),
    webhookId: immutable(mayIdentify('webhook', z.string().min(1)))
      .optional()
      .describe('The id of the webhook, `${webhooks.NAME.id}`; it needs the event `alerts.triggered`.'),
    configId: immutable(z.string().min(1))
      .optional()
      .describe('The id of the installed Slack integration (`icfg_...`).'),
    channelId: immutable(z.string().min(1)).optional().describe('The id of the channel of Slack.'),
    minimumSeverityLevel: openEnum(['critical'])
      .nullable()
      .optional()
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
  rules: {
    check: (fields) =>
      (membersByType[fields.type as string] ?? [])
        .filter((name) => fields[name] === undefined)
        .map((name) => ({
          path: [],
          severity: 'warning' as const,
          message: `\`${name}\` is missing, without which it is unclear what gets the alerts`,
        })),
  },
  read: {
    endpoint: 'GET /alerts/v3/alert-rules/{alertRule}/notifications',
    items: ({ notifications }) => notifications as ApiObject[],
  },
  decode: ({ webhook, ...notification }) =>
    ({ ...notification, ...(webhook ? { webhookId: (webhook as ApiObject).id } : {}) }) as Fields,
  create: {
    endpoint: `POST ${links}`,
    returns: ({ address, after }) => {
      const { webhookId, configId, channelId } = after!.fields;
      return [{ address, id: webhookId ?? { $join: [configId ?? '', '/', channelId ?? ''] } }];
    },
  },
  update: {
    endpoint: `PATCH ${links}`,
    body: ({ body, after }: Step) => ({ ...targetOf(after!.fields), ...body }),
  },
  delete: { endpoint: `DELETE ${links}`, body: ({ fullBody }: Step) => targetOf(fullBody as Fields) },
});
