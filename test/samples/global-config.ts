import type { Sample } from '../support/sample.ts';

export const globalConfig: Sample = {
  place: (block) => ({ globalConfigs: { LABEL: block } }),
  base: {},
  leaves: {},
};
