import * as z from 'zod';
import { defineKind, type Fields, withTraits } from '#kind';
import { active, changes, config, envelope, oneConfig } from './firewall-config.ts';

/** The firewall's settings: it always exists, so there is nothing to create or delete. */
export const firewall = defineKind({
  name: 'firewall',
  doc: 'The firewall of a project: its switch, bot id, and what is logged.',
  example: `
projects:
  web:
    firewall:
      firewallEnabled: true
      botIdEnabled: true
      logHeaders: [user-agent]
`,
  section: 'firewall',
  parent: 'project',
  key: [],
  ...oneConfig,
  usual: { botIdEnabled: false },
  undeclared: ['rulesets'],
  fields: () => ({
    firewallEnabled: z
      .boolean()
      .optional()
      .describe('Whether the firewall is on; rules without it do nothing.'),
    botIdEnabled: z.boolean().optional().describe('Whether bots are told from browsers by BotID.'),
    logHeaders: withTraits(z.union([z.literal('*'), z.array(z.string())]), { unordered: true })
      .nullable()
      .optional()
      .describe('The request headers that are logged: their names, or `*` for all.'),
  }),
  grade: ({ fields }) =>
    fields.some(({ path, after }) => path === 'firewallEnabled' && after === false)
      ? { grade: 'disruptive', reason: 'protection is weaker: nothing is held off while the firewall is off' }
      : undefined,
  claims: [changes],
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
