import { z } from 'zod';
import { defineKind, type Fields, withTraits } from '#kind';
import { active, blocked, config, envelope, lane } from './firewall-config.ts';

/** The firewall's settings: it always exists, so there is nothing to create or delete. */
export const firewall = defineKind({
  name: 'firewall',
  doc: 'The firewall of a project: its switch, bot id, and what is logged.',
  section: 'firewall',
  parent: 'project',
  key: [],
  lane,
  fields: {
    firewallEnabled: z.boolean().optional(),
    botIdEnabled: z.boolean().optional(),
    logHeaders: withTraits(z.union([z.literal('*'), z.array(z.string())]), { unordered: true })
      .nullable()
      .optional(),
  },
  blocked,
  grade: ({ fields }) =>
    fields.some(({ path, after }) => path === 'firewallEnabled' && after === false)
      ? { grade: 'disruptive', reason: 'protection is weaker: nothing is held off while the firewall is off' }
      : undefined,
  api: {
    read: { endpoint: config, item: active },
    decode: (object) => ({ firewallEnabled: false, botIdEnabled: false, ...(object as Fields) }),
    // Switching on comes last and switching off first, so that no half-made list of rules is ever in force.
    update: ({ address, body }) => ({
      changes: [address],
      requests: [
        ...('botIdEnabled' in body ? [envelope('botId.toggle', null, body.botIdEnabled)] : []),
        ...('logHeaders' in body ? [envelope('logHeaders.update', null, body.logHeaders)] : []),
        ...('firewallEnabled' in body ? [envelope('firewallEnabled', null, body.firewallEnabled)] : []),
      ],
      ...('firewallEnabled' in body ? { phase: body.firewallEnabled ? 'last' : 'first' } : {}),
    }),
  },
});
