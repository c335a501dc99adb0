import { z } from 'zod';
import { type ApiObject, defineKind, openEnum, request } from '#kind';
import { active, blocked, config, envelope, lane } from './firewall.ts';

/** What the firewall does with an address or a range, for one host. */
export const firewallIp = defineKind({
  name: 'firewallIp',
  doc: 'What the firewall does with an IP address or range.',
  section: 'ips',
  parent: 'firewall',
  key: ['hostname', 'ip'],
  replace: 'free',
  lane,
  fields: {
    hostname: z.string().min(1).toLowerCase(),
    ip: z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'an IP address, or a range like 192.0.2.0/24'),
    action: openEnum(['deny', 'challenge', 'log', 'bypass']),
    notes: z.string().optional(),
  },
  blocked,
  api: {
    list: { endpoint: config, items: (answer) => (active(answer).ips ?? []) as ApiObject[] },
    create: ({ address, body }) => [
      envelope('ip.insert', null, body),
      // The envelope answers nothing useful; the id is known only after another look.
      {
        ...request(config),
        returns: [{ address, path: ['active', 'ips', { hostname: body.hostname, ip: body.ip }, 'id'] }],
      },
    ],
    update: ({ id, after, before }) =>
      envelope('ip.update', id, { ...writable(before?.fields), ...after?.fields }),
    delete: ({ id }) => envelope('ip.remove', id, null),
  },
});

const writable = (fields: ApiObject | undefined) => {
  const { hostname, ip, action, notes } = fields ?? {};
  return { hostname, ip, action, ...(notes === undefined ? {} : { notes }) };
};
