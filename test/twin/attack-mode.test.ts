import { afterEach, expect, it } from 'vitest';
import { type Switches, startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
let clock = 0;
const hour = 3_600_000;
const start = async (switches: Partial<Switches> = {}) => {
  clock = Date.UTC(2026, 0, 1);
  const projects = [{ name: 'web' }, { name: 'theirs', owner: 'personal' }];
  twin = await startTwin({ seed: { projects }, switches, now: () => clock });
};
afterEach(() => twin.close());

const write = (fields: object) =>
  send(twin, 'POST', '/v1/security/attack-mode', { projectId: twin.account.projects[0]!.id, ...fields });
const enable = (until: number) => write({ attackModeEnabled: true, attackModeActiveUntil: until });
const security = async () => (await send(twin, 'GET', '/v9/projects/web')).body.security;

it('is enabled until a deadline and disabled, and read in the project', async () => {
  await start();
  expect(await security()).toBeUndefined();
  const until = clock + hour;
  const enabled = await enable(until);
  const attackModeUpdatedAt = enabled.body.attackModeUpdatedAt;
  expect([enabled.status, enabled.body]).toEqual([200, { attackModeEnabled: true, attackModeUpdatedAt }]);
  expect(await security()).toEqual({
    attackModeEnabled: true,
    attackModeActiveUntil: until,
    attackModeUpdatedAt,
  });
  const disabled = await write({ attackModeEnabled: false, attackModeActiveUntil: null });
  expect(disabled.body.attackModeEnabled).toBe(false);
  expect(disabled.body.attackModeUpdatedAt).toBeGreaterThan(attackModeUpdatedAt);
  expect(await security()).toMatchObject({ attackModeEnabled: false, attackModeActiveUntil: null });
  const { body } = await send(twin, 'GET', '/v9/projects/web');
  expect(body).not.toHaveProperty('attackMode');
});

it('stands beside the firewall in the project', async () => {
  await start();
  await enable(clock + hour);
  const config = `/v1/security/firewall/config?slug=acme&projectId=${twin.account.projects[0]!.id}`;
  await send(twin, 'PATCH', config, { action: 'firewallEnabled', id: null, value: true });
  expect(await security()).toMatchObject({ attackModeEnabled: true, firewallEnabled: true });
});

it('ends by itself at its deadline', async () => {
  await start();
  await enable(clock + hour);
  clock += hour - 1;
  expect(await security()).toMatchObject({ attackModeEnabled: true });
  clock += 1;
  expect(await security()).toMatchObject({ attackModeEnabled: false, attackModeActiveUntil: null });
});

it('still reads as enabled after its deadline, if so switched', async () => {
  await start({ attackModeExpiredReadable: true });
  const until = clock + hour;
  await enable(until);
  clock = until + 1;
  expect(await security()).toMatchObject({ attackModeEnabled: true, attackModeActiveUntil: until });
});

it('is enabled without a deadline, unless so switched', async () => {
  await start();
  expect((await write({ attackModeEnabled: true })).status).toBe(200);
  expect(await security()).toMatchObject({ attackModeEnabled: true, attackModeActiveUntil: null });
  await twin.close();
  await start({ attackModeNeedsDeadline: true });
  for (const fields of [{}, { attackModeActiveUntil: null }])
    expect(refusal(await write({ attackModeEnabled: true, ...fields }))).toEqual([400, 'bad_request']);
});

it('refuses a deadline that is not in the future', async () => {
  await start();
  for (const fields of [
    { attackModeEnabled: true, attackModeActiveUntil: clock },
    { attackModeEnabled: true, attackModeActiveUntil: clock + hour, note: 'x' },
    {},
  ]) {
    expect(refusal(await write(fields)), JSON.stringify(fields)).toEqual([400, 'bad_request']);
  }
  expect(await security()).toBeUndefined();
});

it('knows only projects of the owner, by id', async () => {
  await start();
  for (const projectId of [twin.account.projects[1]!.id, 'web', 'prj_none']) {
    expect(refusal(await write({ projectId, attackModeEnabled: false }))).toEqual([404, 'not_found']);
  }
});
