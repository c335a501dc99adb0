import { z } from 'zod';
import { type ApiObject, atomic, defineKind, type Fields, isHole, openEnum, request, Sealed } from '#kind';
import { active, blocked, config, envelope, lane } from './firewall.ts';

const conditionTypes =
  'host path method header query cookie target_path route raw_path ip_address region protocol scheme environment domain_environment user_agent geo_continent geo_country geo_country_region geo_city geo_as_number ja4_digest ja3_digest rate_limit_api_id server_action bot_name bot_category bot_status bot_protection shared_condition traffic_source ruleset';
const withKey = ['header', 'query', 'cookie'];
const withList = ['inc', 'ninc'];
const withoutValue = ['ex', 'nex'];

const condition = z
  .strictObject({
    type: openEnum(conditionTypes.split(' ')),
    op: openEnum('re eq neq ex nex inc ninc pre suf sub gt gte lt lte list'.split(' ')),
    neg: z.boolean().optional(),
    key: z.string().optional(),
    value: z.union([z.string(), z.number(), z.array(z.string())]).optional(),
  })
  .superRefine(({ type, op, key, value }, { addIssue }) => {
    const say = (member: string, message: string) => addIssue({ code: 'custom', path: [member], message });
    if (withKey.includes(type) && !key)
      say('key', `a condition on ${type} needs a \`key\`: the name of the ${type}`);
    if (withList.includes(op) && !Array.isArray(value)) say('value', `\`${op}\` compares with a list`);
    if (!withoutValue.includes(op) && value === undefined) say('value', `\`${op}\` needs a \`value\``);
    if (withoutValue.includes(op) && value !== undefined) say('value', `\`${op}\` takes no value`);
  });

const mitigate = z
  .strictObject({
    action: openEnum(['log', 'challenge', 'deny', 'bypass', 'rate_limit', 'redirect']),
    rateLimit: z
      .strictObject({
        algo: openEnum(['fixed_window', 'token_bucket']),
        window: z.number().positive(),
        limit: z.number().positive(),
        keys: z.array(z.string()),
        action: openEnum(['log', 'challenge', 'deny', 'rate_limit']).nullable().optional(),
      })
      .nullable()
      .optional(),
    redirect: z.strictObject({ location: z.string(), permanent: z.boolean() }).nullable().optional(),
    actionDuration: z.string().nullable().optional(),
    bypassSystem: z.boolean().nullable().optional(),
    logHeaders: z.union([z.literal('*'), z.array(z.string())]).optional(),
  })
  .superRefine(({ action, rateLimit, redirect }, { addIssue }) => {
    if (action === 'rate_limit' && !rateLimit)
      addIssue({ code: 'custom', path: ['rateLimit'], message: 'the action `rate_limit` needs `rateLimit`' });
    if (action === 'redirect' && !redirect)
      addIssue({ code: 'custom', path: ['redirect'], message: 'the action `redirect` needs `redirect`' });
  });

/** A custom rule. The first active rule that matches a request, and does not only log, decides. */
export const firewallRule = defineKind({
  name: 'firewallRule',
  doc: 'A custom rule of the firewall; the first active one that matches decides, so their order matters.',
  section: 'rules',
  parent: 'firewall',
  key: ['name'],
  ordered: true,
  replace: 'free',
  lane,
  fields: {
    name: z.string().min(1).max(160),
    description: z.string().max(256).optional(),
    active: z.boolean(),
    conditionGroup: atomic(z.array(z.strictObject({ conditions: z.array(condition).min(1) })).min(1)),
    action: atomic(z.strictObject({ mitigate })),
  },
  blocked,
  align: ({ desired }) => ({ desired: normalized(desired.fields) }),
  decides: ({ active, conditionGroup, action }) =>
    active && (action as { mitigate?: Fields }).mitigate?.action !== 'log'
      ? JSON.stringify({ conditionGroup, action })
      : null,
  api: {
    list: { endpoint: config, items: (answer) => (active(answer).rules ?? []) as ApiObject[] },
    decode: normalized,
    create: ({ address, after }) => [
      envelope('rules.insert', null, written(after?.fields)),
      // The envelope answers nothing useful; the id is known only after another look. Rules are appended.
      {
        ...request(config),
        returns: [{ address, path: ['active', 'rules', { name: after?.fields.name }, 'id'] }],
      },
    ],
    // Replaces the rule, so what is not declared goes back as it was found.
    update: ({ id, before, after }) =>
      envelope('rules.update', id, written({ ...before?.fields, ...after?.fields })),
    delete: ({ id }) => envelope('rules.remove', id, null),
    move: ({ id, to }) => envelope('rules.priority', id, to),
  },
});

/** Members that say nothing (null, `neg: false`, the empty value of `ex`) are left out, at any depth. */
function normalized(rule: ApiObject): Fields {
  const clean = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== 'object' || value === null || isHole(value) || value instanceof Sealed) return value;
    const { op, ...rest } = value as ApiObject;
    const members = Object.entries(op === undefined ? rest : { op, ...rest }).filter(
      ([name, item]) =>
        item !== null &&
        !(name === 'neg' && item === false) &&
        !(name === 'value' && withoutValue.includes(String(op))),
    );
    return Object.fromEntries(members.map(([name, item]) => [name, clean(item)]));
  };
  const { name, description, active, conditionGroup, action } = rule;
  return clean({ name, description, active, conditionGroup, action }) as Fields;
}

/** As the endpoint wants it: a condition that takes no value has an empty one. */
function written(rule: Fields = {}): Fields {
  const groups = rule.conditionGroup as { conditions: Fields[] }[];
  const conditionGroup = groups.map(({ conditions }) => ({
    conditions: conditions.map((one) =>
      withoutValue.includes(String(one.op)) ? { ...one, value: '' } : one,
    ),
  }));
  return { ...rule, conditionGroup };
}
