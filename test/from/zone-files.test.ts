import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { record } from '../../providers/hosting/foreign/zone-record.ts';
import { hostTypes, toAscii } from '../../providers/hosting/kinds/domains/dns-content.ts';
import { normalDomain as normalName } from '../../providers/hosting/kinds/domains/host-name.ts';
import { readDnscontrol } from '../../src/from/zone/read-dnscontrol.ts';
import { readZoneFile } from '../../src/from/zone/read-zone-file.ts';
import { Problems } from '../../src/model/diagnostic.ts';
import { oneStoryIn, runs } from '../support/sweep.ts';

const story = oneStoryIn(4);

const read = (text: string) =>
  readZoneFile(`$ORIGIN example.com.\n${text}\n`, 'zone', { normalName }).records;
const dataIn = (text: string) => read(text).map(({ data }) => data);

it.each([
  ['h HTTPS 1 . alpn="h3,h2" port=443', ['1', '.', 'alpn="h3,h2"', 'port=443']],
  ['h HTTPS 1 . key667="a b;(c) \\" \\195"', ['1', '.', 'key667="a b;(c) \\" \\195"']],
  ['a TXT "one ; two" "(three" ; four', ['one ; two(three']],
  ['a TXT "a\\"b\\\\c\\059"', ['a"b\\c;']],
  ['a TXT ä\\195\\164 "€\\195\\164"', ['ää€ä']],
  ['a TXT a\\;b\\"c', ['a;b"c']],
  ['a TXT ( "x"\n ; comment )\n ("y") )', ['xy']],
  ['a TXT "caf\\195" "\\169"', ['café']],
  ['a TXT no\u00a0space', ['no\u00a0space']],
  ['a TYPE257 \\# 22 00 05 69737375656c657473656e63727970742e6f7267', ['0', 'issue', 'letsencrypt.org']],
  ['a CAA \\# 8 0005 69737375653b', ['0', 'issue', ';']],
  ['a TYPE1 \\# 4 c0000201', ['192.0.2.1']],
  ['a TYPE28 \\# 16 20010db8 00000000 00000000 00000001', ['2001:db8:0:0:0:0:0:1']],
  ['a TXT \\# 5 0161 0262 63', ['abc']],
  ['a mx 10 Mail', ['10', 'mail.example.com.']],
])('%j has these fields', (text, data) => expect(dataIn(text)).toEqual([data]));

it.each([
  ['a CH TXT "x"', 'of the class CH'],
  ['a CLASS3 A 192.0.2.1', 'of the class CLASS3'],
  ['a TXT "\\255"', 'not UTF-8'],
  ['a\\.b A 192.0.2.1', 'with an escape'],
  ['a CNAME b\\.c', 'with an escape'],
  ['other.example.org. A 192.0.2.1', 'outside the zone'],
  ['a TYPE15 \\# 3 000a00', 'generic form'],
  ['a A \\# 4 c00002', 'not as long as it says'],
  ['a CAA \\# 3 000569', 'not that of a record of type CAA'],
  ['a HTTPS 1 . "alpn=h2"', 'in quotes as a whole'],
])('%j is left out with a reason', (text, why) => {
  expect(read(text).map((found) => found.why)).toEqual([expect.stringContaining(why)]);
});

it.each([
  [['A', ['192.0.2.1', '192.0.2.2']], 'has 2 fields instead of 1'],
  [['MX', ['x', 'mail.']], 'is not a number'],
  [['SRV', ['1', '2', 'http', 'x.']], 'field 3 of its data is not a number'],
  [['CAA', ['0', 'issue']], 'has 2 fields instead of 3'],
  [['TYPE999', ['x']], 'does not support records of type TYPE999'],
] as const)('%j is no record of the platform', ([type, data], why) => {
  expect(record('example.com', { name: 'a', type, data: [...data] }, 'x')).toEqual({
    why: expect.stringContaining(why),
  });
});

it.each([
  ['a TXT "open', 2, 7, 'never closed'],
  ['a TXT "x"y', 2, 10, 'right after a closing quote'],
  ['a TXT x"y"', 2, 8, 'a quote begins inside a word'],
  ['a TXT "\\25"', 2, 8, 'three digits'],
  ['a TXT "\\256"', 2, 8, 'up to 255'],
  ['a A 192.0.2.1 )', 2, 15, 'never opened'],
  ['a ( A 192.0.2.1', 2, 3, 'never closed'],
  ['$INCLUDE other', 2, 1, 'not supported'],
  ['$GENERATE 1-9 a$ A 192.0.2.$', 2, 1, 'not supported'],
  ['$TTL 1x', 2, 6, 'not a valid time'],
])('%j is a mistake', (text, line, column, message) => {
  const at = { file: 'zone', line, column };
  try {
    read(text);
    expect.unreachable();
  } catch (error) {
    expect((error as Problems).diagnostics[0]).toMatchObject({
      at,
      message: expect.stringContaining(message),
    });
  }
});

