import { flag, inBought, type Sample } from '../support/sample.ts';

export const domainAutoRenew: Sample = {
  place: (block) => inBought({ autoRenew: block }),
  base: { enabled: true },
  leaves: { enabled: flag },
};
