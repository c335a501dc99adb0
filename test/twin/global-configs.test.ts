import { afterEach, describe, expect, it } from 'vitest';
import { type Seed, type Switches, startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
const start = async (seed: Seed = {}, switches: Partial<Switches> = {}) => {
  twin = await startTwin({ seed, switches });
};
const store = (fields: object = {}): Seed => ({
  globalConfigs: [{ id: 'ecfg_1', slug: 'store', ...fields }],
});
afterEach(() => twin.close());

const path = '/v1/global-config';
const one = `${path}/ecfg_1`;

describe('stores', () => {
  it('creates with items, reads, lists as an array', async () => {
    await start();
    const created = await send(twin, 'POST', path, { slug: 'store', items: { a: 1, b: null } });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ slug: 'store', itemCount: 2, ownerId: twin.account.teams[0]!.id });
    expect(created.body.id).toMatch(/^ecfg_/);
    expect(created.body.sizeInBytes).toBe('{"a":1,"b":null}'.length);
    for (const member of ['items', 'tokens']) expect(created.body).not.toHaveProperty(member);
    expect((await send(twin, 'GET', `${path}/${created.body.id}`)).body).toEqual(created.body);
    expect((await send(twin, 'GET', path)).body).toEqual([created.body]);
  });

  it('answers under its older name, too', async () => {
    await start(store());
    expect((await send(twin, 'GET', '/v1/edge-config/ecfg_1')).body).toMatchObject({ slug: 'store' });
  });

  it('changes the slug and nothing else', async () => {
    await start(store({ items: { a: 1 } }));
    const before = (await send(twin, 'GET', one)).body;
    const changed = await send(twin, 'PUT', one, { slug: 'other' });
    expect(changed.body).toMatchObject({ slug: 'other', digest: before.digest, itemCount: 1 });
    expect((await send(twin, 'PUT', one, { slug: 'other', items: {} })).status).toBe(400);
  });

  it('has another digest for other items', async () => {
    await start(store({ items: { a: 1 } }));
    const before = (await send(twin, 'GET', one)).body.digest;
    await send(twin, 'PATCH', `${one}/items`, { items: [{ operation: 'update', key: 'a', value: 2 }] });
    expect((await send(twin, 'GET', one)).body.digest).not.toBe(before);
  });

  it.each([
    {},
    { slug: 'with space' },
    { slug: 'x'.repeat(65) },
    { slug: 'a', items: { 'a b': 1 } },
    { slug: 'a', x: 1 },
  ])('refuses %j', async (body) => {
    await start();
    expect(refusal(await send(twin, 'POST', path, body))).toEqual([400, 'bad_request']);
  });

  it('refuses a slug that is taken, or takes it if so switched', async () => {
    await start({ globalConfigs: [{ slug: 'store' }, { id: 'ecfg_1', slug: 'other' }] });
    expect(refusal(await send(twin, 'POST', path, { slug: 'store' }))).toEqual([409, 'conflict']);
    expect(refusal(await send(twin, 'PUT', one, { slug: 'store' }))).toEqual([409, 'conflict']);
    expect((await send(twin, 'PUT', one, { slug: 'other' })).status).toBe(200);
    await twin.close();
    await start(store(), { globalConfigSlugsUnique: false });
    expect((await send(twin, 'POST', path, { slug: 'store' })).status).toBe(201);
  });

  it('deletes, and leaves a row behind if so switched', async () => {
    await start(store());
    expect((await send(twin, 'DELETE', one)).status).toBe(204);
    expect((await send(twin, 'GET', path)).body).toEqual([]);
    await twin.close();
    await start(store(), { globalConfigDeletedListed: true });
    await send(twin, 'DELETE', one);
    expect((await send(twin, 'GET', path)).body).toMatchObject([
      { slug: 'store', deletedAt: expect.any(Number) },
    ]);
    expect((await send(twin, 'GET', one)).status).toBe(404);
    expect((await send(twin, 'DELETE', one)).status).toBe(404);
    expect((await send(twin, 'POST', path, { slug: 'store' })).status).toBe(201);
  });

  it.each([
    [{ flagsOf: 'web' }, { type: 'flags' }],
    [{ experimentsOf: 'res_1' }, { type: 'experimentation', resourceId: 'res_1' }],
  ])("refuses every write to the platform's own (%j)", async (purpose, read) => {
    await start({ projects: [{ name: 'web' }], ...store({ purpose, tokens: ['t'] }) });
    expect((await send(twin, 'GET', one)).body.purpose).toMatchObject(read);
    for (const [method, at, body] of [
      ['PUT', '', { slug: 'mine' }],
      ['DELETE', '', undefined],
      ['PATCH', '/items', { items: [{ operation: 'upsert', key: 'a', value: 1 }] }],
      ['POST', '/schema', { definition: {} }],
      ['DELETE', '/schema', undefined],
      ['POST', '/token', { label: 'x' }],
      ['DELETE', '/tokens', { ids: ['x'] }],
    ] as const) {
      expect(refusal(await send(twin, method, one + at, body))).toEqual([409, 'conflict']);
    }
  });

  it("drops a deleted project's flags", async () => {
    await start({ projects: [{ name: 'web' }], ...store({ purpose: { flagsOf: 'web' } }) });
    await send(twin, 'DELETE', '/v9/projects/web');
    expect((await send(twin, 'GET', path)).body).toEqual([]);
  });

  it("does not see another owner's", async () => {
    await start(store({ owner: 'personal', items: { a: 1 } }));
    expect((await send(twin, 'GET', path)).body).toEqual([]);
    for (const at of ['', '/items', '/item/a', '/schema', '/tokens']) {
      expect((await send(twin, 'GET', one + at)).status).toBe(404);
    }
  });
});

