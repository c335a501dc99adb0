import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { posture } from '../../providers/hosting/meaning/posture/posture.ts';
import { isPrivateHost } from '../../providers/hosting/meaning/posture/private-host.ts';
import type { View } from '../../src/kind/meaning.ts';
import { runs } from '../support/sweep.ts';
import { viewOf } from '../support/view-of.ts';

const findIn = (view: View) => [...posture.find(view)];
const findFor = async (yaml: string) => findIn(await viewOf(yaml));

const discarded = '$secretTo: discard';
const webhook = (url: string) =>
  `webhooks: { deploys: { url: "${url}", events: [deployment.succeeded], ${discarded} } }`;
const drain = (delivery: string) => `drains: { logs: { schemas: { log: {} }, delivery: ${delivery} } }`;
const traces = (url: string) => drain(`{ type: otlphttp, endpoint: { traces: "${url}" }, encoding: proto }`);
const bypass = (entry: string) => `projects: { web: { firewallBypasses: [${entry}] } }`;

test.each<[yaml: string, code: string, path: string]>([
  [bypass('{ domain: "*", sourceIp: 192.0.2.7 }'), 'bypass-without-end', 'ttl'],
  [bypass('{ domain: www.example.com, sourceIp: "*" }'), 'bypass-without-end', 'ttl'],
  [`authTokens: { ci: { ${discarded} } }`, 'token-without-end', 'expiresAt'],
  [webhook('http://hooks.example.com/deploys'), 'plain-http', 'url'],
  [webhook('http://203.0.113.9/deploys'), 'plain-http', 'url'],
  [webhook('https://localhost:3000/deploys'), 'private-address', 'url'],
  [webhook('http://127.0.0.1/deploys'), 'private-address', 'url'],
  [webhook('https://10.1.2.3/deploys'), 'private-address', 'url'],
  [webhook('https://172.31.255.1/deploys'), 'private-address', 'url'],
  [webhook('https://192.168.0.10/deploys'), 'private-address', 'url'],
  [webhook('https://169.254.169.254/latest'), 'private-address', 'url'],
  [webhook('https://hooks.corp.internal/deploys'), 'private-address', 'url'],
  [webhook('https://[::1]/deploys'), 'private-address', 'url'],
  [webhook('https://[fd12:3456::1]/deploys'), 'private-address', 'url'],
  [
    drain('{ type: http, endpoint: "http://logs.example.com", encoding: json }'),
    'plain-http',
    'delivery.endpoint',
  ],
  [
    drain('{ type: http, endpoint: "https://10.0.0.5/in", encoding: json }'),
    'private-address',
    'delivery.endpoint',
  ],
  [traces('http://traces.example.com/v1'), 'plain-http', 'delivery.endpoint.traces'],
  ['projects: { web: { protectedSourcemaps: false } }', 'public-sourcemaps', 'protectedSourcemaps'],
  ['projects: { web: { directoryListing: true } }', 'public-files', 'directoryListing'],
])('%s gets a note', async (yaml, code, path) => {
  expect(await findFor(yaml)).toMatchObject([{ code: `posture/${code}`, severity: 'note', path }]);
});

test.each([
  bypass('{ domain: "*", sourceIp: 192.0.2.7, ttl: 3600000 }'),
  `authTokens: { ci: { expiresAt: 2027-01-31T18:00:00Z, ${discarded} } }`,
  webhook('https://hooks.example.com/deploys'),
  webhook('https://localhost.example.com/deploys'),
  webhook('https://internal.example.com/deploys'),
  webhook('https://10.example.com/deploys'),
  webhook('https://172.32.0.1/deploys'),
  webhook('https://192.169.0.1/deploys'),
  webhook('https://11.0.0.1/deploys'),
  webhook('https://[2001:db8::1]/deploys'),
  drain('{ type: http, endpoint: "https://logs.example.com", encoding: json }'),
  drain('{ type: http, endpoint: "https://logs.example.com?to=http://10.0.0.1", encoding: json }'),
  traces('https://traces.example.com/v1'),
  'projects: { web: { protectedSourcemaps: true, directoryListing: false } }',
  'projects: { web: {} }',
])('%s gets none', async (yaml) => {
  expect(await findFor(yaml)).toEqual([]);
});

test('the account decides whether a live bypass ends, and undeclared objects are left alone', async () => {
  const view = await viewOf(bypass('{ domain: "*", sourceIp: 192.0.2.7 }'));
  const [object] = view.ofKind('firewallBypass');
  const withObject = (changes: object): View => ({
    ...view,
    ofKind: (kind) => (kind === 'firewallBypass' ? [{ ...object!, ...changes }] : []),
  });
  expect(findIn(withObject({ facts: { ExpiresAt: 1_900_000_000 } }))).toEqual([]);
  expect(findIn(withObject({ facts: { ExpiresAt: null } }))).toHaveLength(1);
  expect(findIn(withObject({ isDeclared: false }))).toEqual([]);
});

test('an address is private if and only if it is in a private network', () => {
  const networks = new BlockList();
  for (const [address, bits] of [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
  ] as const)
    networks.addSubnet(address, bits, 'ipv4');
  for (const [address, bits] of [
    ['::', 127],
    ['fc00::', 7],
    ['fe80::', 10],
  ] as const)
    networks.addSubnet(address, bits, 'ipv6');
  const byte = fc.nat(255);
  const ipv4 = fc
    .tuple(
      fc.oneof(fc.constantFrom(10, 100, 127, 169, 172, 192), byte),
      fc.oneof(fc.constantFrom(15, 16, 31, 32, 63, 64, 127, 128, 168, 254), byte),
      byte,
      byte,
    )
    .map((bytes) => bytes.join('.'));
  const group = fc.nat(0xffff).map((number) => number.toString(16));
  const ipv6 = fc
    .tuple(
      fc.oneof(fc.constantFrom('fbff', 'fc00', 'fdff', 'fe00', 'fe7f', 'fe80', 'febf', 'fec0', '0'), group),
      fc.array(fc.oneof(fc.constant('0'), group), { minLength: 7, maxLength: 7 }),
    )
    .map(([first, others]) => [first, ...others].join(':'));
  const check = (address: string) => {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const { hostname } = new URL(family === 'ipv6' ? `http://[${address}]` : `http://${address}`);
    return isPrivateHost(hostname) === networks.check(address, family);
  };
  const mapped = ipv4.map((address) => [address, new URL(`http://[::ffff:${address}]`).hostname] as const);
  fc.assert(fc.property(fc.oneof(ipv4, ipv6), check), { numRuns: runs(20_000) });
  fc.assert(
    fc.property(mapped, ([address, host]) => isPrivateHost(host) === networks.check(address)),
    { numRuns: runs(4_000) },
  );
});
