import { expect } from 'vitest';
import type { FactCase } from './fact-case.ts';

const refused = (code: string, message: string) => ({
  error: { code, message: expect.stringContaining(message) },
});
const configOf = (domain: string) => `/v6/domains/${domain}/config?projectIdOrName=`;
const recordsOf = (zone: string) => `/v2/domains/${zone}/records`;
const caa = (value: string) => ({ type: 'CAA', name: '', value });
const cname = (name: string) => ({ type: 'CNAME', name, value: 'cname.vercel-dns.com.' });
const invalid = (code: string, message: unknown) => ({ status: 400, body: { error: { code, message } } });

/** Facts about the domains of projects. */
const projectDomainCases: FactCase[] = [
  {
    fact: 'PF35',
    title: 'a status code that is set to null stays null',
    seed: {
      projects: [
        {
          name: 'pf35',
          domains: [
            { name: 'www.pf35.com' },
            { name: 'pf35.com', redirect: 'www.pf35.com', redirectStatusCode: 308 },
          ],
        },
      ],
    },
    steps: [
      {
        request: [
          'PATCH',
          '/v9/projects/pf35/domains/pf35.com',
          { redirect: 'www.pf35.com', redirectStatusCode: null },
        ],
        status: 200,
        body: { redirect: 'www.pf35.com', redirectStatusCode: null },
      },
    ],
  },
  {
    fact: 'PF36',
    title: 'a domain is verified at once, whatever its DNS says',
    seed: {
      projects: [{ name: 'pf36' }],
      domains: [{ name: 'pf36.com', records: [{ type: 'A', name: 'www', value: '192.0.2.1' }] }],
    },
    steps: [
      {
        request: ['POST', '/v10/projects/pf36/domains', { name: 'www.pf36.com' }],
        status: 200,
        body: { verified: true },
      },
      { request: ['GET', `${configOf('www.pf36.com')}pf36`], status: 200, body: { misconfigured: true } },
    ],
  },
  {
    fact: 'PF37',
    title: 'a domain says by `misconfigured` whether it serves, and recommends records by rank',
    seed: {
      projects: [{ name: 'pf37', domains: [{ name: 'www.pf37.com' }] }],
      domains: [{ name: 'pf37.com', records: [{ type: 'CNAME', name: 'www', value: 'pf37.example.net' }] }],
    },
    steps: [
      {
        request: ['GET', `${configOf('www.pf37.com')}pf37`],
        status: 200,
        body: {
          misconfigured: true,
          configuredBy: null,
          recommendedIPv4: [{ rank: 1, value: [expect.any(String)] }],
          recommendedCNAME: [{ rank: 1, value: expect.any(String) }],
        },
      },
      (_, twin) => {
        const [record] = twin.account.domains.find(({ name }) => name === 'pf37.com')!.records;
        return { request: ['DELETE', `/v2/domains/pf37.com/records/${record!.id}`], status: 200 };
      },
      { request: ['GET', `${configOf('www.pf37.com')}pf37`], status: 200, body: { misconfigured: false } },
    ],
  },
  {
    fact: 'PF37',
    title: 'a domain whose DNS is elsewhere serves, or not',
    seed: { projects: [{ name: 'out', domains: [{ name: 'www.out.com' }] }] },
    own: { switches: { outsideDnsConfigured: false } },
    steps: [
      { request: ['GET', `${configOf('www.out.com')}out`], status: 200, body: { misconfigured: true } },
    ],
  },
  {
    fact: 'PF38',
    title: 'a name in use is refused with codes of its own',
    seed: {
      projects: [{ name: 'pf38', domains: [{ name: 'www.pf38.com' }] }, { name: 'pf38b' }],
      domains: [{ name: 'pf38.com' }],
    },
    steps: [
      {
        request: ['POST', '/v10/projects/pf38/domains', { name: 'www.pf38.com' }],
        status: 409,
        body: refused('domain_already_in_use_by_project', 'this project'),
      },
      {
        request: ['POST', '/v10/projects/pf38b/domains', { name: 'www.pf38.com' }],
        status: 409,
        body: refused('domain_already_in_use', 'another project'),
      },
      {
        request: ['POST', '/v7/domains', { name: 'pf38.com', method: 'add' }],
        status: 409,
        body: refused('domain_already_in_use', 'already in use'),
      },
    ],
  },
  {
    fact: 'PF38',
    title: 'or with 400',
    seed: { projects: [{ name: 'web', domains: [{ name: 'www.example.com' }] }] },
    own: { switches: { domainInUseStatus: 400 } },
    steps: [
      {
        request: ['POST', '/v10/projects/web/domains', { name: 'www.example.com' }],
        status: 400,
        body: refused('domain_already_in_use_by_project', 'this project'),
      },
    ],
  },
  {
    fact: 'PF39',
    title: 'the name of another project under vercel.app is refused',
    seed: { projects: [{ name: 'pf39' }, { name: 'pf39b' }] },
    steps: [
      {
        request: ['POST', '/v10/projects/pf39b/domains', { name: 'pf39.vercel.app' }],
        status: 400,
        body: {
          error: { message: "Cannot add pf39.vercel.app since it's already assigned to another project." },
        },
      },
    ],
  },
  {
    fact: 'PF40',
    title: 'a custom domain can need a paid plan, as a fault',
    seed: { projects: [{ name: 'web' }] },
    own: {
      faults: {
        faults: [
          {
            at: { operation: 'addProjectDomain' },
            do: {
              type: 'status',
              status: 403,
              code: 'custom_domain_needs_upgrade',
              message: 'Domain name creation requires a premium account.',
            },
          },
        ],
      },
    },
    steps: [
      {
        request: ['POST', '/v10/projects/web/domains', { name: 'www.example.com' }],
        status: 403,
        // A fault of the plan, not a rule of the twin.
        rule: null,
        body: refused('custom_domain_needs_upgrade', 'requires a premium account'),
      },
    ],
  },
];

