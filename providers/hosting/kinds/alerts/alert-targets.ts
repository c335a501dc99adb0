import { type ApiObject, dropUndefined, type Fields, type Value } from '#kind';

/* What names a target of alerts, a webhook or a channel of Slack: its requests have these members in the body instead of an id in the path. */

/** Returns the members that name a target, for the requests that change it: they have them in the body instead of an id in the path. */
export const targetOf = ({ type, webhookId, configId, channelId }: Fields): ApiObject =>
  dropUndefined({ type, webhookId, configId, channelId });

/** Returns a target with the id of its webhook in the member that requests have. */
export const withWebhookId = ({ webhook, ...target }: Fields): ApiObject =>
  webhook ? { ...target, webhookId: (webhook as Fields).id } : target;

/** Returns the id of a target in an answer: the members that name it. Undefined without them, so that no two targets seem to be one. */
export const idOfTarget = ({ webhookId, configId, channelId }: ApiObject): unknown =>
  webhookId ??
  (typeof configId === 'string' && typeof channelId === 'string' ? `${configId}/${channelId}` : undefined);

/** Returns the id that a new target has here, made of the members that name it. */
export const idAfter = ({ webhookId, configId = '', channelId = '' }: Fields): Value =>
  webhookId ?? { $join: [configId, '/', channelId] };
