import { afterEach, describe, expect, it } from 'vitest';
import { type Seed, type Switches, startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { refusal, send } from './client.ts';

const story = oneStoryIn(3);

let twin: Twin;
type SeedVariables = NonNullable<Seed['sharedEnv']>;
const start = async (
  sharedEnv: SeedVariables = [],
  switches: Partial<Switches> = {},
  team: Seed['team'] = { slug: 'acme' },
) => {
  const seed: Seed = { team, projects: [{ name: 'web' }, { name: 'docs' }], sharedEnv };
  twin = await startTwin({ seed, switches });
};
afterEach(() => twin.close());

const path = '/v1/env';
const target = ['production'];
const idOf = (name: string) => twin.account.projects.find((one) => one.name === name)!.id;
const create = (fields: object = {}) =>
  send(twin, 'POST', path, { evs: [{ key: 'A', value: '1' }], target, ...fields });
const patch = (updates: object) => send(twin, 'PATCH', path, { updates });
const list = async (query = '') => (await send(twin, 'GET', `${path}?slug=acme&${query}`)).body.data;
const read = async (id: string) => (await send(twin, 'GET', `${path}/${id}`)).body;

describe('creating', () => {
  it('makes several variables with targets and projects in common', async () => {
    await start();
    const { status, body } = await create({
      evs: [
        { key: 'A', value: '1', comment: 'c' },
        { key: 'B', value: '2' },
      ],
      target: ['production', 'preview'],
      projectId: [idOf('web')],
    });
    expect([status, body.failed]).toEqual([201, []]);
    const common = { type: 'encrypted', target: ['production', 'preview'], projectId: [idOf('web')] };
    expect(body.created).toMatchObject([
      { key: 'A', comment: 'c', ...common, ownerId: twin.account.teams[0]!.id },
      { key: 'B', ...common },
    ]);
    expect(JSON.stringify(body)).not.toContain('"value":"1"');
    expect(body.created[0].created).toBe(new Date(body.created[0].createdAt).toISOString());
    expect(await list()).toEqual(body.created);
  });

  oneRowIn(5)([
    ['no targets', { target: undefined }],
    ['an empty list of targets', { target: [] }],
    ['a type that can only be read', { type: 'plain' }],
    ['sensitive values for development', { type: 'sensitive', target: ['development'] }],
    ['a key with a dash', { evs: [{ key: 'A-B', value: '1' }] }],
    ['no variables', { evs: [] }],
    ['a project by its name', { projectId: ['web'] }],
    ['a variable with targets of its own', { evs: [{ key: 'A', value: '1', target }] }],
  ])('refuses %s', async (_what, fields) => {
    await start();
    expect(refusal(await create(fields))).toEqual([400, 'bad_request']);
    expect(await list()).toEqual([]);
  });

  it('needs no targets for all custom environments', async () => {
    await start();
    const { body } = await create({ target: undefined, applyToAllCustomEnvironments: true });
    expect(body.created).toMatchObject([{ target: [], applyToAllCustomEnvironments: true }]);
  });

  it.each([true, false])("minds the team's policy (makes variables sensitive: %s)", async (makes) => {
    const policy = { slug: 'acme', sensitiveEnvironmentVariablePolicy: 'on' as const };
    await start([], { policyMakesSensitive: makes }, policy);
    const answerTo = async (fields: object) => {
      const { status, body } = await create(fields);
      return body.created?.[0].type ?? status;
    };
    const guarded = makes ? 'sensitive' : 400;
    expect(await answerTo({ target: ['preview'] })).toBe(guarded);
    expect(await answerTo({ target: undefined, applyToAllCustomEnvironments: true })).toBe(guarded);
    expect(await answerTo({ type: 'sensitive', target: ['production'] })).toBe('sensitive');
    expect(await answerTo({ target: ['development'] })).toBe('encrypted');
  });
});

describe('conflicts', () => {
  const other = { key: 'A', value: '1', target: ['production' as const, 'preview' as const], id: 'env_1' };

  it('is the error of a single variable', async () => {
    await start([other]);
    const answer = await create();
    expect(refusal(answer)).toEqual([409, 'existing_key_and_target']);
    expect(answer.body.error).toMatchObject({ envVarKey: 'A', envVarId: 'env_1' });
    expect((await create({ target: ['development'] })).status).toBe(201);
  });

  it('is an entry of failed if so switched', async () => {
    await start([other], { sharedEnvConflictAlone: 'failed' });
    const { status, body } = await create();
    expect([status, body.created]).toEqual([201, []]);
    expect(body.failed).toMatchObject([{ error: { code: 'existing_key_and_target', envVarKey: 'A' } }]);
  });

  it('leaves the others of a batch alone', async () => {
    await start([other]);
    const evs = ['B', 'A', 'B'].map((key) => ({ key, value: '1' }));
    const { status, body } = await create({ evs });
    expect(status).toBe(201);
    expect(body.created).toMatchObject([{ key: 'B' }]);
    expect(body.failed.map((one: { error: { envVarKey: string } }) => one.error.envVarKey)).toEqual([
      'A',
      'B',
    ]);
  });

  it('meets changes as well', async () => {
    await start([other, { key: 'B', value: '1', id: 'env_2' }, { key: 'C', value: '1', id: 'env_3' }]);
    expect(refusal(await patch({ env_2: { key: 'A' } }))).toEqual([409, 'existing_key_and_target']);
    const { status, body } = await patch({ env_2: { key: 'A' }, env_3: { comment: 'c' } });
    expect(status).toBe(200);
    expect(body.updated).toMatchObject([{ id: 'env_3', comment: 'c' }]);
    expect(body.failed).toMatchObject([{ error: { code: 'existing_key_and_target', envVarId: 'env_2' } }]);
    expect(await read('env_2')).toMatchObject({ key: 'B' });
  });
});

describe('reading', () => {
  const secret = 'hidden-value';
  it('shows encrypted values one by one, or in the list if so switched', async () => {
    await start([{ key: 'A', value: secret, id: 'env_1' }]);
    const [row] = await list();
    expect(row.value).not.toContain(secret);
    expect(row.decrypted).toBe(false);
    expect(await read('env_1')).toMatchObject({ value: secret, decrypted: true });
    await twin.close();
    await start([{ key: 'A', value: secret }], { sharedEnvListDecrypted: true });
    expect(await list()).toMatchObject([{ value: secret, decrypted: true }]);
  });

  it.each(['', 'absent'] as const)('never shows sensitive values (%j)', async (sensitiveValue) => {
    const switches = { sensitiveValue, sharedEnvListDecrypted: true };
    await start([{ key: 'A', value: secret, type: 'sensitive', id: 'env_1' }], switches);
    const { body } = await patch({ env_1: { comment: 'c' } });
    for (const row of [body.updated[0], (await list())[0], await read('env_1')]) {
      expect([row.value, row.decrypted]).toEqual([sensitiveValue === '' ? '' : undefined, false]);
    }
  });

  it('shows plain and system values, which only a seed can have', async () => {
    await start([
      { key: 'A', value: '1', type: 'plain' },
      { key: 'B', value: '2', type: 'system', id: 'env_b' },
    ]);
    expect(await list()).toMatchObject([{ value: '2' }, { value: '1' }]);
    const { body } = await patch({ env_b: { value: '3' } });
    expect(body).toMatchObject({
      updated: [],
      failed: [{ error: { code: 'forbidden', envVarId: 'env_b' } }],
    });
  });

  story('filters', async () => {
    await start([
      { key: 'ONE', value: '1', id: 'env_1', projects: ['web'] },
      { key: 'TWO', value: '1', id: 'env_2', projects: ['docs'] },
    ]);
    const keys = async (query: string) => (await list(query)).map((row: { key: string }) => row.key);
    expect(await keys('search=on')).toEqual(['ONE']);
    expect(await keys('ids=env_2,env_x')).toEqual(['TWO']);
    expect(await keys('exclude_ids=env_2')).toEqual(['ONE']);
    expect(await keys('exclude-ids=env_1')).toEqual(['TWO']);
    expect(await keys(`projectId=${idOf('docs')}`)).toEqual(['TWO']);
    expect(await keys(`exclude_projectId=${idOf('docs')}`)).toEqual(['ONE']);
    expect(await keys('')).toEqual(['TWO', 'ONE']);
  });

  it('pages by time when asked to', async () => {
    await start(['A', 'B', 'C'].map((key) => ({ key, value: '1' })));
    const first = (await send(twin, 'GET', `${path}?slug=acme&limit=2`)).body;
    expect(first.data).toMatchObject([{ key: 'C' }, { key: 'B' }]);
    const until = first.pagination.next;
    const second = (await send(twin, 'GET', `${path}?slug=acme&limit=2&until=${until}`)).body;
    expect(second).toMatchObject({ data: [{ key: 'A' }], pagination: { next: null } });
  });

  it("does not see another owner's", async () => {
    await start([{ key: 'A', value: '1', id: 'env_1', owner: 'personal' }]);
    expect(await list()).toEqual([]);
    expect((await send(twin, 'GET', `${path}/env_1`)).status).toBe(404);
    expect((await patch({ env_1: { value: '2' } })).body.failed).toMatchObject([
      { error: { code: 'not_found' } },
    ]);
    expect((await create()).status).toBe(201);
  });
});

describe('changing', () => {
  it('takes several variables at once and keeps what is left out', async () => {
    await start([
      { key: 'A', value: '1', id: 'env_1', comment: 'c' },
      { key: 'B', value: '1', id: 'env_2', projects: ['web'] },
    ]);
    const { body } = await patch({ env_1: { value: '2' }, env_2: { key: 'C', target: ['preview'] } });
    expect(body.failed).toEqual([]);
    expect(body.updated).toMatchObject([
      { id: 'env_1', comment: 'c' },
      { id: 'env_2', key: 'C', target: ['preview'], projectId: [idOf('web')] },
    ]);
    expect(await read('env_1')).toMatchObject({ value: '2', updatedBy: twin.account.user.id });
  });

  it('replaces the links or changes them, not both', async () => {
    await start([{ key: 'A', value: '1', id: 'env_1', projects: ['web'] }]);
    const [web, docs] = [idOf('web'), idOf('docs')];
    const links = async (change: object) => (await patch({ env_1: change })).body.updated[0]?.projectId;
    expect(await links({ projectIdUpdates: { link: [docs, web] } })).toEqual([web, docs]);
    expect(await links({ projectIdUpdates: { unlink: [web], link: [] } })).toEqual([docs]);
    expect(await links({ projectId: [web] })).toEqual([web]);
    expect(await links({ projectId: [], projectIdUpdates: { link: [docs] } })).toBeUndefined();
    const { body } = await patch({ env_1: { projectIdUpdates: { link: ['prj_x'] } } });
    expect(body.failed).toMatchObject([{ error: { code: 'bad_request', envVarId: 'env_1' } }]);
    expect((await read('env_1')).projectId).toEqual([web]);
  });

  it('makes a variable sensitive, but not encrypted again', async () => {
    await start([{ key: 'A', value: '1', id: 'env_1', target: ['production'] }]);
    expect((await patch({ env_1: { type: 'sensitive' } })).body.updated).toMatchObject([
      { type: 'sensitive' },
    ]);
    expect((await patch({ env_1: { type: 'encrypted' } })).body).toMatchObject({
      updated: [],
      failed: [{ error: { code: 'bad_request', envVarId: 'env_1' } }],
    });
  });

  it.each([
    {},
    { updates: {} },
    { updates: { env_1: { gitBranch: 'x' } } },
    { updates: { env_1: { type: 'plain' } } },
  ])('refuses %j', async (body) => {
    await start([{ key: 'A', value: '1', id: 'env_1' }]);
    expect(refusal(await send(twin, 'PATCH', path, body))).toEqual([400, 'bad_request']);
  });
});

it('unlinks one project', async () => {
  await start([{ key: 'A', value: '1', id: 'env_1', projects: ['web', 'docs'] }]);
  const unlink = () => send(twin, 'PATCH', `${path}/env_1/unlink/${idOf('web')}`);
  expect(await unlink()).toMatchObject({ status: 200, body: { id: 'env_1' } });
  expect((await read('env_1')).projectId).toEqual([idOf('docs')]);
  expect((await unlink()).status).toBe(404);
});

it('deletes those that are there', async () => {
  await start([
    { key: 'A', value: '1', id: 'env_1' },
    { key: 'B', value: '1', id: 'env_2' },
  ]);
  const { body } = await send(twin, 'DELETE', path, { ids: ['env_1', 'env_x'] });
  expect(body).toMatchObject({
    deleted: ['env_1'],
    failed: [{ error: { code: 'not_found', envVarId: 'env_x' } }],
  });
  expect(await list()).toMatchObject([{ id: 'env_2' }]);
  expect((await send(twin, 'DELETE', path, { ids: [] })).status).toBe(400);
});

it('loses the link to a deleted project', async () => {
  await start([{ key: 'A', value: '1', id: 'env_1', projects: ['web', 'docs'] }]);
  const docs = idOf('docs');
  await send(twin, 'DELETE', '/v9/projects/web');
  expect((await read('env_1')).projectId).toEqual([docs]);
});

story(
  "is not in the list of a linked project, or if so switched is, but can't be written there",
  async () => {
    const variables: SeedVariables = [
      { key: 'A', value: '1', id: 'env_1', projects: ['web'] },
      { key: 'B', value: '1', projects: ['docs'] },
    ];
    const ofProject = async () => (await send(twin, 'GET', '/v10/projects/web/env')).body.envs;
    await start(variables);
    expect(await ofProject()).toEqual([]);
    await twin.close();
    await start(variables, { sharedEnvInProjectList: true });
    const rows = await ofProject();
    expect(rows).toMatchObject([{ id: 'env_1', key: 'A', target: ['production', 'preview', 'development'] }]);
    expect(rows).toHaveLength(1);
    expect((await send(twin, 'PATCH', '/v9/projects/web/env/env_1', { value: '2' })).status).toBe(404);
  },
);
