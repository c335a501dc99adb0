import { z } from 'zod';
import { atomic, defineKind } from '#kind';
import { condition } from './firewall-condition.ts';
import { blocked, envelope, insertedId, lane, listed } from './firewall-config.ts';
import { mitigate } from './firewall-mitigate.ts';
import { decides, grade, normalized, written } from './firewall-rule-form.ts';

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
    description: z.string().max(256).nullable().optional(),
    active: z.boolean(),
    conditionGroup: atomic(z.array(z.strictObject({ conditions: z.array(condition).min(1) })).min(1)),
    action: atomic(z.strictObject({ mitigate })),
  },
  blocked,
  align: ({ desired }) => ({ desired: normalized(desired.fields) }),
  grade,
  decides,
  api: {
    list: listed('rules'),
    decode: normalized,
    create: ({ address, whole }) => [
      envelope('rules.insert', null, written(whole)),
      insertedId(address, 'rules', { name: whole.name }),
    ],
    update: ({ id, whole }) => envelope('rules.update', id, written(whole)),
    delete: ({ id }) => envelope('rules.remove', id, null),
    move: ({ id, to }) => envelope('rules.priority', id, to),
  },
});
