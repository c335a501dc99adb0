import { describe, expect, it } from 'vitest';
import { viewOf } from '../support/view-of.ts';
import { accountOf, findingsIn, shortTexts, zoneYaml } from './dns-view.ts';

/** What a zone and the hosts of a project give: the records as lines, the hosts, and the findings of a view of the configuration. */
type Case = [title: string, records: string[], hosts: string[] | undefined, findings: string[]];

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
    [],
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
    [],
    [`warning dns/takeover ${at('shop/A')}`],
  ],
  ['an ALIAS', ['ALIAS @ cname.vercel-dns-0.com'], [], [`warning dns/takeover ${at('@/ALIAS')}`]],
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
  it.each([...harmful, ...healthy])('%s', async (_, records, hosts, findings) => {
    expect(shortTexts(findingsIn(await viewOf(zoneYaml(records, hosts))))).toEqual(findings);
  });
});

describe('in an account', () => {
  it.each(harmful)('%s', async (_, records, hosts = [], findings) => {
    expect(shortTexts(findingsIn(await accountOf(zoneYaml(records, hosts))))).toEqual(findings);
  });

  it('a wildcard leads to itself if no other record has its target', async () => {
    const findings = findingsIn(await accountOf(zoneYaml(['CNAME * a'])));
    expect(shortTexts(findings)).toEqual([`error dns/cname-loop ${at('%2A/CNAME')}`]);
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

  it('a plan has not read the domains of all projects', async () => {
    const view = await accountOf(zoneYaml(records, []));
    const knows: typeof view.knows = (kind) => (kind === 'projectDomain' ? 'nothing' : 'all');
    expect(findingsIn({ ...view, knows })).toEqual([]);
    expect(findingsIn({ ...view, knows: (kind) => (kind === 'project' ? 'declared' : 'all') })).toEqual([]);
  });
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
    message: expect.stringContaining('docs.example.com points to the platform, but no project'),
    related: [{ address: at('www/CNAME') }],
  });
});
