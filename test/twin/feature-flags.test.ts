import { afterEach, describe, expect, it } from 'vitest';
import { type Seed, type Switches, startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { oneRowIn } from '../support/sweep.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
afterEach(() => twin.close());
const path = '/v1/projects/web/feature-flags/flags';
type Flags = NonNullable<NonNullable<Seed['projects']>[number]['featureFlags']>;
const start = async (featureFlags: Flags = {}, switches: Partial<Switches> = {}) => {
  const projects = [{ name: 'web', featureFlags }, { name: 'docs' }];
  twin = await startTwin({ seed: { projects }, switches });
};

const variants = [
  { id: 'a', value: 'red', label: 'Red' },
  { id: 'b', value: 'blue' },
];
const base = { type: 'entity', kind: 'user', attribute: 'id' };
const variant = (variantId: string) => ({ type: 'variant', variantId });
const environment = (fields: object = {}) => ({
  active: true,
  pausedOutcome: variant('a'),
  fallthrough: variant('b'),
  rules: [] as object[],
  ...fields,
});
const colour = (production: object = {}, fields: object = {}) => ({
  slug: 'colour',
  kind: 'string',
  variants,
  environments: { production: environment(production) },
  ...fields,
});
const rule = (conditions: object[], outcome: object = variant('a')) => ({ id: 'r', conditions, outcome });

describe('a flag', () => {
  it('is created by PUT on the collection and read by id and slug', async () => {
    await start();
    const body = colour({}, { description: 'd', tags: ['ui'], seed: 7 });
    const created = await send(twin, 'PUT', path, body);
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      ...body,
      environments: { production: { ...environment(), revision: 0 } },
      typeName: 'flag',
      id: expect.stringMatching(/^flag_/),
      state: 'active',
      revision: 1,
      projectId: twin.account.projects[0]?.id,
      ownerId: twin.account.teams[0]?.id,
      createdBy: twin.account.user.id,
      createdAt: expect.any(Number),
      updatedAt: created.body.createdAt,
    });
    for (const name of ['colour', created.body.id]) {
      expect((await send(twin, 'GET', `${path}/${name}`)).body).toEqual(created.body);
    }
    expect((await send(twin, 'GET', `${path}/colour?withMetadata=true`)).body.metadata).toEqual({
      creator: { id: twin.account.user.id, name: 'ada' },
    });
    expect(refusal(await send(twin, 'GET', `${path}/none`))).toEqual([404, 'not_found']);
  });

  it('gets a random seed if none is given, and keeps it', async () => {
    await start();
    const seeds = [];
    for (const slug of ['one', 'two'])
      seeds.push((await send(twin, 'PUT', path, colour({}, { slug }))).body.seed);
    expect(seeds).toEqual([expect.any(Number), expect.any(Number)]);
    expect(seeds[0]).not.toBe(seeds[1]);
    expect((await send(twin, 'PATCH', `${path}/one`, { tags: [] })).body.seed).toBe(seeds[0]);
  });

  it('has a slug that is free in its project only', async () => {
    await start({ flags: [{ slug: 'colour', state: 'archived' }] });
    expect(refusal(await send(twin, 'PUT', path, colour()))).toEqual([409, 'conflict']);
    expect((await send(twin, 'PUT', path.replace('web', 'docs'), colour())).status).toBe(201);
  });

  it('is out of sight for others, in project answers, and goes with its project', async () => {
    await start({ flags: [{ slug: 'colour' }] });
    expect((await send(twin, 'GET', `${path}/colour?personal`)).status).toBe(404);
    expect((await send(twin, 'GET', '/v9/projects/web')).body).not.toHaveProperty('featureFlags');
    await send(twin, 'DELETE', '/v9/projects/web');
    await send(twin, 'POST', '/v11/projects', { name: 'web' });
    expect((await send(twin, 'GET', path)).body.data).toEqual([]);
  });

  it.each([
    ['no environments', colour({}, { environments: undefined }), /`environments`/],
    ['an unknown member', colour({}, { colour: 1 }), /additional property `colour`/],
    ['an unknown member of an environment', colour({ on: true }), /additional property `on`/],
    ['an unknown kind', colour({}, { kind: 'list' }), /`kind`/],
    ['a slug with a space', colour({}, { slug: 'a b' }), /`slug`/],
    ['an outcome without its type', colour({ fallthrough: { variantId: 'a' } }), /fallthrough\.type/],
    ['a value of another kind', colour({}, { kind: 'number' }), /`variants\[0\]\.value` should be number/],
    ['a variant without a value', colour({}, { variants: [{ id: 'a' }] }), /`variants\[0\]\.value`/],
    ['two variants of one id', colour({}, { variants: [variants[0], variants[0]] }), /the id "a" twice/],
    ['two rules of one id', colour({ rules: [rule([]), rule([])] }), /two rules with the id "r"/],
  ])('is not made with %s', async (_what, body, message) => {
    await start();
    const refused = await send(twin, 'PUT', path, body);
    expect(refusal(refused)).toEqual([400, 'bad_request']);
    expect(refused.body.error.message).toMatch(message);
    expect((await send(twin, 'GET', path)).body.data).toEqual([]);
  });

  const split = { type: 'split', base, weights: { a: 1, b: 1 }, defaultVariantId: 'a' };
  const rollout = {
    type: 'rollout',
    base,
    startTimestamp: 1,
    rollFromVariantId: 'a',
    rollToVariantId: 'b',
    defaultVariantId: 'a',
    slots: [{ promille: 5000, durationMs: 1 }],
  };
  it('takes every outcome, targets, reuse, and kinds of condition', async () => {
    await start();
    const conditions = [
      { lhs: base, cmp: 'regex', rhs: { type: 'regex', pattern: 'x', flags: 'i' } },
      { lhs: base, cmp: 'oneOf', rhs: { type: 'list/inline', items: [{ value: 1 }, { value: 'x' }] } },
      { lhs: base, cmp: 'eq', rhs: true, cmpOptions: { ignoreCase: true } },
      { lhs: base, cmp: 'ex' },
    ];
    const targets = { b: { user: { email: [{ value: 'a@example.com', note: 'n' }] } } };
    const production = environment({ fallthrough: split, targets, rules: [rule(conditions, rollout)] });
    const preview = environment({ reuse: { active: true, environment: 'production' } });
    const body = colour({}, { environments: { production, preview } });
    const created = await send(twin, 'PUT', path, body);
    expect(created.status).toBe(201);
    expect(created.body.environments).toMatchObject({ production, preview });
  });

  oneRowIn(5)([
    ['pausedOutcome', { pausedOutcome: variant('x') }],
    ['fallthrough', { fallthrough: variant('x') }],
    ['a weight', { fallthrough: { ...split, weights: { x: 1 } } }],
    ['a default', { fallthrough: { ...split, defaultVariantId: 'x' } }],
    ['a rollout', { fallthrough: { ...rollout, rollToVariantId: 'x' } }],
    ['a rule', { rules: [rule([], variant('x'))] }],
    ['a target', { targets: { x: {} } }],
    ['a segment', { rules: [rule([{ lhs: { type: 'segment' }, cmp: 'eq', rhs: 'x' }])] }],
    ['reuse', { reuse: { active: true, environment: 'x' } }],
  ])('cannot name what is not there in %s', async (_where, production) => {
    await start();
    const refused = await send(twin, 'PUT', path, colour(production));
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toMatch(/"x", which/);
  });
});

