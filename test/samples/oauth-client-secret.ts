import type { Sample } from '../support/sample.ts';

export const oauthClientSecret: Sample = {
  place: (block) => ({ oauthApps: { LABEL: { name: 'LABEL', clientSecrets: { LABEL: block } } } }),
  base: { $secretTo: 'discard' },
  leaves: {},
};
