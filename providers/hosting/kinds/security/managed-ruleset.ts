import { z } from 'zod';
import { type ApiObject, defineKind, type Fields, openEnum, readMayLack } from '#kind';
import { active, blocked, config, envelope, lane } from './firewall.ts';

const ids = ['ai_bots', 'bot_protection', 'owasp', 'traffic_sources', 'vercel_ruleset'];
const action = openEnum(['log', 'challenge', 'deny']).optional();

/** A ruleset that the platform maintains: it always exists, switched on or off. */
export const managedRuleset = defineKind({
  name: 'managedRuleset',
  doc: 'A ruleset that the platform maintains: whether it is active, what it does, and exceptions for its groups.',
  section: 'managedRules',
  parent: 'firewall',
  key: ['id'],
  lane,
  fields: {
    id: openEnum(ids),
    active: z.boolean().optional(),
    action,
    // How groups are read back is not documented.
    groups: readMayLack(z.record(z.string(), z.strictObject({ active: z.boolean(), action }))).optional(),
  },
  blocked,
  api: {
    list: { endpoint: config, items: (answer) => rulesets(active(answer)) },
    decode: ({ rules, ...object }) =>
      ({ ...(object as Fields), groups: rules as Fields | undefined }) as Fields,
    update: ({ after, before, body }) => {
      const wanted: Fields = { ...before?.fields, ...after?.fields };
      const value = { active: wanted.active ?? false, ...(wanted.action ? { action: wanted.action } : {}) };
      return [
        ...('active' in body || 'action' in body ? [envelope('managedRules.update', wanted.id!, value)] : []),
        ...('groups' in body ? [envelope('managedRuleGroup.update', wanted.id!, body.groups)] : []),
      ];
    },
  },
});

// One that was never touched is missing from the answer; `bot_filter` is the old name of `bot_protection`.
const rulesets = ({ managedRules = {} }: ApiObject): ApiObject[] => {
  const { bot_filter, ...known } = managedRules as Record<string, ApiObject>;
  const found = { ...(bot_filter ? { bot_protection: bot_filter } : {}), ...known };
  const all: Record<string, ApiObject> = {
    ...Object.fromEntries(ids.map((id) => [id, { active: false }])),
    ...found,
  };
  return Object.entries(all).map(([id, ruleset]) => ({ id, ...ruleset }));
};
