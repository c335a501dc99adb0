import { describe, expect, it } from 'vitest';
import { viewOf } from '../support/view-of.ts';
import { accountOf, findingsIn, shortTexts, withAnswers, zoneYaml } from './dns-view.ts';

const platform = 'cname.vercel-dns.com';
const domain = (host: string) => `projects/web/domains/${host}`;
const missing = (host: string) => `note domain/record-missing ${domain(host)}`;
const hidden = (set: string, wildcard: string) =>
  `warning dns/wildcard-hidden domains/example.com/records/${set} ${wildcard}`;

/** The records of a zone, the hosts of a project, and the findings of a configuration and of an account that has the same. */
type Case = [title: string, records: string[], hosts: string[], declared: string[], live: string[]];

const cases: Case[] = [
  [
    'a text hides a wildcard',
    [`CNAME * ${platform}`, 'TXT api x'],
    ['api.example.com'],
    [hidden('api/TXT', '*.example.com')],
    [hidden('api/TXT', '*.example.com')],
  ],
  [
    'a name below hides a wildcard',
    [`CNAME * ${platform}`, 'TXT _acme.api x'],
    ['api.example.com'],
    [hidden('_acme.api/TXT', '*.example.com')],
    [hidden('_acme.api/TXT', '*.example.com')],
  ],
  [
    'a name above hides a wildcard',
    [`A * 76.76.21.21`, 'MX eu 10 mx.example.net'],
    ['api.eu.example.com'],
    [hidden('eu/MX', '*.example.com')],
    [hidden('eu/MX', '*.example.com')],
  ],
  [
    'two hosts, one cause',
    [`A * 76.76.21.21`, 'TXT eu x'],
    ['a.eu.example.com', 'b.eu.example.com'],
    [hidden('eu/TXT', '*.example.com')],
    [hidden('eu/TXT', '*.example.com')],
  ],
  [
    'nothing hides the wildcard',
    [`CNAME * ${platform}`, 'TXT other x'],
    ['api.example.com', 'a.b.example.com'],
    [],
    [],
  ],
  [
    'the host has a record of its own',
    [`CNAME * ${platform}`, 'TXT api x', `ALIAS api ${platform}`],
    ['api.example.com'],
    [],
    [],
  ],
  [
    'a nearer wildcard answers',
    [`CNAME * ${platform}`, `CNAME *.eu ${platform}`, 'TXT eu x'],
    ['a.eu.example.com'],
    [],
    [],
  ],
  [
    'the hidden wildcard leads elsewhere',
    ['CNAME * example.net', 'TXT api x'],
    ['api.example.com'],
    [missing('api.example.com')],
    [],
  ],
  ['an HTTPS record may lead there', [`CNAME * ${platform}`, 'HTTPS api 0 www'], ['api.example.com'], [], []],
  ['the host is delegated', [`CNAME * ${platform}`, 'NS api ns1.example.net'], ['api.example.com'], [], []],
  [
    'a host without a record',
    ['MX @ 10 mx.example.net'],
    ['www.example.com', 'example.com'],
    [missing('www.example.com'), missing('example.com')],
    [],
  ],
  [
    'a wildcard host without a record',
    ['MX @ 10 mx.example.net'],
    ['*.example.com'],
    [missing('%2A.example.com')],
    [],
  ],
  [
    'a host that leads elsewhere',
    ['A www 192.0.2.1', 'CNAME docs www'],
    ['www.example.com', 'docs.example.com'],
    [missing('www.example.com'), missing('docs.example.com')],
    [missing('www.example.com'), missing('docs.example.com')],
  ],
  [
    'a host that leads to somebody else',
    ['CNAME www cdn.example.net', 'ALIAS @ cdn.example.net'],
    ['www.example.com', 'example.com'],
    [],
    [],
  ],
  ['hosts of other zones', ['A @ 192.0.2.1'], ['www.example.net', 'web.vercel.app'], [], []],
  ['an empty zone', [], ['www.example.com'], [], []],
  [
    'all there is',
    [`ALIAS @ ${platform}`, `CNAME www ${platform}`, 'A shop 76.76.21.21', `CNAME * ${platform}`],
    ['example.com', 'www.example.com', 'shop.example.com', '*.example.com', 'x.example.com'],
    [],
    [],
  ],
];

