import { afterEach, describe, expect, it } from 'vitest';
import { type Seed, type Switches, startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { oneRowIn } from '../support/sweep.ts';
import { send } from './client.ts';

let twin: Twin;
type SeedFirewall = NonNullable<Seed['projects']>[number]['firewall'];
const start = async (firewall?: SeedFirewall, switches: Partial<Switches> = {}) => {
  twin = await startTwin({ seed: { projects: [{ name: 'web', firewall }] }, switches });
};
afterEach(() => twin.close());

const base = '/v1/security/firewall/config';
const query = () => `?slug=acme&projectId=${twin.account.projects[0]!.id}`;
const read = async (version = 'active') => (await send(twin, 'GET', `${base}/${version}${query()}`)).body;
const list = async () => (await send(twin, 'GET', `${base}${query()}`)).body;
const patch = (body: unknown) => send(twin, 'PATCH', `${base}${query()}`, body);
const put = (body: unknown) => send(twin, 'PUT', `${base}${query()}`, body);
const rule = (name: string, fields: object = {}) => ({
  name,
  active: true,
  conditionGroup: [{ conditions: [{ type: 'path', op: 'pre', value: `/${name}` }] }],
  action: { mitigate: { action: 'deny' } },
  ...fields,
});
const ip = { hostname: '*', ip: '192.0.2.1', action: 'deny' };

describe('versions', () => {
  it('begins with none, or with an empty default if so switched', async () => {
    await start();
    expect(await list()).toEqual({ active: null, draft: null, versions: [] });
    expect((await send(twin, 'GET', `${base}/active${query()}`)).status).toBe(404);
    await twin.close();
    await start(undefined, { firewallActiveNullUntilWritten: false });
    expect((await list()).active).toMatchObject({ version: 0, firewallEnabled: false, rules: [], ips: [] });
    expect(await read()).toMatchObject({ version: 0 });
  });

  it('makes every change live as the next version', async () => {
    await start();
    const answer = await patch({ action: 'firewallEnabled', id: null, value: true });
    expect([answer.status, answer.body]).toEqual([200, {}]);
    await patch({ action: 'rules.insert', id: null, value: rule('admin') });
    const { active, versions } = await list();
    expect(active).toMatchObject({ version: 2, firewallEnabled: true, ownerId: twin.account.teams[0]!.id });
    expect(versions.map((one: { version: number }) => one.version)).toEqual([2, 1]);
    expect((await read('1')).rules).toEqual([]);
    expect((await send(twin, 'GET', '/v9/projects/web')).body.security).toMatchObject({
      firewallEnabled: true,
      firewallConfigVersion: 2,
    });
  });

  it('publishes or discards a draft', async () => {
    await start({ rules: [rule('a')], draft: { rules: [rule('b')] } } as SeedFirewall);
    expect((await list()).draft.rules[0].name).toBe('b');
    const activated = await send(twin, 'POST', `${base}/draft/activate${query()}`);
    expect(activated.body).toMatchObject({ version: 2, rules: [{ name: 'b' }] });
    expect((await list()).draft).toBeNull();
    expect((await send(twin, 'DELETE', `${base}/draft${query()}`)).status).toBe(404);
    twin.account.projects[0]!.firewall.draft = structuredClone(twin.account.projects[0]!.firewall.active);
    expect((await send(twin, 'DELETE', `${base}/draft${query()}`)).status).toBe(204);
    expect((await send(twin, 'DELETE', `${base}/active${query()}`)).status).toBe(400);
    const old = await send(twin, 'POST', `${base}/1/activate${query()}`);
    expect(old.body).toMatchObject({ version: 3, rules: [{ name: 'a' }] });
  });

  it('wants the id of a project of the scope', async () => {
    await start();
    expect((await send(twin, 'GET', base)).status).toBe(400);
    expect((await send(twin, 'GET', `${base}?projectId=web&slug=acme`)).status).toBe(404);
    const { id } = twin.account.projects[0]!;
    expect((await send(twin, 'GET', `${base}?projectId=${id}&personal=1`)).status).toBe(404);
  });
});

describe('changes', () => {
  const names = async () => (await read()).rules.map((one: { name: string }) => one.name);

  it('inserts, updates, moves and removes rules', async () => {
    await start();
    for (const name of ['a', 'b', 'c']) await patch({ action: 'rules.insert', value: rule(name) });
    const ids = (await read()).rules.map((one: { id: string }) => one.id);
    expect(ids[0]).toMatch(/^rule_a_\w{6}$/);
    await patch({ action: 'rules.priority', id: ids[2], value: 0 });
    expect(await names()).toEqual(['c', 'a', 'b']);
    await patch({ action: 'rules.priority', id: ids[2], value: 1 });
    expect(await names()).toEqual(['a', 'c', 'b']);
    await patch({ action: 'rules.update', id: ids[0], value: rule('z', { description: 'd' }) });
    expect((await read()).rules[0]).toMatchObject({ id: ids[0], name: 'z', description: 'd', valid: true });
    await patch({ action: 'rules.remove', id: ids[1] });
    expect(await names()).toEqual(['z', 'c']);
    expect((await patch({ action: 'rules.priority', id: ids[0], value: 2 })).status).toBe(400);
    for (const action of ['rules.remove', 'ip.remove']) {
      expect((await patch({ action, id: 'none' })).status).toBe(404);
    }
    expect((await patch({ action: 'rules.update', id: 'none', value: rule('x') })).status).toBe(404);
  });

  it('inserts, updates and removes IP rules', async () => {
    await start();
    await patch({ action: 'ip.insert', value: ip });
    const [{ id }] = (await read()).ips;
    await patch({ action: 'ip.update', id, value: { ...ip, action: 'log', notes: 'n' } });
    expect((await read()).ips).toEqual([{ ...ip, id, action: 'log', notes: 'n' }]);
    await patch({ action: 'ip.remove', id });
    expect((await read()).ips).toEqual([]);
  });

  it('sets the managed parts', async () => {
    await start();
    await patch({ action: 'managedRules.update', id: 'bot_filter', value: { active: true, action: 'log' } });
    await patch({ action: 'managedRuleGroup.update', id: 'ai_bots', value: { gptbot: { active: true } } });
    await patch({ action: 'crs.update', id: 'xss', value: { active: true, action: 'deny' } });
    await patch({ action: 'botId.toggle', value: true });
    await patch({ action: 'logHeaders.update', value: ['accept'] });
    const config = await read();
    expect(config.managedRules).toMatchObject({
      bot_protection: { active: true, action: 'log', username: 'ada', updatedAt: expect.any(String) },
      ai_bots: { active: false, rules: { gptbot: { active: true } } },
    });
    expect(config).toMatchObject({ botIdEnabled: true, logHeaders: ['accept'] });
    expect(config.crs).toMatchObject({
      xss: { active: true, action: 'deny' },
      sqli: { active: false, action: 'log' },
    });
    await patch({ action: 'crs.disable' });
    expect((await read()).crs.xss.active).toBe(false);
  });

  oneRowIn(5)([
    [{ action: 'rules.insert', value: { ...rule('a'), id: 'rule_a' } }, 'additional property `id`'],
    [{ action: 'rules.insert', value: rule('x'.repeat(161)) }, '`value.name`'],
    [{ action: 'rules.insert', value: rule('a', { description: 'x'.repeat(257) }) }, '`value.description`'],
    [
      {
        action: 'rules.insert',
        value: rule('a', { conditionGroup: [{ conditions: [{ type: 'x', op: 'eq', value: '' }] }] }),
      },
      'type',
    ],
    [
      {
        action: 'rules.insert',
        value: rule('a', { conditionGroup: [{ conditions: [{ type: 'path', op: 'inc', value: 'a' }] }] }),
      },
      'array',
    ],
    [
      {
        action: 'rules.insert',
        value: rule('a', { conditionGroup: [{ conditions: [{ type: 'path', op: 'ex' }] }] }),
      },
      'missing required',
    ],
    [
      {
        action: 'rules.insert',
        value: rule('a', { conditionGroup: [{ conditions: [{ type: 'header', op: 'eq', value: 'a' }] }] }),
      },
      'missing required',
    ],
    [
      { action: 'rules.insert', value: rule('a', { action: { mitigate: { action: 'rate_limit' } } }) },
      'rateLimit',
    ],
    [
      { action: 'rules.insert', value: rule('a', { action: { mitigate: { action: 'redirect' } } }) },
      'redirect',
    ],
    [{ action: 'rules.update', value: rule('a') }, 'missing required property `id`'],
    [{ action: 'crs.update', id: 'xyz', value: { active: true, action: 'deny' } }, '`id`'],
    [{ action: 'managedRules.update', id: 'none', value: { active: true } }, '`id`'],
    [{ action: 'ip.insert', value: { ...ip, ip: '0.0.0.0/0' } }, '`value.ip`'],
    [{ action: 'ip.insert', value: { ...ip, ip: 'host' } }, '`value.ip`'],
    [{ action: 'firewallEnabled', value: 'yes' }, '`value` should be boolean'],
    [{ action: 'firewallEnabled', value: true, more: 1 }, 'additional property `more`'],
    [{ action: 'rules.reorder', value: 1 }, '`action`'],
    [{}, '`action`'],
  ])('refuses %j', async (body, message) => {
    await start();
    const refused = await patch(body);
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toContain(message);
    expect(twin.account.projects[0]!.firewall.versions).toEqual([]);
  });

  it('reads otherwise, if so switched', async () => {
    const value = rule('a', {
      conditionGroup: [{ conditions: [{ type: 'header', op: 'ex', key: 'k', value: '' }] }],
    });
    for (const [exValue, condition] of [
      ['', { type: 'header', op: 'ex', neg: false, key: 'k', value: '' }],
      [null, { type: 'header', op: 'ex', neg: false, key: 'k', value: null }],
      ['absent', { type: 'header', op: 'ex', neg: false, key: 'k' }],
    ] as const) {
      await start(undefined, { exValue, crsInactiveAbsent: true, managedGroupsReadable: false });
      await patch({ action: 'rules.insert', value });
      await patch({ action: 'managedRuleGroup.update', id: 'ai_bots', value: { gptbot: { active: true } } });
      const config = await read();
      expect(config.rules[0].conditionGroup[0].conditions).toEqual([condition]);
      expect([config.crs, config.managedRules]).toEqual([{}, {}]);
      if (exValue !== 'absent') await twin.close();
    }
  });
});

describe('PUT', () => {
  const whole = { firewallEnabled: true, rules: [rule('a')], ips: [ip], botIdEnabled: true };

  it('writes the whole configuration and keeps the ids it is given', async () => {
    await start();
    const { active } = (await put(whole)).body;
    expect(active).toMatchObject({ version: 1, rules: [{ name: 'a' }], ips: [ip], botIdEnabled: true });
    const { id } = active.rules[0];
    const next = await put({ firewallEnabled: true, rules: [rule('b'), { ...rule('a'), id }] });
    expect(next.body.active.rules[1].id).toBe(id);
    expect(next.body.active.ips).toEqual([]);
    expect(next.body.active).not.toHaveProperty('botIdEnabled');
  });

  it('keeps what it leaves out, if so switched', async () => {
    await start(undefined, { firewallPutKeepsOmitted: true });
    await put(whole);
    const { active } = (await put({ firewallEnabled: false })).body;
    expect(active).toMatchObject({
      firewallEnabled: false,
      rules: [{ name: 'a' }],
      ips: [ip],
      botIdEnabled: true,
    });
  });

  it('takes what was read, without what the server adds to rules', async () => {
    await start(undefined, {});
    await put({ ...whole, managedRules: { owasp: { active: true, action: 'deny' } } });
    const { rules, ips, managedRules, crs, firewallEnabled } = await read();
    const again = await put({ firewallEnabled, rules, ips, managedRules, crs });
    expect(again.body.active).toMatchObject({ rules, ips, crs });
  });
});
