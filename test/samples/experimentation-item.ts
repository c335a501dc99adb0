import { flag, inPartnerResource, type Sample, text } from '../support/sample.ts';

export const experimentationItem: Sample = {
  place: (block) => inPartnerResource({ experimentationItems: { LABEL: block } }),
  base: { slug: 'one', origin: 'https://flags.example.com/one' },
  leaves: {
    slug: text,
    origin: ['https://flags.example.com/one', 'https://flags.example.com/two'],
    category: ['flag', 'experiment'],
    name: text,
    description: text,
    isArchived: flag,
  },
};
