import { z } from 'zod';
import {
  type ApiObject,
  defineKind,
  type Fields,
  type Request,
  request,
  type Value,
  withTraits,
} from '#kind';

/** The answer that every firewall kind is read from: one request for all of them. */
export const config = 'GET /v1/security/firewall/config?projectId={project}';

/** The active configuration in the answer; empty for a project that never had one. */
export const active = (answer: ApiObject): ApiObject => (answer.active ?? {}) as ApiObject;

/** Every change is one envelope that is live at once; so all firewall kinds of a project share a lane. */
export const lane = 'firewall';

export const envelope = (action: string, id: Value, value: unknown): Request =>
  request('PATCH /v1/security/firewall/config?projectId={project}', { action, id, value });

/** Somebody's pending draft is based on the version that a change here would replace. */
export const blocked = ({ draft }: ApiObject) =>
  draft
    ? {
        code: 'firewall/draft',
        message: 'the firewall has a pending draft that was not made here',
        hint: 'publish or discard it in the dashboard, or go on with --ignore-draft',
      }
    : undefined;

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
    logHeaders: withTraits(z.union([z.literal('*'), z.array(z.string())]), { unordered: true }).optional(),
  },
  blocked,
  grade: ({ fields }) =>
    fields.some(({ path, after }) => path === 'firewallEnabled' && after === false)
      ? { grade: 'disruptive', reason: 'the project is unprotected while the firewall is off' }
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
