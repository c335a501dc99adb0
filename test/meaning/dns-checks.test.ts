import { describe, expect, it } from 'vitest';
import type { View } from '../../src/kind/meaning.ts';
import { oneRowIn } from '../support/sweep.ts';
import { viewOf } from '../support/view-of.ts';
import { accountOf, findingsIn, shortTexts, zoneYaml } from './dns-view.ts';

/** What a zone and the hosts of a project give: the records as lines, the hosts, and the findings of a view of the configuration. */
type Case = [title: string, records: string[], hosts: string[] | undefined, findings: string[]];

/** Returns the findings about DNS records, without the notes about domains of projects. */
const ofDns = (view: View) => findingsIn(view).filter(({ code }) => code.startsWith('dns/'));

const at = (set: string) => `domains/example.com/records/${set}`;

const platform = 'cname.vercel-dns.com';

const harmful: Case[] = [
  [
    'a CNAME to the platform without a project',
    [`CNAME docs ${platform}`],
    ['www.example.com'],
    [`warning dns/takeover ${at('docs/CNAME')}`],
  ],
  [
    'a CNAME to the host of a project',
    ['CNAME docs d1d4fc829fe7bc7c.vercel-dns-017.com'],
    ['www.example.com'],
    [`warning dns/takeover ${at('docs/CNAME')}`],
  ],
  [
    'an address of the platform',
    ['A @ 76.76.21.21'],
    ['www.example.com'],
    [`warning dns/takeover ${at('@/A')}`],
  ],
  [
    'one address of several',
    ['A shop 192.0.2.1', 'A shop 216.198.79.1'],
    ['www.example.com'],
    [`warning dns/takeover ${at('shop/A')}`],
  ],
  [
    'an ALIAS',
    ['ALIAS @ cname.vercel-dns-0.com'],
    ['www.example.com'],
    [`warning dns/takeover ${at('@/ALIAS')}`],
  ],
  [
    'a chain whose end is served',
    [`CNAME www ${platform}`, 'CNAME docs www'],
    ['www.example.com'],
    [`warning dns/takeover ${at('docs/CNAME')}`],
  ],
  [
    'a wildcard domain that is too far above',
    [`CNAME a.b ${platform}`],
    ['*.c.example.com'],
    [`warning dns/takeover ${at('a.b/CNAME')}`],
  ],
  ['a CNAME to itself', ['CNAME a a'], undefined, [`error dns/cname-loop ${at('a/CNAME')}`]],
  [
    'a loop of two, and a way into it',
    ['CNAME b a', 'CNAME a b', 'CNAME c a'],
    undefined,
    [`error dns/cname-loop ${at('a/CNAME')}`],
  ],
  [
    'a loop by way of the apex',
    ['ALIAS @ www.example.com', 'CNAME www example.com'],
    undefined,
    [`error dns/cname-loop ${at('@/ALIAS')}`],
  ],
  [
    'a loop in upper case',
    ['CNAME A B.Example.COM', 'CNAME b A.example.com.'],
    undefined,
    [`error dns/cname-loop ${at('a/CNAME')}`],
  ],
];

const include = (host: string) => `include:${host}`;
const eleven = Array.from({ length: 11 }, (_, index) => include(`s${index}.example.net`)).join(' ');

