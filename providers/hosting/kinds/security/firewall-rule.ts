import * as z from 'zod';
import { atomic, defineKind } from '#kind';
import { document, ordered } from '#shapes';
import { condition } from './firewall-condition.ts';
import { envelope, insertedId, lane, listed } from './firewall-config.ts';
import { firewallDocument } from './firewall-document.ts';
import { mitigate } from './firewall-mitigate.ts';
import { decides, grade, normalized, written } from './firewall-rule-form.ts';

/** A custom rule. The first active rule that matches a request, and does not only log, decides. */
export const firewallRule = defineKind({
  name: 'firewallRule',
  doc: 'A custom firewall rule; the first active match wins, so the order matters.',
  example: `
projects:
  web:
    firewall:
      rules:
        - { name: let-health-checks-through, active: true, action: { mitigate: { action: bypass } },
            conditionGroup: [{ conditions: [{ type: path, op: eq, value: /health }] }] }
        - { name: block-admin, active: true, action: { mitigate: { action: deny } },
            conditionGroup: [{ conditions: [{ type: path, op: pre, value: /admin }] }] }
`,
  section: 'rules',
  otherWords: ['customRule', 'wafRule'],
  parent: 'firewall',
  key: ['name'],
  shape: document(firewallDocument, ordered(decides)),
  lifecycle: { lane, replace: 'free' },
  form: 2,
  fields: () => ({
    name: z.string().min(1).max(160).describe('The name of the rule, unique in the firewall.'),
    description: z.string().max(256).nullable().optional().describe('What the rule is for.'),
    active: z.boolean().describe('Whether the rule is in force.'),
    conditionGroup: atomic(
      z
        .array(
          z.strictObject({
            conditions: z.array(condition()).min(1).describe('Conditions that must all be true.'),
          }),
        )
        .min(1),
    ).describe('Groups of conditions: a request matches if all conditions of any group are true.'),
    action: atomic(z.strictObject({ mitigate: mitigate() })).describe('The action on matching requests.'),
  }),
  rules: { normal: normalized, grade },
  read: listed('rules'),
  decode: normalized,
  create: [
    envelope('rules.insert', ({ fullBody }) => ({ id: null, value: written(fullBody) })),
    insertedId('rules', ({ name }) => ({ name })),
  ],
  update: envelope('rules.update', ({ id, fullBody }) => ({ id, value: written(fullBody) })),
  delete: envelope('rules.remove', ({ id }) => ({ id, value: null })),
  move: envelope('rules.priority', ({ id, to }) => ({ id, value: to })),
});