describe('a change', () => {
  it('touches only what it names, and only the environments it names', async () => {
    await start();
    const environments = { production: environment(), preview: environment() };
    await send(twin, 'PUT', path, colour({}, { environments, description: 'd' }));
    const paused = environment({ active: false });
    const changed = await send(twin, 'PATCH', `${path}/colour`, {
      environments: { production: paused },
      message: 'why',
      createdBy: 'somebody',
    });
    expect(changed.body).toMatchObject({
      description: 'd',
      revision: 2,
      updatedBy: 'somebody',
      environments: { production: { active: false, revision: 1 }, preview: { active: true, revision: 0 } },
    });
    expect(changed.body).not.toHaveProperty('message');
    expect((await send(twin, 'GET', `${path}/colour`)).body).toEqual(changed.body);
  });

  it('cannot rename a flag, nor take a variant that is in use', async () => {
    await start();
    await send(twin, 'PUT', path, colour());
    for (const body of [{ slug: 'x' }, { kind: 'json' }, { variants: [variants[0]] }]) {
      expect((await send(twin, 'PATCH', `${path}/colour`, body)).status).toBe(400);
    }
    expect((await send(twin, 'GET', `${path}/colour`)).body.revision).toBe(1);
  });

  it.each([false, true])('that changes nothing (304: %s)', async (flagUnchangedNotModified) => {
    await start({ flags: [{ slug: 'colour', tags: ['ui'] }] }, { flagUnchangedNotModified });
    const same = await send(twin, 'PATCH', `${path}/colour`, { tags: ['ui'], message: 'm' });
    expect([same.status, same.body?.revision]).toEqual(
      flagUnchangedNotModified ? [304, undefined] : [200, 2],
    );
    const other = await send(twin, 'PATCH', `${path}/colour`, { tags: [] });
    expect([other.status, other.body.revision]).toEqual([200, flagUnchangedNotModified ? 2 : 3]);
  });

  it.each([412, 409] as const)('of a flag that has changed meanwhile is refused with %i', async (status) => {
    await start({ flags: [{ slug: 'colour' }] }, { flagMismatchStatus: status });
    const { etag } = (await send(twin, 'GET', `${path}/colour`)).headers;
    expect(etag).toMatch(/^"\w+"$/);
    const change = (tag: string, headers = {}) =>
      send(twin, 'PATCH', `${path}/colour${tag}`, { permanent: true }, headers);
    const changed = await change('', { 'if-match': String(etag) });
    expect(changed.status).toBe(200);
    expect(changed.headers.etag).not.toBe(etag);
    for (const late of [
      await change('', { 'if-match': String(etag) }),
      await change(`?ifMatch=${encodeURIComponent(String(etag))}`),
      await send(twin, 'DELETE', `${path}/colour`, undefined, { 'if-match': String(etag) }),
    ]) {
      expect(refusal(late)).toEqual([status, status === 412 ? 'precondition_failed' : 'conflict']);
    }
    const unquoted = String(changed.headers.etag).replaceAll('"', '');
    expect((await change(`?ifMatch=${unquoted}`)).status).toBe(200);
    expect((await change('', { 'if-match': '*' })).status).toBe(200);
    expect((await change('')).status).toBe(200);
  });

  it('is not needed to read what is known: 304 for the same ETag', async () => {
    await start({ flags: [{ slug: 'colour' }] });
    const { etag } = (await send(twin, 'GET', `${path}/colour`)).headers;
    const ifMatch = encodeURIComponent(String(etag));
    expect((await send(twin, 'GET', `${path}/colour?ifMatch=${ifMatch}`)).status).toBe(304);
    expect((await send(twin, 'GET', `${path}/colour?ifMatch=x`)).status).toBe(200);
  });
});

