import { flag, inFirewall, type Sample } from '../support/sample.ts';

export const coreRuleset: Sample = {
  place: (block) => inFirewall({ crs: { sqli: block } }),
  leaves: { active: flag, action: ['deny', 'log', { active: true }] },
};
