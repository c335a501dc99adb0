import { afterEach, describe, expect, it } from 'vitest';
import { type Seed, type Switches, startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { oneRowIn } from '../support/sweep.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
const start = async (seed: Seed = { projects: [{ name: 'web' }] }, switches: Partial<Switches> = {}) => {
  twin = await startTwin({ seed, switches });
};
afterEach(() => twin.close());

const path = '/v1/drains';
const http = {
  type: 'http' as const,
  endpoint: 'https://example.com/in',
  encoding: 'json' as const,
  headers: {},
};
const otlp = {
  type: 'otlphttp',
  endpoint: { traces: 'https://example.com' },
  encoding: 'proto',
  headers: {},
};
const s3 = {
  type: 's3',
  endpoint: 's3://bucket/logs',
  encoding: 'ndjson',
  compression: 'none',
  fileStructure: 'hive',
  roleArn: 'arn:aws:iam::1:role/drain',
  region: 'eu-central-1',
};
const schemas = { log: { version: 'v1' } };
const base = { name: 'logs', projects: 'all', schemas, delivery: http };
const secret = 's'.repeat(32);
const masked = { kind: 'INTEGRATION_SECRET' };
const create = (fields: object = {}) => send(twin, 'POST', path, { ...base, ...fields });
const patch = (id: string, body: unknown) => send(twin, 'PATCH', `${path}/${id}`, body);

describe('creating', () => {
  it('makes a secret if none is given, and is enabled', async () => {
    await start();
    const { status, body } = await create();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'logs',
      schemas,
      status: 'enabled',
      source: { kind: 'self-served' },
      teamId: twin.account.teams[0]!.id,
    });
    expect(body.delivery.secret).toHaveLength(32);
    expect(body).not.toHaveProperty('projects');
    expect(body).not.toHaveProperty('projectIds');
    expect((await create({ delivery: { ...http, secret } })).body.delivery.secret).toBe(secret);
    expect((await send(twin, 'GET', path)).body.drains).toHaveLength(2);
  });

  it.each([otlp, s3])('delivers to %j', async (delivery) => {
    await start();
    expect((await create({ delivery })).body.delivery).toMatchObject(delivery);
  });

  it('encrypts in S3 with AES256 unless told otherwise', async () => {
    await start();
    expect((await create({ delivery: s3 })).body.delivery.serverSideEncryption).toBe('AES256');
  });

  it('reads the filter as filterV2, the projects as ids, and transforms nowhere', async () => {
    await start();
    const id = twin.account.projects[0]!.id;
    const filter = {
      version: 'v2',
      filter: { type: 'basic', log: { sources: ['build'] }, project: { ids: [id] } },
    };
    const sampling = [{ type: 'head_sampling', rate: 0.5, env: 'production' }];
    const created = await create({
      projects: 'some',
      projectIds: [id, id],
      filter,
      sampling,
      transforms: [{ id: 'redact' }],
    });
    expect(created.body).toMatchObject({ projectIds: [id], filterV2: filter, sampling });
    for (const member of ['filter', 'transforms', 'projects'])
      expect(created.body).not.toHaveProperty(member);
    expect((await send(twin, 'GET', `${path}/${created.body.id}`)).body).toEqual(created.body);
  });

  oneRowIn(5)([
    ['no delivery', { delivery: undefined }],
    ['no headers', { delivery: { ...http, headers: undefined } }],
    ['six headers', { delivery: { ...http, headers: { a: '', b: '', c: '', d: '', e: '', f: '' } } }],
    ['a short secret', { delivery: { ...http, secret: 'short' } }],
    ['an endpoint that is no URL', { delivery: { ...http, endpoint: 'example.com' } }],
    ["another type's encoding", { delivery: { ...http, encoding: 'proto' } }],
    ['a type that is read-only', { delivery: { type: 'internal', target: 'x' } }],
    ['some projects without ids', { projects: 'some' }],
    ['all projects with ids', { projectIds: ['prj_x'] }],
    ['an unknown project', { projects: 'some', projectIds: ['prj_x'] }],
    ['no schema', { schemas: {} }],
    ['an unknown schema', { schemas: { logs: { version: 'v1' } } }],
    ['another version of a schema', { schemas: { log: { version: 'v2' } } }],
    ['a filter without its envelope', { filter: { type: 'odata', text: 'x' } }],
    [
      'a filter for an unknown project',
      { filter: { version: 'v2', filter: { type: 'basic', project: { ids: ['prj_x'] } } } },
    ],
    ['a sampling rate above 1', { sampling: [{ type: 'head_sampling', rate: 2 }] }],
    ['a status', { status: 'disabled' }],
  ])('refuses %s', async (_what, fields) => {
    await start();
    expect(refusal(await create(fields))).toEqual([400, 'bad_request']);
    expect(twin.account.drains).toEqual([]);
  });

  it("refuses an integration's source", async () => {
    await start();
    expect((await create({ source: { kind: 'integration' } })).status).toBe(403);
    expect((await create({ source: { kind: 'self-served' } })).status).toBe(200);
  });
});

