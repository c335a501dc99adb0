import { afterEach, describe, expect, it } from 'vitest';
import { type Seed, type Switches, startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { refusal, send } from './client.ts';

const story = oneStoryIn(4);

let twin: Twin;
const start = async (seed: Seed = {}, switches: Partial<Switches> = {}) => {
  twin = await startTwin({ seed, switches });
};
afterEach(() => twin.close());

describe.each(['/v1/ai-gateway/rules', '/ai-gateway/rules'])('rules under %s', (path) => {
  const rewrite = { type: 'rewrite' as const, match: { model: 'a/old' }, action: { rewriteModel: 'a/new' } };
  const list = async (query = '') => (await send(twin, 'GET', `${path}?slug=acme${query}`)).body.rules;

  it('creates, lists and changes', async () => {
    await start();
    const created = await send(twin, 'POST', path, { ...rewrite, description: 'd' });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      ...rewrite,
      description: 'd',
      enabled: true,
      ownerId: twin.account.teams[0]!.id,
      createdBy: twin.account.user.id,
    });
    expect(await list()).toEqual([created.body]);
    const { ruleId } = created.body;
    const action = { rewriteModel: 'a/newer', reason: 'r' };
    const changed = await send(twin, 'PATCH', path, { ruleId, action });
    expect(changed.body).toEqual({ ...created.body, action, updatedAt: expect.any(Number) });
    expect(changed.body.updatedAt).toBeGreaterThan(created.body.updatedAt);
  });

  it('hides disabled rules unless asked for, and deleted ones always', async () => {
    await start({
      aiGatewayRules: [
        { ...rewrite, enabled: false },
        { type: 'deny', id: 'rule_gone', deleted: true },
      ],
    });
    expect(await list()).toEqual([]);
    expect(await list('&includeDisabled=false')).toEqual([]);
    expect(await list('&includeDisabled=true')).toMatchObject([{ type: 'rewrite', enabled: false }]);
    expect((await send(twin, 'PATCH', path, { ruleId: 'rule_gone', enabled: true })).status).toBe(404);
  });

  it('disables and enables', async () => {
    await start({ aiGatewayRules: [{ ...rewrite, id: 'rule_1' }] });
    await send(twin, 'PATCH', path, { ruleId: 'rule_1', enabled: false });
    expect(await list()).toEqual([]);
    await send(twin, 'PATCH', path, { ruleId: 'rule_1', enabled: true });
    expect(await list()).toMatchObject([{ ruleId: 'rule_1' }]);
  });

  it('deletes by the query, softly', async () => {
    await start({ aiGatewayRules: [{ ...rewrite, id: 'rule_1' }] });
    const remove = (query: string) => send(twin, 'DELETE', `${path}?slug=acme${query}`);
    expect((await remove('&ruleId=rule_1')).status).toBe(204);
    expect(await list('&includeDisabled=true')).toEqual([]);
    expect(refusal(await remove('&ruleId=rule_1'))).toEqual([404, 'not_found']);
    expect(refusal(await remove(''))).toEqual([400, 'bad_request']);
    expect((await send(twin, 'POST', path, rewrite)).status).toBe(201);
  });

  it.each([
    {},
    { type: 'allow' },
    { type: 'rewrite', match: { model: 'a' } },
    { type: 'deny', enabled: false },
    { type: 'deny', match: { models: ['a'] } },
  ])('refuses %j', async (body) => {
    await start();
    expect(refusal(await send(twin, 'POST', path, body))).toEqual([400, 'bad_request']);
  });

  story('refuses a second rule of a type for a model, and changes of type or match', async () => {
    await start({ aiGatewayRules: [{ ...rewrite, id: 'rule_1' }] });
    expect(refusal(await send(twin, 'POST', path, rewrite))).toEqual([409, 'conflict']);
    expect((await send(twin, 'POST', path, { type: 'deny', match: rewrite.match })).status).toBe(201);
    for (const change of [{ type: 'deny' }, { match: {} }, { action: { reason: 'r' } }]) {
      expect((await send(twin, 'PATCH', path, { ruleId: 'rule_1', ...change })).status).toBe(400);
    }
    expect((await send(twin, 'PATCH', path, { enabled: true })).status).toBe(400);
  });

  it("does not see another owner's", async () => {
    await start({ aiGatewayRules: [{ ...rewrite, id: 'rule_1', owner: 'personal' }] });
    expect(await list()).toEqual([]);
    expect((await send(twin, 'PATCH', path, { ruleId: 'rule_1', enabled: false })).status).toBe(404);
  });
});