it('a TTL is its own, that of $TTL, the last one that was stated, or that of the SOA record', () => {
  const ttls = (text: string) => read(text).map(({ ttl }) => ttl);
  expect(ttls('a 1h30m A 192.0.2.1\nb IN 60 A 192.0.2.1\nc 1W IN A 192.0.2.1')).toEqual([5400, 60, 604800]);
  expect(ttls('$TTL 2d\na 5 A 192.0.2.1\nb A 192.0.2.1')).toEqual([5, 172800]);
  expect(ttls('a 5 A 192.0.2.1\nb A 192.0.2.1')).toEqual([5, 5]);
  expect(ttls('@ SOA ns. me. 1 2 3 4 300\nb A 192.0.2.1')).toEqual([undefined, 300]);
  expect(ttls('b A 192.0.2.1')).toEqual([undefined]);
});

it('the zone is that of the SOA record, and names are relative to it', () => {
  const zone = readZoneFile(
    '$ORIGIN .\nExample.com 60 SOA ns. me. 1 2 3 4 5\n A 192.0.2.1\nwww.example.com A 192.0.2.2',
    'z',
    { normalName },
  );
  expect([zone.name, zone.records.map(({ name }) => name)]).toEqual(['example.com', ['@', '@', 'www']]);
  expect(() =>
    readZoneFile('example.com. SOA ns. me. 1 2 3 4 5', 'z', { zone: 'example.org', normalName }),
  ).toThrow(/another zone than --zone/);
});

const views = (...domains: object[]) => JSON.stringify({ domains });
const outside = { name: 'example.com', records: [{ type: 'A', name: '@', target: '192.0.2.1' }] };
const inside = {
  name: 'example.com',
  tag: 'inside',
  uniquename: 'example.com!inside',
  records: [{ type: 'A', name: '@', target: '10.0.0.1' }],
};
const targets = (text: string, ...chosen: string[]) => {
  const { zones, leftOut } = readDnscontrol(text, 'dns.json', { chosenViews: chosen, normalName });
  return {
    targets: zones.flatMap(({ records }) => records.flatMap(({ data }) => data)),
    left: leftOut.map(({ name, count }) => [name, count]),
  };
};

story('views of a zone are never merged', () => {
  expect(() => targets(views(outside, inside))).toThrow(
    'example.com has 2 views, and a zone of the platform can have only one: example.com!, example.com!inside',
  );
  const unicode = { ...outside, name: 'MÜNCHEN.example' };
  expect(() => targets(views(unicode, { ...outside, name: 'xn--mnchen-3ya.example.' }))).toThrow(
    /xn--mnchen-3ya.example appears more than once with the same tag/,
  );
  expect(targets(views(unicode, { ...unicode, tag: 'b' }), 'münchen.example!b').targets).toHaveLength(1);
  for (const name of ['example.com', 'Example.COM', 'example.com.'])
    expect(() => targets(views(outside, { ...outside, name }))).toThrow(/more than once with the same tag/);
  expect(() => targets(views(outside, inside), 'outside')).toThrow(/no view `outside`/);
  for (const name of ['inside', 'example.com!inside'])
    expect(targets(views(outside, inside), name)).toEqual({
      targets: ['10.0.0.1'],
      left: [['example.com!', 1]],
    });
  expect(targets(views(outside, inside), 'example.com!')).toEqual({
    targets: ['192.0.2.1'],
    left: [['example.com!inside', 1]],
  });
  expect(targets(views(inside))).toEqual({ targets: [], left: [['example.com!inside', 1]] });
  expect(targets(views({ ...outside, name: 'example.com!inside' }), 'inside').targets).toEqual(['192.0.2.1']);
});

it('a zone has one name, however its records spell it', () => {
  const text =
    'MÜNCHEN.example. 60 SOA ns. me. 1 2 3 4 5\nwww.münchen.example. A 192.0.2.1\nxn--mnchen-3ya.EXAMPLE. A 192.0.2.2';
  const { name, records } = readZoneFile(text, 'z', { zone: 'münchen.example', normalName });
  expect([name, records.map((found) => [found.name, found.why])]).toEqual([
    'xn--mnchen-3ya.example',
    [
      ['@', undefined],
      ['www', undefined],
      ['@', undefined],
    ],
  ]);
});