/** Cases of which other files have a part: a zone without hosts of projects, in an account that is fully known. */
const harmfulZones: [title: string, records: string[], findings: string[]][] = [
  ['an MX record without a host', ['MX @ 10 mail'], [`warning dns/dangling ${at('@/MX')} mail.example.com`]],
  [
    'one of two mail servers',
    ['MX @ 10 a', 'MX @ 20 b', 'A a 192.0.2.1'],
    [`warning dns/dangling ${at('@/MX')} b.example.com`],
  ],
  [
    'several records to one missing host',
    ['MX @ 10 mail', 'MX news 10 mail'],
    [`warning dns/dangling ${at('@/MX')} mail.example.com`],
  ],
  [
    'a mail server with a text only',
    ['MX @ 10 mail', 'TXT mail v=spf1'],
    [`warning dns/dangling ${at('@/MX')} mail.example.com`],
  ],
  [
    'an empty node as mail server',
    ['MX @ 10 mail', 'A a.mail 192.0.2.1'],
    [`warning dns/dangling ${at('@/MX')} mail.example.com`],
  ],
  [
    'a wildcard that does not reach the mail server',
    ['MX @ 10 a.mail.example.com', 'A * 192.0.2.1', 'TXT mail x'],
    [`warning dns/dangling ${at('@/MX')} a.mail.example.com`],
  ],
  [
    'a service without a host',
    ['SRV _sip._tcp 1 1 5060 sip'],
    [`warning dns/dangling ${at('_sip._tcp/SRV')} sip.example.com`],
  ],
  [
    'a web service without a host',
    ['SRV _http._tcp 1 1 443 web'],
    [`warning dns/dangling ${at('_http._tcp/SRV')} web.example.com`],
  ],
  [
    'a CNAME without a target',
    ['CNAME docs help'],
    [`warning dns/dangling ${at('docs/CNAME')} help.example.com`],
  ],
  [
    'an ALIAS to a text',
    ['ALIAS docs help', 'TXT help x'],
    [`warning dns/dangling ${at('docs/ALIAS')} help.example.com`],
  ],
  [
    'a nameserver without an address',
    ['NS lab ns1'],
    [`warning dns/dangling ${at('lab/NS')} ns1.example.com`],
  ],
  [
    'a nameserver below its own delegation',
    ['NS lab ns1.lab.example.com', 'NS lab ns2.lab.example.com', 'A ns2.lab 192.0.2.1'],
    [`warning dns/dangling ${at('lab/NS')} ns1.lab.example.com`],
  ],
  [
    'two SPF records',
    ['TXT @ v=spf1 -all', 'TXT @ V=SPF1 include:example.net -all', 'TXT @ x=1'],
    [`warning dns/spf-several ${at('@/TXT')}`],
  ],
  ['eleven lookups', [`TXT @ v=spf1 ${eleven} -all`], [`warning dns/spf-lookups ${at('@/TXT')}`]],
  [
    'eleven lookups of all sorts',
    [
      `TXT @ v=spf1 a mx ptr exists:%{i}.example.net ${eleven.split(' ').slice(0, 6).join(' ')} redirect=example.net`,
    ],
    [`warning dns/spf-lookups ${at('@/TXT')}`],
  ],
  [
    'lookups of a record in the zone',
    [
      'TXT @ v=spf1 include:_spf.example.com include:_spf.example.com ~all',
      'TXT _spf v=spf1 a mx a:b mx:b exists:c -all',
    ],
    [`warning dns/spf-lookups ${at('@/TXT')}`],
  ],
  [
    'an included record that is the cause',
    ['TXT @ v=spf1 include:_spf.example.com ~all', `TXT _spf v=spf1 ${eleven}`],
    [`warning dns/spf-lookups ${at('_spf/TXT')}`],
  ],
  [
    'a record that includes itself by way of another',
    [
      'TXT @ v=spf1 include:a.example.com',
      'TXT a v=spf1 include:b.example.com',
      'TXT b v=spf1 redirect=a.example.com',
    ],
    [`warning dns/spf-lookups ${at('a/TXT')}`],
  ],
  ['an SPF record that allows everyone', ['TXT @ v=spf1 mx +all'], [`warning dns/spf-all ${at('@/TXT')}`]],
  ['a bare all', ['TXT news v=spf1 ALL'], [`warning dns/spf-all ${at('news/TXT')}`]],
  ['a misspelled term', ['TXT @ v=spf1 ipv4:192.0.2.1 -all'], [`warning dns/spf-syntax ${at('@/TXT')}`]],
  ['a range that is none', ['TXT @ v=spf1 ip4:192.0.2.1/33 -all'], [`warning dns/spf-syntax ${at('@/TXT')}`]],
  [
    'an IPv6 address as IPv4',
    ['TXT @ v=spf1 ip4:2001:db8::1 -all'],
    [`warning dns/spf-syntax ${at('@/TXT')}`],
  ],
  ['a comma behind a term', ['TXT @ v=spf1 mx, -all'], [`warning dns/spf-syntax ${at('@/TXT')}`]],
];

