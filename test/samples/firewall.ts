import { flag, inFirewall, type Sample } from '../support/sample.ts';

export const firewall: Sample = {
  place: (block) => inFirewall(block),
  base: {},
  leaves: {
    firewallEnabled: flag,
    botIdEnabled: flag,
    logHeaders: ['*', ['user-agent', 'accept']],
  },
};
