import { inFirewall, type Sample, text } from '../support/sample.ts';

export const firewallIp: Sample = {
  place: (block) => inFirewall({ ips: [block] }),
  base: { hostname: 'LABEL.example.com', ip: '192.0.2.0/24', action: 'deny' },
  leaves: { action: ['challenge', 'log'], notes: text },
};