describe('items', () => {
  const patch = (...items: object[]) => send(twin, 'PATCH', `${one}/items`, { items });
  const values = async () => {
    const { body } = await send(twin, 'GET', `${one}/items`);
    return Object.fromEntries(body.map(({ key, value }: { key: string; value: unknown }) => [key, value]));
  };

  it('applies every operation of a batch', async () => {
    await start(store({ items: { a: 1, b: 2, c: 3 } }));
    const answer = await patch(
      { operation: 'create', key: 'd', value: { deep: [null, false] }, description: 'new' },
      { operation: 'update', key: 'a', value: null },
      { operation: 'upsert', key: 'b', value: false },
      { operation: 'upsert', key: 'e', value: 0 },
      { operation: 'delete', key: 'c' },
    );
    expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }]);
    expect(await values()).toEqual({ a: null, b: false, d: { deep: [null, false] }, e: 0 });
    expect((await send(twin, 'GET', `${one}/item/d`)).body).toEqual({
      key: 'd',
      value: { deep: [null, false] },
      description: 'new',
      edgeConfigId: 'ecfg_1',
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
  });

  it('changes value and description apart from each other', async () => {
    await start(store({ items: { a: 1 }, descriptions: { a: 'first' } }));
    await patch({ operation: 'update', key: 'a', value: 2 });
    expect((await send(twin, 'GET', `${one}/item/a`)).body).toMatchObject({ value: 2, description: 'first' });
    await patch({ operation: 'update', key: 'a', description: null });
    const { body } = await send(twin, 'GET', `${one}/item/a`);
    expect(body.value).toBe(2);
    expect(body).not.toHaveProperty('description');
  });

  it.each([
    [{ operation: 'create', key: 'a', value: 2 }, 409, 'conflict'],
    [{ operation: 'update', key: 'z', value: 2 }, 404, 'not_found'],
    [{ operation: 'delete', key: 'z' }, 404, 'not_found'],
    [{ operation: 'upsert', key: 'z' }, 400, 'bad_request'],
    [{ operation: 'create', key: 'z' }, 400, 'bad_request'],
    [{ operation: 'create', key: 'not a key', value: 1 }, 400, 'bad_request'],
    [{ operation: 'create', key: 'k'.repeat(257), value: 1 }, 400, 'bad_request'],
    [{ operation: 'replace', key: 'a', value: 1 }, 400, 'bad_request'],
    [{ operation: 'update', key: 'a', value: 1, old: 2 }, 400, 'bad_request'],
  ])('does nothing of a batch with %j', async (bad, status, code) => {
    await start(store({ items: { a: 1 } }));
    const answer = await patch({ operation: 'upsert', key: 'b', value: 1 }, bad);
    expect(refusal(answer)).toEqual([status, code]);
    expect(await values()).toEqual({ a: 1 });
  });

  it('ignores a deletion of nothing if so switched', async () => {
    await start(store({ items: { a: 1 } }), { globalConfigDeleteIgnoresMissing: true });
    expect((await patch({ operation: 'delete', key: 'z' }, { operation: 'delete', key: 'a' })).status).toBe(
      200,
    );
    expect(await values()).toEqual({});
  });

  it('answers 204 for a missing item, or 404 if so switched', async () => {
    await start(store());
    expect(await send(twin, 'GET', `${one}/item/a`)).toMatchObject({ status: 204, body: undefined });
    await twin.close();
    await start(store(), { globalConfigMissingItem: 404 });
    expect(refusal(await send(twin, 'GET', `${one}/item/a`))).toEqual([404, 'not_found']);
  });
});

