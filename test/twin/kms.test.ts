import { afterEach, expect, it } from 'vitest';
import { type Seed, startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
let time = Date.UTC(2030, 0, 1);
const start = async (seed: Seed = {}) => {
  twin = await startTwin({ seed: { projects: [{ name: 'web' }], ...seed }, now: () => time });
};
afterEach(() => twin.close());

const path = '/v1/kms/issuers';
const statusesOf = async (id: string) =>
  (await send(twin, 'GET', `${path}/${id}`)).body.signingKeys.map(
    ({ importKeyId, status }: Record<string, string>) => [importKeyId, status],
  );

it('begins with a key of its own, and lists what is read', async () => {
  await start();
  const { status, body } = await send(twin, 'POST', path, { name: 'sessions', claimsSchema: {} });
  expect([status, body.algorithm, body.origin]).toEqual([201, 'RS512', 'vercel']);
  expect(body.createdAt).toMatch(/^2030-01-01T/);
  expect(await statusesOf(body.id)).toEqual([[undefined, 'active']]);
  const read = (await send(twin, 'GET', `${path}/${body.id}`)).body;
  expect((await send(twin, 'GET', path)).body.issuers).toEqual([read]);
  const changed = await send(twin, 'PATCH', `${path}/${body.id}`, { claimsSchema: null });
  expect(changed.body).not.toHaveProperty('claimsSchema');
});

it('a new key ends the one before it after a while; one that is pending does not', async () => {
  await start({ kmsIssuers: [{ id: 'iss_1', name: 'sessions', importKeyId: 'a' }] });
  const keys = `${path}/iss_1/keys`;
  expect(refusal(await send(twin, 'POST', keys, { importKeyId: 'b' }))[0]).toBe(400);
  await send(twin, 'POST', keys, { importKeyId: 'b', importKey: 'pem', revokePreviousAfterHours: 2 });
  expect(await statusesOf('iss_1')).toEqual([
    ['a', 'revoking'],
    ['b', 'active'],
  ]);
  time += 2 * 3_600_000 + 1000;
  const { body } = await send(twin, 'POST', keys, { activation: 'manual' });
  expect(body.importKey).toBeUndefined();
  expect(await statusesOf('iss_1')).toEqual([
    ['b', 'active'],
    [undefined, 'pending'],
  ]);
  await send(twin, 'POST', `${keys}/${body.keyId}/activate`, {});
  expect(await statusesOf('iss_1')).toEqual([
    ['b', 'revoking'],
    [undefined, 'active'],
  ]);
});

it('grants go by project; those of clients are only made with an issuer', async () => {
  await start();
  const policy = { kind: 'connex-grant', clientId: 'c' };
  const { body } = await send(twin, 'POST', path, { name: 'sessions', policy });
  const policies = `${path}/${body.id}/policies`;
  const { id: projectId } = twin.account.projects[0]!;
  const grant = { kind: 'project-grant', projectId, environments: ['production'] };
  expect((await send(twin, 'POST', policies, grant)).status).toBe(201);
  expect(refusal(await send(twin, 'POST', policies, policy))[0]).toBe(400);
  const one = `${policies}/project-grant/${projectId}`;
  const changed = await send(twin, 'PATCH', one, { tokenClaims: { aud: 'a' } });
  expect(changed.body).toMatchObject({ ...grant, tokenClaims: { aud: 'a' } });
  await send(twin, 'DELETE', '/v9/projects/web');
  const read = await send(twin, 'GET', `${path}/${body.id}`);
  expect(read.body.policies).toMatchObject([policy]);
});

it('leaves to the platform what is its own', async () => {
  await start({ kmsIssuers: [{ id: 'iss_1', name: 'its own', managedBy: 'connect' }] });
  expect(refusal(await send(twin, 'DELETE', `${path}/iss_1`))).toEqual([403, 'forbidden']);
});
