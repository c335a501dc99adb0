import { type Sample, text } from '../support/sample.ts';

const urls: [string, string] = ['https://one.example.com', 'https://two.example.com'];

export const oauthApp: Sample = {
  place: (block) => ({ oauthApps: { LABEL: block } }),
  base: { name: 'LABEL' },
  leaves: {
    name: text,
    description: text,
    homePageUri: urls,
    redirectUris: [['https://one.example.com/callback'], urls],
    scopes: [
      ['openid', 'email'],
      ['profile', 'openid'],
    ],
    permissions: [['read:project'], ['read:team', 'read:project']],
    privacyPolicyUrl: urls,
    termsOfServiceUrl: urls,
    codeOfConductUrl: urls,
  },
  seed: { account: { oauthApps: [{ name: 'Shop', slug: 'shop' }] } },
};
