import { afterEach, describe, expect, it } from 'vitest';
import { type Seed, type Switches, startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { oneRowIn } from '../support/sweep.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
type SeedProject = NonNullable<Seed['projects']>[number];
const start = async (project: Partial<SeedProject> = {}, switches: Partial<Switches> = {}) => {
  const projects = [
    { name: 'web', ...project },
    { name: 'theirs', owner: 'personal' },
  ];
  twin = await startTwin({ seed: { projects }, switches });
};
afterEach(() => twin.close());

const base = () => `/v1/projects/${twin.account.projects[0]!.id}/routes`;
interface Rule {
  id: string;
  name: string;
  action?: string;
}
const get = async (query = '') => (await send(twin, 'GET', `${base()}?slug=acme${query}`)).body;
const names = async (query = '') => (await get(query)).routes.map((one: Rule) => one.name);
const ids = async () => (await get()).routes.map((one: Rule) => one.id);
const add = (route: object, position?: object) => send(twin, 'POST', base(), { route, position });
const put = (routes: unknown[], overwrite?: boolean) => send(twin, 'PUT', base(), { routes, overwrite });
const edit = (id: string, body: unknown) => send(twin, 'PATCH', `${base()}/${id}`, body);
const remove = (routeIds: string[]) => send(twin, 'DELETE', base(), { routeIds });
const act = (id: string, action: string) => send(twin, 'POST', `${base()}/versions`, { id, action });
const versions = async () => (await send(twin, 'GET', `${base()}/versions`)).body.versions;
const rule = (name: string, route: object = {}, fields: object = {}) => ({
  name,
  route: { src: `/${name}`, dest: '/new', ...route },
  ...fields,
});
const seeded = (...all: string[]) => all.map((name) => rule(name, {}, { id: `route_${name}` }));

describe('rules', () => {
  it('compiles what is written and keeps it beside', async () => {
    await start();
    const answer = await add(rule('blog', { src: '/blog/:slug', dest: '/posts/:slug', status: 308 }));
    expect(answer.status).toBe(200);
    const { route, version } = answer.body;
    expect(route).toEqual({
      id: expect.stringMatching(/^route_/),
      name: 'blog',
      enabled: true,
      srcSyntax: 'path-to-regexp',
      rawSrc: '/blog/:slug',
      rawDest: '/posts/:slug',
      routeType: 'redirect',
      staged: true,
      route: { src: '^\\/blog(?:\\/([^\\/]+?))$', dest: '/posts/$1', status: 308 },
    });
    expect(version).toMatchObject({ isStaging: true, isLive: false, ruleCount: 1 });
    expect((await get()).routes).toEqual([route]);
  });

  it.each([
    ['redirect', { status: 301 }],
    ['rewrite', {}],
    ['rewrite', { status: 200 }],
    ['set_status', { dest: undefined, status: 404 }],
    ['transform', { dest: undefined, headers: { 'x-a': 'b' } }],
  ])('names a %s', async (type, fields) => {
    await start();
    expect((await add(rule('a', fields))).body.route.routeType).toBe(type);
    expect(await names(`&filter=${type}`)).toEqual(['a']);
    const other = type === 'transform' ? 'rewrite' : 'transform';
    expect(await names(`&filter=${other}`)).toEqual([]);
  });

  it('takes conditions, headers and transforms', async () => {
    await start();
    const route = {
      has: [{ type: 'host', value: 'example.com' }],
      missing: [{ type: 'cookie', key: 'session' }],
      headers: { 'x-frame-options': 'DENY' },
      transforms: [{ type: 'request.headers', op: 'set', target: { key: 'x-a' }, args: 'b' }],
      caseSensitive: true,
      respectOriginCacheControl: true,
    };
    expect((await add(rule('a', route))).body.route.route).toMatchObject(route);
  });

  it('finds its place by position', async () => {
    await start({ routes: seeded('a', 'b') });
    await add(rule('last'));
    await add(rule('first'), { placement: 'start' });
    await add(rule('end'), { placement: 'end' });
    await add(rule('after'), { placement: 'after', referenceId: 'route_a' });
    await add(rule('before'), { placement: 'before', referenceId: 'route_b' });
    expect(await names()).toEqual(['first', 'a', 'after', 'before', 'b', 'last', 'end']);
  });

  it('is replaced whole by PATCH, in its place and under its id', async () => {
    const old = rule('a', { status: 308 }, { id: 'route_a', description: 'd', enabled: false });
    await start({ routes: [old, ...seeded('b')] });
    const { body } = await edit('route_a', { route: rule('c', { src: '/c' }) });
    expect(body.route).toMatchObject({ id: 'route_a', name: 'c', enabled: true, routeType: 'rewrite' });
    expect(body.route).not.toHaveProperty('description');
    expect(await names()).toEqual(['c', 'b']);
    expect(refusal(await edit('route_x', { route: rule('d') }))).toEqual([404, 'not_found']);
  });

  it('is set back to the live one by PATCH, or away', async () => {
    await start({ routes: seeded('a', 'b') });
    await edit('route_a', { route: rule('c') });
    const fresh = (await add(rule('d'))).body.route.id;
    await remove(['route_b']);
    expect((await edit('route_a', { restore: true })).body.route).toMatchObject({ name: 'a' });
    expect((await edit('route_b', { restore: true })).body.route).toMatchObject({ name: 'b' });
    expect(await names()).toEqual(['a', 'b', 'd']);
    expect((await edit(fresh, { restore: true })).body).not.toHaveProperty('route');
    expect(await names()).toEqual(['a', 'b']);
    expect(refusal(await edit('route_x', { restore: true }))).toEqual([404, 'not_found']);
  });

  it('is deleted by id', async () => {
    await start({ routes: seeded('a', 'b', 'c') });
    const { body } = await remove(['route_a', 'route_c', 'route_x']);
    expect(body).toMatchObject({ deletedCount: 2, version: { isStaging: true, ruleCount: 1 } });
    expect(await names()).toEqual(['b']);
    expect(refusal(await remove(['route_x']))).toEqual([404, 'not_found']);
  });
});

describe('PUT', () => {
  it('replaces the whole list in its order, and keeps ids', async () => {
    await start({ routes: seeded('a', 'b', 'c') });
    const [a, , c] = seeded('a', 'b', 'c');
    const { body } = await put([c, { ...rule('d'), id: 'mine' }, a], true);
    expect(body.version).toMatchObject({ isStaging: true, ruleCount: 3 });
    expect(await ids()).toEqual(['route_c', 'mine', 'route_a']);
  });

  it('merges by id without overwrite', async () => {
    await start({ routes: seeded('a', 'b') });
    await put([rule('x', {}, { id: 'mine' }), rule('c', {}, { id: 'route_a' })]);
    expect(await names()).toEqual(['c', 'b', 'x']);
  });

  it('takes rules as they were read', async () => {
    const route = rule('a', { src: '/a/:id', dest: '/b/:id' }, { id: 'route_a' });
    await start({ routes: [route, ...seeded('b')] });
    const read = (await get()).routes;
    await put([...read].reverse(), true);
    expect((await get()).routes).toEqual([...read].reverse());
    // A route that was changed beside what was read is compiled anew.
    await put([{ ...read[0], route: { src: '/c/:id', dest: '/d/:id' } }]);
    const [changed] = (await get('&q=route_a')).routes;
    expect(changed).toMatchObject({ rawSrc: '/c/:id', rawDest: '/d/:id', route: { dest: '/d/$1' } });
    await put([{ ...read[0], route: { ...read[0].route, src: '/e/:id' } }]);
    expect((await get('&q=route_a')).routes).toMatchObject([{ rawSrc: '/e/:id' }]);
  });

  it('forgets what reads add, if so switched', async () => {
    const route = rule('a', { src: '/a/:id' }, { id: 'route_a' });
    await start({ routes: [route] }, { routesPutKeepsRead: false, routesReadStaged: true });
    const [read] = (await get()).routes;
    await put([read], true);
    const [after] = (await get()).routes;
    expect(after).toMatchObject({
      srcSyntax: 'regex',
      rawSrc: read.route.src,
      route: { src: read.route.src },
    });
  });
});

describe('versions', () => {
  it('begins without any', async () => {
    await start();
    expect(await versions()).toEqual([]);
    expect(await get()).toMatchObject({ routes: [], version: null, limit: { currentRoutes: 0 } });
  });

  it('makes the staged rules live by promotion', async () => {
    await start();
    const { version } = (await add(rule('a'))).body;
    const promoted = (await act(version.id, 'promote')).body.version;
    expect(promoted).toMatchObject({ id: version.id, isStaging: false, isLive: true, ruleCount: 1 });
    expect((await get()).routes).toMatchObject([{ name: 'a', staged: false }]);
    expect(await versions()).toEqual([promoted]);
  });

  it('keeps one staged version, in which writes accumulate', async () => {
    await start({ routes: seeded('a') });
    const first = (await add(rule('b'))).body.version;
    const second = (await remove(['route_a'])).body.version;
    expect(second.id).toBe(first.id);
    expect(await versions()).toMatchObject([{ isStaging: true, ruleCount: 1 }, { isLive: true }]);
  });

  it('gives the staged version another id with each write, if so switched', async () => {
    await start({}, { stagedVersionRenewed: true });
    const first = (await add(rule('a'))).body.version;
    const second = (await add(rule('b'))).body.version;
    expect(refusal(await act(first.id, 'promote'))).toEqual([404, 'not_found']);
    expect((await act(second.id, 'promote')).body.version.ruleCount).toBe(2);
  });

  it('reads the staged rules when no version is asked for, or the live ones, as switched', async () => {
    const project = { routes: seeded('a'), stagedRoutes: [...seeded('a'), rule('b')] };
    await start(project);
    expect(await names()).toEqual(['a', 'b']);
    const [staged, live] = await versions();
    expect(await names(`&versionId=${live.id}`)).toEqual(['a']);
    await twin.close();
    await start(project, { routesReadStaged: false });
    expect(await names()).toEqual(['a']);
    expect(await names(`&versionId=${staged.id}`)).toEqual(['a', 'b']);
  });

  it('restores an old version and discards a staged one', async () => {
    await start({ routes: seeded('a'), stagedRoutes: seeded('b') });
    const [staged, old] = await versions();
    await act(staged.id, 'promote');
    expect(await names()).toEqual(['b']);
    expect((await act(old.id, 'restore')).body.version).toMatchObject({ id: old.id, isLive: true });
    expect(await names()).toEqual(['a']);
    const { version } = (await add(rule('c'))).body;
    await act(version.id, 'discard');
    expect(await versions()).toMatchObject([
      { id: old.id, isLive: true },
      { id: staged.id, isLive: false },
    ]);
  });

  it('refuses to promote, discard or restore what is in the wrong place', async () => {
    await start({ routes: seeded('a'), stagedRoutes: seeded('b') });
    const [staged, live] = await versions();
    for (const [id, action] of [
      [live.id, 'promote'],
      [live.id, 'discard'],
      [live.id, 'restore'],
      [staged.id, 'restore'],
    ]) {
      expect(refusal(await act(id, action)), action).toEqual([400, 'bad_request']);
    }
    expect(refusal(await act('none', 'restore'))).toEqual([404, 'not_found']);
  });

  it('says what differs from the live version', async () => {
    await start({ routes: seeded('a', 'b', 'c', 'd') });
    await remove(['route_a']);
    await edit('route_b', { route: rule('b', { status: 308 }) });
    await add(rule('e'), { placement: 'start' });
    const all = await get('&diff=true');
    expect(all.routes.map((one: Rule) => [one.name, one.action])).toEqual([
      ['e', '+'],
      ['b', '~'],
      ['c', undefined],
      ['d', undefined],
      ['a', '-'],
    ]);
    expect(all.diffCount).toBe(3);
    expect(await names('&diff=only')).toEqual(['e', 'b', 'a']);
  });

  it('says which rules moved', async () => {
    await start({ routes: seeded('a', 'b') });
    await put(seeded('b', 'a'), true);
    const { routes, diffCount } = await get('&diff=only');
    expect(diffCount).toBe(2);
    expect(routes).toMatchObject([
      { name: 'b', previousIndex: 1, newIndex: 0 },
      { name: 'a', previousIndex: 0, newIndex: 1 },
    ]);
  });
});

describe('refusals', () => {
  oneRowIn(5)([
    ['no name', { route: { src: '/a' } }],
    ['an empty name', rule('')],
    ['a long name', rule('x'.repeat(257))],
    ['a long description', rule('a', {}, { description: 'x'.repeat(1025) })],
    ['no source', { name: 'a', route: { dest: '/b' } }],
    ['a source that is no pattern', rule('a', { src: '^/(' })],
    ['an unknown syntax', rule('a', {}, { srcSyntax: 'glob' })],
    ['a status out of range', rule('a', { status: 99 })],
    ['a condition without a key', rule('a', { has: [{ type: 'header' }] })],
    ['a host without a value', rule('a', { has: [{ type: 'host' }] })],
    ['an unknown transform', rule('a', { transforms: [{ type: 'body', op: 'set', target: { key: 'a' } }] })],
    ['an unknown property', rule('a', { colour: 'red' })],
    ['a name that is there already', rule('there')],
  ])('%s', async (_what, route) => {
    await start({ routes: seeded('there', 'other') });
    expect(refusal(await add(route))).toEqual([400, 'bad_request']);
    expect(refusal(await edit('route_other', { route }))).toEqual([400, 'bad_request']);
    expect(await versions()).toHaveLength(1);
  });

  it.each([
    ['a place beside nothing', { placement: 'after' }],
    ['a place beside an unknown rule', { placement: 'before', referenceId: 'route_x' }],
    ['an unknown place', { placement: 'middle' }],
  ])('%s', async (_what, position) => {
    await start();
    expect(refusal(await add(rule('a'), position))).toEqual([400, 'bad_request']);
  });

  it('PUT without ids, with one id twice or one name twice', async () => {
    await start();
    for (const routes of [
      [rule('a')],
      [rule('a', {}, { id: 'x' }), rule('b', {}, { id: 'x' })],
      [rule('a', {}, { id: 'x' }), rule('a', {}, { id: 'y' })],
    ]) {
      expect(refusal(await put(routes, true))).toEqual([400, 'bad_request']);
    }
  });

  it('PATCH with nothing to do', async () => {
    await start({ routes: seeded('a') });
    expect(refusal(await edit('route_a', {}))).toEqual([400, 'bad_request']);
    expect(refusal(await edit('route_a', { restore: false }))).toEqual([400, 'bad_request']);
  });

  it('an unknown version, filter or difference', async () => {
    await start();
    const status = async (query: string) => (await send(twin, 'GET', `${base()}?slug=acme${query}`)).status;
    expect(await status('&versionId=x')).toBe(404);
    expect(await status('&filter=header')).toBe(400);
    expect(await status('&diff=all')).toBe(400);
  });

  it('a project of somebody else, or one that is named', async () => {
    await start({ routes: seeded('a') });
    for (const project of [twin.account.projects[1]!.id, 'web']) {
      const path = `/v1/projects/${project}/routes`;
      for (const [method, to, body] of [
        ['GET', path, undefined],
        ['GET', `${path}/versions`, undefined],
        ['POST', path, { route: rule('a') }],
        ['PUT', path, {}],
        ['DELETE', path, { routeIds: [] }],
      ] as const) {
        expect(refusal(await send(twin, method, to, body)), `${method} ${to}`).toEqual([404, 'not_found']);
      }
    }
    expect((await send(twin, 'GET', '/v9/projects/web')).body).not.toHaveProperty('routes');
  });
});
