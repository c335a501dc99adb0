import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { sdkOf } from '../support/sdk.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
beforeEach(async () => {
  twin = await startTwin({ seed: { projects: [{ name: 'web' }, { name: 'other' }] } });
});
afterEach(() => twin.close());

const checks = '/v2/projects/web/checks';
const kept = () => twin.account.projects[0]!.checks;

it('are made with the documented defaults, changed in part, and deleted', async () => {
  const created = await send(twin, 'POST', checks, { name: 'e2e' });
  expect(created.status).toBe(200);
  const { id, createdAt, ...read } = created.body;
  const { id: projectId, accountId: ownerId } = twin.account.projects[0]!;
  const defaults = { requires: 'deployment-url', blocks: 'deployment-alias', timeout: 300 };
  expect(read).toEqual({
    ...{ name: 'e2e', projectId, ownerId, isRerequestable: false, targets: [], ...defaults },
    ...{ source: { kind: 'webhook' }, sourceKind: 'webhook', updatedAt: createdAt },
  });
  const changed = await send(twin, 'PATCH', `${checks}/${id}`, { blocks: 'none', targets: ['preview'] });
  expect(changed.body).toMatchObject({ ...defaults, name: 'e2e', blocks: 'none', targets: ['preview'] });
  expect(changed.body.updatedAt).toBeGreaterThan(createdAt);
  expect((await send(twin, 'GET', `${checks}/${id}`)).body).toEqual(changed.body);
  const deleted = await send(twin, 'DELETE', `${checks}/${id}`);
  expect([deleted.status, deleted.body, kept()]).toEqual([200, { success: true }, []]);
  expect(refusal(await send(twin, 'DELETE', `${checks}/${id}`))).toEqual([404, 'not_found']);
});

it('are listed by what they block, those of one project', async () => {
  await send(twin, 'POST', checks, { name: 'build', blocks: 'build-start' });
  await send(twin, 'POST', checks, { name: 'alias' });
  await send(twin, 'POST', '/v2/projects/other/checks', { name: 'elsewhere' });
  const names = async (query = '') =>
    (await send(twin, 'GET', checks + query)).body.checks.map(({ name }: { name: string }) => name);
  expect(await names()).toEqual(['build', 'alias']);
  expect(await names('?blocks=build-start')).toEqual(['build']);
  expect(refusal(await send(twin, 'GET', `${checks}?blocks=never`))).toEqual([400, 'bad_request']);
});

it('are refused without a name, with a source that is none, and with a source in a change', async () => {
  const { id } = (await send(twin, 'POST', checks, { name: 'e2e' })).body;
  for (const body of [
    undefined,
    {},
    { name: 'x', blocks: 'never' },
    { name: 'x', source: { kind: 'git-provider' } },
  ])
    expect(refusal(await send(twin, 'POST', checks, body)), JSON.stringify(body)).toEqual([
      400,
      'bad_request',
    ]);
  const source = { kind: 'webhook' };
  expect(refusal(await send(twin, 'PATCH', `${checks}/${id}`, { source }))).toEqual([400, 'bad_request']);
});

it('have the shapes that the public client expects, whatever their source', async () => {
  const sdk = sdkOf(twin.url);
  const at = { slug: 'acme', projectIdOrName: 'web' };
  const sources = [
    undefined,
    { kind: 'webhook', webhookId: 'hook_1' },
    { kind: 'git-provider', externalCheckName: 'ci', provider: 'github' as const },
    { kind: 'integration', externalResourceId: 'r1' },
    {},
  ];
  for (const [i, source] of sources.entries()) {
    const requestBody = { name: `check ${i}`, ...(source && { source }) };
    const { id } = await sdk.checksV2.createProjectCheck({ ...at, requestBody });
    const read = await sdk.checksV2.getProjectCheck({ ...at, checkId: id });
    expect(read).toMatchObject({ id, name: `check ${i}`, source: source ?? {} });
    expect(read.sourceKind).toBe(read.source.kind);
    await sdk.checksV2.updateProjectCheck({ ...at, checkId: id, requestBody: { timeout: 60 } });
  }
  const { checks } = await sdk.checksV2.listProjectChecks(at);
  expect(checks.map(({ sourceKind, timeout }) => [sourceKind, timeout])).toEqual(
    ['webhook', 'webhook', 'git-provider', 'integration', 'integration'].map((kind) => [kind, 60]),
  );
  const [{ id } = { id: '' }] = checks;
  expect(await sdk.checksV2.deleteProjectCheck({ ...at, checkId: id })).toEqual({ success: true });
});

it('come from a seed too, also one that was deleted; the project itself does not show them', async () => {
  const seeded = [
    { name: 'e2e', id: 'check_e2e' },
    { name: 'old', deletedAt: 1 },
  ];
  twin.add({ projects: [{ name: 'seeded', checks: seeded }] });
  const list = await send(twin, 'GET', '/v2/projects/seeded/checks');
  expect(list.body.checks).toMatchObject([{ id: 'check_e2e' }, { deletedAt: expect.any(Number) }]);
  expect((await send(twin, 'GET', '/v9/projects/seeded')).body).not.toHaveProperty('checks');
});