describe('the schema', () => {
  const definition = {
    type: 'object',
    properties: {
      name: { type: 'string', enum: ['a', 'b'] },
      sizes: { type: 'array', items: { type: 'integer' } },
      box: {
        type: 'object',
        properties: { on: { type: 'boolean' } },
        required: ['on'],
        additionalProperties: false,
      },
    },
    required: ['name'],
    additionalProperties: { type: ['number', 'null'] },
  };
  const upsert = (query = '', body: unknown = { definition }) =>
    send(twin, 'POST', `${one}/schema?slug=acme${query}`, body);
  const write = (key: string, value: unknown) =>
    send(twin, 'PATCH', `${one}/items`, { items: [{ operation: 'upsert', key, value }] });

  it('comes as it was written, or as a definition if so switched; 204 without one', async () => {
    await start(store({ items: { name: 'a' } }));
    expect((await send(twin, 'GET', `${one}/schema`)).status).toBe(204);
    expect(await upsert()).toMatchObject({ status: 200, body: definition });
    expect((await send(twin, 'GET', `${one}/schema`)).body).toEqual(definition);
    expect((await send(twin, 'GET', one)).body.schema).toEqual(definition);
    expect((await send(twin, 'DELETE', `${one}/schema`)).status).toBe(204);
    expect((await send(twin, 'GET', `${one}/schema`)).status).toBe(204);
    await twin.close();
    await start(store({ schema: definition, items: { name: 'a' } }), { globalConfigSchemaWrapped: true });
    expect((await send(twin, 'GET', `${one}/schema`)).body).toEqual({ definition });
  });

  it('is only checked with dryRun', async () => {
    await start(store({ items: { name: 'a' } }));
    expect((await upsert('&dryRun=true')).status).toBe(200);
    expect((await send(twin, 'GET', `${one}/schema`)).status).toBe(204);
    await twin.close();
    await start(store({ items: { name: 'c' } }));
    expect((await upsert('&dryRun=true')).status).toBe(409);
  });

  it('is refused while items violate it', async () => {
    await start(store({ items: { name: 'c' } }));
    expect(refusal(await upsert())).toEqual([409, 'conflict']);
    expect((await send(twin, 'GET', `${one}/schema`)).status).toBe(204);
  });

  it.each<[string, unknown, string]>([
    ['name', 'c', 'enum'],
    ['name', 1, 'type'],
    ['sizes', [1, 1.5], 'items'],
    ['box', {}, 'required'],
    ['box', { on: true, off: false }, 'additionalProperties: false'],
    ['other', 'text', 'additionalProperties'],
  ])('keeps %s from being %j (%s)', async (key, value, _keyword) => {
    await start(store({ schema: definition, items: { name: 'a' } }));
    expect(refusal(await write(key, value))).toEqual([400, 'bad_request']);
  });

  it.each([
    ['name', 'b'],
    ['sizes', [1, 2]],
    ['box', { on: false }],
    ['other', null],
  ])('lets %s be %j', async (key, value) => {
    await start(store({ schema: definition, items: { name: 'a' } }));
    expect((await write(key, value)).status).toBe(200);
  });

  it('keeps a required item from being deleted', async () => {
    await start(store({ schema: definition, items: { name: 'a' } }));
    const items = [{ operation: 'delete', key: 'name' }];
    expect((await send(twin, 'PATCH', `${one}/items`, { items })).status).toBe(400);
  });

  it.each([{}, { definition: 'text' }, { definition: null }, { definition: {}, dryRun: true }])(
    'refuses %j',
    async (body) => {
      await start(store());
      expect((await upsert('', body)).status).toBe(400);
    },
  );
});

