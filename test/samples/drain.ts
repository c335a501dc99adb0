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
};