it('a record without a type is left out as such', () => {
  const text = views({ name: 'example.com', records: [{ name: 'a', target: 'b' }, { type: 5 }] });
  expect(readDnscontrol(text, 'dns.json', { normalName }).zones[0]!.records).toMatchObject([
    { name: 'a', type: '', why: 'it has no type' },
    { name: '@', type: '', why: 'it has no type' },
  ]);
});

it('a key that stands twice in the JSON is a mistake', () => {
  expect(() => readDnscontrol('{"domains": [],\n "domains": []}', 'dns.json', { normalName })).toThrow(
    /already on line 1/,
  );
});

const python = [
  '../../node_modules/.cache/linters/python/bin/python',
  '../../node_modules/.cache/linters/dnspython',
].map((path) => join(import.meta.dirname, path));
const program = [python[0]!, 'python3'].find((name) => {
  try {
    execFileSync(name, ['-c', 'import dns.zone'], {
      env: { ...process.env, PYTHONPATH: python[1] },
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
});

/** Reads each zone with dnspython: the texts of its records, or nothing where that refuses it. */
const script = `
import dns.zone, json, sys
def read(text):
    try:
        zone = dns.zone.from_text(text, origin="example.com.", relativize=False, check_origin=False)
    except Exception:
        return None
    found = []
    for name, ttl, data in zone.iterate_rdatas():
        kind = dns.rdatatype.to_text(data.rdtype)
        if kind == "TXT":
            fields = [list(text) for text in data.strings]
        elif kind == "CAA":
            fields = [str(data.flags), data.tag.decode(), list(data.value)]
        else:
            fields = data.to_text().split(" ")
        found.append([name.to_text(), kind, ttl, fields])
    return found
json.dump([read(text) for text in json.load(sys.stdin)], sys.stdout)
`;

type Parsed = [name: string, type: string, ttl: number, fields: (string | number[])[]][];

function byPython(texts: string[]): (Parsed | null)[] {
  const env = { ...process.env, PYTHONPATH: python[1] };
  const options = { env, input: JSON.stringify(texts), maxBuffer: 1e9 };
  return JSON.parse(execFileSync(program!, ['-c', script], options).toString());
}

/** Both in one form: names in lower case, texts as bytes joined, each record once. dnspython gives the records of a set the lowest TTL of them. */
function comparable(records: Parsed): string[] {
  const bytes = (field: string | number[]) => (typeof field === 'string' ? [...Buffer.from(field)] : field);
  const setOf = ([name, type]: Parsed[number]) => `${name} ${type}`.toLowerCase();
  const texts = records.map((found) => {
    const [name, type, , fields] = found;
    const ttls = records.filter((other) => setOf(other) === setOf(found)).map(([, , ttl]) => ttl);
    const contents = type === 'TXT' ? [fields.flatMap(bytes)] : fields.map((field) => String(bytes(field)));
    const data = ['CAA', 'TXT'].includes(type)
      ? contents
      : fields.map((field) => String(field).toLowerCase());
    return JSON.stringify([name.toLowerCase(), type, Math.min(...ttls), data]);
  });
  return [...new Set(texts)].sort();
}

const ours = (text: string): Parsed | undefined => {
  try {
    const { records } = readZoneFile(text, 'zone', { zone: 'example.com', normalName });
    const kept = records.filter(({ why }) => why === undefined);
    return kept.map(({ name, type, ttl, data }) => [
      name === '@' ? 'example.com.' : `${name}.example.com.`,
      type,
      ttl!,
      data,
    ]);
  } catch (error) {
    if (error instanceof Problems) return undefined;
    throw error;
  }
};

const blank = fc.constantFrom(' ', '\t', '  ', ' ( ', ' ) ', ' (\n ', '\n ) ');
const text = fc.constantFrom(
  '"a b"',
  'a',
  '"x;y"',
  '"\\"q\\""',
  'e\\059f',
  '\\#',
  '"ä"',
  '"\\195\\164"',
  '"(',
  '""',
  'a"b"',
  '"\\2',
  ';c',
  '$x',
  '@',
);
const owner = fc.constantFrom('a', 'b.c', '@', 'x.example.com.', ' ', '*', '_s._tcp', 'A', '60', 'IN');
const data = fc.oneof(
  fc.array(text, { minLength: 1, maxLength: 3 }).map((texts) => `TXT ${texts.join(' ')}`),
  fc.constantFrom(
    'A 192.0.2.1',
    'MX 10 m',
    'MX 10 m.example.net.',
    'CNAME @',
    'NS ns',
    'CAA 0 issue "ca.org"',
  ),
  fc.constantFrom(
    'TYPE257 \\# 8 0005 69737375653b',
    'TYPE1 \\# 4 c0000201',
    'A 192.0.2.1 x',
    'BOGUS 1',
    'SRV 1 2 3 .',
  ),
);
const line = fc
  .tuple(
    owner,
    fc.constantFrom('60 ', 'IN 60 ', '1h IN ', '60 in '),
    blank,
    data,
    fc.constantFrom('', ' ; end', ' ) ', ')'),
  )
  .map(([name, before, gap, rest, after]) => `${name}${gap}${before}${rest}${after}`);
const zone = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: line },
      fc.constantFrom('$ORIGIN sub', '$TTL 5m', '; only', '', '$ORIGIN example.com.'),
    ),
    { maxLength: 6 },
  )
  .map((lines) => lines.join('\n'));