describe('tokens', () => {
  it('shows the value in full on creation, a part of it later', async () => {
    await start(store(), { globalConfigTokenReadable: false });
    const created = await send(twin, 'POST', `${one}/token`, { label: 'read' });
    expect(created.status).toBe(201);
    const { id, token } = created.body;
    expect(Object.keys(created.body)).toEqual(['id', 'token']);
    const [read] = (await send(twin, 'GET', `${one}/tokens`)).body;
    expect(read).toMatchObject({ id, label: 'read', edgeConfigId: 'ecfg_1' });
    expect(read.partialToken.startsWith(token.slice(0, 8))).toBe(true);
    expect(JSON.stringify(read)).not.toContain(token);
    expect((await send(twin, 'GET', `${one}/token/${token}`)).body).toEqual(read);
    expect((await send(twin, 'GET', `${one}/token/${id}`)).status).toBe(404);
  });

  it('still reads the deprecated value by default', async () => {
    await start(store({ tokens: ['read'] }));
    const { token } = twin.account.globalConfigs[0]!.tokens[0]!;
    expect((await send(twin, 'GET', `${one}/tokens`)).body).toMatchObject([{ token }]);
  });

  it('deletes by ids and by values', async () => {
    await start(store({ tokens: ['a', 'b', 'c'] }));
    const [a, b] = twin.account.globalConfigs[0]!.tokens;
    expect((await send(twin, 'DELETE', `${one}/tokens`, { ids: [a!.id] })).status).toBe(204);
    expect((await send(twin, 'DELETE', `${one}/tokens`, { tokens: [b!.token] })).status).toBe(204);
    expect((await send(twin, 'GET', `${one}/tokens`)).body).toMatchObject([{ label: 'c' }]);
    expect((await send(twin, 'DELETE', `${one}/tokens`, {})).status).toBe(400);
  });

  it.each([{}, { label: '' }, { label: 'x'.repeat(53) }, { label: 'a', id: 'b' }])(
    'refuses %j',
    async (body) => {
      await start(store());
      expect((await send(twin, 'POST', `${one}/token`, body)).status).toBe(400);
    },
  );

  it('does not log values', async () => {
    await start(store({ tokens: ['a'] }));
    const { token } = twin.account.globalConfigs[0]!.tokens[0]!;
    await send(twin, 'GET', `${one}/token/${token}`);
    await send(twin, 'DELETE', `${one}/tokens`, { tokens: [token] });
    expect(twin.requests).toHaveLength(2);
    const { body } = await send(twin, 'GET', '/__twin/requests');
    expect(JSON.stringify(body)).not.toContain(token);
  });
});
