import { afterAll, beforeAll, expect, test } from 'vitest';
import { World } from '../support/world.ts';
import { a, aaaa, alias, caa, cname, https, mx, ns, srv, txt } from './records.ts';
import { type Wanted, zoneName, zoneYaml } from './zone.ts';

let world: World;
beforeAll(async () => {
  world = await World.start({ seed: { domains: [{ name: zoneName }] } });
});
afterAll(() => world.stop());

/** The problems of one record: the code, and the member that its place is at; of the record as a whole, none. */
async function problemsOf(record: object): Promise<string[]> {
  const yaml = zoneYaml([record as Wanted]);
  const { diagnostics } = await world.configure(yaml);
  const line = yaml.trimEnd().split('\n').at(-1)!;
  return diagnostics.map(({ code, at }) => {
    const before = line.slice(0, at!.column - 1);
    const key = /^"(\w+)":/.exec(line.slice(before.length)) ?? /"(\w+)":$/.exec(before);
    return `${code} ${key?.[1] ?? ''}`.trimEnd();
  });
}

const value = (type: string, text: string, more = {}) => ({ type, name: 'x', value: text, ...more });

test.each([
  ['a type that the platform does not have', 'config/value type', value('PTR', 'x.')],
  ['no value', 'config/check', { type: 'A', name: 'x' }],
  ['a value where the type has a structure', 'config/check value', { ...srv('x', '1 1 1 .'), value: 'x' }],
  [
    'a structure where the type has a value',
    'config/check srv',
    { ...a('x', '192.0.2.1'), srv: srv('x', '1 1 1 .').srv },
  ],
  ['no priority', 'config/check', value('MX', 'mx.example.net.')],
  ['a priority where there is none', 'config/check mxPriority', value('A', '192.0.2.1', { mxPriority: 1 })],
  ['a priority out of range', 'config/value mxPriority', mx('x', 65536, 'mx.example.net.')],
  ['a ttl below the least', 'config/value ttl', a('x', '192.0.2.1', { ttl: 59 })],
  ['a ttl above the greatest', 'config/value ttl', a('x', '192.0.2.1', { ttl: 2147483648 })],
  ['a comment that is too long', 'config/value comment', a('x', '192.0.2.1', { comment: 'c'.repeat(501) })],
  ['a host as an IPv4 address', 'config/check value', a('x', 'example.net')],
  ['an IPv4 address as an IPv6 address', 'config/check value', aaaa('x', '192.0.2.1')],
  ['a CAA value without a tag', 'config/check value', caa('x', 'letsencrypt.org')],
  ['an empty text', 'config/check value', txt('x', '')],
  ['no mail server', 'config/check value', mx('x', 0, '.')],
  ['a service without a target', 'config/value target', srv('x', '1 1 1 ')],
  ['nameservers of the zone itself', 'config/check name', ns('@', 'ns1.example.net.')],
  ['nameservers of the zone itself, in full', 'config/check name', ns('Example.COM.', 'ns1.example.net.')],
  ['a name in another zone', 'config/check name', a('www.example.org.', '192.0.2.1')],
  ['a name with a final dot that is not in full', 'config/check name', a('www.', '192.0.2.1')],
  ['a name that no ASCII form exists of', 'config/check name', a('x.\u{fffd}', '192.0.2.1')],
  ['a host that no ASCII form exists of', 'config/check value', cname('x', '\u{fffd}.example.net.')],
  ['a priority beside a structure', 'config/check mxPriority', { ...https('x', '1 .'), mxPriority: 1 }],
])('%s is refused, with its place', async (_, expected, record) => {
  expect(await problemsOf(record)).toEqual([expected]);
});

test.each<[string, Wanted]>([
  ['an underscore and digits', txt('_1._domainkey', 'x')],
  ['a wildcard below a name', a('*.x', '192.0.2.1')],
  ['no host', srv('x', '0 0 0 .')],
  ['priority 0', mx('x', 0, 'mx.example.net')],
  ['the longest ttl', a('x', '192.0.2.1', { ttl: 2147483647 })],
  ['an alias below the apex', alias('x', 'edge')],
  ['nameservers below the apex', ns('sub', 'ns1')],
])('%s is right', async (_, record) => {
  expect(await problemsOf(record)).toEqual([]);
});

test('one record declared twice, in whatever words, is reported with both places', async () => {
  const { diagnostics } = await world.configure(
    zoneYaml([cname('x', 'edge'), cname('X', 'Edge.example.com.', { ttl: 300 })]),
  );
  expect(diagnostics).toMatchObject([{ code: 'config/duplicate', related: [{ at: {} }] }]);
});
