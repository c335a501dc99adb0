import { inPartnerResource, type Sample, text } from '../support/sample.ts';

export const resourceSecret: Sample = {
  place: (block) => inPartnerResource({ secrets: { LABEL: block } }),
  base: { value: 'one' },
  leaves: {
    value: [...text],
    prefix: text,
    'environmentOverrides.development': [...text],
    'environmentOverrides.preview': [...text],
    'environmentOverrides.production': [...text],
  },
};
