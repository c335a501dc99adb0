import * as z from 'zod';
import { isIpBlock, strings } from '../validate.ts';
import { crsCodes, managedRulesets } from './firewall-config.ts';

const conditionTypes =
  'host path method header query cookie target_path route raw_path ip_address region protocol scheme environment domain_environment user_agent geo_continent geo_country geo_country_region geo_city geo_as_number ja4_digest ja3_digest rate_limit_api_id server_action bot_name bot_category bot_status bot_protection shared_condition traffic_source ruleset'.split(
    ' ',
  );
const operators = 're eq neq ex nex inc ninc pre suf sub gt gte lt lte list'.split(' ');

// The rules about values come from the Terraform provider: the API wants an empty string with ex and nex.
const condition = z
  .strictObject({
    type: z.enum(conditionTypes),
    op: z.enum(operators),
    neg: z.boolean().optional(),
    key: z.string().optional(),
    value: z.union([z.string(), z.number(), strings]).optional(),
  })
  .superRefine(({ type, op, key, value }, context) => {
    const problem = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (['header', 'query', 'cookie'].includes(type) && !key) problem('key', `is needed by ${type}`);
    if (op === 'ex' || op === 'nex') {
      if (value !== '') problem('value', `should be an empty string with ${op}`);
    } else if (op === 'inc' || op === 'ninc') {
      if (!Array.isArray(value)) problem('value', `should be array with ${op}`);
    } else if (op !== 'list' && (value === undefined || Array.isArray(value))) {
      problem('value', `should be string with ${op}`);
    }
  });

const logHeaders = z.union([z.literal('*'), strings]);

const mitigate = z
  .strictObject({
    action: z.enum(['log', 'challenge', 'deny', 'bypass', 'rate_limit', 'redirect']),
    rateLimit: z
      .strictObject({
        algo: z.enum(['fixed_window', 'token_bucket']),
        window: z.number().min(10).max(3600),
        limit: z.number().min(1).max(10_000_000),
        keys: strings,
        action: z.enum(['log', 'challenge', 'deny', 'rate_limit']).nullable().optional(),
      })
      .nullable()
      .optional(),
    redirect: z.strictObject({ location: z.string(), permanent: z.boolean() }).nullable().optional(),
    actionDuration: z.string().nullable().optional(),
    bypassSystem: z.boolean().nullable().optional(),
    logHeaders: logHeaders.optional(),
  })
  .superRefine(({ action, rateLimit, redirect }, context) => {
    const needed = (path: string) =>
      context.addIssue({ code: 'custom', path: [path], message: `is needed by the action ${action}` });
    if (action === 'rate_limit' && !rateLimit) needed('rateLimit');
    if (action === 'redirect' && !redirect) needed('redirect');
  });

const rule = {
  name: z.string().min(1).max(160),
  description: z.string().max(256).optional(),
  active: z.boolean(),
  conditionGroup: z.array(z.strictObject({ conditions: z.array(condition).min(1) })).min(1),
  action: z.strictObject({ mitigate: mitigate.optional() }),
  valid: z.boolean().optional(),
  validationErrors: strings.nullable().optional(),
};
const ip = {
  hostname: z.string().min(1),
  ip: z
    .string()
    .refine(isIpBlock, 'should be an IP address or a block not wider than /16 (IPv4) or /48 (IPv6)'),
  action: z.enum(['deny', 'challenge', 'log', 'bypass']),
  notes: z.string().optional(),
};
const id = z.string().optional();
const crs = z.strictObject({ active: z.boolean(), action: z.enum(['deny', 'log']) });
const managed = z.strictObject({
  active: z.boolean(),
  action: z.enum(['log', 'challenge', 'deny']).optional(),
});
// The rulesets of a team are stored unchecked. The names of the nine actions of PATCH that change them are not known.
const rulesets = z.union([z.array(z.looseObject({})), z.record(z.string(), z.looseObject({}))]);

/** The body of PUT: the whole configuration. Members of `managedRules` that only reads have are accepted. */
export const putFirewallBody = z.strictObject({
  firewallEnabled: z.boolean(),
  rules: z.array(z.strictObject({ id, ...rule })).optional(),
  ips: z.array(z.strictObject({ id, ...ip })).optional(),
  managedRules: z
    .partialRecord(
      z.enum(managedRulesets),
      managed.extend({
        updatedAt: z.string().optional(),
        userId: z.string().optional(),
        username: z.string().optional(),
        rules: z.record(z.string(), managed).optional(),
      }),
    )
    .optional(),
  crs: z.partialRecord(z.enum(crsCodes), crs).optional(),
  rulesets: rulesets.optional(),
  botIdEnabled: z.boolean().optional(),
  logHeaders: logHeaders.optional(),
});
export type PutFirewall = z.infer<typeof putFirewallBody>;

const noValue = z.null().optional();
const named = z.string();

/** The body of PATCH: one change. Has the 14 actions whose names and values are known; nine newer ones are not known. */
export const firewallEnvelope = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('firewallEnabled'), id: noValue, value: z.boolean() }),
  z.strictObject({ action: z.literal('rules.insert'), id: noValue, value: z.strictObject(rule) }),
  z.strictObject({ action: z.literal('rules.update'), id: named, value: z.strictObject(rule) }),
  z.strictObject({ action: z.literal('rules.remove'), id: named, value: noValue }),
  z.strictObject({ action: z.literal('rules.priority'), id: named, value: z.int().min(0) }),
  z.strictObject({ action: z.literal('crs.update'), id: z.enum(crsCodes), value: crs }),
  z.strictObject({ action: z.literal('crs.disable'), id: noValue, value: noValue }),
  z.strictObject({ action: z.literal('ip.insert'), id: noValue, value: z.strictObject(ip) }),
  z.strictObject({ action: z.literal('ip.update'), id: named, value: z.strictObject(ip) }),
  z.strictObject({ action: z.literal('ip.remove'), id: named, value: noValue }),
  z.strictObject({ action: z.literal('managedRules.update'), id: z.enum(managedRulesets), value: managed }),
  z.strictObject({
    action: z.literal('managedRuleGroup.update'),
    id: z.enum(managedRulesets),
    value: z.record(z.string(), managed),
  }),
  z.strictObject({ action: z.literal('botId.toggle'), id: noValue, value: z.boolean() }),
  z.strictObject({
    action: z.literal('logHeaders.update'),
    id: noValue,
    value: logHeaders.nullable().optional(),
  }),
]);
export type FirewallEnvelope = z.infer<typeof firewallEnvelope>;
