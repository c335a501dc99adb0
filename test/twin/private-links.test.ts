import { afterEach, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
let time = Date.UTC(2030, 0, 1);
afterEach(() => twin.close());

const path = '/v1/networking/privatelink/endpoints';
const link = { name: 'database', vercelRegion: 'iad1', awsServiceName: 'com.amazonaws.vpce.a' };

it('wait to be accepted, do not say what they were asked for, and go slowly', async () => {
  const seed = { projects: [{ name: 'web' }, { name: 'other' }] };
  twin = await startTwin({ seed, now: () => time });
  const { id: projectId } = twin.account.projects[0]!;
  const of = `?projectId=${projectId}`;
  const list = async () => (await send(twin, 'GET', path + of)).body;
  const created = await send(twin, 'POST', path, { projectId, enablePrivateDns: true, ...link });
  const { endpointId, ...read } = created.body;
  expect([created.status, read]).toEqual([201, expect.objectContaining({ ...link, status: 'creating' })]);
  expect(read).not.toHaveProperty('enablePrivateDns');
  expect(read.privateDnsNames).toHaveLength(1);
  time += 60_000;
  expect(await list()).toMatchObject([{ endpointId, projectId, status: 'pending-acceptance' }]);

  expect(refusal(await send(twin, 'GET', path))).toEqual([400, 'bad_request']);
  const elsewhere = `?projectId=${twin.account.projects[1]!.id}`;
  expect((await send(twin, 'GET', path + elsewhere)).body).toEqual([]);
  expect(refusal(await send(twin, 'DELETE', `${path}/${endpointId}${elsewhere}`))[0]).toBe(404);

  const changed = await send(twin, 'PATCH', `${path}/${endpointId}${of}`, { enablePrivateDns: false });
  expect(changed.body).toMatchObject({ ...link, privateDnsNames: [] });
  const moved = await send(twin, 'PATCH', `${path}/${endpointId}${of}`, { vercelRegion: 'sfo1' });
  expect(refusal(moved)[0]).toBe(400);
  expect((await send(twin, 'DELETE', `${path}/${endpointId}${of}`)).status).toBe(204);
  expect(await list()).toMatchObject([{ status: 'deleting' }]);
  time += 60_000;
  expect(await list()).toEqual([]);
});
