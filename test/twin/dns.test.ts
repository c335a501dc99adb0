import { afterEach, describe, expect, it } from 'vitest';
import { type Seed, type Switches, startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { oneRowIn } from '../support/sweep.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
type SeedRecord = NonNullable<NonNullable<Seed['domains']>[number]['records']>[number];
const start = async (records: SeedRecord[] = [], switches: Partial<Switches> = {}) => {
  twin = await startTwin({ seed: { domains: [{ name: 'example.com', records }] }, switches });
};
afterEach(() => twin.close());

const records = () => twin.account.domains[0]!.records;
const post = (body: unknown) => send(twin, 'POST', '/v2/domains/example.com/records', body);
const patch = (id: string, body: unknown) => send(twin, 'PATCH', `/v1/domains/records/${id}`, body);
const list = async () =>
  (await send(twin, 'GET', '/v5/domains/example.com/records?limit=100&slug=acme')).body.records;
const byId = async (id: string) => (await send(twin, 'GET', `/domains/records/${id}`)).body;

describe('what is written and what is read', () => {
  oneRowIn(5)([
    [{ type: 'A', name: '', value: '192.0.2.1' }, { value: '192.0.2.1' }, '192.0.2.1'],
    [{ type: 'AAAA', name: 'v6', value: '2001:db8::1' }, { value: '2001:db8::1' }, '2001:db8::1'],
    [
      { type: 'CNAME', name: 'www', value: 'Target.Example.NET' },
      { value: 'target.example.net.' },
      'target.example.net.',
    ],
    [
      { type: 'ALIAS', name: '', value: 'target.example.net.' },
      { value: 'target.example.net.' },
      'target.example.net.',
    ],
    [
      { type: 'NS', name: 'sub', value: 'ns1.example.net' },
      { value: 'ns1.example.net.' },
      'ns1.example.net.',
    ],
    [
      { type: 'MX', name: '', value: 'mx.example.net', mxPriority: 10 },
      { value: 'mx.example.net.', mxPriority: 10 },
      '10 mx.example.net.',
    ],
    [
      { type: 'SRV', name: '_sip._tcp', srv: { priority: 1, weight: 2, port: 3, target: 'sip.example.net' } },
      { priority: 1, value: '2 3 sip.example.net.' },
      '1 2 3 sip.example.net.',
    ],
    [
      { type: 'SRV', name: '_none._tcp', srv: { priority: 0, weight: 0, port: 0, target: '.' } },
      { priority: 0, value: '0 0 .' },
      '0 0 0',
    ],
    [
      { type: 'HTTPS', name: '', https: { priority: 1, target: '.', params: 'alpn=h2,h3' } },
      { priority: 1, value: '. alpn=h2,h3' },
      '1 . alpn=h2,h3',
    ],
    [
      { type: 'HTTPS', name: 'alias', https: { priority: 0, target: 'host.example.net.', params: '' } },
      { priority: 0, value: 'host.example.net.' },
      '0 host.example.net.',
    ],
    [
      { type: 'CAA', name: '', value: '0 issue "ca.example.net"' },
      { value: '0 issue ca.example.net' },
      '0 issue "ca.example.net"',
    ],
    [
      { type: 'CAA', name: '', value: '128 issuewild "digicert.com; cansignhttpexchanges=yes"' },
      { value: '128 issuewild "digicert.com; cansignhttpexchanges=yes"' },
      '128 issuewild "digicert.com; cansignhttpexchanges=yes"',
    ],
    [
      { type: 'TXT', name: 't', value: ' a "b" \\\\ `c`; ü ' },
      { value: ' a "b" \\\\ `c`; ü ' },
      ' a "b" \\\\ `c`; ü ',
    ],
    [{ type: 'TXT', name: '*', value: 'x'.repeat(766) }, { value: 'x'.repeat(766) }, 'x'.repeat(766)],
  ])('%j', async (written, listed, single) => {
    await start();
    const answer = await post(written);
    expect(answer.body).toEqual({ uid: expect.stringMatching(/^rec_\w{24}$/) });
    const { name, type } = written;
    const [item] = await list();
    expect(item).toMatchObject({ id: answer.body.uid, name, type, ttl: 60, comment: '', ...listed });
    if ('srv' in written) expect(item).not.toHaveProperty('srv');
    const one = await byId(answer.body.uid);
    expect(one).toMatchObject({ domain: 'example.com', name, recordType: type, type, value: single });
  });

  it('lower-cases names', async () => {
    await start();
    await post({ type: 'A', name: 'WWW', value: '192.0.2.1' });
    expect((await list())[0].name).toBe('www');
  });
});

describe('what is refused', () => {
  const host = { priority: 1, weight: 1, port: 1, target: 'a.example.net.' };
  it.each([
    ['a value that is no address', { type: 'A', name: '', value: '2001:db8::1' }, 'bad_request'],
    ['an IPv4 address in AAAA', { type: 'AAAA', name: '', value: '192.0.2.1' }, 'bad_request'],
    ['NS at the apex', { type: 'NS', name: '', value: 'ns.example.net.' }, 'invalid_name'],
    ['the apex as @', { type: 'A', name: '@', value: '192.0.2.1' }, 'invalid_name'],
    ['a unicode name', { type: 'A', name: 'bücher', value: '192.0.2.1' }, 'invalid_name'],
    ['a star inside', { type: 'A', name: 'a.*', value: '192.0.2.1' }, 'invalid_name'],
    ['a unicode target', { type: 'CNAME', name: 'a', value: 'bücher.example' }, 'bad_request'],
    ['a target of one label', { type: 'CNAME', name: 'a', value: 'host' }, 'bad_request'],
    ['an address as a target', { type: 'CNAME', name: 'a', value: '192.0.2.1' }, 'bad_request'],
    ['MX to nowhere', { type: 'MX', name: '', value: '.', mxPriority: 0 }, 'bad_request'],
    ['MX without priority', { type: 'MX', name: '', value: 'mx.example.net' }, 'bad_request'],
    ['a priority elsewhere', { type: 'A', name: '', value: '192.0.2.1', mxPriority: 1 }, 'bad_request'],
    ['an empty TXT', { type: 'TXT', name: '', value: '' }, 'bad_request'],
    ['an empty CAA', { type: 'CAA', name: '', value: '' }, 'bad_request'],
    ['CAA without issuer', { type: 'CAA', name: '', value: '0 issue ";"' }, 'invalid_value'],
    [
      'another CAA parameter',
      { type: 'CAA', name: '', value: '0 issue "a.net; validationmethods=dns-01"' },
      'invalid_value',
    ],
    ['a value beside srv', { type: 'SRV', name: '_a', value: 'x', srv: host }, 'bad_request'],
    [
      'a value beside https',
      { type: 'HTTPS', name: '', value: 'x', https: { priority: 1, target: '.' } },
      'bad_request',
    ],
    ['srv elsewhere', { type: 'A', name: '', value: '192.0.2.1', srv: host }, 'bad_request'],
    ['a port too high', { type: 'SRV', name: '_a', srv: { ...host, port: 65_536 } }, 'bad_request'],
    [
      'dummy ech',
      { type: 'HTTPS', name: '', https: { priority: 1, target: '.', params: 'ech=dGVzdA==' } },
      'bad_request',
    ],
    ['a low ttl', { type: 'A', name: '', value: '192.0.2.1', ttl: 59 }, 'bad_request'],
    ['a fractional ttl', { type: 'A', name: '', value: '192.0.2.1', ttl: 60.5 }, 'bad_request'],
    ['a long comment', { type: 'A', name: '', value: '192.0.2.1', comment: 'x'.repeat(501) }, 'bad_request'],
    ['another type', { type: 'PTR', name: '', value: 'a.example.net' }, 'bad_request'],
    ['no name', { type: 'A', value: '192.0.2.1' }, 'bad_request'],
    ['another property', { type: 'A', name: '', value: '192.0.2.1', proxied: true }, 'bad_request'],
  ])('%s', async (_what, body, code) => {
    await start();
    expect(refusal(await post(body))).toEqual([400, code]);
    expect(records()).toEqual([]);
  });

  it('a domain that is not there', async () => {
    await start();
    expect((await send(twin, 'GET', '/v5/domains/none.com/records')).status).toBe(404);
    expect((await send(twin, 'GET', '/v5/domains/example.com/records?personal=1')).status).toBe(404);
  });
});

describe('records beside each other', () => {
  it('refuses a CNAME beside others, and others beside a CNAME', async () => {
    await start([
      { type: 'A', name: 'a', value: '192.0.2.1' },
      { type: 'CNAME', name: 'c', value: 'x.example.net' },
    ]);
    const [a, c] = records();
    const beside = await post({ type: 'CNAME', name: 'a', value: 'x.example.net' });
    expect([beside.status, beside.body.error.oldId]).toEqual([409, a!.id]);
    for (const body of [
      { type: 'TXT', name: 'c', value: 'x' },
      { type: 'CNAME', name: 'c', value: 'y.example.net' },
    ]) {
      const answer = await post(body);
      expect([answer.status, answer.body.error.oldId]).toEqual([409, c!.id]);
    }
  });

  it('refuses what is there already', async () => {
    await start([{ type: 'MX', name: '', value: 'mx.example.net', mxPriority: 1 }]);
    const same = { type: 'MX', name: '', value: 'MX.example.net.', mxPriority: 1 };
    expect((await post(same)).status).toBe(409);
    expect((await post({ ...same, mxPriority: 2 })).status).toBe(200);
  });

  it('lets the records of the system be, and protects them', async () => {
    await start([
      { type: 'CNAME', name: '*', value: 'cname.vercel-dns.com', creator: 'system' },
      { type: 'CAA', name: '', value: '0 issue "letsencrypt.org"', creator: 'system' },
    ]);
    expect((await post({ type: 'A', name: '*', value: '192.0.2.1' })).status).toBe(200);
    expect((await post({ type: 'CAA', name: '', value: '0 issue "letsencrypt.org"' })).status).toBe(200);
    expect(await list()).toHaveLength(4);
    const { id } = records()[0]!;
    expect((await patch(id, { ttl: 90 })).status).toBe(403);
    expect((await send(twin, 'DELETE', `/v2/domains/example.com/records/${id}`)).status).toBe(403);
  });
});

describe('changes', () => {
  it('changes what is given and keeps the rest; null means unchanged', async () => {
    await start([{ type: 'MX', name: '', value: 'mx.example.net', mxPriority: 5, comment: 'c', ttl: 300 }]);
    const { id } = records()[0]!;
    const answer = await patch(id, { value: 'mx2.example.net', ttl: null, name: null, srv: null });
    expect(answer.body).toMatchObject({ id, type: 'record', recordType: 'MX', value: '5 mx2.example.net.' });
    expect((await list())[0]).toMatchObject({
      mxPriority: 5,
      ttl: 300,
      comment: 'c',
      value: 'mx2.example.net.',
    });
    expect((await patch(id, { comment: '' })).body.comment).toBe('');
  });

  it('checks the result like a new record', async () => {
    await start([
      { type: 'A', name: 'a', value: '192.0.2.1' },
      { type: 'A', name: 'a', value: '192.0.2.2' },
    ]);
    const { id } = records()[0]!;
    expect((await patch(id, { value: 'x' })).status).toBe(400);
    expect((await patch(id, { srv: { priority: 1, weight: 1, port: 1, target: '.' } })).status).toBe(400);
    expect((await patch(id, { value: '192.0.2.2' })).status).toBe(409);
    expect((await patch(id, { value: '192.0.2.1' })).status).toBe(200);
  });

  it('keeps the type, or changes it if so switched', async () => {
    await start([{ type: 'A', name: 'a', value: '192.0.2.1' }]);
    const change = { type: 'CNAME', value: 'x.example.net' };
    expect((await patch(records()[0]!.id, change)).status).toBe(400);
    await twin.close();
    await start([{ type: 'A', name: 'a', value: '192.0.2.1' }], { recordTypeChangeable: true });
    expect((await patch(records()[0]!.id, change)).body.recordType).toBe('CNAME');
  });

  it('deletes', async () => {
    await start([{ type: 'A', name: 'a', value: '192.0.2.1' }]);
    const path = `/v2/domains/example.com/records/${records()[0]!.id}`;
    expect((await send(twin, 'DELETE', path)).body).toEqual({});
    expect((await send(twin, 'DELETE', path)).status).toBe(404);
  });
});

it('reads otherwise, if so switched', async () => {
  const seeded: SeedRecord[] = [
    { type: 'CNAME', name: 'c', value: 'x.example.net.' },
    { type: 'MX', name: '@', value: 'mx.example.net.', mxPriority: 1 },
    { type: 'SRV', name: '_s', srv: { priority: 1, weight: 2, port: 3, target: 's.example.net.' } },
    { type: 'HTTPS', name: 'h', https: { priority: 1, target: '.', params: 'alpn=h2' } },
    { type: 'CAA', name: '@', value: '0 issue "letsencrypt.org"' },
  ];
  await start(seeded, {
    hostDot: false,
    apexName: '@',
    srvRead: 'object',
    httpsRead: 'object',
    caaQuotes: true,
    recordByIdType: 'record',
  });
  const [caa, https, srv, mx, cname] = await list();
  expect(cname.value).toBe('x.example.net');
  expect(mx).toMatchObject({ name: '@', value: 'mx.example.net' });
  expect(srv).toMatchObject({ srv: { priority: 1, weight: 2, port: 3, target: 's.example.net.' } });
  expect(srv).not.toHaveProperty('value');
  expect(https).toMatchObject({ https: { priority: 1, target: '.', params: 'alpn=h2' } });
  expect(caa.value).toBe('0 issue "letsencrypt.org"');
  expect((await byId(mx.id)).type).toBe('record');
});
