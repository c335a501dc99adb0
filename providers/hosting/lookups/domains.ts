import { defineLookup, described, openEnum } from '#kind';

const { text, texts, time, number, integer, flag, json } = described;

const domain = () => ({ domain: text('The domain: `example.com`.') });
/** Describes the columns with the prices of a domain. */
const price = () => ({
  years: integer('The number of years.'),
  purchasePrice: json('The purchase price in US dollars; absent if it cannot be bought.'),
  renewalPrice: json('The renewal price.'),
  transferPrice: json('The price of a transfer from another registrar.'),
});

export const domainConfig = defineLookup({
  name: 'domainConfig',
  doc: 'Whether the DNS of a domain points to the platform, and what it should contain.',
  endpoint: 'GET /v6/domains/{domain}/config',
  input: () => ({ ...domain(), projectIdOrName: text('The project.').optional() }),
  output: () => ({
    misconfigured: flag('Whether it does not point to the platform or cannot get a certificate.'),
    configuredBy: text('How it points there: `A`, `CNAME`, `http`.'),
    acceptedChallenges: json('How the platform can validate it for a certificate.'),
    recommendedIPv4: json('The addresses it should have.'),
    recommendedCNAME: json('The name it should point to.'),
  }),
  end: { field: 'misconfigured', reached: ['false'], ended: [] },
});

export const verification = defineLookup({
  name: 'verification',
  doc: "Whether a project's domain is verified, and which records are missing if not.",
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
    verificationDomain: text('The name of the record.'),
    txtRecord: text('Its value. Everybody can read it in DNS.'),
  }),
});

export const domainUse = defineLookup({
  name: 'domainUse',
  doc: 'The projects that use a domain or one of its subdomains.',
  endpoint: 'GET /v1/domains/{domain}/project-domains',
  on: 'domain',
  items: 'projectDomains',
  key: 'name',
  output: () => ({
    name: text('The name.'),
    projectId: text('The id of the project.'),
    verified: flag('Whether it is verified there.'),
    redirect: text('What it redirects to.'),
    gitBranch: text('The branch it serves.'),
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
  doc: 'The prices of a top-level domain.',
  endpoint: 'GET /v1/registrar/tlds/{tld}/price',
  input: () => ({
    tld: text('The top-level domain: `com`.'),
    years: text('The number of years.').optional(),
  }),
  output: price,
});

export const domainAvailability = defineLookup({
  name: 'domainAvailability',
  doc: 'Whether a domain can be bought.',
  endpoint: 'GET /v1/registrar/domains/{domain}/availability',
  input: domain,
  output: () => ({ available: flag('Whether it is available.') }),
});

export const domainsAvailability = defineLookup({
  name: 'domainsAvailability',
  doc: 'Whether several domains can be bought.',
  endpoint: 'POST /v1/registrar/domains/availability',
  items: 'results',
  key: 'domain',
  input: () => ({ domains: texts('The domains.') }),
  output: () => ({ domain: text('The domain.'), available: flag('Whether it is available.') }),
});

export const domainPrice = defineLookup({
  name: 'domainPrice',
  doc: 'The price of a domain.',
  endpoint: 'GET /v1/registrar/domains/{domain}/price',
  input: () => ({ ...domain(), years: text('The number of years.').optional() }),
  output: price,
});

export const domainsPrice = defineLookup({
  name: 'domainsPrice',
  doc: 'The prices of several domains.',
  endpoint: 'POST /v1/registrar/domains/price',
  items: 'results',
  key: 'domain',
  input: () => ({ domains: texts('The domains.'), years: number('The number of years.').optional() }),
  output: () => ({ domain: text('The domain.'), ...price() }),
});

export const domainSearch = defineLookup({
  name: 'domainSearch',
  doc: 'Availability and prices of domains.',
  endpoint: 'POST /v1/registrar/domains/search',
  items: 'results',
  key: 'domain',
  input: () => ({ domains: texts('The domains.') }),
  output: () => ({ domain: text('The domain.'), available: flag('Whether it is available.'), ...price() }),
});

export const contactSchema = defineLookup({
  name: 'contactSchema',
  doc: "The additional owner data that a domain's registry requires.",
  endpoint: 'GET /v1/registrar/domains/{domain}/contact-info/schema',
  input: domain,
  output: () => ({ schema: json('A JSON Schema.') }),
  decode: (object) => ({ schema: object }),
});

export const domainAuthCode = defineLookup({
  name: 'domainAuthCode',
  doc: 'The authorization code for transferring a domain to another registrar. It is a secret: use `trueup api` to write it to a file.',
  endpoint: 'GET /v1/registrar/domains/{domain}/auth-code',
  input: domain,
  output: () => ({ authCode: described.secret('The code.') }),
});

export const domainTransfer = defineLookup({
  name: 'domainTransfer',
  doc: "The status of a domain's transfer from another registrar.",
  endpoint: 'GET /v1/registrar/domains/{domain}/transfer',
  input: domain,
  output: () => ({
    status: openEnum([
      ...['created', 'pending', 'pending_insert', 'pending_new_auth_code', 'pending_transfer'],
      ...['pending_unlock', 'pending_registry_unlock', 'submitting_transfer', 'completed'],
      ...['canceled', 'canceled_pending_refund', 'failed', 'rejected'],
    ]).describe('Its status.'),
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
  doc: "Whether a domain's owner has confirmed the e-mail address.",
  endpoint: 'GET /v1/registrar/domains/{domain}/contact-verification',
  input: domain,
  output: () => ({
    verified: flag('Whether it is confirmed.'),
    email: text('The address.'),
    verifyBy: time('The deadline.'),
  }),
  end: { field: 'verified', reached: ['true'], ended: [] },
});

export const order = defineLookup({
  name: 'order',
  doc: 'A domain order and its status.',
  endpoint: 'GET /v1/registrar/orders/{orderId}',
  input: () => ({ orderId: text('The id of the order.') }),
  output: () => ({
    orderId: text('The id of the order.'),
    status: openEnum(['draft', 'purchasing', 'completed', 'failed']).describe('Its status.'),
    domains: json('The domains in it.'),
    error: json('Why it failed.'),
  }),
  columns: ['orderId', 'status'],
  moves: ['actions'],
  end: { field: 'status', reached: ['completed'], ended: ['failed'] },
});