describe('changing', () => {
  it('keeps what is left out', async () => {
    await start();
    const { body } = await create({ filter: { version: 'v2', filter: { type: 'odata', text: 'a' } } });
    const changed = await patch(body.id, { name: 'renamed' });
    expect(changed.body).toEqual({ ...body, name: 'renamed', updatedAt: expect.any(Number) });
    expect(changed.body.updatedAt).toBeGreaterThan(body.updatedAt);
  });

  it('keeps the secret when the delivery has none', async () => {
    await start();
    const { body } = await create();
    const changed = await patch(body.id, { delivery: { ...http, headers: { 'x-a': '1' } } });
    expect(changed.body.delivery).toEqual({ ...http, headers: { 'x-a': '1' }, secret: body.delivery.secret });
  });

  it('takes away with null', async () => {
    await start();
    const projectIds = [twin.account.projects[0]!.id];
    const filter = { version: 'v2', filter: { type: 'odata', text: 'a' } };
    const sampling = [{ type: 'head_sampling', rate: 1 }];
    const { body } = await create({ projects: 'some', projectIds, filter, sampling });
    const changed = await patch(body.id, {
      projectIds: null,
      filter: null,
      sampling: null,
      transforms: null,
    });
    for (const member of ['projectIds', 'filterV2', 'sampling'])
      expect(changed.body).not.toHaveProperty(member);
    expect((await patch(body.id, { projects: 'some' })).status).toBe(400);
    expect((await patch(body.id, { projects: 'some', projectIds })).body).toMatchObject({ projectIds });
    expect((await patch(body.id, { projects: 'all' })).body).not.toHaveProperty('projectIds');
  });

  it('disables and enables', async () => {
    await start();
    const { id } = (await create()).body;
    const disabled = await patch(id, { status: 'disabled' });
    expect(disabled.body).toMatchObject({
      status: 'disabled',
      disabledBy: twin.account.user.id,
      disabledReason: 'disabled-by-owner',
    });
    const enabled = await patch(id, { status: 'enabled' });
    expect(enabled.body.status).toBe('enabled');
    expect(enabled.body).not.toHaveProperty('disabledAt');
    expect((await patch(id, { status: 'errored' })).status).toBe(400);
  });

  it('does not change the source', async () => {
    await start();
    const { id } = (await create()).body;
    expect((await patch(id, { source: { kind: 'integration' } })).status).toBe(400);
    expect((await patch(id, { source: { kind: 'self-served' } })).status).toBe(200);
  });
});

it('deletes', async () => {
  await start({ drains: [{ id: 'drn_1', name: 'logs', delivery: http }] });
  expect((await send(twin, 'DELETE', `${path}/drn_1`)).status).toBe(204);
  expect((await send(twin, 'GET', `${path}/drn_1`)).status).toBe(404);
  expect((await send(twin, 'GET', path)).body).toEqual({ drains: [] });
});

