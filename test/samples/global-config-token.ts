import type { Sample } from '../support/sample.ts';

export const globalConfigToken: Sample = {
  place: (block) => ({ globalConfigs: { LABEL: { tokens: { web: block } } } }),
  base: { $secretTo: 'discard' },
  leaves: {},
};
