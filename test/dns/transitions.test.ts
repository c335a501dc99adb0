import { afterAll, describe, test } from 'vitest';
import { mostValues } from '../../providers/hosting/kinds/domains/dns-set.ts';
import { otherSwitches } from '../../providers/hosting/twin/index.ts';
import { all, sampled } from '../support/sweep.ts';
import { a, aaaa, alias, caa, cname, https, mx, ns, srv, txt } from './records.ts';
import { type StepOptions, type Wanted, Zone } from './zone.ts';

/** A zone as it is wanted next; each step starts from what the last one left, each group from an empty zone. */
type Step = Wanted[] | ({ records: Wanted[] } & StepOptions);

/** The same zone in other words: nothing is to be sent. */
const same = (inZone: Wanted[], records: Wanted[]): Step => ({ records, inZone, sends: [] });
const sending = (sends: string, records: Wanted[]): Step => ({ records, sends: sends.split(' ') });

/** What every type goes through: two values of one name. */
const everyType: Record<string, [Wanted, Wanted]> = {
  A: [a('host', '192.0.2.1'), a('host', '192.0.2.2')],
  AAAA: [aaaa('host', '2001:db8::1'), aaaa('host', '2001:db8::2')],
  ALIAS: [alias('@', 'one.example.net.'), alias('@', 'two.example.net.')],
  CAA: [caa('@', '0 issue "ca.example.net"'), caa('@', '128 iodef "mailto:ca@example.net"')],
  CNAME: [cname('shop', 'one.example.net.'), cname('shop', 'two.example.net.')],
  HTTPS: [https('@', '1 . alpn=h2,h3 port=8443'), https('@', '2 svc.example.net. alpn=h3')],
  MX: [mx('@', 10, 'mx1.example.net.'), mx('@', 20, 'mx2.example.net.')],
  NS: [ns('sub', 'ns1.example.net.'), ns('sub', 'ns2.example.net.')],
  SRV: [srv('_sip._tcp', '10 60 5060 sip.example.net.'), srv('_sip._tcp', '20 0 5061 .')],
  TXT: [txt('_dmarc', 'v=DMARC1; p=none'), txt('_dmarc', 'v=DMARC1; p=reject')],
};

const lifeOf = ([one, other]: [Wanted, Wanted]): Step[] => [
  sending('POST', [one]),
  sending('PATCH', [{ ...one, ttl: 600 }]),
  sending('PATCH', [{ ...one, ttl: 600, comment: 'asked for by sales' }]),
  sending('PATCH', [{ ...other, ttl: 900, comment: '' }]),
  ...(one.type === 'CNAME'
    ? []
    : [
        sending('POST', [
          { ...other, ttl: 900 },
          { ...one, ttl: 900 },
        ]),
        sending('DELETE', [{ ...one, ttl: 900 }]),
      ]),
  sending('DELETE', []),
  [other],
];

// A small page has the same edges as one of the platform's size, which the sweep takes.
const page = all ? 100 : 20;
const values = (count: number, from = 1) =>
  Array.from({ length: count }, (_, i) => a('pool', `198.51.100.${from + i}`));
const labels = (count: number, value: string) =>
  Array.from({ length: count }, (_, i) => a(`n${i}`, value, { ttl: 120 }));