const healthyZones: [title: string, records: string[]][] = [
  ['a mail server elsewhere', ['MX @ 10 mx.example.net', 'SRV _sip._tcp 1 1 5060 sip.example.net']],
  ['no service', ['SRV _sip._tcp 0 0 0 .']],
  ['a mail server that a wildcard answers for', ['MX @ 10 mail', 'A * 192.0.2.1']],
  ['a mail server that is an alias', ['MX @ 10 mail', 'CNAME mail mx.example.net']],
  ['the apex as mail server', ['MX @ 10 @', 'MX news 10 example.com']],
  ['a host with an IPv6 address only', ['MX @ 10 mail', 'AAAA mail 2001:db8::1']],
  [
    'a host below a delegation',
    ['NS lab ns1.example.net', 'MX @ 10 mail.lab.example.com', 'CNAME x y.lab.example.com'],
  ],
  ['a nameserver with its address', ['NS lab ns1.lab.example.com', 'A ns1.lab 192.0.2.1']],
  ['a CNAME to a text', ['CNAME a._domainkey b._domainkey.example.com', 'TXT b._domainkey v=DKIM1; p=x']],
  ['a challenge that exists for a moment', ['CNAME _acme-challenge.www www.acme.example.com']],
  ['records below a delegation', ['NS lab ns1.example.net', 'MX lab 10 mail', 'TXT a.lab v=spf1 +all']],
  [
    'ten lookups',
    [`TXT @ v=spf1 ${eleven.split(' ').slice(1).join(' ')} ip4:192.0.2.0/24 ip6:2001:db8::/32 -all`],
  ],
  ['lookups behind all', [`TXT @ v=spf1 mx -all ${eleven}`]],
  [
    'a redirect beside all',
    [`TXT @ v=spf1 ${eleven.split(' ').slice(1).join(' ')} -all redirect=example.net`],
  ],
  ['an explanation', [`TXT @ v=spf1 ${eleven.split(' ').slice(1).join(' ')} exp=why.example.net -all`]],
  ['all behind all', ['TXT @ v=spf1 -all +all']],
  ['a soft and a neutral all', ['TXT @ v=spf1 ~all', 'TXT news v=spf1 ?all']],
  ['one SPF record beside other texts', ['TXT @ v=spf1 -all', 'TXT @ v=spf10 x', 'TXT @ spf2.0/pra -all']],
  ['SPF records of several names', ['TXT @ v=spf1 -all', 'TXT news v=spf1 -all', 'TXT * v=spf1 -all']],
  [
    'unknown modifiers, macros and lengths',
    ['TXT @ v=spf1 ra=postmaster a/24 mx:example.net/24//64 exists:%{i}._spf.%{d} a:%{d} -all'],
  ],
  ['quotes in the text', ['TXT @ v=spf1 "mx, -all']],
];

