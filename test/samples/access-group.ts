import type { Sample } from '../support/sample.ts';

export const accessGroup: Sample = {
  place: (block) => ({ accessGroups: { LABEL: block } }),
  base: {},
  leaves: {},
};
