import { flag, type Sample, unset } from '../support/sample.ts';

export const domain: Sample = {
  place: (block) => ({ domains: { 'LABEL.example': block } }),
  base: {},
  leaves: { zone: unset, cdnEnabled: flag, echMode: ['auto', 'disabled'] },
};
