import { z } from 'zod';
import { type ApiObject, defineKind, type Fields, openEnum } from '#kind';
import { active, blocked, config, envelope, insertedId, lane } from './firewall-config.ts';
import { gradeOf } from './protection.ts';

const block = z
  .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'an IP address, or a range like 192.0.2.0/24')
  .refine(
    (text) => !(Number(text.split('/')[1]) < (text.includes(':') ? 48 : 16)),
    'a range cannot be wider than /16, or /48 with IPv6',
  );

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
    ip: z.string().toLowerCase().pipe(block),
    action: openEnum(['deny', 'challenge', 'log', 'bypass']),
    notes: z.string().nullable().optional(),
  },
  blocked,
  grade: gradeOf(({ action }) => action),
  api: {
    list: { endpoint: config, items: (answer) => (active(answer).ips ?? []) as ApiObject[] },
    decode: (object) =>
      ({
        ...object,
        hostname: String(object.hostname).toLowerCase(),
        ip: String(object.ip).toLowerCase(),
      }) as Fields,
    create: ({ address, whole }) => [
      envelope('ip.insert', null, whole),
      insertedId(address, 'ips', { hostname: whole.hostname, ip: whole.ip }),
    ],
    update: ({ id, whole }) => envelope('ip.update', id, whole),
    delete: ({ id }) => envelope('ip.remove', id, null),
  },
});
