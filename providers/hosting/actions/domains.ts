import * as z from 'zod';
import { defineAction, described } from '#kind';

const { text, flag, number, integer } = described;

export const verify = defineAction({
  name: 'verify',
  doc: "Asks the platform to verify a project's domain by its DNS record.",
  endpoint: 'POST /v9/projects/{project}/domains/{projectDomain}/verify',
  on: 'projectDomain',
  grade: 'safe',
  repeatable: true,
  output: () => ({ name: text('The domain.'), verified: flag('Whether it is verified now.') }),
  until: { lookup: 'verification', input: () => ({}), isState: true },
  declarable: true,
});

export const moveDomain = defineAction({
  name: 'moveDomain',
  doc: 'Moves a domain from one project to another in the account, without a gap.',
  endpoint: 'POST /v1/projects/{project}/domains/{projectDomain}/move',
  on: 'projectDomain',
  input: () => ({
    projectId: text('The id of the other project: `prj_...`.'),
    gitBranch: text('The branch to serve there.').optional(),
    redirect: text('The domain to redirect to there.').optional(),
    redirectStatusCode: integer('The redirect status: 301, 302, 307 or 308.').optional(),
  }),
  grade: 'disruptive',
  why: 'visitors of the domain see another project',
  output: () => ({
    name: text('The domain.'),
    projectId: text('The project that has it now.'),
    verified: flag('Whether it is verified there.'),
  }),
});

export const claimDomain = defineAction({
  name: 'claimDomain',
  doc: 'Claims a domain from another account, once its verification record is in DNS.',
  endpoint: 'POST /v9/domains/{domain}/claim',
  input: () => ({ domain: text('The domain: `example.com`.') }),
  grade: 'disruptive',
  why: 'the other account loses the domain',
  repeatable: true,
  output: () => ({ domain: described.json('The domain as it is now.') }),
});

/** Describes the contact data of the owner of a domain. */
const person = () => ({
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string(),
  address1: z.string(),
  address2: z.string().optional(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  country: z.string(),
  companyName: z.string().optional(),
  fax: z.string().optional(),
});
const owner = 'The owner: `contactInformation.firstName=Ada` and so on.';
const contact = () => z.strictObject(person()).describe(owner);
/** Some registries want to know more: `trueup get contactSchema`. */
const buyer = () =>
  z.strictObject({ ...person(), additional: z.record(z.string(), z.any()).optional() }).describe(owner);
const terms = () => ({
  years: integer('The number of years.'),
  expectedPrice: number('The price you accept, in US dollars; any other price is rejected.'),
});
const domain = () => ({ domain: text('The domain: `example.com`.') });
const autoRenew = () => flag('Whether it renews automatically.');
const ordered = () => ({ orderId: text('The id of the order.') });
const until = {
  lookup: 'order',
  input: ({ answer: { orderId } }: { answer: Record<string, unknown> }) => ({ orderId }),
};

export const buyDomain = defineAction({
  name: 'buyDomain',
  doc: 'Buys a domain.',
  endpoint: 'POST /v1/registrar/domains/{domain}/buy',
  input: () => ({
    ...domain(),
    ...terms(),
    autoRenew: autoRenew(),
    contactInformation: buyer(),
    languageCode: text('The language of an internationalized domain.').optional(),
  }),
  grade: 'irreversible',
  why: 'a purchased domain is not refundable',
  cost: 'the price of the domain',
  output: ordered,
  until,
});

export const buyDomains = defineAction({
  name: 'buyDomains',
  doc: 'Buys several domains at once.',
  endpoint: 'POST /v1/registrar/domains/buy',
  input: () => ({
    domains: z
      .array(
        z.strictObject({
          domainName: z.string(),
          autoRenew: z.boolean(),
          years: z.number(),
          expectedPrice: z.number(),
          languageCode: z.string().optional(),
        }),
      )
      .min(1)
      .describe('The domains, each as JSON.'),
    contactInformation: buyer(),
  }),
  grade: 'irreversible',
  why: 'a purchased domain is not refundable',
  cost: 'the prices of the domains',
  output: ordered,
  until,
});

export const renewDomain = defineAction({
  name: 'renewDomain',
  doc: 'Renews a domain registered with the platform.',
  endpoint: 'POST /v1/registrar/domains/{domain}/renew',
  input: () => ({ ...domain(), ...terms(), contactInformation: contact().optional() }),
  grade: 'irreversible',
  why: 'the payment is not refundable',
  cost: 'the price of the renewal',
  output: ordered,
  until,
});

export const transferDomainIn = defineAction({
  name: 'transferDomainIn',
  doc: 'Transfers a domain from another registrar.',
  endpoint: 'POST /v1/registrar/domains/{domain}/transfer',
  input: () => ({
    ...domain(),
    authCode: described.secret('The authorization code from the other registrar.'),
    ...terms(),
    autoRenew: autoRenew(),
    contactInformation: contact(),
  }),
  grade: 'irreversible',
  why: 'the domain changes its registrar',
  cost: 'the price of the transfer',
  output: ordered,
  until,
});
