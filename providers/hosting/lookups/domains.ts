import { defineLookup, described, openEnum } from '#kind';

const { text, texts, time, number, whole, flag, json } = described;

const domain = () => ({ domain: text('The domain: `example.com`.') });
const price = () => ({
  years: whole('For how many years.'),
  purchasePrice: json('What it costs to buy, in US dollars; none where it cannot be bought.'),
  renewalPrice: json('What it costs to renew.'),
  transferPrice: json('What it costs to take over from another registrar.'),
});

export const domainConfig = defineLookup({
  name: 'domainConfig',
  doc: 'Whether the DNS of a domain leads to the platform, and what it should say.',
  endpoint: 'GET /v6/domains/{domain}/config',
  input: () => ({ ...domain(), projectIdOrName: text('For which project.').optional() }),
  output: () => ({
    misconfigured: flag('It does not lead to the platform, or no certificate can be made for it.'),
    configuredBy: text('How it leads there: `A`, `CNAME`, `http`.'),
    acceptedChallenges: json('How the platform can prove it to make a certificate.'),
    recommendedIPv4: json('The addresses that it should have.'),
    recommendedCNAME: json('The name that it should point to.'),
  }),
  end: { field: 'misconfigured', reached: ['false'], ended: [] },
});

export const verification = defineLookup({
  name: 'verification',
  doc: 'Whether a domain of a project is verified, and what is missing where it is not.',
  endpoint: 'GET /v9/projects/{project}/domains/{projectDomain}',
  on: 'projectDomain',
  output: () => ({
    name: text('The domain.'),
    verified: flag('Whether it is verified.'),
    verification: json('The DNS records that are still missing.'),
  }),
  moves: ['actions', 'visitors'],
  end: { field: 'verified', reached: ['true'], ended: [] },
});

export const domainVerification = defineLookup({
  name: 'domainVerification',
  doc: 'The TXT record by which a domain of another account can be claimed.',
  endpoint: 'GET /v9/domains/{domain}/verification',
  input: domain,
  output: () => ({
    verificationDomain: text('Where the record stands.'),
    txtRecord: text('What it says. Anybody can read it in the DNS.'),
  }),
});

export const domainUse = defineLookup({
  name: 'domainUse',
  doc: 'The projects that have a domain, or a name in it.',
  endpoint: 'GET /v1/domains/{domain}/project-domains',
  on: 'domain',
  items: 'projectDomains',
  key: 'name',
  output: () => ({
    name: text('The name.'),
    projectId: text('The id of the project.'),
    verified: flag('Whether it is verified there.'),
    redirect: text('What it redirects to.'),
    gitBranch: text('The branch that it shows.'),
    createdAt: time('When it was added.'),
  }),
});

export const tld = defineLookup({
  name: 'tld',
  doc: 'The top-level domains that can be bought.',
  endpoint: 'GET /v1/registrar/tlds/supported',
  items: '',
  key: 'name',
  output: () => ({ name: text('The top-level domain.') }),
  decode: (object) => ({ name: object }),
});

export const tldLanguages = defineLookup({
  name: 'tldLanguages',
  doc: 'The languages in which a domain of a top-level domain can be written.',
  endpoint: 'GET /v1/registrar/tlds/{tld}',
  input: () => ({ tld: text('The top-level domain: `com`.') }),
  output: () => ({ supportedLanguageCodes: json('The languages by their codes.') }),
});

export const tldPrice = defineLookup({
  name: 'tldPrice',
  doc: 'What domains of a top-level domain cost.',
  endpoint: 'GET /v1/registrar/tlds/{tld}/price',
  input: () => ({ tld: text('The top-level domain: `com`.'), years: text('For how many years.').optional() }),
  output: price,
});

export const domainAvailability = defineLookup({
  name: 'domainAvailability',
  doc: 'Whether a domain can be bought.',
  endpoint: 'GET /v1/registrar/domains/{domain}/availability',
  input: domain,
  output: () => ({ available: flag('Nobody has it.') }),
});

