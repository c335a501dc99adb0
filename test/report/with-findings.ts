import type { Diagnostic, FindingState } from '../../src/model/diagnostic.ts';
import { at, change, edit, operation, planOf, set } from './builders.ts';

/** A finding of a plan about the object at `address`. */
export const finding = (
  state: FindingState,
  code: string,
  address: string,
  more: Partial<Diagnostic> & { causes?: string[] } = {},
): Diagnostic => {
  const { causes = state === 'unchanged' ? [] : [address], ...members } = more;
  return {
    severity: 'warning',
    code,
    message: `${address} is harmful`,
    address,
    finding: { state, causes },
    ...members,
  };
};

const rules = 'projects/web/firewall/rules';
const sites = ['a', 'b', 'c', 'd'];
const webhookOf = (site: string) => `projects/site-${site}/webhooks/deploys`;
const changed = [
  `${rules}/deny-all`,
  `${rules}/allow-office`,
  'domains/acme.com/records/spf',
  ...[...sites, 'e'].map(webhookOf),
];

/** A plan with findings of each state, severity and place. */
export const withFindings = planOf({
  changes: [
    change('create', `${rules}/deny-all`, {
      at: at(12),
      fields: [set('action', 'deny'), set('active', true)],
    }),
    change('update', `${rules}/allow-office`, {
      at: at(20),
      grade: 'disruptive',
      gradeReason: 'requests may be denied',
      fields: [edit('active', true, false)],
    }),
    change('update', 'domains/acme.com/records/spf', {
      at: at(30),
      fields: [edit('value', 'v=spf1 +all', 'v=spf1 -all')],
    }),
    ...sites.map((site) =>
      change('create', webhookOf(site), { fields: [set('url', 'http://hooks.acme.com')] }),
    ),
    change('create', webhookOf('e'), { fields: [set('url', 'http://hooks.acme.com')] }),
    change('noop', 'domains/acme.com'),
  ],
  operations: changed.map((address) => operation([address], [{ endpoint: 'POST /v9/things' }])),
  diagnostics: [
    { severity: 'warning', code: 'token/expires', message: 'the token expires in 3 days' },
    finding('new', 'firewall/deny-all', `${rules}/deny-all`, {
      at: at(12),
      message: 'the rule `deny-all` denies every request',
      hint: 'add a condition, or set `active: false`',
    }),
    finding('new', 'firewall/unreachable', `${rules}/allow-office`, {
      at: at(20),
      message: 'the rule `allow-office` is never reached, because `deny-all` above it ends every request',
      hint: 'move it above `deny-all`',
      causes: [`${rules}/allow-office`, `${rules}/deny-all`],
      related: [{ message: 'the rule above it', at: at(12) }],
    }),
    finding('new', 'redirect/loop', `${rules}/deny-all`, {
      severity: 'error',
      message: 'the redirect never ends',
    }),
    ...sites.map((site) =>
      finding('new', 'webhook/plain-http', webhookOf(site), {
        severity: 'note',
        message: `${webhookOf(site)} sends its events without encryption`,
        hint: 'use https',
      }),
    ),
    finding('new', 'dns/dangling', 'domains/acme.com/records/old', {
      causes: [],
      message: 'old.acme.com points to a host that nobody serves',
      hint: 'remove the record',
    }),
    finding('new', 'domain/no-record', 'projects/web/domains/acme.com', {
      severity: 'note',
      causes: [],
      message: 'the zone of acme.com is not read',
    }),
    finding('unchanged', 'dns/spf-many', 'domains/b.com'),
    finding('unchanged', 'dns/spf-many', 'domains/c.com'),
    finding('unchanged', 'token/no-expiry', 'tokens/ci', { severity: 'note', hint: 'set `expires`' }),
  ],
  fixedFindings: [
    finding('fixed', 'dns/spf-all', 'domains/acme.com/records/spf', {
      message: 'the SPF record of acme.com allows every sender',
    }),
    finding('fixed', 'dns/takeover', 'domains/acme.com/records/www', {
      causes: [],
      message: 'www.acme.com points to the platform, and no project serves it',
    }),
  ],
  suppressedFindings: [
    finding('unchanged', 'firewall/duplicate', `${rules}/allow-office`),
    finding('new', 'dns/spf-lookups', 'domains/acme.com/records/spf'),
    finding('unchanged', 'dns/spf-lookups', 'domains/b.com'),
  ],
});
