import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { accountWith, textIn } from './account.ts';

const story = oneStoryIn(4);

const zoneFile = `$TTL 1h
$ORIGIN example.com.
@   IN SOA ns1.example.net. admin.example.com. ( 2026010101 ; serial
        7200 3600 1209600 300 )
    IN NS ns1.example.net.
@        300 IN A 192.0.2.1
         300 IN A 192.0.2.2
www      CNAME @
mail  2d IN MX 10 mx1
      2d IN MX 20 mx2.example.net.
@        TXT "v=spf1 include:_spf.example.net " "~all"
price    IN TXT "costs \${FIVE} \\"euros\\"; \\195\\164"
_sip._tcp IN SRV 1 2 5060 sip
@        CAA 0 issue "letsencrypt.org"
svc      HTTPS 1 . alpn=h2,h3
short 30 A 192.0.2.9
loc      LOC 52 22 23.000 N 4 53 32.000 E -2.00m
sub.example.com. AAAA 2001:DB8:0::1
`;

story('a zone file becomes the records of a domain', async () => {
  const shell = await new Shell().write({ 'db.example.com': zoneFile });
  const ran = await shell.run(['from', 'zonefile', 'db.example.com', '--team', 'acme', '--out-dir', 'dns']);
  expect(ran.status, ran.all).toBe(0);
  await expect(`${textIn(join(shell.folder, 'dns'))}\n--- told\n${ran.stderr}`).toMatchFileSnapshot(
    'golden/zonefile.txt',
  );
});

it('so does what dnscontrol prints, with a reason for each thing that is left', async () => {
  const ir = {
    registrars: [{ name: 'none', type: 'NONE' }],
    dns_providers: [{ name: 'cf', type: 'CLOUDFLAREAPI' }],
    domains: [
      {
        name: 'example.com',
        registrar: 'none',
        dnsProviders: { cf: -1 },
        records: [
          { type: 'A', name: '@', ttl: 300, target: '192.0.2.1', filepos: 'dnsconfig.js:4:3' },
          { type: 'A', name: '@', ttl: 300, target: '192.0.2.1' },
          { type: 'CNAME', name: 'www', target: '@' },
          { type: 'MX', name: 'mail', ttl: 3600, mxpreference: 10, target: 'mx1' },
          { type: 'MX', name: 'mail', ttl: 3600, target: 'mx2.example.net.' },
          { type: 'TXT', name: 'price', target: 'costs ${FIVE}' },
          { type: 'SRV', name: '_sip._tcp', srvpriority: 1, srvweight: 2, srvport: 5060, target: 'sip' },
          { type: 'CAA', name: '@', caatag: 'issue', target: 'letsencrypt.org' },
          { type: 'HTTPS', name: 'svc', svcpriority: 1, svcparams: 'alpn=h2,h3', target: '.' },
          { type: 'CF_REDIRECT', name: '@', target: 'a,b' },
        ],
      },
      { name: 'example.org!inside', records: [{ type: 'A', name: '@', target: '10.0.0.1' }] },
    ],
  };
  const shell = await new Shell().write({ 'dns.json': JSON.stringify(ir) });
  const ran = await shell.run(['from', 'dnscontrol', 'dns.json', '--team', 'acme', '--out-dir', 'dns']);
  expect(ran.status, ran.all).toBe(0);
  await expect(`${textIn(join(shell.folder, 'dns'))}\n--- told\n${ran.stderr}`).toMatchFileSnapshot(
    'golden/dnscontrol.txt',
  );
});

story('the plan of a zone that is there sends nothing, and adds what is missing', async () => {
  const { beside } = await accountWith(`stack: acme
platform: { team: acme }
domains: { example.com: { records: [{ type: TXT, name: price, value: "costs $\${FIVE}", ttl: 300 }] } }
`);
  const shell = await beside().write({ zone: '$ORIGIN example.com.\nprice 300 TXT "costs ${FIVE}"\n' });
  const args = ['from', 'zonefile', '--team', 'acme', '--out-dir'];
  const same = await shell.run([...args, 'same', 'zone']);
  expect(same.status, same.all).toBe(0);
  expect(same.stderr).toContain('Verified: its plan sends nothing.');
  await shell.write({ zone: '@ 300 A 192.0.2.1\nprice 300 TXT "costs ${FIVE}"\n' });
  const more = await shell.run([...args, 'more', 'zone', '--zone', 'example.com']);
  expect(more.status, more.all).toBe(0);
  expect(more.stdout).toContain('+   domains/example.com/records/@/A');
});

story('records that the platform refuses are named like in a plan', async () => {
  const apex = { type: 'CNAME', name: '@', target: 'a.example.net.' };
  const caa = { type: 'CAA', name: '@', caatag: 'issue', target: 'a.org; x=1' };
  const beside = ['CNAME', 'TXT'].map((type) => ({ type, name: 'c', target: 'x.example.net.' }));
  const many = Array.from({ length: 51 }, (_, i) => ({ type: 'A', name: 'a', target: `192.0.2.${i}` }));
  const ir = { domains: [{ name: 'example.com', records: [apex, caa, ...beside, ...many] }] };
  const shell = await new Shell().write({ 'dns.json': JSON.stringify(ir) });
  const { stderr } = await shell.run(['from', 'dnscontrol', 'dns.json', '--team', 'acme']);
  for (const finding of [
    'the platform does not allow a CNAME at the apex',
    'the platform rejects the parameter `x=1`',
    'a/A has 51 values; the platform allows 50 per name and type',
    'c/CNAME conflicts with domains/example.com/records/c/TXT',
    'Read 55 records, converted 53, left out 2.',
  ])
    expect(stderr).toContain(finding);
});

it('mistakes in a zone file are told with their places', async () => {
  const wrong = 'www A 192.0.2.1\n$ORIGIN example.com.\n$INCLUDE other\na BOGUS x\nb A\nc TXT "open\nd (\n';
  const shell = await new Shell().write({
    'db.example': wrong,
    'no.json': '{"zones": []}',
    'cut.json': '{\n  "domains": [',
  });
  const ran = await shell.run(['from', 'zonefile', 'db.example', '--team', 'acme']);
  expect(ran.status).toBe(1);
  for (const place of ['1:1', '3:1', '4:3', '5:3', '6:7', '7:3'])
    expect(ran.stderr).toContain(`db.example:${place}`);
  // What a mistake stands in is quoted nowhere.
  expect(ran.all).not.toContain('192.0.2.1');
  const no = await shell.run(['from', 'dnscontrol', 'no.json', '--team', 'acme']);
  expect(no.stderr).toContain('no.json: this is not a dnscontrol configuration');
  const cut = await shell.run(['from', 'dnscontrol', 'cut.json', '--team', 'acme']);
  expect(cut.stderr).toContain('cut.json:2:15');
});
