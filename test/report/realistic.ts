import { Sealed } from '../../src/model/sealed.ts';
import { at, change, edit, operation, planOf, ref, secret, set } from './builders.ts';

/** Appears in no report. */
export const canary = 'canary-8f1b2c';
const sealed = new Sealed(`postgres://app:${canary}@db.example.com/app`);
const rules = (value: string) => [
  {
    conditions: [
      { type: 'path', op: 'pre', value },
      { type: 'geo_country', op: 'inc', value: ['XA', 'XB'] },
    ],
  },
];
const project = 'projects/shop';
const policy = (source: string) =>
  `default-src 'self'; script-src 'self' https://cdn.example.com; connect-src ${source}; img-src * data:; frame-ancestors 'none'`;

/** A pull request as it might be: a new project, edits, drift, an adoption, deletions. */
export const realistic = planOf({
  account: { type: 'team', name: 'acme' },
  changes: [
    change('create', project, {
      kind: 'project',
      at: at(12),
      fields: [set('framework', 'nextjs'), set('nodeVersion', '22.x'), set('buildCommand', 'npm run build')],
    }),
    change('create', `${project}/env/DATABASE_URL@production`, {
      kind: 'envVar',
      at: at(15, 7),
      fields: [
        { path: 'value', after: secret('database'), cause: 'edit', secret: true },
        set('type', 'sensitive'),
        set('comment', ''),
      ],
    }),
    change('create', `${project}/env/LOG_LEVEL@production`, {
      kind: 'envVar',
      at: at(16, 7),
      fields: [
        { path: 'value', after: new Sealed(canary), cause: 'edit', secret: true },
        set('type', 'encrypted'),
      ],
    }),
    change('create', `${project}/domains/shop.example.com`, {
      kind: 'projectDomain',
      at: at(19, 7),
      reason: 'deleted outside',
      fields: [set('projectId', ref(project)), set('redirect', null)],
    }),
    change('adopt', 'projects/web', {
      kind: 'project',
      at: at(25),
      reason: 'exists in the account, matched by name',
      fields: [{ path: 'framework', before: 'remix', after: 'nextjs', cause: 'unknown' }],
    }),
    change('adopt', 'projects/web/domains/example.com', { kind: 'projectDomain', at: at(30, 7) }),
    change('adopt', 'projects/web/domains/www.example.com', { kind: 'projectDomain', at: at(31, 7) }),
    change('update', 'projects/web/env/DATABASE_URL@production', {
      kind: 'envVar',
      at: at(35, 7),
      grade: 'disruptive',
      gradeReason:
        'takes effect only with the next deployment; the row is split in two, one request after the other',
      fields: [
        { path: 'value', before: sealed, after: secret('database'), cause: 'edit', secret: true },
        { path: 'comment', before: 'old', cause: 'released' },
      ],
    }),
    change('update', 'projects/web/env/CSP@production', {
      kind: 'envVar',
      at: at(38, 7),
      fields: [
        edit(
          'value',
          policy('https://api.example.com'),
          policy('https://api.example.org wss://live.example.org'),
        ),
      ],
    }),
    change('update', 'projects/web/firewall/rules/block-admin', {
      kind: 'firewallRule',
      at: at(44, 9),
      moves: true,
      position: { from: 5, to: 2, of: 7, after: 'projects/web/firewall/rules/block-wp', cause: 'edit' },
      fields: [
        edit('conditionGroup', rules('/admin'), rules('/admin/')),
        { path: 'active', before: false, after: true, cause: 'drift' },
        { path: 'action.mitigate.action', before: 'log', after: 'deny', cause: 'conflict' },
      ],
    }),
    change('move', 'projects/web/firewall/rules/allow-office', {
      kind: 'firewallRule',
      at: at(50, 9),
      reason: 'from place 4 to place 2',
    }),
    change('release', 'projects/old', {
      kind: 'project',
      reason: 'removed from the configuration; a project is never deleted for that',
    }),
    change('delete', 'domains/example.com/records/blog/CNAME', {
      kind: 'dnsRecord',
      reason: 'not in the configuration, and $exclusive: [records]',
      exclusive: true,
      fields: [
        { path: 'value', before: 'blog.example.net', cause: 'edit' },
        { path: 'ttl', before: 60, cause: 'edit' },
      ],
    }),
    change('delete', 'projects/web/env/OLD_TOKEN@production', {
      kind: 'envVar',
      reason: 'removed from the configuration',
      grade: 'irreversible',
      gradeReason: 'a sensitive value cannot be read back',
      fields: [{ path: 'value', before: new Sealed(canary), cause: 'edit', secret: true }],
    }),
    change('replace', 'webhooks/deploys', {
      kind: 'webhook',
      at: at(60),
      grade: 'destructive',
      gradeReason: 'the signing secret changes; whoever verifies it must get the new one',
      fields: [
        { ...edit('url', 'https://a.example.com/hook', 'https://b.example.com/hook'), replaces: true },
      ],
    }),
    change('noop', 'projects/docs', {
      kind: 'project',
      fields: [{ path: 'env', before: sealed, after: sealed, cause: 'unverified', secret: true }],
    }),
  ],
  operations: [
    operation(
      [project],
      [
        { endpoint: 'POST /v11/projects', body: { name: 'shop', framework: 'nextjs' } },
        {
          endpoint: 'PATCH /v9/projects/{id}',
          params: { id: { $result: 0, path: ['id'] } },
          body: { nodeVersion: '22.x', buildCommand: 'npm run build' },
        },
      ],
    ),
    operation(
      [`${project}/env/DATABASE_URL@production`, `${project}/env/LOG_LEVEL@production`],
      [
        {
          endpoint: 'POST /v10/projects/{project}/env',
          params: { project: ref(project) },
          body: [
            {
              key: 'DATABASE_URL',
              value: new Sealed(canary, 'database'),
              type: 'sensitive',
              target: ['production'],
            },
            { key: 'LOG_LEVEL', value: new Sealed(canary), type: 'encrypted', target: ['production'] },
          ],
        },
      ],
    ),
    operation(
      [`${project}/domains/shop.example.com`],
      [
        {
          endpoint: 'POST /v10/projects/{project}/domains',
          params: { project: ref(project) },
          body: { name: 'shop.example.com' },
        },
      ],
    ),
    operation(
      ['projects/web'],
      [
        {
          endpoint: 'PATCH /v9/projects/{id}',
          params: { id: ref('projects/web') },
          body: { framework: 'nextjs' },
        },
      ],
    ),
    operation(
      ['projects/web/env/DATABASE_URL@production'],
      [
        {
          endpoint: 'PATCH /v9/projects/{project}/env/{id}',
          params: { project: ref('projects/web'), id: ref('projects/web/env/DATABASE_URL@production') },
          body: { value: secret('database') },
        },
      ],
    ),
    operation(
      ['projects/web/env/CSP@production'],
      [
        {
          endpoint: 'PATCH /v9/projects/{project}/env/{id}',
          params: { project: ref('projects/web'), id: ref('projects/web/env/CSP@production') },
          body: { value: policy('https://api.example.org wss://live.example.org') },
        },
      ],
    ),
    operation(
      ['projects/web/firewall/rules/block-admin', 'projects/web/firewall/rules/allow-office'],
      [
        {
          endpoint: 'PATCH /v1/security/firewall/config?projectId={project}',
          params: { project: ref('projects/web') },
          body: {
            action: 'rules.update',
            id: ref('projects/web/firewall/rules/block-admin'),
            value: {
              name: 'block-admin',
              active: true,
              conditionGroup: rules('/admin/'),
              action: { mitigate: { action: 'deny' } },
            },
          },
        },
        {
          endpoint: 'PATCH /v1/security/firewall/config?projectId={project}',
          params: { project: ref('projects/web') },
          body: { action: 'rules.priority', id: ref('projects/web/firewall/rules/allow-office'), value: 1 },
        },
      ],
    ),
    operation(
      ['domains/example.com/records/blog/CNAME'],
      [
        {
          endpoint: 'DELETE /v2/domains/{domain}/records/{id}',
          params: { domain: 'example.com', id: ref('domains/example.com/records/blog/CNAME') },
        },
      ],
    ),
    operation(
      ['webhooks/deploys'],
      [
        { endpoint: 'DELETE /v1/webhooks/{id}', params: { id: ref('webhooks/deploys') } },
        {
          endpoint: 'POST /v1/webhooks',
          body: { url: 'https://b.example.com/hook', events: ['deployment.created'] },
        },
      ],
    ),
    operation(
      ['projects/web/env/OLD_TOKEN@production'],
      [
        {
          endpoint: 'DELETE /v9/projects/{project}/env/{id}',
          params: { project: ref('projects/web'), id: ref('projects/web/env/OLD_TOKEN@production') },
        },
      ],
    ),
  ],
  unmanaged: [
    ...['a', 'b', 'c'].map((name) => ({
      kind: 'dnsRecord',
      address: `domains/example.com/records/${name}/TXT`,
      id: name,
    })),
    { kind: 'envVar', address: 'projects/web/env/X@preview', id: 'x' },
  ],
});