describe('budgets', () => {
  const path = '/ai-gateway/budgets';
  const list = async (query = '') => (await send(twin, 'GET', `${path}/list?slug=acme${query}`)).body.budgets;
  const put = (body: object) => send(twin, 'PUT', path, body);
  const remove = (query: string) => send(twin, 'DELETE', `${path}?slug=acme${query}`);

  story('are written per scope, again and again', async () => {
    await start({ projects: [{ name: 'web' }] });
    const projectId = twin.account.projects[0]!.id;
    const team = await put({ scopeType: 'team', limitAmount: 100, refreshPeriod: 'monthly' });
    expect(team.status).toBe(200);
    expect(team.body).toEqual({
      quotaEntityId: expect.any(String),
      scopeType: 'team',
      scopeId: twin.account.teams[0]!.id,
      limitAmount: 100,
      currentSpend: 0,
      currentByokSpend: 0,
      includeByokInQuota: false,
      refreshPeriod: 'monthly',
      active: true,
      archived: false,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    await put({ scopeType: 'project', projectId, limitAmount: 1 });
    await put({ scopeType: 'project', projectId, limitAmount: 2, includeByokInQuota: true });
    expect(await list()).toMatchObject([
      { limitAmount: 100 },
      {
        scopeType: 'project',
        scopeId: projectId,
        limitAmount: 2,
        includeByokInQuota: true,
        refreshPeriod: 'none',
      },
    ]);
    expect(await list('&scopeType=project')).toMatchObject([{ scopeId: projectId }]);
    expect(await list()).toHaveLength(2);
  });

  it.each([
    { limitAmount: 1 },
    { scopeType: 'team' },
    { scopeType: 'user', limitAmount: 1 },
    { scopeType: 'team', limitAmount: -1 },
    { scopeType: 'team', limitAmount: 1, refreshPeriod: 'yearly' },
    { scopeType: 'team', projectId: 'prj_x', limitAmount: 1 },
    { scopeType: 'project', limitAmount: 1 },
    { scopeType: 'project', projectId: 'web', limitAmount: 1 },
    { scopeType: 'team', limitAmount: 1, active: true },
  ])('refuse %j', async (body) => {
    await start({ projects: [{ name: 'web' }] });
    expect(refusal(await put(body))).toEqual([400, 'bad_request']);
    expect(await list()).toEqual([]);
  });

  it('are archived, and stay in the list', async () => {
    await start({ aiGatewayBudgets: [{ limitAmount: 10 }] });
    expect((await remove('&scopeType=team')).status).toBe(204);
    expect(await list()).toMatchObject([{ limitAmount: 10, active: false, archived: true }]);
    expect((await remove('&scopeType=team')).status).toBe(404);
    expect((await remove('')).status).toBe(400);
    expect((await remove('&scopeType=project')).status).toBe(400);
    expect((await send(twin, 'GET', `${path}/list?scopeType=api-key&slug=acme`)).status).toBe(400);
  });

  it('come back from the archive, or stand beside their archived row if so switched', async () => {
    const seed = { aiGatewayBudgets: [{ limitAmount: 10, archived: true }] };
    await start(seed);
    await put({ scopeType: 'team', limitAmount: 5 });
    expect(await list()).toMatchObject([{ limitAmount: 5, archived: false, active: true }]);
    await twin.close();
    await start(seed, { archivedBudgetStays: true });
    await put({ scopeType: 'team', limitAmount: 5 });
    await put({ scopeType: 'team', limitAmount: 6 });
    expect(await list()).toMatchObject([
      { limitAmount: 10, archived: true },
      { limitAmount: 6, archived: false },
    ]);
  });

  it('go with their project, and are invisible to another owner', async () => {
    await start({
      projects: [{ name: 'web' }],
      aiGatewayBudgets: [
        { project: 'web', limitAmount: 10, currentSpend: 3 },
        { owner: 'personal', limitAmount: 1 },
      ],
    });
    expect(await list()).toMatchObject([{ limitAmount: 10, currentSpend: 3 }]);
    expect(await list()).toHaveLength(1);
    await send(twin, 'DELETE', '/v9/projects/web');
    expect(await list()).toEqual([]);
  });
});

describe('budget defaults', () => {
  const path = '/ai-gateway/budgets/defaults';
  const list = async () => (await send(twin, 'GET', `${path}/list`)).body.defaults;
  const put = (body: object) => send(twin, 'PUT', path, body);
  const remove = (scopeType: string) => send(twin, 'DELETE', `${path}?slug=acme&scopeType=${scopeType}`);

  it('are written per scope type, again and again, and removed', async () => {
    await start({ aiGatewayBudgetDefaults: [{ scopeType: 'user', limitAmount: 1, refreshPeriod: 'daily' }] });
    const written = { scopeType: 'project', limitAmount: 5, refreshPeriod: 'weekly' };
    const first = await put(written);
    expect(first.body).toMatchObject({ ...written, active: true });
    expect(first.body).not.toHaveProperty('ownerId');
    await put({ ...written, limitAmount: 6 });
    expect(await list()).toMatchObject([{ scopeType: 'user' }, { scopeType: 'project', limitAmount: 6 }]);
    expect((await remove('project')).status).toBe(204);
    expect(refusal(await remove('project'))).toEqual([404, 'not_found']);
    expect(refusal(await remove('team'))).toEqual([400, 'bad_request']);
    expect(await list()).toMatchObject([{ scopeType: 'user' }]);
    expect((await put({ scopeType: 'user', limitAmount: 3 })).body).toMatchObject({ refreshPeriod: 'none' });
    expect((await remove('user')).status).toBe(204);
  });

  it("are not another owner's", async () => {
    const mine = { scopeType: 'project' as const, limitAmount: 1, refreshPeriod: 'none' as const };
    await start({ aiGatewayBudgetDefaults: [{ ...mine, owner: 'personal' }] });
    expect(await list()).toEqual([]);
    expect((await remove('project')).status).toBe(404);
    await put({ ...mine, limitAmount: 2 });
    expect(twin.account.aiGatewayBudgetDefaults.map((one) => one.limitAmount)).toEqual([1, 2]);
  });

  it.each([
    { scopeType: 'team', limitAmount: 1, refreshPeriod: 'none' },
    { scopeType: 'project', refreshPeriod: 'none' },
    { scopeType: 'project', limitAmount: 1, refreshPeriod: 'none', projectId: 'x' },
  ])('refuse %j', async (body) => {
    await start();
    expect(refusal(await put(body))).toEqual([400, 'bad_request']);
  });
});

describe('virtual models', () => {
  const path = '/ai-gateway/virtual-model-configs';
  const list = async (query = '') => (await send(twin, 'GET', `${path}/list?slug=acme${query}`)).body;
  const support = { virtualModelSlug: 'support' };

  story('are made, read, changed and deleted by their slug, in the path or in the query', async () => {
    await start();
    const made = await send(twin, 'POST', path, { ...support, models: ['a/one'] });
    expect([made.status, made.body]).toMatchObject([
      201,
      { models: ['a/one'], deleted: false, status: 'active' },
    ]);
    expect(refusal(await send(twin, 'POST', path, support))).toEqual([409, 'conflict']);
    for (const at of [`${path}/support`, `${path}?slug=acme&virtualModelSlug=support`])
      expect((await send(twin, 'GET', at)).body).toEqual(made.body);
    await send(twin, 'PATCH', `${path}/support`, { displayName: 'One' });
    const { body } = await send(twin, 'PATCH', path, { ...support, selector: 'cost' });
    expect(body).toMatchObject({ displayName: 'One', selector: 'cost', models: ['a/one'] });
    expect((await send(twin, 'PATCH', `${path}/support`, { virtualModelSlug: 'other' })).status).toBe(400);
    expect((await send(twin, 'DELETE', `${path}/support`)).status).toBe(204);
    expect(refusal(await send(twin, 'GET', `${path}/support`))).toEqual([404, 'not_found']);
    expect(await list()).toMatchObject({
      virtualModelConfigs: [{ ...support, deleted: true }],
      cursor: null,
    });
    expect((await send(twin, 'POST', path, support)).status).toBe(201);
  });

  it('are listed in pages, of all teams of the token unless an owner is named', async () => {
    const own = ['a', 'b'].map((virtualModelSlug) => ({ virtualModelSlug }));
    await start({ aiGatewayVirtualModels: [...own, { ...support, owner: 'personal' }] });
    const slugs = async (query: string) =>
      (await list(query)).virtualModelConfigs.map((one: typeof support) => one.virtualModelSlug);
    expect(await slugs('')).toEqual(['support', 'b', 'a']);
    const ownerId = `&ownerId=${twin.account.teams[0]!.id}`;
    expect(await slugs(ownerId)).toEqual(['b', 'a']);
    const { cursor } = await list(`${ownerId}&limit=1`);
    expect(await slugs(`${ownerId}&limit=1&cursor=${cursor}`)).toEqual(['a']);
  });
});