const groups: Record<string, Step[]> = {
  ...Object.fromEntries(Object.entries(everyType).map(([type, two]) => [`life of ${type}`, lifeOf(two)])),

  'everything at once, and all of it otherwise': [
    Object.values(everyType).map(([one]) => one),
    Object.values(everyType).map(([, other]) => other),
    Object.values(everyType).flatMap(([one, other]) => (one.type === 'CNAME' ? [one] : [one, other])),
    [],
  ],

  apex: [
    [a('@', '192.0.2.1'), aaaa('@', '2001:db8::1'), mx('@', 5, 'mx.example.net.'), txt('@', 'v=spf1 -all')],
    [alias('@', 'edge.example.net.'), mx('@', 5, 'mx.example.net.'), txt('@', 'v=spf1 ~all')],
    [a('@', '192.0.2.9'), caa('@', '0 issue "letsencrypt.org"'), https('@', '0 edge.example.net.')],
    [a('@', '192.0.2.9')],
  ],

  wildcard: [
    [a('*', '192.0.2.1')],
    [a('*', '192.0.2.1'), a('*.dev', '192.0.2.2'), a('www.dev', '192.0.2.3')],
    [cname('*', 'edge.example.net.'), txt('*.dev', 'everywhere below')],
    [cname('*', 'edge2.example.net.')],
    [a('*', '192.0.2.1')],
  ],

  'deep and odd names': [
    [
      a('a.b.c.d.e', '192.0.2.1'),
      txt('_acme-challenge.www', 'token'),
      txt('selector1._domainkey', 'v=DKIM1'),
    ],
    [a('1', '192.0.2.1'), a('0-0', '192.0.2.1'), cname('_abc123.www', '_xyz.acm.example.net.')],
  ],

  'a ttl that is declared, changed and let go': [
    [a('t', '192.0.2.1')],
    sending('PATCH', [a('t', '192.0.2.1', { ttl: 61 })]),
    sending('PATCH', [a('t', '192.0.2.1', { ttl: 2147483647 })]),
    same([a('t', '192.0.2.1', { ttl: 2147483647 })], [a('t', '192.0.2.1')]),
    sending('PATCH', [a('t', '192.0.2.1', { ttl: 60 })]),
  ],

  'ttls and comments of some members': [
    [a('t', '192.0.2.1', { ttl: 300 }), a('t', '192.0.2.2'), a('t', '192.0.2.3', { comment: 'old office' })],
    sending('PATCH', [
      a('t', '192.0.2.1', { ttl: 300 }),
      a('t', '192.0.2.2', { comment: 'new office' }),
      a('t', '192.0.2.3', { comment: 'old office' }),
    ]),
    sending('PATCH PATCH', [
      a('t', '192.0.2.1', { ttl: 600 }),
      a('t', '192.0.2.2', { comment: 'new office' }),
      a('t', '192.0.2.3', { comment: '' }),
    ]),
    // The record that becomes another one keeps what is not declared of it.
    {
      records: [a('t', '192.0.2.1', { ttl: 600 }), a('t', '192.0.2.4')],
      inZone: [a('t', '192.0.2.1', { ttl: 600 }), a('t', '192.0.2.4', { comment: 'new office' })],
      sends: ['PATCH', 'DELETE'],
    },
  ],

  'many values at a label': [
    [a('pool', '192.0.2.1')],
    sending('POST POST', [a('pool', '192.0.2.1'), a('pool', '192.0.2.2'), a('pool', '192.0.2.3')]),
    sending('PATCH', [a('pool', '192.0.2.1'), a('pool', '192.0.2.9'), a('pool', '192.0.2.3')]),
    same(
      [a('pool', '192.0.2.1'), a('pool', '192.0.2.9'), a('pool', '192.0.2.3')],
      [a('pool', '192.0.2.9'), a('pool', '192.0.2.3'), a('pool', '192.0.2.1')],
    ),
    values(12),
    values(12, 7),
    sending('DELETE DELETE', values(10, 7)),
    values(2, 100),
    [],
  ],

  'mail servers trade places': [
    [mx('@', 10, 'mx1.example.net.'), mx('@', 20, 'mx2.example.net.'), mx('@', 30, 'mx3.example.net.')],
    sending('PATCH PATCH', [
      mx('@', 20, 'mx1.example.net.'),
      mx('@', 10, 'mx2.example.net.'),
      mx('@', 30, 'mx3.example.net.'),
    ]),
    sending('PATCH', [
      mx('@', 0, 'mx1.example.net.'),
      mx('@', 10, 'mx2.example.net.'),
      mx('@', 30, 'mx3.example.net.'),
    ]),
    // One host with two priorities is two members.
    [mx('@', 0, 'mx1.example.net.'), mx('@', 65535, 'mx1.example.net.')],
  ],

  'services, one number at a time': [
    [srv('_x._tcp', '1 2 3 x.example.net.'), srv('_x._tcp', '1 2 4 x.example.net.')],
    sending('PATCH', [srv('_x._tcp', '9 2 3 x.example.net.'), srv('_x._tcp', '1 2 4 x.example.net.')]),
    sending('PATCH', [srv('_x._tcp', '9 0 3 x.example.net.'), srv('_x._tcp', '1 2 4 x.example.net.')]),
    sending('PATCH', [srv('_x._tcp', '9 0 0 .'), srv('_x._tcp', '1 2 4 x.example.net.')]),
    [https('@', '0 x.example.net.')],
    sending('PATCH', [https('@', '1 x.example.net. alpn=h3')]),
    sending('PATCH', [https('@', '1 x.example.net. alpn=h3 ipv4hint=192.0.2.1')]),
    sending('PATCH', [https('@', '1 . alpn=h3')]),
    sending('PATCH', [https('@', '1 .')]),
  ],

  'a CNAME comes and goes': [
    [cname('w', 'edge.example.net.')],
    sending('PATCH', [cname('w', 'edge2.example.net.', { ttl: 300 })]),
    sending('DELETE POST', [a('w', '192.0.2.1')]),
    [a('w', '192.0.2.1'), aaaa('w', '2001:db8::1'), txt('w', 'x'), mx('w', 1, 'mx.example.net.')],
    sending('DELETE DELETE DELETE DELETE POST', [cname('w', 'edge.example.net.')]),
    sending('DELETE POST POST', [txt('w', 'only text'), txt('w', 'more text')]),
    sending('DELETE DELETE POST', [cname('w', 'edge.example.net.')]),
    // Elsewhere, at the same time.
    [cname('v', 'edge.example.net.'), a('w', '192.0.2.1')],
    [cname('w', 'edge.example.net.'), a('v', '192.0.2.1')],
  ],

  'a name that changes its type': [
    [alias('@', 'edge.example.net.')],
    sending('POST DELETE', [a('@', '192.0.2.1')]),
    sending('POST POST DELETE', [aaaa('@', '2001:db8::1'), aaaa('@', '2001:db8::2')]),
    sending('POST DELETE DELETE', [alias('@', 'edge.example.net.')]),
    [txt('@', 'edge.example.net.')],
    [caa('@', '0 issue "edge.example.net"')],
  ],

  'values move between names': [
    [a('blue', '192.0.2.1'), a('green', '192.0.2.2')],
    sending('PATCH PATCH', [a('blue', '192.0.2.2'), a('green', '192.0.2.1')]),
    [a('green', '192.0.2.2'), a('red', '192.0.2.1')],
    [cname('blue', 'green.example.com.'), cname('green', 'red.example.com.'), a('red', '192.0.2.1')],
    [cname('red', 'blue.example.com.'), cname('green', 'red.example.com.'), a('blue', '192.0.2.1')],
  ],

  'long text': [
    [txt('long', 'x'.repeat(255))],
    sending('PATCH', [txt('long', 'x'.repeat(256))]),
    sending('PATCH', [txt('long', `${'x'.repeat(1023)} `)]),
    sending('PATCH', [txt('long', 'k=rsa; p='.padEnd(4000, 'MIIBIjANBg'))]),
  ],

  'text with what other tools would quote': [
    [txt('t', '"quoted"')],
    ...[
      'half "quoted',
      "it's `odd`",
      'back\\slash " \x08',
      'a;b=c;;',
      ' in front and behind ',
      'two  spaces	and a tab',
      '${secret.x} $${y} $z',
      'größer ✓ 𝕏',
      '- a: {b}',
      'null',
      '1.10',
      '# no comment',
    ].map((text) => sending('PATCH', [txt('t', text)])),
    [txt('t', 'one'), txt('t', '"one"'), txt('t', 'One'), txt('t', 'one ')],
  ],

  'upper case': [
    [a('Host', '192.0.2.1'), cname('WWW', 'Edge.EXAMPLE.net.'), txt('t', 'Case Matters')],
    same(
      [a('host', '192.0.2.1'), cname('www', 'edge.example.net.'), txt('t', 'Case Matters')],
      [a('hOST', '192.0.2.1'), cname('www', 'EDGE.example.NET.'), txt('T', 'Case Matters')],
    ),
    [a('host', '192.0.2.1'), cname('www', 'edge.example.net.'), txt('t', 'case matters')],
  ],

  unicode: [
    [a('bücher', '192.0.2.1'), cname('ありがとう', 'faß.例え.'), mx('Ärger', 1, 'münchen.example.')],
    same(
      [a('bücher', '192.0.2.1'), cname('ありがとう', 'faß.例え.'), mx('ärger', 1, 'münchen.example.')],
      [
        a('xn--bcher-kva', '192.0.2.1'),
        cname('xn--l8jir6i4g', 'XN--fa-hia.xn--r8jz45g.'),
        mx('ÄRGER', 1, 'xn--mnchen-3ya.example.'),
      ],
    ),
    [a('*.bücher', '192.0.2.1'), srv('_x._tcp.bücher', '1 1 1 bücher.example.net.'), a('☕', '192.0.2.2')],
  ],

  'targets within the zone': [
    [cname('w', 'app'), mx('@', 1, '@'), srv('_x._tcp', '1 1 1 app'), https('h', '1 app'), ns('sub', 'ns')],
    ...[
      ['app.example.com', 'example.com', 'ns.example.com'],
      ['app.example.com.', 'example.com.', 'NS.example.com.'],
    ].map(([app, zone, nameserver]) =>
      same(
        [
          cname('w', 'app'),
          mx('@', 1, '@'),
          srv('_x._tcp', '1 1 1 app'),
          https('h', '1 app'),
          ns('sub', 'ns'),
        ],
        [
          cname('w', app!),
          mx('@', 1, zone!),
          srv('_x._tcp', `1 1 1 ${app}`),
          https('h', `1 ${app}`),
          ns('sub', nameserver!),
        ],
      ),
    ),
    [cname('w', 'api'), srv('_x._tcp', '1 1 1 deep.app.example.com')],
  ],

  'names in other words': [
    [a('@', '192.0.2.1'), a('www', '192.0.2.1'), txt('a.b', 'x')],
    same(
      [a('@', '192.0.2.1'), a('www', '192.0.2.1'), txt('a.b', 'x')],
      [a('', '192.0.2.1'), a('www.example.com.', '192.0.2.1'), txt('A.B.Example.COM.', 'x')],
    ),
    same(
      [a('@', '192.0.2.1'), a('www', '192.0.2.1'), txt('a.b', 'x')],
      [a('example.com.', '192.0.2.1'), a('WWW', '192.0.2.1'), txt('a.B', 'x')],
    ),
    // Without a final dot it is a name below the zone.
    [a('www.example.com', '192.0.2.1')],
  ],

  'values in other words': [
    [aaaa('v6', '2001:db8::1'), caa('@', '0 issue "ca.example.net"'), https('h', '1 . alpn=h2 port=8443')],
    ...[
      ['2001:0DB8:0000:0000:0000:0000:0000:0001', '0 issue ca.example.net', '1 .  alpn=h2   port=8443 '],
      ['2001:db8:0:0::0.0.0.1', ' 0  ISSUE  "ca.example.net" ', '1 . alpn=h2 port=8443'],
    ].map(([address, authority, service]) =>
      same(
        [
          aaaa('v6', '2001:db8::1'),
          caa('@', '0 issue "ca.example.net"'),
          https('h', '1 . alpn=h2 port=8443'),
        ],
        [aaaa('v6', address!), caa('@', authority!), https('h', service!)],
      ),
    ),
    [aaaa('v6', '::'), caa('@', '0 issue "digicert.com; cansignhttpexchanges=yes"')],
    [caa('@', '0 issuewild "ca.example.net"')],
  ],

  'over pages, many names': [
    labels(page - 1, '192.0.2.1'),
    labels(page, '192.0.2.1'),
    labels(page + 1, '192.0.2.1'),
    labels(0.4 * page, '192.0.2.2'),
  ],
  'many values': [values(mostValues - 1), values(mostValues), values(mostValues, 11), values(3)],
};

const steps = { run: 0, silent: 0 };

async function run(group: Step[], options: Parameters<typeof Zone.start>[0]) {
  const zone = await Zone.start(options);
  try {
    for (const step of group) {
      const { records, ...rest }: { records: Wanted[] } & StepOptions = Array.isArray(step)
        ? { records: step }
        : step;
      await zone.step(records, rest);
      steps.run++;
      if (rest.sends?.length === 0) steps.silent++;
    }
  } finally {
    await zone.stop();
  }
}

describe('transitions', () => {
  // Half of them here; all of them with `npm run sweep`.
  test.each(sampled(Object.entries(groups), Math.ceil(Object.keys(groups).length / 4)))('%s', (_, group) =>
    run(group, { pageSize: page }),
  );
});

describe('transitions, where the platform answers otherwise', () => {
  test.each(sampled(Object.entries(groups), 1))('%s', (_, group) =>
    run(group, { switches: otherSwitches, pageSize: 7 }),
  );
});

afterAll(() =>
  console.log(
    `DNS transitions: ${Object.keys(groups).length} groups, ${steps.run} steps (${steps.silent} of them only worded otherwise), second plan always empty`,
  ),
);
