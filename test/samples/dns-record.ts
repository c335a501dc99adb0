import { type Sample, text } from '../support/sample.ts';

const https = { type: 'HTTPS', value: undefined, https: { priority: 1, target: 'a.example.net' } };
const mx = { type: 'MX', value: 'mx.example.net', mxPriority: 5 };

const srv = {
  type: 'SRV',
  name: '_a._tcp',
  value: undefined,
  srv: { priority: 1, weight: 1, port: 1, target: 'a.example.net' },
};

export const dnsRecord: Sample = {
  place: (block) => ({ domains: { 'LABEL.example': { records: [block] } } }),
  base: { type: 'A', name: 'www', value: '192.0.2.1' },
  leaves: {
    value: ['192.0.2.2', '192.0.2.3'],
    ttl: [120, 300],
    comment: text,
    mxPriority: [10, 20, mx],
    'srv.priority': [10, 20, srv],
    'srv.weight': [10, 20, srv],
    'srv.port': [10, 20, srv],
    'srv.target': ['b.example.net', 'c.example.net', srv],
    'https.priority': [10, 20, https],
    'https.target': ['b.example.net', '.', https],
    'https.params': ['alpn=h2', 'alpn=h2,h3', https],
  },
  identity: ['https.params'],
  seed: { domain: { records: [{ type: 'A', name: '@', value: '192.0.2.1' }] } },
  requests: async ({ go, all }) => {
    await go('POST', '/v7/domains', { name: 'records.example', method: 'add' });
    const records = '/v2/domains/records.example/records';
    const { uid } = await go('POST', records, { name: 'a', type: 'A', value: '192.0.2.1' });
    await all(['DELETE', `${records}/${uid}`], ['DELETE', '/v6/domains/records.example']);
  },
};
