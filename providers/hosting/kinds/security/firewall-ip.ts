import * as z from 'zod';
import { defineKind, type Fields, openEnum } from '#kind';
import { document } from '#shapes';
import { domainName } from '../domains/host-name.ts';
import { envelope, insertedId, lane, listed } from './firewall-config.ts';
import { firewallDocument } from './firewall-document.ts';
import { ipRange, lower } from './ip-range.ts';
import { gradeOf } from './protection.ts';

/** The action of the firewall for an address or a range, on one host. */
export const firewallIp = defineKind({
  name: 'firewallIp',
  doc: "The firewall's action on an IP address or range.",
  example: `
projects:
  web:
    firewall:
      ips:
        - { hostname: www.example.com, ip: 192.0.2.0/24, action: deny, notes: an abusive crawler }
`,
  section: 'ips',
  otherWords: ['ipRule', 'ipBlocking', 'blockedIp'],
  parent: 'firewall',
  key: ['hostname', 'ip'],
  lifecycle: { lane, replace: 'free' },
  shape: document(firewallDocument),
  fields: () => ({
    hostname: domainName().describe('The host it applies to.'),
    ip: z
      .string()
      .toLowerCase()
      .pipe(ipRange())
      .describe('An IP address, or a range no wider than /16 (IPv6: /48).'),
    action: openEnum(['deny', 'challenge', 'log', 'bypass']).describe('The action on requests from there.'),
    notes: z.string().nullable().optional().describe('A note about the entry.'),
  }),
  rules: { grade: gradeOf(({ action }) => action) },
  read: listed('ips'),
  decode: ({ ip, ...object }) => ({ ...object, ip: lower(ip) }) as Fields,
  create: [
    envelope('ip.insert', ({ fullBody }) => ({ id: null, value: fullBody })),
    insertedId('ips', ({ hostname, ip }) => ({ hostname, ip })),
  ],
  update: envelope('ip.update', ({ id, fullBody }) => ({ id, value: fullBody })),
  delete: envelope('ip.remove', ({ id }) => ({ id, value: null })),
});