it.skipIf(!program)(
  'what is read means the same to dnspython (skipped: pip install --target node_modules/.cache/linters/dnspython dnspython)',
  () => {
    const texts = fc.sample(zone, runs(20_000));
    const expected = byPython(texts);
    let compared = 0;
    for (const [index, source] of texts.entries()) {
      const found = ours(source);
      const peer = expected[index];
      if (!found || !peer) continue;
      compared++;
      expect(comparable(found), source).toEqual(comparable(peer));
    }
    expect(compared).toBeGreaterThan(texts.length / 10);
  },
);

const suite = join(import.meta.dirname, '../../../shared/conformance/dns-suite.json');

interface SuiteRecord {
  type: string;
  name: string;
  value: string;
  ttl?: number;
  mxPriority?: number;
  srv?: Record<'priority' | 'weight' | 'port' | 'target', unknown>;
  https?: { priority: number; target: string; params: string };
  caa?: { flags: number; tag: string; value: string };
}

const inQuotes = (text: string) =>
  `"${text.replace(/["\\]/g, '\\$&').replace(/[\n\r]/g, (char) => `\\0${char.charCodeAt(0)}`)}"`;

/** The data of a record as a zone file has it. */
function dataText({ type, value, mxPriority, srv, https, caa }: SuiteRecord): string {
  if (srv) return `${srv.priority} ${srv.weight} ${srv.port} ${srv.target}`;
  if (https) return `${https.priority} ${https.target} ${https.params}`;
  if (caa) return `${caa.flags} ${caa.tag} ${inQuotes(caa.value)}`;
  return type === 'MX' ? `${mxPriority} ${value}` : type === 'TXT' ? inQuotes(value) : value;
}

/** The same record as dnscontrol prints it. */
const printed = ({ type, name, value, ttl, mxPriority, srv, https, caa }: SuiteRecord) => ({
  ...{ type, name, ttl, target: String(srv?.target ?? https?.target ?? caa?.value ?? value) },
  ...(srv ? { srvpriority: srv.priority, srvweight: srv.weight, srvport: srv.port } : {}),
  ...(https ? { svcpriority: https.priority, svcparams: https.params } : {}),
  ...(caa ? { caaflag: caa.flags, caatag: caa.tag } : {}),
  mxpreference: mxPriority,
});

it.skipIf(!existsSync(suite))(
  "the records of a peer's suite are the same in a zone file and from dnscontrol (skipped: no ../shared/conformance)",
  () => {
    const { groups } = JSON.parse(
      readFileSync(suite, 'utf8').replaceAll('**current-domain**', 'example.com.'),
    ) as { groups: { steps: { records: SuiteRecord[] }[] }[] };
    const records = groups
      .flatMap(({ steps }) => steps.flatMap((step) => step.records))
      .filter(({ value }) => value !== '')
      // Hosts are in lower case and punycode in the end, whoever does that.
      .map((one) => (hostTypes.includes(one.type) ? { ...one, value: toAscii(one.value) } : one));
    const lines = records.map((one) => `${one.name} ${one.ttl ?? 300} IN ${one.type} ${dataText(one)}`);
    const zoneFile = read(lines.join('\n'));
    const ir = JSON.stringify({ domains: [{ name: 'example.com', records: records.map(printed) }] });
    const fromDnscontrol = readDnscontrol(ir, 'dns.json', { normalName }).zones[0]!.records;
    expect(zoneFile).toHaveLength(records.length);
    for (const [index, one] of records.entries()) {
      const objects = [zoneFile[index]!, fromDnscontrol[index]!].map((found) =>
        record('example.com', found, 'id'),
      );
      expect(objects[0], lines[index]).toEqual(objects[1]);
      const { object } = objects[0] as { object: Record<string, unknown> };
      const isRelative = hostTypes.includes(one.type) && !one.value.endsWith('.');
      const value = isRelative ? `${one.value}.example.com.` : one.value;
      const content = one.srv ?? one.https ?? (one.caa ? dataText(one) : value);
      expect(object[one.srv ? 'srv' : one.https ? 'https' : 'value'], lines[index]).toEqual(content);
      expect(object.ttl).toBe(one.ttl ?? 300);
    }
  },
);
