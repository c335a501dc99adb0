import { inProject, type Sample, text } from '../support/sample.ts';

export const firewallBypass: Sample = {
  place: (block) => inProject({ domains: { 'LABEL.example.com': {} }, firewallBypasses: [block] }),
  base: { domain: 'LABEL.example.com', sourceIp: '192.0.2.7' },
  leaves: { note: text, ttl: [86_400_000, 172_800_000] },
  seed: { project: { firewallBypasses: [{ projectScope: true, sourceIp: '192.0.2.7' }] } },
  requests: async ({ all, shop: { id } }) => {
    const bypass = `/v1/security/firewall/bypass?projectId=${id}`;
    const body = { projectScope: true, allSources: true };
    await all(['POST', bypass, { ...body, ttl: 60_000 }], ['DELETE', bypass, body]);
  },
};
