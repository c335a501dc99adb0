import type { Fact } from '#kind';
import {
  confirmedIf,
  contradictedIf,
  inArea,
  isSuccess,
  judgeRows,
  rowsOf,
  toRow,
  toVerdict,
} from './observed.ts';

const projectList = 'GET /v9/projects/{idOrName}/domains';
const projectAdd = 'POST /v10/projects/{idOrName}/domains';
const projectUpdate = 'PATCH /v9/projects/{idOrName}/domains/{domain}';
const config = 'GET /v6/domains/{domain}/config';
const records = 'GET /v5/domains/{domain}/records';
const createRecord = 'POST /v2/domains/{domain}/records';
const updateRecord = 'PATCH /v1/domains/records/{recordId}';
const removeRecord = 'DELETE /v2/domains/{domain}/records/{recordId}';
const projectDomain = ['projectDomain'];
const dns = ['dnsRecord'];

/** Facts about the domains of projects. */
const projectDomainFacts: Fact[] = inArea('domains', [
  {
    id: 'PF28',
    statement:
      'Each project has a domain under vercel.app. Its entry lacks `redirect`, `redirectStatusCode` and `gitBranch`.',
    source: 'saleor/cli#251; vercel/vercel#15678',
    confidence: 'measured',
    kinds: projectDomain,
    operations: [projectList],
    answer: (observed) =>
      judgeRows(rowsOf(observed, 'domains'), (row) =>
        String(row.name).endsWith('.vercel.app')
          ? toVerdict(
              !['redirect', 'redirectStatusCode', 'gitBranch'].some((member) => Object.hasOwn(row, member)),
            )
          : undefined,
      ),
  },
  {
    id: 'PF35',
    statement: 'A redirect whose status code was set to null reads null, not 307.',
    source: 'terraform-provider-vercel, resource_project_domain_test.go',
    confidence: 'read',
    kinds: projectDomain,
    operations: [projectList, projectUpdate],
    answer: (observed) =>
      judgeRows(rowsOf(observed, 'domains'), (row) =>
        confirmedIf(Boolean(row.redirect) && row.redirectStatusCode === null),
      ),
  },
  {
    id: 'PF36',
    statement:
      'A domain is `verified` at once unless another account has used its name. It says nothing about DNS.',
    source: 'vercel/terraform-provider-vercel#569; vercel/sdk#113',
    confidence: 'measured',
    kinds: projectDomain,
    operations: [projectList, projectAdd],
  },
  {
    id: 'PF37',
    statement: 'A verified domain serves if the answer about its configuration says `misconfigured: false`.',
    source: 'vercel/terraform-provider-vercel#575',
    confidence: 'read',
    kinds: projectDomain,
    operations: [config],
    answer: (observed) =>
      isSuccess(observed) ? toVerdict(typeof toRow(observed.body).misconfigured === 'boolean') : undefined,
  },
  {
    id: 'PF38',
    statement:
      'A name in use gives `domain_already_in_use` or `domain_already_in_use_by_project`, with the status 400 or 409.',
    source: 'openstatusHQ/openstatus#2347',
    confidence: 'measured',
    kinds: [...projectDomain, 'domain'],
    operations: [projectAdd, 'POST /v7/domains'],
  },
  {
    id: 'PF39',
    statement: 'The vercel.app name of another project gives 400 "already assigned to another project".',
    source: 'vercel/vercel#15678',
    confidence: 'measured',
    kinds: projectDomain,
    operations: [projectAdd],
  },
  {
    id: 'PF40',
    statement: 'A custom domain can need a paid plan: `custom_domain_needs_upgrade`.',
    source: 'documentation: REST API errors',
    confidence: 'documented',
    kinds: projectDomain,
    operations: [projectAdd],
  },
]);

/** Facts about DNS records. */
const dnsFacts: Fact[] = inArea('dns', [
  {
    id: 'PF41',
    statement:
      'A CNAME beside other records of its name gives `record_conflicts`, with the id of the other record in the text.',
    source: 'pulumiverse/pulumi-vercel#252',
    confidence: 'measured',
    kinds: dns,
    operations: [createRecord],
  },
  {
    id: 'PF42',
    statement: 'A CAA value without quotes, or with extra parameters, gives `invalid_value`.',
    source: 'anomalyco/sst#5253; DNSControl, documentation/provider/vercel.md',
    confidence: 'measured',
    kinds: dns,
    operations: [createRecord],
  },
  {
    id: 'PF43',
    statement: 'An MX record needs `mxPriority`.',
    source: 'chronark/terraform-provider-vercel#71',
    confidence: 'measured',
    kinds: dns,
    operations: [createRecord],
  },
  {
    id: 'PF44',
    statement: 'The TTL of a record is 60 by default, and at least 60.',
    source: 'vercel/terraform-provider-vercel#62; DNSControl/dnscontrol#3542',
    confidence: 'measured',
    kinds: dns,
    operations: [records, createRecord],
    answer: (observed) =>
      judgeRows(rowsOf(observed, 'records'), ({ creator, ttl }) =>
        contradictedIf(creator !== 'system' && typeof ttl === 'number' && ttl < 60),
      ),
  },
  {
    id: 'PF45',
    statement: 'Rows of the list can lack `ttl`.',
    source: 'libdns/hetzner#2',
    confidence: 'measured',
    kinds: dns,
    operations: [records],
    answer: (observed) => judgeRows(rowsOf(observed, 'records'), ({ ttl }) => confirmedIf(ttl === undefined)),
  },
  {
    id: 'PF46',
    statement: 'Records of the domain itself have an empty name.',
    source: 'qdm12/ddns-updater#1065',
    confidence: 'measured',
    kinds: dns,
    operations: [records],
    answer: (observed) =>
      judgeRows(rowsOf(observed, 'records'), ({ name }) =>
        name === '@' ? 'contradicted' : confirmedIf(name === ''),
      ),
  },
  {
    id: 'PF47',
    statement: "The platform's own records (`creator: system`) can be neither changed nor deleted.",
    source: 'DNSControl/dnscontrol#3542',
    confidence: 'measured',
    kinds: dns,
    operations: [updateRecord, removeRecord],
  },
  {
    id: 'PF83',
    statement: 'One name and type have at most 50 values.',
    source: 'zordhalo/runs-on.dev#197',
    confidence: 'measured',
    kinds: dns,
    operations: [records, createRecord],
    answer(observed) {
      const counts = new Map<string, number>();
      for (const { name, type } of rowsOf(observed, 'records'))
        counts.set(`${name} ${type}`, (counts.get(`${name} ${type}`) ?? 0) + 1);
      return contradictedIf([...counts.values()].some((count) => count > 50));
    },
  },
  {
    id: 'PF85',
    statement: 'The domain itself cannot have a CNAME: `invalid_name`. The message advises an ALIAS.',
    source: 'anomalyco/sst#4388',
    confidence: 'measured',
    kinds: dns,
    operations: [records, createRecord],
    answer: (observed) =>
      judgeRows(rowsOf(observed, 'records'), ({ name, type }) =>
        contradictedIf(name === '' && type === 'CNAME'),
      ),
  },
]);

/** Facts about domains and their records. */
export const domainFacts: Fact[] = [...projectDomainFacts, ...dnsFacts];
