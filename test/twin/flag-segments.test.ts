import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { refusal, send } from './client.ts';

const story = oneStoryIn(3);

let twin: Twin;
const path = '/v1/projects/web/feature-flags/segments';
beforeEach(async () => {
  twin = await startTwin({ seed: { projects: [{ name: 'web' }] } });
});
afterEach(() => twin.close());

const email = { type: 'entity', kind: 'user', attribute: 'email' };
const staff = {
  slug: 'staff',
  label: 'Staff',
  hint: 'user.email',
  data: {
    rules: [
      {
        id: 'r1',
        conditions: [{ lhs: email, cmp: 'endsWith', rhs: '@example.com' }],
        outcome: { type: 'all' },
      },
      { id: 'r2', conditions: [], outcome: { type: 'split', base: email, passPromille: 50_000 } },
    ],
    include: { user: { email: [{ value: 'bea@example.org', note: 'guest' }] } },
  },
};
const inSegment = (rhs: unknown) => ({
  id: 'r',
  conditions: [{ lhs: { type: 'segment' }, cmp: 'eq', rhs }],
  outcome: { type: 'all' },
});

it('creates by PUT on the collection, reads by id and slug, lists', async () => {
  const created = await send(twin, 'PUT', path, { ...staff, createdBy: 'somebody', description: 'd' });
  expect(created.status).toBe(201);
  expect(created.body).toEqual({
    ...staff,
    description: 'd',
    createdBy: 'somebody',
    typeName: 'segment',
    id: expect.stringMatching(/^seg_/),
    projectId: twin.account.projects[0]?.id,
    createdAt: expect.any(Number),
    updatedAt: created.body.createdAt,
    usedByFlags: [],
    usedBySegments: [],
  });
  for (const name of ['staff', created.body.id]) {
    expect((await send(twin, 'GET', `${path}/${name}`)).body).toEqual(created.body);
  }
  expect((await send(twin, 'GET', path)).body).toEqual({ data: [created.body] });
  const { metadata } = (await send(twin, 'GET', `${path}/staff?withMetadata=true`)).body;
  expect(metadata).toEqual({ creator: { id: 'somebody', name: 'somebody' } });
});

oneRowIn(5)([
  { ...staff, label: undefined },
  { ...staff, hint: undefined },
  { ...staff, data: undefined },
  { ...staff, slug: 'a b' },
  { ...staff, colour: 1 },
  { ...staff, data: { members: [] } },
  { ...staff, data: { rules: [{ id: 'r', conditions: [], outcome: { type: 'some' } }] } },
  { ...staff, data: { rules: [inSegment('seg_none')] } },
])('refuses a segment that is not well-formed (%#)', async (body) => {
  expect(refusal(await send(twin, 'PUT', path, body))).toEqual([400, 'bad_request']);
  expect((await send(twin, 'GET', path)).body.data).toEqual([]);
});

it('has each slug once', async () => {
  await send(twin, 'PUT', path, staff);
  expect(refusal(await send(twin, 'PUT', path, staff))).toEqual([409, 'conflict']);
});

it('replaces all data with `data`, and changes single values with `operations`', async () => {
  await send(twin, 'PUT', path, staff);
  const operation = (action: string, field: string, value: object) => ({
    action,
    field,
    entity: 'user',
    attribute: 'email',
    value,
  });
  const changed = await send(twin, 'PATCH', `${path}/staff`, {
    operations: [
      operation('add', 'include', { value: 'cy@example.org' }),
      operation('add', 'include', { value: 'bea@example.org' }),
      operation('add', 'exclude', { value: 'dan@example.com' }),
      operation('remove', 'include', { value: 'cy@example.org' }),
      operation('remove', 'exclude', { value: 'nobody@example.com' }),
    ],
  });
  expect(changed.status).toBe(200);
  expect(changed.body.data).toEqual({
    rules: staff.data.rules,
    include: { user: { email: [{ value: 'bea@example.org' }] } },
    exclude: { user: { email: [{ value: 'dan@example.com' }] } },
  });
  const data = { include: {} };
  const replaced = await send(twin, 'PATCH', `${path}/staff`, { data, label: 'All', description: 'd' });
  expect(replaced.body).toMatchObject({ label: 'All', description: 'd', hint: staff.hint });
  expect(replaced.body.data).toEqual(data);
  for (const body of [{ slug: 'x' }, { createdBy: 'x' }, { operations: [{ action: 'add' }] }]) {
    expect((await send(twin, 'PATCH', `${path}/staff`, body)).status).toBe(400);
  }
});

it('takes any name for an entity', async () => {
  await send(twin, 'PUT', path, staff);
  const operation = { action: 'add', field: 'include', entity: '__proto__', attribute: 'polluted' };
  const operations = [{ ...operation, value: { value: 'x' } }];
  expect((await send(twin, 'PATCH', `${path}/staff`, { operations })).status).toBe(200);
  expect({}).not.toHaveProperty('polluted');
});

story('is not deleted while flags or segments name it, and says which', async () => {
  const { id } = (await send(twin, 'PUT', path, staff)).body;
  const other = { ...staff, slug: 'other', data: { rules: [inSegment(id)] } };
  const { id: otherId } = (await send(twin, 'PUT', path, other)).body;
  const outcome = { type: 'variant', variantId: 'on' };
  const list = { type: 'list', items: [{ value: id }] };
  const flag = {
    slug: 'beta',
    kind: 'boolean',
    variants: [{ id: 'on', value: true }],
    environments: {
      production: {
        active: true,
        pausedOutcome: outcome,
        fallthrough: outcome,
        rules: [{ ...inSegment(list), outcome }],
      },
    },
  };
  const flags = '/v1/projects/web/feature-flags/flags';
  const { id: flagId } = (await send(twin, 'PUT', flags, flag)).body;
  const used = (await send(twin, 'GET', `${path}/staff`)).body;
  expect([used.usedByFlags, used.usedBySegments]).toEqual([[flagId], [otherId]]);
  expect(refusal(await send(twin, 'DELETE', `${path}/staff`))).toEqual([409, 'conflict']);
  expect((await send(twin, 'DELETE', `${path}/other`)).status).toBe(204);
  expect(refusal(await send(twin, 'DELETE', `${path}/staff`))).toEqual([409, 'conflict']);
  await send(twin, 'PATCH', `${flags}/beta`, { state: 'archived' });
  await send(twin, 'DELETE', `${flags}/beta`);
  expect((await send(twin, 'DELETE', `${path}/staff`)).status).toBe(204);
  expect(refusal(await send(twin, 'GET', `${path}/staff`))).toEqual([404, 'not_found']);
});

story('cannot name itself', async () => {
  const { id } = (await send(twin, 'PUT', path, staff)).body;
  const answer = await send(twin, 'PATCH', `${path}/staff`, { data: { rules: [inSegment(id)] } });
  expect(answer.status).toBe(400);
});

it('comes from a seed with no more than a slug', async () => {
  const featureFlags = {
    segments: [
      { slug: 'staff', id: 'seg_staff' },
      { slug: 'beta', label: 'Beta' },
    ],
  };
  twin.add({ projects: [{ name: 'seeded', featureFlags }] });
  const { data } = (await send(twin, 'GET', path.replace('web', 'seeded'))).body;
  expect(data).toMatchObject([
    { id: 'seg_staff', slug: 'staff', label: 'staff', data: {} },
    { slug: 'beta', label: 'Beta' },
  ]);
});
