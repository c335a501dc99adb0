import * as z from 'zod';
import type { Call } from '../call.ts';
import { notFound } from '../errors.ts';
import { type Operation, operation } from '../resource.ts';

const level = z.literal('critical');
const target = z.union([
  z.strictObject({ type: z.literal('webhook'), webhookId: z.string() }),
  z.strictObject({ type: z.literal('slack'), configId: z.string(), channelId: z.string() }),
]);
type Target = z.infer<typeof target>;

/** A webhook or channel that gets the alerts of a rule. `minimumSeverityLevel`: it gets only alerts of this severity. */
export type Notification = Target & { minimumSeverityLevel?: 'critical' };

/** Returns the schema of a body that names a target and its minimum severity. `levels`: the schema of the severity. */
const withLevel = <Level extends z.ZodType>(levels: Level) =>
  z.union(
    target.options.map((option) => option.extend({ minimumSeverityLevel: levels })) as never,
  ) as z.ZodType<Target & { minimumSeverityLevel?: z.output<Level> }>;

/** Returns the text that identifies a target among those of a rule. */
const keyOf = (link: Target) =>
  link.type === 'webhook' ? link.webhookId : `${link.configId}/${link.channelId}`;

/** Returns the target of a rule that a request names. Throws 404 if the rule has no such target. */
function linkOf(rule: { notifications: Notification[] }, named: Target): Notification {
  const link = rule.notifications.find((link) => link.type === named.type && keyOf(link) === keyOf(named));
  if (!link) throw notFound('Notification');
  return link;
}

/** Returns a target as the list shows it: a webhook as an object. */
const shown = (link: Notification) => {
  if (link.type === 'slack') return link;
  const { webhookId: id, ...rest } = link;
  return { ...rest, webhook: { id } };
};

/** Returns the operations on the targets of rules, below `path`. `named`: finds the rule that the path names. */
export function notificationOperations(
  path: string,
  named: (call: Call) => { object: { notifications: Notification[] } },
): Record<string, Operation> {
  const on = (call: Call) => named(call).object;
  const answer = (notification: Target) => ({ success: true, notification });
  return {
    [`GET ${path}`]: operation({ on, list: 'notifications' }, (_, rule) => ({
      notifications: rule.notifications.map(shown),
    })),
    // A target that the rule has already is answered as it is.
    [`POST ${path}/links`]: operation({ on, body: withLevel(level.optional()) }, (call, rule, body) => {
      if (body.type === 'webhook' && !call.account.webhooks.some(({ id }) => id === body.webhookId))
        throw notFound('Webhook');
      const present = rule.notifications.find((link) => keyOf(link) === keyOf(body));
      if (!present) rule.notifications.push(body as Notification);
      return answer(present ?? body);
    }),
    [`PATCH ${path}/links`]: operation({ on, body: withLevel(level.nullish()) }, (_, rule, body) => {
      const link = linkOf(rule, body);
      if (body.minimumSeverityLevel === null) delete link.minimumSeverityLevel;
      else if (body.minimumSeverityLevel) link.minimumSeverityLevel = body.minimumSeverityLevel;
      return answer(link);
    }),
    [`DELETE ${path}/links`]: operation({ on, body: target }, (_, rule, body) => {
      const link = linkOf(rule, body);
      rule.notifications.splice(rule.notifications.indexOf(link), 1);
      return answer(body);
    }),
  };
}