const healthy: Case[] = [
  ['a served host', [`CNAME docs ${platform}`], ['docs.example.com'], []],
  ['a host that a wildcard domain serves', [`CNAME docs ${platform}`], ['*.example.com'], []],
  ['a host that a wildcard domain may serve', [`CNAME a.b ${platform}`], ['*.example.com'], []],
  ['a zone without projects', [`CNAME docs ${platform}`], undefined, []],
  ['a wildcard record', [`CNAME * ${platform}`], ['www.example.com'], []],
  ['a host elsewhere', ['CNAME docs docs.example.net', 'A www 192.0.2.1'], [], []],
  ['a nameserver of the platform', ['NS lab ns1.vercel-dns.com'], [], []],
  ['a name below a delegation', ['NS lab ns1.example.net', `CNAME a.lab ${platform}`], [], []],
  ['loops below a delegation', ['NS lab ns1.example.net', 'CNAME a.lab a.lab.example.com'], undefined, []],
  ['a chain to a host elsewhere', ['CNAME a b', 'CNAME b c', 'CNAME c example.net'], undefined, []],
  ['a wildcard that is hidden at its target', ['CNAME * a', 'A a 192.0.2.1'], undefined, []],
  ['a wildcard whose target may exist', ['CNAME * a'], undefined, []],
  ['an ALIAS beside addresses', ['ALIAS a b', 'A a 192.0.2.1', 'ALIAS b a'], undefined, []],
];

describe('in a configuration', () => {
  oneRowIn(5)([...harmful, ...healthy])('%s', async (_, records, hosts, findings) => {
    expect(shortTexts(ofDns(await viewOf(zoneYaml(records, hosts))))).toEqual(findings);
  });
});

/** Records of a zone that undeclared objects may complete, with the start of the message. */
const doubtful: [title: string, records: string[], code: string, message: string][] = [
  [
    'a parked domain',
    ['A @ 76.76.21.21'],
    'dns/takeover',
    'example.com points to the platform, but no declared project has it as a domain: unless an undeclared project has it, visitors',
  ],
  [
    'a mail server',
    ['MX @ 10 mail'],
    'dns/dangling',
    'the MX record of example.com points to mail.example.com, which has no declared record in its zone: unless the account has one, mail is not delivered there',
  ],
  [
    'a host with a text',
    ['CNAME docs help', 'ALIAS docs2 help', 'TXT help x'],
    'dns/dangling',
    'the ALIAS record of docs2.example.com points to help.example.com, which has no declared address in its zone: unless the account has one, the name leads nowhere',
  ],
];

describe('what undeclared objects may complete', () => {
  const severitiesIn = async (yaml: string, code: string) =>
    findingsIn(await viewOf(yaml)).flatMap((finding) => (finding.code === code ? finding.severity : []));

  it.each(doubtful)('is a note in a zone of which no project has a domain: %s', async (_, records, code) => {
    const inZone = zoneYaml(records, ['www.example.com']);
    expect(await severitiesIn(inZone, code)).toEqual(['warning']);
    expect(await severitiesIn(inZone.replace('www.example.com', 'www.example.net'), code)).toEqual(['note']);
    expect(await severitiesIn(zoneYaml(records, []), code)).toEqual(['note']);
  });

  it.each(doubtful)('is no statement about the account: %s', async (_, records, code, message) => {
    const findings = findingsIn(await viewOf(zoneYaml(records, ['www.example.com'])));
    expect(findings.find((finding) => finding.code === code)?.message).toContain(message);
  });

  it('is the record of a host with a text, beside a wildcard', async () => {
    const yaml = zoneYaml([`CNAME * ${platform}`, 'TXT api x'], ['api.example.com']);
    const [finding] = findingsIn(await viewOf(yaml));
    expect(finding?.message).toBe(
      'api.example.com is a domain of a project, and of the declared records only that of *.example.com leads it to the platform, but the TXT record of api.example.com hides that one: a wildcard does not answer for names that exist',
    );
  });
});

describe('in an account', () => {
  it.each(harmful)('%s', async (_, records, hosts = [], findings) => {
    expect(shortTexts(ofDns(await accountOf(zoneYaml(records, hosts))))).toEqual(findings);
  });

  it('a wildcard leads to itself if no other record has its target', async () => {
    const findings = findingsIn(await accountOf(zoneYaml(['CNAME * a'])));
    expect(shortTexts(findings)).toEqual([`error dns/cname-loop ${at('%2A/CNAME')}`]);
  });
});

