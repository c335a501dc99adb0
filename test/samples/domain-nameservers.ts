import { inBought, type Sample } from '../support/sample.ts';

export const domainNameservers: Sample = {
  place: (block) => inBought({ nameservers: block }),
  base: { custom: ['ns1.example.net', 'ns2.example.net'] },
  leaves: {
    custom: [
      ['ns1.example.net', 'ns2.example.net'],
      ['ns2.example.org', 'ns1.example.org'],
    ],
  },
};
