import { flag, inFirewall, type Sample } from '../support/sample.ts';

export const firewall: Sample = {
  place: (block) => inFirewall(block),
  leaves: {
    firewallEnabled: flag,
    botIdEnabled: flag,
    logHeaders: ['*', ['user-agent', 'accept']],
  },
  seed: { project: { firewall: { rules: [], crs: { xss: { active: true, action: 'deny' } } } } },
  requests: async ({ go, shop }) => {
    const at = (path: string) => `/v1/security/firewall/config${path}?projectId=${shop.id}`;
    await go('PUT', at(''), { firewallEnabled: true });
    const stage = () => (shop.firewall.draft = structuredClone(shop.firewall.active));
    stage();
    await go('POST', at('/draft/activate'));
    stage();
    await go('DELETE', at('/draft'));
  },
};