export const domainsAvailability = defineLookup({
  name: 'domainsAvailability',
  doc: 'Whether each of several domains can be bought.',
  endpoint: 'POST /v1/registrar/domains/availability',
  items: 'results',
  key: 'domain',
  input: () => ({ domains: texts('The domains.') }),
  output: () => ({ domain: text('The domain.'), available: flag('Nobody has it.') }),
});

export const domainPrice = defineLookup({
  name: 'domainPrice',
  doc: 'What a domain costs.',
  endpoint: 'GET /v1/registrar/domains/{domain}/price',
  input: () => ({ ...domain(), years: text('For how many years.').optional() }),
  output: price,
});

export const domainsPrice = defineLookup({
  name: 'domainsPrice',
  doc: 'What each of several domains costs.',
  endpoint: 'POST /v1/registrar/domains/price',
  items: 'results',
  key: 'domain',
  input: () => ({ domains: texts('The domains.'), years: number('For how many years.').optional() }),
  output: () => ({ domain: text('The domain.'), ...price() }),
});

export const domainSearch = defineLookup({
  name: 'domainSearch',
  doc: 'Whether domains can be bought, and what each costs.',
  endpoint: 'POST /v1/registrar/domains/search',
  items: 'results',
  key: 'domain',
  input: () => ({ domains: texts('The domains.') }),
  output: () => ({ domain: text('The domain.'), available: flag('Nobody has it.'), ...price() }),
});

export const contactSchema = defineLookup({
  name: 'contactSchema',
  doc: 'What the registry of a domain wants to know of its owner beyond the usual.',
  endpoint: 'GET /v1/registrar/domains/{domain}/contact-info/schema',
  input: domain,
  output: () => ({ schema: json('A JSON Schema.') }),
  decode: (object) => ({ schema: object }),
});

export const domainAuthCode = defineLookup({
  name: 'domainAuthCode',
  doc: 'The code with which another registrar takes a domain over. It is a secret: `trueup api` gives it into a file.',
  endpoint: 'GET /v1/registrar/domains/{domain}/auth-code',
  input: domain,
  output: () => ({ authCode: described.secret('The code.') }),
});

export const domainTransfer = defineLookup({
  name: 'domainTransfer',
  doc: 'How far the transfer of a domain from another registrar is.',
  endpoint: 'GET /v1/registrar/domains/{domain}/transfer',
  input: domain,
  output: () => ({
    status: openEnum([
      ...['created', 'pending', 'pending_insert', 'pending_new_auth_code', 'pending_transfer'],
      ...['pending_unlock', 'pending_registry_unlock', 'submitting_transfer', 'completed'],
      ...['canceled', 'canceled_pending_refund', 'failed', 'rejected'],
    ]).describe('How far it is.'),
  }),
  moves: ['actions'],
  end: {
    field: 'status',
    reached: ['completed'],
    ended: ['canceled', 'canceled_pending_refund', 'failed', 'rejected'],
  },
});

export const contactVerification = defineLookup({
  name: 'contactVerification',
  doc: 'Whether the owner of a domain has confirmed the mail address.',
  endpoint: 'GET /v1/registrar/domains/{domain}/contact-verification',
  input: domain,
  output: () => ({
    verified: flag('It is confirmed.'),
    email: text('The address.'),
    verifyBy: time('Until when it has to be.'),
  }),
  end: { field: 'verified', reached: ['true'], ended: [] },
});

export const order = defineLookup({
  name: 'order',
  doc: 'An order of domains: how far it is.',
  endpoint: 'GET /v1/registrar/orders/{orderId}',
  input: () => ({ orderId: text('The id of the order.') }),
  output: () => ({
    orderId: text('The id of the order.'),
    status: openEnum(['draft', 'purchasing', 'completed', 'failed']).describe('How far it is.'),
    domains: json('The domains in it.'),
    error: json('Why it failed.'),
  }),
  columns: ['orderId', 'status'],
  moves: ['actions'],
  end: { field: 'status', reached: ['completed'], ended: ['failed'] },
});