describe('a zone of an account', () => {
  it.each(harmfulZones)('%s', async (_, records, findings) => {
    expect(shortTexts(findingsIn(await accountOf(zoneYaml(records, []))))).toEqual(findings);
  });

  it.each(healthyZones)('%s', async (_, records) => {
    expect(findingsIn(await accountOf(zoneYaml(records, [])))).toEqual([]);
  });
});

describe('what the view does not know', () => {
  const records = [`CNAME docs ${platform}`];

  it.each([
    ['the zone is of another stack', zoneYaml(records, ['www.example.com'], '$existing: true')],
    [
      'a project is of another stack',
      `${zoneYaml(records)}projects: { web: {}, other: { $existing: true } }\n`,
    ],
    ['the platform keeps no zone', zoneYaml(records, [], 'zone: false')],
    ['other nameservers answer', zoneYaml(records, [], 'nameservers: { custom: [ns1.example.net] }')],
    [
      'previews have the suffix',
      `${zoneYaml(records)}projects: { web: { previewDeploymentSuffix: example.com } }\n`,
    ],
    [
      'an alias has the host',
      `${zoneYaml(records)}projects: { web: { aliases: { docs.example.com: { deploymentId: dpl_1 } } } }\n`,
    ],
  ])('%s', async (_, yaml) => {
    expect(findingsIn(await viewOf(yaml))).toEqual([]);
  });

  it('values are known later', async () => {
    const yaml = `secrets: { s: {} }
projects: { web: { domains: { a.example.com: {}, b.example.com: {} } } }
domains:
  example.com:
    records:
      - { type: CNAME, name: a, value: "\${secret.s}" }
      - { type: A, name: b, value: "\${secret.s}" }
      - { type: MX, name: "@", value: "\${secret.s}", mxPriority: 1 }
      - { type: TXT, name: "@", value: "\${secret.s}" }
      - { type: TXT, name: "@", value: "v=spf1 -all" }
      - { type: SRV, name: _x._tcp, srv: { priority: 1, weight: 1, port: 1, target: "\${secret.s}" } }
`;
    expect(findingsIn(await viewOf(yaml))).toEqual([]);
  });

  it('a plan has not read the domains of all projects', async () => {
    const view = await accountOf(zoneYaml(records, []));
    const knows: typeof view.knows = (kind) => (kind === 'projectDomain' ? 'nothing' : 'all');
    expect(findingsIn({ ...view, knows })).toEqual([]);
    expect(findingsIn({ ...view, knows: (kind) => (kind === 'project' ? 'declared' : 'all') })).toEqual([]);
  });
});

it('names only some parts of a large loop or record, because each message is one line', async () => {
  const loop = Array.from({ length: 200 }, (_, i) => `CNAME n${i} n${(i + 1) % 200}`);
  const terms = Array.from({ length: 200 }, (_, i) => `odd${i}:${'x'.repeat(100)}`);
  const findings = findingsIn(await viewOf(zoneYaml([...loop, `TXT @ v=spf1 ${terms.join(' ')} -all`])));
  expect(findings.map(({ code }) => code).sort()).toEqual(['dns/cname-loop', 'dns/spf-syntax']);
  expect(findings.filter(({ message }) => message.length > 1_000)).toEqual([]);
});

it('names the records of a loop and of a chain', async () => {
  const records = ['CNAME a b', 'CNAME b a', `CNAME www ${platform}`, 'CNAME docs www'];
  const [loop, takeover] = findingsIn(await viewOf(zoneYaml(records, ['www.example.com'])));
  expect(loop).toMatchObject({
    message:
      'CNAME records lead in a circle, so these names have no address: a.example.com -> b.example.com -> a.example.com',
    related: [{ address: at('b/CNAME') }],
  });
  expect(takeover).toMatchObject({
    message: expect.stringContaining('docs.example.com points to the platform, but no declared project'),
    related: [{ address: at('www/CNAME') }],
  });
});
