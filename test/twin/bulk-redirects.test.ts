import { afterEach, describe, expect, it } from 'vitest';
import { type Seed, type Switches, startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { refusal, send } from './client.ts';

const story = oneStoryIn(4);

let twin: Twin;
type SeedProject = NonNullable<Seed['projects']>[number];
const start = async (
  project: Partial<SeedProject> = {},
  switches: Partial<Switches> = {},
  pageSize?: number,
) => {
  const projects = [
    { name: 'web', ...project },
    { name: 'theirs', owner: 'personal' },
  ];
  twin = await startTwin({
    seed: { projects },
    switches,
    ...(pageSize === undefined ? {} : { pageSize }),
  });
};
afterEach(() => twin.close());

const base = '/v1/bulk-redirects';
const query = (more = '') => `?slug=acme&projectId=${twin.account.projects[0]!.id}${more}`;
const get = async (more = '') => (await send(twin, 'GET', `${base}${query(more)}`)).body;
const sources = async (more = '') => (await get(more)).redirects.map((one: { source: string }) => one.source);
const put = (redirects: unknown[], fields: object = {}) =>
  send(twin, 'PUT', `${base}?slug=acme`, {
    projectId: twin.account.projects[0]!.id,
    teamId: twin.account.teams[0]!.id,
    redirects,
    ...fields,
  });
const patch = (body: unknown) => send(twin, 'PATCH', `${base}${query()}`, body);
const remove = (body: unknown) => send(twin, 'DELETE', `${base}${query()}`, body);
const restore = (body: unknown) => send(twin, 'POST', `${base}/restore${query()}`, body);
const act = (id: string, action: string, fields: object = {}) =>
  send(twin, 'POST', `${base}/versions${query()}`, { id, action, ...fields });
const versions = async () => (await send(twin, 'GET', `${base}/versions${query()}`)).body.versions;
const one = (source: string, fields: object = {}) => ({ source, destination: '/new', ...fields });

describe('versions', () => {
  it('begins without any', async () => {
    await start();
    expect(await versions()).toEqual([]);
    expect(await get()).toEqual({ redirects: [], pagination: { page: 1, per_page: 50, numPages: 0 } });
  });

  it('stages a write, and makes it live by promotion', async () => {
    await start();
    const { status, body } = await put([one('/a'), one('/b')], { overwrite: true });
    expect(status).toBe(200);
    expect(body.version).toMatchObject({ isStaging: true, isLive: false, redirectCount: 2 });
    expect(body.version.createdBy).toBe(twin.account.user.id);
    expect(new Date(body.version.name).toISOString()).toBe(body.version.name);
    expect(body.alias).toBe(body.version.alias);
    expect(await sources()).toEqual([]);
    expect(await sources(`&versionId=${body.version.id}`)).toEqual(['/a', '/b']);
    const promoted = await act(body.version.id, 'promote', { name: 'first' });
    expect(promoted.body.version).toMatchObject({
      id: body.version.id,
      isStaging: false,
      isLive: true,
      name: 'first',
    });
    expect(promoted.body.version).not.toHaveProperty('alias');
    const live = await get();
    expect(live.version).toEqual(promoted.body.version);
    expect(await versions()).toEqual([promoted.body.version]);
  });

  it('keeps one staged version, in which writes accumulate', async () => {
    await start({ bulkRedirects: [one('/a')] });
    const first = (await put([one('/b')])).body.version;
    const second = (await remove({ redirects: ['/a'] })).body.version;
    expect(second.id).toBe(first.id);
    expect(await versions()).toMatchObject([
      { id: first.id, isStaging: true, redirectCount: 1 },
      { isLive: true, redirectCount: 1 },
    ]);
    expect(await sources(`&versionId=${first.id}`)).toEqual(['/b']);
  });

  it('gives the staged version another id with each write, if so switched', async () => {
    await start({}, { stagedVersionRenewed: true });
    const first = (await put([one('/a')])).body.version;
    const second = (await put([one('/b')])).body.version;
    expect(second.id).not.toBe(first.id);
    expect(await versions()).toMatchObject([{ id: second.id, redirectCount: 2 }]);
    expect(refusal(await act(first.id, 'promote'))).toEqual([404, 'not_found']);
  });

  it('lists old versions, and restores one of them', async () => {
    await start({ bulkRedirects: [one('/a')], stagedBulkRedirects: [one('/b')] });
    const [staged, old] = await versions();
    await act(staged.id, 'promote');
    expect(await versions()).toMatchObject([
      { id: staged.id, isLive: true },
      { id: old.id, isLive: false, isStaging: false },
    ]);
    expect(await sources()).toEqual(['/b']);
    expect((await act(old.id, 'restore')).body.version).toMatchObject({ id: old.id, isLive: true });
    expect(await sources()).toEqual(['/a']);
    expect((await versions()).map((version: { id: string }) => version.id)).toEqual([old.id, staged.id]);
  });

  it('discards what is staged', async () => {
    await start({ bulkRedirects: [one('/a')], stagedBulkRedirects: [one('/b')] });
    const [staged] = await versions();
    expect((await act(staged.id, 'discard')).body.version.id).toBe(staged.id);
    expect(await versions()).toMatchObject([{ isLive: true }]);
  });

  it('gives equal contents equal keys', async () => {
    await start({ bulkRedirects: [one('/a')], stagedBulkRedirects: [one('/a')] });
    const [staged, live] = await versions();
    expect(staged.key).toBe(live.key);
    expect((await put([one('/b')])).body.version.key).not.toBe(live.key);
  });

  it('refuses to promote, discard or restore what is in the wrong place', async () => {
    await start({ bulkRedirects: [one('/a')], stagedBulkRedirects: [one('/b')] });
    const [staged, live] = await versions();
    for (const [id, action] of [
      [live.id, 'promote'],
      [live.id, 'discard'],
      [live.id, 'restore'],
      [staged.id, 'restore'],
      [staged.id, 'publish'],
    ]) {
      expect(refusal(await act(id, action)), action).toEqual([400, 'bad_request']);
    }
    expect(refusal(await act('none', 'promote'))).toEqual([404, 'not_found']);
    expect(await versions()).toEqual([staged, live]);
  });
});

describe('writes', () => {
  it('merges by source, or overwrites the whole set', async () => {
    await start({ bulkRedirects: [one('/a'), one('/b')] });
    const { version } = (await put([one('/a', { destination: '/x' }), one('/c')])).body;
    const merged = await get(`&versionId=${version.id}`);
    expect(merged.redirects).toEqual([one('/a', { destination: '/x' }), one('/b'), one('/c')]);
    await put([one('/d')], { overwrite: true, name: 'whole' });
    const whole = await get(`&versionId=${version.id}`);
    expect([whole.redirects, whole.version.name]).toEqual([[one('/d')], 'whole']);
    expect((await put([], { overwrite: true })).body.version.redirectCount).toBe(0);
  });

  it('edits one redirect by its source, and leaves what is not sent', async () => {
    await start({ bulkRedirects: [one('/a', { statusCode: 301 }), one('/b')] });
    const { version } = (await patch({ redirect: { source: '/a', query: true } })).body;
    const { redirects } = await get(`&versionId=${version.id}`);
    expect(redirects).toEqual([one('/a', { statusCode: 301, query: true }), one('/b')]);
    expect(refusal(await patch({ redirect: { source: '/c', query: true } }))).toEqual([404, 'not_found']);
  });

  it('removes redirects by source', async () => {
    await start({ bulkRedirects: [one('/a'), one('/b')] });
    const { version } = (await remove({ redirects: ['/a', '/c'], name: 'less' })).body;
    expect(version).toMatchObject({ redirectCount: 1, name: 'less' });
    expect(refusal(await remove({ redirects: ['/c'] }))).toEqual([404, 'not_found']);
  });

  it('restores redirects to what is live: back, as they were, or gone', async () => {
    await start({
      bulkRedirects: [one('/a'), one('/b')],
      stagedBulkRedirects: [one('/b', { destination: '/x' }), one('/c'), one('/d')],
    });
    const answer = await restore({ redirects: ['/a', '/b', '/c', '/e'] });
    expect(answer.body).toMatchObject({ restored: ['/a', '/b', '/c'], failedToRestore: ['/e'] });
    const version = answer.body.version.id;
    expect((await get(`&versionId=${version}`)).redirects).toEqual([one('/b'), one('/d'), one('/a')]);
    await patch({ redirect: { source: '/d' }, restore: true });
    expect(await sources(`&versionId=${version}`)).toEqual(['/b', '/a']);
    const unknown = await patch({ redirect: { source: '/e' }, restore: true });
    expect(refusal(unknown)).toEqual([404, 'not_found']);
  });

  it.each([
    ['a redirect without a destination', { redirects: [{ source: '/a' }] }],
    ['an unknown property', { redirects: [one('/a', { colour: 'red' })] }],
    ['a status that is no redirect', { redirects: [one('/a', { statusCode: 200 })] }],
    ['a source that is no path', { redirects: [one('a')] }],
    ['a long source', { redirects: [one(`/${'a'.repeat(2048)}`)] }],
    ['a long name', { redirects: [], name: 'x'.repeat(257) }],
    ['no team', { teamId: undefined }],
  ])('refuses %s', async (_what, fields) => {
    await start();
    expect(refusal(await put([], fields))).toEqual([400, 'bad_request']);
    expect(await versions()).toEqual([]);
  });

  it('refuses another team than the scope', async () => {
    await start();
    expect(refusal(await put([], { teamId: 'team_other' }))).toEqual([403, 'forbidden']);
  });

  it('needs no team in the personal account', async () => {
    await start();
    const projectId = twin.account.projects[1]!.id;
    expect((await send(twin, 'PUT', `${base}?personal`, { projectId, redirects: [one('/a')] })).status).toBe(
      200,
    );
  });
});

describe('reading', () => {
  it('takes a status as text and answers redirects as they were written', async () => {
    await start();
    const written = [one('/a', { statusCode: '308' }), one('/b', { permanent: true })];
    const { version } = (await put(written)).body;
    const { redirects } = await get(`&versionId=${version.id}`);
    expect(redirects).toEqual([one('/a', { statusCode: 308 }), one('/b', { permanent: true })]);
  });

  it('fills in the status and the defaults, if so switched', async () => {
    const bulkRedirects = [
      one('/a', { permanent: true }),
      one('/b', { permanent: false, query: true }),
      one('/c', { statusCode: 301 as const }),
    ];
    await start({ bulkRedirects }, { bulkRedirectsNormalized: true });
    expect((await get()).redirects).toEqual([
      one('/a', { statusCode: 308, caseSensitive: false, query: false }),
      one('/b', { statusCode: 307, caseSensitive: false, query: true }),
      one('/c', { statusCode: 301, caseSensitive: false, query: false }),
    ]);
  });

  it('answers what is staged when no version is asked for, if so switched', async () => {
    await start({ bulkRedirects: [one('/a')], stagedBulkRedirects: [one('/b')] });
    expect(await sources()).toEqual(['/a']);
    await twin.close();
    const project = { bulkRedirects: [one('/a')], stagedBulkRedirects: [one('/b')] };
    await start(project, { redirectsReadStaged: true });
    expect(await sources()).toEqual(['/b']);
    await act((await versions())[0].id, 'discard');
    expect(await sources()).toEqual(['/a']);
  });

  story('answers in pages', async () => {
    const bulkRedirects = ['/a', '/b', '/c', '/d', '/e'].map((source) => one(source));
    await start({ bulkRedirects });
    const first = await get('&per_page=2');
    expect(first.pagination).toEqual({ page: 1, per_page: 2, numPages: 3 });
    expect(await sources('&per_page=2&page=3')).toEqual(['/e']);
    expect(await sources('&per_page=2&page=4')).toEqual([]);
    expect(refusal(await send(twin, 'GET', `${base}${query('&page=x')}`))).toEqual([400, 'bad_request']);
    await twin.close();
    await start({ bulkRedirects }, {}, 2);
    expect((await get('&per_page=250')).pagination).toEqual({ page: 1, per_page: 2, numPages: 3 });
  });

  it('searches and sorts', async () => {
    const bulkRedirects = [one('/b'), one('/a', { destination: '/old' }), one('/c')];
    await start({ bulkRedirects });
    expect(await sources('&q=old')).toEqual(['/a']);
    expect(await sources('&sort_by=source')).toEqual(['/a', '/b', '/c']);
    expect(await sources('&sort_by=source&sort_order=desc')).toEqual(['/c', '/b', '/a']);
    const wrong = await send(twin, 'GET', `${base}${query('&sort_by=age')}`);
    expect(refusal(wrong)).toEqual([400, 'bad_request']);
  });

  it('says what differs from the live version', async () => {
    await start({
      bulkRedirects: [one('/a'), one('/b'), one('/c')],
      stagedBulkRedirects: [one('/b', { query: true }), one('/c'), one('/d')],
    });
    const [staged] = await versions();
    const { redirects } = await get(`&versionId=${staged.id}&diff=true`);
    expect(redirects.map((r: { source: string; action?: string }) => [r.source, r.action])).toEqual([
      ['/b', '~'],
      ['/c', undefined],
      ['/d', '+'],
      ['/a', '-'],
    ]);
    expect(await sources(`&versionId=${staged.id}&diff=only`)).toEqual(['/b', '/d', '/a']);
  });

  it('knows only projects of the owner, by id, and their versions', async () => {
    await start({ bulkRedirects: [one('/a')] });
    const theirs = twin.account.projects[1]!.id;
    for (const path of [base, `${base}/versions`]) {
      expect(refusal(await send(twin, 'GET', path))).toEqual([400, 'bad_request']);
      const other = await send(twin, 'GET', `${path}?slug=acme&projectId=${theirs}`);
      expect(refusal(other)).toEqual([404, 'not_found']);
    }
    expect(refusal(await put([one('/a')], { projectId: theirs }))).toEqual([404, 'not_found']);
    expect(refusal(await send(twin, 'GET', `${base}${query('&versionId=x')}`))).toEqual([404, 'not_found']);
    const { body } = await send(twin, 'GET', '/v9/projects/web');
    expect(body).not.toHaveProperty('bulkRedirects');
  });
});