/** The records of a zone, and the severity of the finding about `www.example.com` by `misconfigured` of the platform's answer. */
type Answered = [title: string, records: string[], severities: Record<string, string | undefined>];

const systemRecords = [{ type: 'CNAME' }];
const answered: Answered[] = [
  ['no record', ['MX @ 10 mx.example.net'], { true: 'warning', undefined: 'note', false: undefined }],
  ['a text', ['TXT www x'], { true: 'warning', undefined: 'note', false: undefined }],
  ['other addresses', ['A www 192.0.2.1'], { true: 'note', undefined: 'note', false: undefined }],
  [
    'a hidden wildcard',
    [`CNAME * ${platform}`, 'TXT www x'],
    { true: 'warning', undefined: 'warning', false: undefined },
  ],
  ['its record', [`CNAME www ${platform}`], { true: undefined, undefined: undefined, false: undefined }],
];

describe('what the platform says about the DNS of a domain', () => {
  it.each(answered)('decides before its zone: %s', async (_, records, severities) => {
    const yaml = zoneYaml(records, ['www.example.com']);
    const account = { ...(await accountOf(yaml)), undeclarable: () => [] };
    for (const [answer, severity] of Object.entries(severities)) {
      const misconfigured = answer === 'undefined' ? undefined : answer === 'true';
      const [finding] = findingsIn(withAnswers(account, { 'www.example.com': misconfigured }));
      expect(finding?.severity, answer).toBe(severity);
    }
  });

  it('shows that its own wildcard does not lead a domain there', async () => {
    const yaml = zoneYaml(['MX @ 10 mx.example.net'], ['www.example.com']);
    const account = { ...(await accountOf(yaml)), undeclarable: () => systemRecords };
    const severityOf = (misconfigured: boolean | undefined) =>
      findingsIn(withAnswers(account, { 'www.example.com': misconfigured }))[0]?.severity;
    expect([true, undefined, false].map(severityOf)).toEqual(['warning', undefined, undefined]);
  });

  it('is about the time before the changes of a plan', async () => {
    const view = async (records: string[]) => {
      const account = await accountOf(zoneYaml(records, ['www.example.com']));
      return withAnswers({ ...account, undeclarable: () => [] }, { 'www.example.com': false });
    };
    const served = await view([`CNAME www ${platform}`]);
    for (const [records, severity] of [
      [['TXT @ x'], 'warning'],
      [['A www 192.0.2.1'], 'note'],
    ] as const)
      expect(findingsIn({ ...(await view([...records])), before: served })[0]?.severity).toBe(severity);
    const proxied = await view(['A www 192.0.2.1']);
    expect(findingsIn({ ...(await view(['A www 192.0.2.1', 'TXT @ x'])), before: proxied })).toEqual([]);
  });
});

describe('domains of projects', () => {
  it.each(cases)('%s', async (_, records, hosts, declared, live) => {
    const yaml = zoneYaml(records, hosts);
    expect(shortTexts(findingsIn(await viewOf(yaml))).sort()).toEqual(declared.sort());
    expect(shortTexts(findingsIn(await accountOf(yaml))).sort()).toEqual(live.sort());
  });

  it('are not judged by a zone that answers nothing, or that is of another stack', async () => {
    for (const meta of ['zone: false', 'nameservers: { custom: [ns1.example.net] }', '$existing: true']) {
      const yaml = zoneYaml(
        ['A www 192.0.2.1', `CNAME * ${platform}`, 'TXT api x'],
        ['www.example.com', 'api.example.com'],
        meta,
      );
      expect(findingsIn(await viewOf(yaml)), meta).toEqual([]);
    }
  });

  it('name the wildcard and the hosts', async () => {
    const records = [`CNAME * ${platform}`, 'TXT eu x'];
    const [finding] = findingsIn(
      await accountOf(zoneYaml(records, ['a.eu.example.com', 'b.eu.example.com'])),
    );
    expect(finding).toMatchObject({
      message:
        'a.eu.example.com (and 1 more) is a domain of a project and relies on the record of *.example.com, but the TXT record of eu.example.com hides it: a wildcard does not answer for names that exist',
      related: [
        { address: 'domains/example.com/records/%2A/CNAME' },
        { address: domain('a.eu.example.com') },
        { address: domain('b.eu.example.com') },
      ],
    });
  });
});