/** Facts about DNS records. */
const dnsCases: FactCase[] = [
  {
    fact: 'PF41',
    title: 'a CNAME beside another record is refused with the id of that record',
    seed: { domains: [{ name: 'pf41.com', records: [{ type: 'TXT', name: 'dev', value: 'x' }] }] },
    steps: [
      { request: ['GET', '/v5/domains/pf41.com/records'], status: 200 },
      ({ body: { records } }) => ({
        request: ['POST', recordsOf('pf41.com'), cname('dev')],
        status: 409,
        body: refused(
          'record_conflicts',
          `Existing record ("${records.find(({ type }: { type: string }) => type === 'TXT').id}") conflict with attempted "dev" CNAME`,
        ),
      }),
    ],
  },
  {
    fact: 'PF42',
    title: 'CAA needs quotes, and takes one parameter only',
    seed: { domains: [{ name: 'pf42.com' }] },
    steps: [
      {
        request: ['POST', recordsOf('pf42.com'), caa('0 issue amazonaws.com')],
        ...invalid('invalid_value', 'Invalid record value: "0 issue amazonaws.com".'),
      },
      {
        request: ['POST', recordsOf('pf42.com'), caa('0 issue "letsencrypt.org; validationmethods=dns-01"')],
        ...invalid('invalid_value', 'Unexpected "cansignhttpexchanges" value.'),
      },
      {
        request: ['POST', recordsOf('pf42.com'), caa('0 issue "digicert.com; cansignhttpexchanges=yes"')],
        status: 200,
      },
    ],
  },
  {
    fact: 'PF47',
    title: 'a new zone has records of the platform, which can be neither changed nor deleted',
    steps: [
      { request: ['POST', '/v7/domains', { name: 'pf47.com', method: 'add' }], status: 200 },
      {
        request: ['GET', '/v5/domains/pf47.com/records'],
        status: 200,
        check: ({ records }) =>
          expect(
            records.map(({ creator, type }: { creator: string; type: string }) => [creator, type]).sort(),
          ).toEqual([
            ['system', 'CAA'],
            ['system', 'CNAME'],
          ]),
      },
      ({ body: { records } }) => ({
        request: ['PATCH', `/v1/domains/records/${records[0].id}`, { ttl: 90 }],
        status: 403,
      }),
      (_, { account }) => ({
        request: [
          'DELETE',
          `${recordsOf('pf47.com')}/${account.domains.find(({ name }) => name === 'pf47.com')!.records[0]!.id}`,
        ],
        status: 403,
      }),
      // The user's records stand beside them.
      { request: ['POST', recordsOf('pf47.com'), caa('0 issue "letsencrypt.org"')], status: 200 },
      { request: ['POST', recordsOf('pf47.com'), { ...cname('*'), type: 'ALIAS' }], status: 200 },
    ],
  },
  {
    fact: 'PF83',
    title: 'one name and type have at most 50 values',
    seed: {
      domains: [
        {
          name: 'pf83.com',
          records: Array.from(
            { length: 50 },
            (_, i) => ({ type: 'TXT', name: 't', value: `v${i}` }) as const,
          ),
        },
      ],
    },
    steps: [
      {
        request: ['POST', recordsOf('pf83.com'), { type: 'TXT', name: 't', value: 'one too many' }],
        ...invalid(
          'bad_request',
          'You have reached the maximum number of DNS values (50) for TXT "t" on "pf83.com".',
        ),
      },
      { request: ['POST', recordsOf('pf83.com'), { type: 'A', name: 't', value: '192.0.2.1' }], status: 200 },
    ],
  },
  {
    fact: 'PF85',
    title: 'a CNAME at the apex is refused, an ALIAS is taken',
    seed: { domains: [{ name: 'pf85.com' }] },
    steps: [
      {
        request: ['POST', recordsOf('pf85.com'), cname('')],
        ...invalid('invalid_name', expect.stringContaining('use an ALIAS Record instead')),
      },
      { request: ['POST', recordsOf('pf85.com'), { ...cname(''), type: 'ALIAS' }], status: 200 },
    ],
  },
];

/** Facts about domains and their records. */
export const domainCases: FactCase[] = [...projectDomainCases, ...dnsCases];
