import { z } from 'zod';
import { defineKind, type Fields, openEnum } from '#kind';
import { blocked, envelope, insertedId, lane, listed } from './firewall-config.ts';
import { ipRange } from './ip-range.ts';
import { gradeOf } from './protection.ts';

const lower = (text: unknown) => String(text).toLowerCase();

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
    ip: z.string().toLowerCase().pipe(ipRange),
    action: openEnum(['deny', 'challenge', 'log', 'bypass']),
    notes: z.string().nullable().optional(),
  },
  blocked,
  grade: gradeOf(({ action }) => action),
  api: {
    list: listed('ips'),
    decode: ({ hostname, ip, ...object }) =>
      ({ ...object, hostname: lower(hostname), ip: lower(ip) }) as Fields,
    create: ({ address, whole }) => [
      envelope('ip.insert', null, whole),
      insertedId(address, 'ips', { hostname: whole.hostname, ip: whole.ip }),
    ],
    update: ({ id, whole }) => envelope('ip.update', id, whole),
    delete: ({ id }) => envelope('ip.remove', id, null),
  },
});
