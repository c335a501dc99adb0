import { type Sample, text } from '../support/sample.ts';

export const globalConfigItem: Sample = {
  place: (block) => ({ globalConfigs: { LABEL: { items: { key: block } } } }),
  base: { value: 1 },
  leaves: { value: [{ a: [null, false, 0, ''] }, false], description: text },
};
