import { afterEach, expect, it } from 'vitest';
import { startTwin, type Twin, type TwinOptions } from '../../providers/hosting/twin/index.ts';
import { ownDomains, refusal, send } from './client.ts';

let twin: Twin;
const start = async (options?: TwinOptions) => {
  twin = await startTwin({ ...options });
};
afterEach(() => twin.close());

it('creates, reads, lists, changes and deletes', async () => {
  await start();
  const created = await send(twin, 'POST', '/v7/domains', { name: 'Example.com', method: 'add' });
  expect(created.body.domain).toMatchObject({
    name: 'example.com',
    serviceType: 'zeit.world',
    verified: true,
  });
  expect((await send(twin, 'GET', '/v5/domains/example.com')).body).toEqual(created.body);
  expect((await send(twin, 'GET', '/v5/domains')).body.domains).toEqual([created.body.domain]);
  const changed = await send(twin, 'PATCH', '/v3/domains/example.com', { op: 'update', zone: false });
  expect(changed.body).toMatchObject({ zone: false, renew: false });
  expect((await send(twin, 'GET', '/v5/domains/example.com')).body.domain.serviceType).toBe('external');
  await send(twin, 'POST', '/v2/domains/example.com/records', { type: 'A', name: '', value: '192.0.2.1' });
  expect((await send(twin, 'DELETE', '/v6/domains/example.com')).body.uid).toBe(created.body.domain.id);
  expect((await send(twin, 'GET', '/v5/domains/example.com/records')).status).toBe(404);
});

it('refuses names that are taken, unicode or no domains', async () => {
  await start({ seed: { domains: [{ name: 'example.com' }] } });
  const post = (name: string) => send(twin, 'POST', '/v7/domains', { name, method: 'add' });
  expect(refusal(await post('example.com'))).toEqual([409, 'domain_already_in_use']);
  expect(refusal(await post('bücher.example'))).toEqual([400, 'invalid_domain']);
  expect(refusal(await post('example'))).toEqual([400, 'invalid_domain']);
});

it('keeps a domain that projects use, or lets them lose it if so switched', async () => {
  const seed = {
    domains: [{ name: 'example.com' }],
    projects: [{ name: 'web', domains: [{ name: 'www.example.com' }] }],
  };
  await start({ seed });
  expect(
    (await send(twin, 'GET', '/v1/domains/example.com/project-domains')).body.projectDomains,
  ).toHaveLength(1);
  expect(refusal(await send(twin, 'DELETE', '/v6/domains/example.com'))).toEqual([
    409,
    'domain_removal_conflict',
  ]);
  await twin.close();
  await start({ seed, switches: { domainDeleteCascades: true } });
  expect((await send(twin, 'DELETE', '/v6/domains/example.com')).status).toBe(200);
  expect(ownDomains(twin.account.projects[0]!)).toEqual([]);
});

it('starts a zone without records of the system, if so switched', async () => {
  await start({ switches: { systemRecords: false } });
  await send(twin, 'POST', '/v7/domains', { name: 'example.com', method: 'add' });
  expect((await send(twin, 'GET', '/v5/domains/example.com/records')).body.records).toEqual([]);
});

it('answers registrar operations with flat errors, and only for domains registered there', async () => {
  const domains = [{ name: 'example.com' }, { name: 'bought.com', boughtAt: 1 }];
  await start({ seed: { domains: [...domains, { name: 'moved.com', transferredAt: 1 }] } });
  const set = (name: string) =>
    send(twin, 'PATCH', `/v1/registrar/domains/${name}/auto-renew`, { autoRenew: true });
  expect((await set('none.com')).body).toEqual({
    status: 404,
    code: 'domain_not_found',
    message: 'The domain was not found.',
  });
  expect((await set('example.com')).body).toMatchObject({ status: 400, code: 'domain_not_registered' });
  expect([(await set('bought.com')).status, (await set('moved.com')).status]).toEqual([204, 204]);
  const lead = (name: string, nameservers: string[]) =>
    send(twin, 'PATCH', `/v1/registrar/domains/${name}/nameservers`, { nameservers });
  const nameservers = ['ns1.example.net', 'ns2.example.net'];
  expect((await lead('bought.com', nameservers)).status).toBe(204);
  expect((await lead('example.com', nameservers)).body.code).toBe('domain_not_registered');
  expect((await lead('bought.com', [])).status).toBe(400);
  expect((await send(twin, 'GET', '/v5/domains/bought.com')).body.domain).toMatchObject({
    renew: true,
    customNameservers: nameservers,
    nameservers,
  });
});