it('reads the secret, or only that there is one if so switched', async () => {
  await start();
  const plain = (await create({ delivery: { ...http, secret } })).body;
  expect((await send(twin, 'GET', `${path}/${plain.id}`)).body.delivery.secret).toBe(secret);
  await twin.close();
  await start(undefined, { drainSecretMasked: true });
  const { body } = await create({ delivery: { ...http, secret } });
  expect(body.delivery.secret).toBe(secret);
  expect((await send(twin, 'GET', `${path}/${body.id}`)).body.delivery.secret).toEqual(masked);
  expect((await patch(body.id, { name: 'x' })).body.delivery.secret).toEqual(masked);
});

it("has drains of integrations and of the platform's own, from a seed", async () => {
  const integration = { integrationId: 'oac_1', integrationConfigurationId: 'icfg_1' };
  const table = { type: 'clickhouse' as const, endpoint: 'https://example.com', table: 't' };
  await start({
    drains: [
      { name: 'a', delivery: http, integration, status: 'errored' },
      { name: 'b', delivery: table },
    ],
  });
  const { drains } = (await send(twin, 'GET', path)).body;
  expect(drains).toMatchObject([
    { status: 'errored', source: { kind: 'integration', ...integration }, delivery: { secret: masked } },
    { delivery: table },
  ]);
  expect(drains[0].firstErrorTimestamp).toBe(drains[0].createdAt);
});

it('lists those for a project, with metadata if asked for', async () => {
  await start({
    projects: [{ name: 'web' }, { name: 'docs' }],
    drains: [
      { name: 'all', delivery: http },
      { name: 'web', delivery: http, projects: ['web'] },
    ],
  });
  const [web, docs] = twin.account.projects.map((one) => one.id);
  const list = async (query: string) => (await send(twin, 'GET', `${path}?slug=acme&${query}`)).body.drains;
  expect((await list(`projectId=${docs}`)).map((one: { name: string }) => one.name)).toEqual(['all']);
  expect(await list(`projectId=${web}&includeMetadata=true`)).toMatchObject([
    { projectAccess: { access: 'all', managedBy: 'drain' } },
    { projectAccess: { access: 'some', projectIds: [web], managedBy: 'drain' } },
  ]);
  expect((await list(''))[0]).not.toHaveProperty('projectAccess');
});

it('forgets a deleted project', async () => {
  await start({
    projects: [{ id: 'prj_1', name: 'web' }],
    drains: [
      {
        name: 'web',
        delivery: http,
        projects: ['web'],
        filter: { type: 'basic', project: { ids: ['prj_1'] } },
      },
    ],
  });
  await send(twin, 'DELETE', '/v9/projects/web');
  expect((await send(twin, 'GET', path)).body.drains).toMatchObject([
    { projectIds: [], filterV2: { filter: { project: { ids: [] } } } },
  ]);
});

it('tests a delivery, without sending anything', async () => {
  await start();
  const test = (delivery: object) => send(twin, 'POST', `${path}/test`, { schemas, delivery });
  for (const delivery of [http, otlp, s3])
    expect(await test(delivery)).toMatchObject({ status: 200, body: {} });
  const endpoint = 'https://logs.invalid/in';
  expect((await test({ ...http, endpoint })).body).toEqual({
    status: 'error',
    endpoint,
    error: 'getaddrinfo ENOTFOUND logs.invalid',
  });
  expect((await test({ ...http, endpoint: 'logs' })).status).toBe(400);
  expect((await send(twin, 'POST', `${path}/test`, { delivery: http })).status).toBe(400);
  expect(twin.account.drains).toEqual([]);
});

it("does not see another owner's", async () => {
  await start({ drains: [{ id: 'drn_1', owner: 'personal', name: 'mine', delivery: http }] });
  expect((await send(twin, 'GET', path)).body.drains).toEqual([]);
  expect((await patch('drn_1', { name: 'x' })).status).toBe(404);
});
