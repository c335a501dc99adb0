import { describe, expect, it } from 'vitest';
import { traceFirewall } from '../../providers/hosting/meaning/firewall/index.ts';
import type { VisitorRequest } from '../../src/kind/meaning.ts';
import { firewallView } from './firewall-view.ts';

const get = (url: string, rest: Partial<VisitorRequest> = {}): VisitorRequest => ({
  method: 'GET',
  url: new URL(url),
  headers: new Map(),
  ...rest,
});

async function trace(lines: string[], request: VisitorRequest) {
  const view = await firewallView(lines);
  return traceFirewall(view.ofKind('firewallRule'), request);
}

/** Returns the verdict of each condition of a rule about a request. */
const verdicts = async (line: string, request: VisitorRequest) =>
  (await trace([line], request)).steps[0]!.conditions.map(({ verdict }) => verdict);

const site = 'https://www.example.com';

describe('the trace of a firewall', () => {
  it('ends at the rule that decides', async () => {
    const { steps, decision, undecided } = await trace(
      [
        'office bypass: ip_address eq 192.0.2.7',
        'off deny off: path pre /',
        'watch log: path pre /',
        'admin deny: path pre /Admin & method inc GET,HEAD',
        'all redirect: path pre /',
      ],
      get(`${site}/admin/users`, { ip: '198.51.100.1' }),
    );
    const address = (name: string) => `projects/web/firewall/rules/${name}`;
    expect(steps).toEqual([
      {
        address: address('office'),
        type: 'firewall rule',
        matches: 'no',
        conditions: [{ text: 'ip address equals "192.0.2.7"', verdict: 'no' }],
        effect: 'bypass',
      },
      {
        address: address('watch'),
        type: 'firewall rule',
        matches: 'yes',
        conditions: [{ text: 'path starts with "/"', verdict: 'yes' }],
        effect: 'log',
      },
      {
        address: address('admin'),
        type: 'firewall rule',
        matches: 'yes',
        conditions: [
          { text: 'path starts with "/Admin"', verdict: 'yes' },
          { text: 'method is one of "GET" or "HEAD"', verdict: 'yes' },
        ],
        effect: 'deny',
      },
    ]);
    expect(decision).toEqual({ step: steps[2], action: 'deny' });
    expect(undecided).toEqual([]);
  });

  it('names the rules that may stop the request', async () => {
    const { decision, undecided } = await trace(
      [
        'bots deny: bot_category eq ai_crawler',
        'prove challenge: path pre /a',
        'slow rate_limit: path pre /a',
        'route deny: route eq /a',
        'on redirect>/elsewhere: path eq /a',
      ],
      get(`${site}/a`),
    );
    expect(undecided.map(({ address }) => address.split('/').at(-1))).toEqual(['bots', 'prove', 'slow']);
    expect(decision).toMatchObject({
      action: 'redirect',
      step: { effect: 'redirect to /elsewhere (temporary)' },
    });
  });

  it('lets a request pass that no rule decides', async () => {
    expect(await trace(['a deny: path eq /b | host neq www.example.com'], get(`${site}/a`))).toMatchObject({
      steps: [
        {
          matches: 'no',
          conditions: [
            { text: 'group 1: path equals "/b"', verdict: 'no' },
            { text: 'group 2: host does not equal "www.example.com"', verdict: 'no' },
          ],
        },
      ],
      decision: undefined,
      undecided: [],
    });
  });

  it.each<[line: string, request: VisitorRequest, verdict: string]>([
    ['a deny: query.page eq 2', get(`${site}/?page=2`), 'yes'],
    ['a deny: query.page eq 2', get(`${site}/?page=1&page=2`), 'unknown'],
    ['a deny: query.page ex', get(`${site}/?PAGE=2`), 'unknown'],
    ['a deny: query.page neq 2', get(site), 'unknown'],
    ['a deny: query.page nex', get(site), 'yes'],
    ['a deny: header.x-key eq 1', get(site), 'unknown'],
    ['a deny: header.X-Key eq 1', get(site, { headers: new Map([['x-key', '1']]) }), 'yes'],
    ['a deny: cookie.id pre b', get(site, { headers: new Map([['cookie', 'a=1; id=bc']]) }), 'yes'],
    ['a deny: cookie.id ex', get(site, { headers: new Map([['cookie', 'a=1']]) }), 'no'],
    ['a deny: cookie.id ex', get(site), 'unknown'],
    ['a deny: user_agent sub CURL', get(site, { headers: new Map([['user-agent', 'curl/8']]) }), 'yes'],
    ['a deny: geo_country inc DE,FR', get(site, { country: 'FR' }), 'yes'],
    ['a deny: geo_city eq Paris', get(site, { country: 'FR' }), 'unknown'],
    ['a deny: ip_address inc 192.0.2.0/24,198.51.100.7', get(site, { ip: '198.51.100.7' }), 'yes'],
    ['a deny: ip_address inc 192.0.2.0/24,198.51.100.7', get(site, { ip: '192.0.2.1' }), 'unknown'],
    ['a deny: ip_address !eq 192.0.2.1', get(site, { ip: '192.0.2.1' }), 'no'],
    ['a deny: ip_address eq ::1', get(site, { ip: '0:0:0:0:0:0:0:1' }), 'unknown'],
    ['a deny: ip_address inc 2001:db8::/48', get(site, { ip: '192.0.2.1' }), 'no'],
    ['a deny: scheme eq https', get(site), 'yes'],
    ['a deny: path eq /a', get(`${site}/a/`), 'unknown'],
    ['a deny: path pre /a', get(`${site}/a/`), 'yes'],
    ['a deny: path sub b c', get(`${site}/b%20c`), 'unknown'],
    ['a deny: path re ^/wp-(admin|login)', get(`${site}/WP-login.php`), 'yes'],
    ['a deny: path re ^/(?!api)', get(`${site}/x`), 'unknown'],
  ])('%s', async (line, request, verdict) => {
    expect(await verdicts(line, request)).toEqual([verdict]);
  });

  it('says nothing of a secret', async () => {
    const [object] = (await firewallView(['a deny: header.x-key eq 1'])).ofKind('firewallRule');
    const condition = { type: 'header', key: 'x-key', op: 'eq', value: { $secret: 'key' } };
    const fields = { ...object!.fields, conditionGroup: [{ conditions: [condition] }] };
    const request = get(site, { headers: new Map([['x-key', 'hush']]) });
    expect(traceFirewall([{ ...object!, fields }], request).steps[0]!.conditions).toEqual([
      { text: 'a condition', verdict: 'unknown', why: 'its value is not known, or is a secret' },
    ]);
  });
});
