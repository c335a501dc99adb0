import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { oneRowIn } from '../support/sweep.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
let clock = Date.UTC(2027, 0, 1);
beforeEach(async () => {
  const projects = [{ name: 'web', domains: [{ name: 'www.example.com' }] }, { name: 'other' }];
  twin = await startTwin({ seed: { projects }, now: () => clock });
});
afterEach(() => twin.close());

const path = (query = '') =>
  `/v1/security/firewall/bypass?slug=acme&projectId=${twin.account.projects[0]!.id}${query}`;
const add = (body: object) => send(twin, 'POST', path(), body);
const remove = (body: object) => send(twin, 'DELETE', path(), body);
const list = async (query = '') => (await send(twin, 'GET', path(query))).body;

it('are written in one case and read in another', async () => {
  const made = await add({ domain: 'www.example.com', sourceIp: '192.0.2.7', note: 'n' });
  expect(made.body).toEqual({ ok: true, result: [expect.objectContaining({ Ip: '192.0.2.7', Note: 'n' })] });
  await add({ projectScope: true, allSources: true });
  const { result } = await list();
  expect(result).toHaveLength(2);
  expect(result).toContainEqual(expect.objectContaining({ Domain: 'www.example.com', IsProjectRule: false }));
  expect(result).toContainEqual(
    expect.objectContaining({
      Domain: '*',
      Ip: '0.0.0.0/0',
      IsProjectRule: true,
      Action: 'bypass',
      Note: '',
    }),
  );
  expect((await list('&projectScope=true')).result).toMatchObject([{ IsProjectRule: true }]);
  expect((await list('&sourceIp=192.0.2.7')).result).toMatchObject([{ Domain: 'www.example.com' }]);
  expect((await send(twin, 'GET', path().replace(/prj_\w+/, twin.account.projects[1]!.id))).body).toEqual({
    result: [],
  });
});

it('are deleted by what names them, in the body', async () => {
  const { Id } = (await add({ projectScope: true, sourceIp: '192.0.2.7' })).body.result[0];
  expect((await add({ projectScope: true, sourceIp: '192.0.2.7', note: 'anew' })).body.result).toMatchObject([
    { Id },
  ]);
  expect((await list()).result).toMatchObject([{ Note: 'anew' }]);
  expect(refusal(await remove({ projectScope: true, sourceIp: '192.0.2.8' }))).toEqual([404, 'not_found']);
  expect((await remove({ projectScope: true, sourceIp: '192.0.2.7' })).body).toEqual({ ok: true });
  expect(await list()).toEqual({ result: [] });
});

it('end after a time in milliseconds, which is read in seconds', async () => {
  const { ExpiresAt } = (await add({ projectScope: true, allSources: true, ttl: 60_000 })).body.result[0];
  expect(ExpiresAt).toBeGreaterThanOrEqual(clock / 1000 + 60);
  clock = ExpiresAt * 1000 - 1;
  expect((await list()).result).toHaveLength(1);
  clock += 1;
  expect(await list()).toEqual({ result: [] });
});

it('come in pages by the last id', async () => {
  for (const last of [1, 2, 3]) await add({ projectScope: true, sourceIp: `192.0.2.${last}` });
  const first = await list('&limit=2');
  expect(first.pagination).toEqual({ OwnerId: first.result[1].OwnerId, Id: first.result[1].Id });
  const rest = await list(`&limit=2&offset=${encodeURIComponent(first.pagination.Id)}`);
  expect(rest).toEqual({ result: [expect.anything()] });
  expect(new Set([...first.result, ...rest.result].map(({ Id }) => Id)).size).toBe(3);
});

oneRowIn(5)([
  {},
  { sourceIp: '192.0.2.7' },
  { projectScope: true },
  { domain: 'www.example.com', projectScope: true, sourceIp: '192.0.2.7' },
  { projectScope: true, allSources: true, sourceIp: '192.0.2.7' },
  { domain: 'www.example.org', sourceIp: '192.0.2.7' },
  { projectScope: true, sourceIp: '10.0.0.0/8' },
  { projectScope: true, sourceIp: '192.0.2.7', note: 'x'.repeat(501) },
])('are refused as %j', async (body) => {
  expect(refusal(await add(body))).toEqual([400, 'bad_request']);
  expect(await list()).toEqual({ result: [] });
});
