import * as z from 'zod';
import { type ApiObject, defineKind, type Fields, openEnum, readMayLack } from '#kind';
import { document } from '#shapes';
import { active, config, envelope, lane, watched } from './firewall-config.ts';
import { firewallDocument } from './firewall-document.ts';
import { gradeOf } from './protection.ts';

const ids = ['ai_bots', 'bot_protection', 'owasp', 'traffic_sources', 'vercel_ruleset'];
const action = () => openEnum(['log', 'challenge', 'deny']);

/** A ruleset that the platform maintains: it always exists, switched on or off. */
export const managedRuleset = defineKind({
  name: 'managedRuleset',
  doc: 'A ruleset maintained by the platform: whether it is active, its action, and exceptions for its groups.',
  example: { owasp: { active: true, action: 'deny' }, ai_bots: { active: true, action: 'log' } },
  section: 'managedRules',
  parent: 'firewall',
  lifecycle: { lane },
  key: ['id'],
  shape: document(firewallDocument),
  fields: () => ({
    id: openEnum(ids).describe('The ruleset.'),
    active: z.boolean().optional().describe('Whether it is in force.'),
    action: action().nullable().optional().describe('The action on matching requests.'),
    // How groups are read back is not documented.
    groups: readMayLack(
      z.record(
        z.string(),
        z.strictObject({
          active: z.boolean().describe('Whether the group is in force.'),
          action: action().optional().describe('The action on matching requests.'),
        }),
      ),
    )
      .optional()
      .describe('Exceptions for groups of rules, by the name of the group.'),
  }),
  rules: { grade: gradeOf(({ active, action }) => active && (action ?? 'deny')) },
  read: { ...watched, endpoint: config, items: (answer) => rulesets(active(answer)) },
  decode: ({ rules, ...object }) => ({ ...object, groups: rules }) as Fields,
  update: [
    {
      ...envelope('managedRules.update', ({ fullBody: { id, groups: _, ...rest } }) => ({
        id: String(id),
        value: { active: false, ...rest },
      })),
      when: ({ body }) => 'active' in body || 'action' in body,
    },
    {
      ...envelope('managedRuleGroup.update', ({ fullBody: { id, groups } }) => ({
        id: String(id),
        value: groups,
      })),
      when: ({ body }) => 'groups' in body,
    },
  ],
});

/**
 * Returns the managed rulesets of the firewall. One that was never changed is missing in the answer, so it is added
 * as inactive. `bot_filter` is the old name of `bot_protection`.
 */
const rulesets = ({ managedRules = {} }: ApiObject): ApiObject[] => {
  const { bot_filter, ...found } = managedRules as Record<string, ApiObject>;
  const byId: Record<string, ApiObject> = {
    ...Object.fromEntries(ids.map((id) => [id, { active: false }])),
    ...(bot_filter ? { bot_protection: bot_filter } : {}),
    ...found,
  };
  return Object.entries(byId).map(([id, ruleset]) => ({ id, ...ruleset }));
};