it('is deleted only when archived', async () => {
  await start({ flags: [{ slug: 'colour' }] });
  expect(refusal(await send(twin, 'DELETE', `${path}/colour`))).toEqual([409, 'conflict']);
  await send(twin, 'PATCH', `${path}/colour`, { state: 'archived' });
  expect((await send(twin, 'DELETE', `${path}/colour`)).status).toBe(204);
  expect((await send(twin, 'DELETE', `${path}/colour`)).status).toBe(404);
});

describe('lists', () => {
  const slugs = async (where: string) =>
    (await send(twin, 'GET', where)).body.data.map((flag: { slug: string }) => flag.slug);
  const v2 = path.replace('v1', 'v2');

  oneRowIn(4)([path, v2, '/v1/teams/acme/feature-flags/flags', '/v2/teams/acme/feature-flags/flags'])(
    'filters %s; archived flags come only when asked for',
    async (where) => {
      await start({
        flags: [
          { slug: 'one', tags: ['ui', 'new'], description: 'First' },
          { slug: 'two', tags: ['ui'] },
          { slug: 'old', state: 'archived' },
        ],
      });
      expect(await slugs(where)).toEqual(['two', 'one']);
      expect(await slugs(`${where}?state=archived`)).toEqual(['old']);
      expect((await send(twin, 'GET', `${where}?state=all`)).status).toBe(400);
      expect(await slugs(`${where}?search=FIRST`)).toEqual(['one']);
      expect(await slugs(`${where}?tags=ui&tags=new`)).toEqual(['one']);
      expect(await slugs(`${where}?tags=ui,new`)).toEqual(['one']);
      const first = (await send(twin, 'GET', `${where}?limit=1`)).body;
      expect(first.pagination).toEqual({ next: expect.any(String) });
      expect(await slugs(`${where}?limit=1&cursor=${first.pagination.next}`)).toEqual(['one']);
    },
  );

  it('has pages of 25 in version 2, of 20 for a team in version 1, and all of a project there', async () => {
    await start({ flags: Array.from({ length: 130 }, (_, i) => ({ slug: `flag-${i}` })) });
    const sizes = [];
    for (const where of [v2, '/v1/teams/acme/feature-flags/flags', path, `${path}?limit=500`]) {
      sizes.push((await slugs(where)).length);
    }
    expect(sizes).toEqual([25, 20, 130, 100]);
  });

  it('keeps to the cap of the twin', async () => {
    const flags = [{ slug: 'one' }, { slug: 'two' }];
    twin = await startTwin({
      pageSize: 1,
      seed: { projects: [{ name: 'web', featureFlags: { flags } }] },
    });
    expect(await slugs(path)).toEqual(['two']);
  });

  it('filters by maintainer, creator and kind', async () => {
    await start({
      flags: [
        { slug: 'one', maintainerIds: ['u1', 'u2'] },
        { slug: 'two', kind: 'json', environments: {} },
      ],
    });
    expect(await slugs(`${v2}?maintainerIds=u2&maintainerIds=u9`)).toEqual(['one']);
    expect(await slugs(`${v2}?createdBy=${twin.account.user.id}`)).toEqual(['two', 'one']);
    expect(await slugs(`${v2}?createdBy=nobody`)).toEqual([]);
    expect(await slugs('/v2/teams/acme/feature-flags/flags?kind=json')).toEqual(['two']);
  });

  it('shows a team the flags of its own projects only', async () => {
    const featureFlags = { flags: [{ slug: 'one' }] };
    const projects = [
      { name: 'web', featureFlags },
      { name: 'mine', owner: 'personal', featureFlags },
    ];
    twin = await startTwin({ seed: { projects } });
    expect(await slugs('/v2/teams/acme/feature-flags/flags')).toEqual(['one']);
  });
});

it('makes a flag of a slug in a seed, and says what is wrong with one', async () => {
  await start({ flags: [{ slug: 'new-header', id: 'flag_1' }] });
  expect((await send(twin, 'GET', `${path}/flag_1`)).body).toMatchObject({
    slug: 'new-header',
    kind: 'boolean',
    variants: [{ value: false }, { value: true }],
    environments: { production: { active: false }, preview: {}, development: {} },
  });
  const flags = [{ slug: 'a b' }, { slug: 'text', kind: 'string' as const }];
  const failure = await startTwin({
    seed: { projects: [{ name: 'web', featureFlags: { flags } }] },
  }).catch((error: unknown) => error);
  expect((failure as { problems: string[] }).problems).toEqual([
    expect.stringMatching(/^projects\[0\]\.featureFlags\.flags\[0\]: .*`slug`/),
    expect.stringMatching(/^projects\[0\]\.featureFlags\.flags\[1\]: .*names the variant/),
  ]);
});
