import * as z from 'zod';
import { defineKind, type Fields, withTraits } from '#kind';
import { document } from '#shapes';
import { active, config, envelope, lane, watched } from './firewall-config.ts';
import { firewallDocument } from './firewall-document.ts';

/** The firewall's settings: it always exists, so there is nothing to create or delete. */
const setting = (action: string, field: string) =>
  envelope(action, ({ body }) => ({ id: null, value: body[field] }));
const enabled = setting('firewallEnabled', 'firewallEnabled');

export const firewall = defineKind({
  name: 'firewall',
  doc: 'The firewall of a project: whether it is on, BotID, and logging.',
  example: { firewallEnabled: true, botIdEnabled: true, logHeaders: ['user-agent'] },
  section: 'firewall',
  otherWords: ['waf'],
  parent: 'project',
  lifecycle: { lane },
  key: [],
  shape: document(firewallDocument),
  usual: { botIdEnabled: false },
  undeclared: ['rulesets'],
  fields: () => ({
    firewallEnabled: z
      .boolean()
      .optional()
      .describe('Whether the firewall is on; rules without it do nothing.'),
    botIdEnabled: z.boolean().optional().describe('Whether BotID is used to detect bots.'),
    logHeaders: withTraits(z.union([z.literal('*'), z.array(z.string())]), { unordered: true })
      .nullable()
      .optional()
      .describe('The names of request headers to log, or `*` for all.'),
  }),
  rules: {
    grade: ({ fields }) =>
      fields.some(({ path, after }) => path === 'firewallEnabled' && after === false)
        ? { grade: 'disruptive', reason: 'weaker protection: nothing is blocked while the firewall is off' }
        : undefined,
  },
  read: { ...watched, endpoint: config, item: active },
  decode: (object) => ({ firewallEnabled: false, botIdEnabled: false, ...(object as Fields) }),
  // Switching on comes last and switching off first, so that no half-made list of rules is ever in force.
  update: [
    { ...setting('botId.toggle', 'botIdEnabled'), when: ({ body }) => 'botIdEnabled' in body },
    { ...setting('logHeaders.update', 'logHeaders'), when: ({ body }) => 'logHeaders' in body },
    { ...enabled, when: ({ body }) => body.firewallEnabled === true, phase: 'last' },
    { ...enabled, when: ({ body }) => body.firewallEnabled === false, phase: 'first' },
  ],
});
