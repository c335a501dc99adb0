import { flag, inFirewall, type Sample } from '../support/sample.ts';

export const managedRuleset: Sample = {
  place: (block) => inFirewall({ managedRules: { owasp: block } }),
  leaves: {
    active: flag,
    action: ['challenge', 'deny', { active: true }],
    'groups.sqli.active': [true, false, { active: true }],
    'groups.sqli.action': ['challenge', 'deny', { groups: { sqli: { active: true } } }],
  },
};
