import type { Sample } from '../support/sample.ts';

const bucket = {
  type: 's3',
  endpoint: 'https://bucket.example.com',
  encoding: 'json',
  compression: 'none',
  fileStructure: 'hive',
  roleArn: 'arn:aws:iam::1:role/a',
  region: 'us-east-1',
};

const toHttp = {
  type: 'http' as const,
  endpoint: 'https://example.com',
  encoding: 'json' as const,
  headers: {},
};

export const drain: Sample = {
  place: (block) => ({ projects: { LABEL: {}, 'LABEL-2': {} }, drains: { LABEL: block } }),
  base: {
    schemas: { log: {} },
    delivery: { type: 'http', endpoint: 'https://LABEL.example.com', encoding: 'json' },
  },
  leaves: {
    projectIds: [['LABEL'], ['LABEL-2', 'LABEL']],
    schemas: [{ log: {}, trace: {} }, { trace: { version: 'v1' } }],
    filter: [
      { version: 'v2', filter: { type: 'basic', log: { sources: ['build'] } } },
      { version: 'v2', filter: { type: 'odata', text: "a eq 'b'" } },
    ],
    'delivery.type': ['http', 'http'],
    'delivery.endpoint': ['https://one.example.com', 'https://two.example.com'],
    'delivery.encoding': ['ndjson', 'json'],
    'delivery.compression': ['gzip', 'none'],
    'delivery.headers': [{ 'x-a': 'one', 'x-b': 'b' }, { 'x-a': 'two' }],
    'delivery.secret': ['1'.repeat(32), '2'.repeat(32)],
    'delivery.fileStructure': ['hive', 'hive', { delivery: bucket }],
    'delivery.roleArn': ['arn:aws:iam::1:role/b', 'arn:aws:iam::1:role/c', { delivery: bucket }],
    'delivery.region': ['eu-central-1', 'us-west-1', { delivery: bucket }],
    'delivery.serverSideEncryption': ['aws:kms', 'AES256', { delivery: bucket }],
    'delivery.objectAcl': ['bucket-owner-read', 'private', { delivery: bucket }],
    sampling: [[{ type: 'head_sampling', rate: 0.5 }], [{ type: 'head_sampling', rate: 1, env: 'preview' }]],
    transforms: [[{ id: 'a' }], [{ id: 'b' }]],
    status: ['disabled', 'enabled'],
  },
  single: ['delivery.type', 'delivery.fileStructure'],
  seed: { account: { drains: [{ name: 'logs', delivery: toHttp }] } },
  requests: async ({ go, all }) => {
    const schemas = { log: { version: 'v1' } };
    const { id } = await go('POST', '/v1/drains', { name: 'd', projects: 'all', schemas, delivery: toHttp });
    await all(['POST', '/v1/drains/test', { schemas, delivery: toHttp }], ['DELETE', `/v1/drains/${id}`]);
  },
};
