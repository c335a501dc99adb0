import { expect, test } from 'vitest';
import { Sealed } from '../../src/model/sealed.ts';
import { configure, fieldsOf, told } from './configure.ts';

const everything = `
stack: acme-\${var.stage}
platform: { team: acme }
variables:
  stage: { default: production }
  apex: { default: example.com }
secrets:
  database: { env: DATABASE_URL }
x-anchors: { deny: &deny { type: deny } }
sites:
  web:
    framework: nextjs
    $protect: true
    env:
      LOG: info
      DATABASE: { value: "\${secret.database}", target: [live] }
      URL:
        - { value: "https://\${var.apex}", target: [live], type: plain }
        - { value: "https://x.\${var.apex}", target: [test] }
    hosts:
      WWW.example.com: {}
      example.com: { redirect: www.example.com }
    wall:
      enabled: true
      rules:
        - { name: first, match: a, action: *deny }
        - { name: second, match: b, action: { <<: *deny } }
zones:
  example.com:
    $existing: true
    $exclusive: [records]
    records:
      - { name: "@", type: A, value: 192.0.2.1 }
      - { name: "@", type: A, value: 192.0.2.2 }
`;

test('everything that the YAML knows becomes resources by address', async () => {
  const { desired, platform, secrets, usedSecrets, diagnostics } = await configure(everything);
  expect(diagnostics).toEqual([]);
  expect(desired.stack).toBe('acme-production');
  expect(desired.inputs).toEqual(['trueup.yaml']);
  expect(desired.folders).toEqual(['.']);
  expect(platform).toEqual({ team: 'acme' });
  expect([...secrets].map(([name, source]) => [name, 'env' in source && source.env])).toEqual([
    ['database', 'DATABASE_URL'],
  ]);
  expect([...usedSecrets]).toEqual(['database']);
  expect([...desired.resources.keys()]).toEqual([
    'sites/web',
    'sites/web/env/DATABASE@live',
    'sites/web/env/LOG@live',
    'sites/web/env/LOG@test',
    'sites/web/env/URL@live',
    'sites/web/env/URL@test',
    'sites/web/hosts/example.com',
    'sites/web/hosts/www.example.com',
    'sites/web/wall',
    'sites/web/wall/rules/first',
    'sites/web/wall/rules/second',
    'zones/example.com',
    'zones/example.com/records/@/A',
  ]);
  const get = (address: string) => desired.resources.get(address)!;
  expect(get('sites/web')).toMatchObject({
    kind: 'site',
    meta: { protect: true },
    at: { line: 11, column: 3 },
  });
  expect(get('sites/web/env/DATABASE@live').fields.value).toEqual({ $secret: 'database' });
  expect(get('sites/web/env/URL@live').fields).toEqual({
    key: 'URL',
    value: 'https://example.com',
    target: 'live',
    type: 'plain',
  });
  expect((get('sites/web/env/LOG@live').fields.value as Sealed).reveal()).toBe('info');
  expect(get('sites/web/env/LOG@live').group).toBe(get('sites/web/env/LOG@test').group);
  expect(get('sites/web/env/URL@live').group).not.toBe(get('sites/web/env/URL@test').group);
  expect(get('sites/web/wall')).toMatchObject({ parent: 'sites/web', at: { line: 23, column: 5 } });
  expect(get('sites/web/wall/rules/second')).toMatchObject({
    index: 1,
    fields: { action: { type: 'deny' } },
  });
  expect(get('zones/example.com').meta).toEqual({ existing: true, exclusive: ['records'] });
  expect(get('zones/example.com/records/@/A').fields.values).toEqual(['192.0.2.1', '192.0.2.2']);
});

test('the order of files, keys and entries does not show', async () => {
  const one = await configure({
    'a.yaml': 'stack: x\nsites: { web: { port: 1 }, api: {} }\n',
    'b.yaml':
      'sites: { web: { env: { A: one, B: two } } }\nzones: { e.com: { records: [{ name: a, type: A, value: "1" }, { name: a, type: A, value: "2" }] } }',
  });
  const other = await configure({
    'a.yaml':
      'zones: { e.com: { records: [{ type: A, name: a, value: "2" }, { name: a, type: A, value: "1" }] } }\nsites: { web: { env: { B: two, A: one } } }',
    'b.yaml': 'sites: { api: {}, web: { port: 1 } }\nstack: x\n',
  });
  const content = ({ desired }: typeof one) =>
    [...desired.resources.values()].map(({ at: _, ...rest }) => rest);
  expect(told(one)).toEqual([]);
  expect(content(other)).toEqual(content(one));
});

test('scalars stay as they are written where a text is wanted', async () => {
  const yaml = (value: string) => `sites: { web: { version: ${value} } }`;
  for (const [written, text] of [
    ['1.10', '1.10'],
    ['no', 'no'],
    ['0123', '0123'],
    ['0x1F', '0x1F'],
    ['true', 'true'],
    ['1e3', '1e3'],
    ['"1.0"', '1.0'],
    ["'null'", 'null'],
    ['2020-01-01', '2020-01-01'],
    ['12345678901234567890', '12345678901234567890'],
    ['.inf', '.inf'],
    ['!!str 7', '7'],
  ])
    expect(fieldsOf(await configure(yaml(written!)), 'sites/web').version).toBe(text);
});

test('the schema decides how a scalar is read', async () => {
  const fields = fieldsOf(
    await configure(`sites:
  web: { port: 80, active: true, note: ~, framework: null, size: 5, logs: "*", tags: [1.10, yes], labels: { a: 1, 2: true }, extra: [1, "1", null] }
  api: { size: 50%, logs: [a] }
  cdn: { size: auto, note: "" }`),
    'sites/web',
  );
  expect(fields).toEqual({
    name: 'web',
    port: 80,
    active: true,
    note: null,
    framework: null,
    size: 5,
    logs: '*',
    tags: ['1.10', 'yes'],
    labels: { 2: 'true', a: '1' },
    extra: [1, '1', null],
  });
});

test('an empty block is one without fields, and a key may look like a number', async () => {
  const configuration = await configure('sites:\n  web:\n  404: {}\n');
  expect(told(configuration)).toEqual([]);
  expect([...configuration.desired.resources.keys()]).toEqual(['sites/404', 'sites/web']);
});

test('several documents of a file are like several files', async () => {
  const configuration = await configure(
    'stack: x\nsites: { web: { port: 1 } }\n---\nsites: { web: { hosts: { a.com: } } }\n---\n',
  );
  expect(told(configuration)).toEqual([]);
  expect([...configuration.desired.resources.keys()]).toEqual(['sites/web', 'sites/web/hosts/a.com']);
});

test('the same text read from secret fields is sealed', async () => {
  const fields = fieldsOf(
    await configure('sites: { web: { password: hunter2, build: { command: x, key: 0042 } } }'),
    'sites/web',
  );
  expect(fields.password).toBeInstanceOf(Sealed);
  expect((fields.build as { key: Sealed }).key.reveal()).toBe('0042');
});
