import type { Vercel } from '@vercel/sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { sdkOf } from '../support/sdk.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(3);

// The SDK checks every answer against its own schemas: what passes here has the shape that the public client expects.
let twin: Twin;
let sdk: Vercel;
const slug = 'acme';
beforeEach(async () => {
  twin = await startTwin({
    token: 'test',
    seed: { projects: [{ name: 'web', framework: 'nextjs' }] },
  });
  sdk = sdkOf(twin.url);
});
afterEach(() => twin.close());
const projectId = () => twin.account.projects[0]!.id;

it('creates, lists, reads and deletes webhooks', async () => {
  const requestBody = { url: 'https://example.com', events: ['deployment.created' as const] };
  const created = await sdk.webhooks.createWebhook({
    slug,
    requestBody: { ...requestBody, projectIds: [projectId()] },
  });
  expect(created.secret).toHaveLength(32);
  const { id } = created;
  expect(await sdk.webhooks.getWebhooks({ slug })).toMatchObject([
    { id, projectsMetadata: [{ name: 'web' }] },
  ]);
  expect(await sdk.webhooks.getWebhook({ slug, id })).toMatchObject({ id, url: requestBody.url });
  await sdk.webhooks.deleteWebhook({ slug, id });
  expect(twin.account.webhooks).toEqual([]);
});

story('creates, lists, reads, changes, tests and deletes drains', async () => {
  const delivery = { type: 'http', endpoint: 'https://example.com', encoding: 'json', headers: {} } as const;
  const schemas = { log: { version: 'v1' } };
  const created = await sdk.drains.createDrain({
    slug,
    requestBody: { name: 'logs', projects: 'some', projectIds: [projectId()], schemas, delivery },
  });
  const { id } = created;
  expect(await sdk.drains.getDrains({ slug })).toMatchObject({ drains: [{ id, name: 'logs' }] });
  expect(await sdk.drains.updateDrain({ slug, id, requestBody: { status: 'disabled' } })).toMatchObject({
    status: 'disabled',
  });
  expect(await sdk.drains.getDrain({ slug, id })).toMatchObject({ delivery: { type: 'http' } });
  expect(await sdk.drains.testDrain({ slug, requestBody: { schemas, delivery } })).toEqual({});
  await sdk.drains.deleteDrain({ slug, id });
  expect(twin.account.drains).toEqual([]);
});

it('creates, reads, changes and deletes global configs with items, schema and tokens', async () => {
  const { id: edgeConfigId } = await sdk.globalConfig.createEdgeConfig({
    slug,
    requestBody: { slug: 'store', items: { greeting: 'hello' } },
  });
  const at = { slug, edgeConfigId };
  expect(await sdk.globalConfig.getEdgeConfig(at)).toMatchObject({ slug: 'store', itemCount: 1 });
  const changed = await sdk.globalConfig.updateEdgeConfig({ ...at, requestBody: { slug: 'other' } });
  expect(changed).toMatchObject({ slug: 'other' });
  expect(await sdk.globalConfig.getEdgeConfigItems(at)).toMatchObject([{ key: 'greeting', value: 'hello' }]);
  const item = await sdk.globalConfig.getEdgeConfigItem({ ...at, edgeConfigItemKey: 'greeting' });
  expect(item.value).toBe('hello');
  await sdk.globalConfig.patchEdgeConfigSchema({ ...at, requestBody: { definition: { type: 'object' } } });
  expect(twin.account.globalConfigs[0]?.schema).toEqual({ type: 'object' });
  await sdk.globalConfig.deleteEdgeConfigSchema(at);
  const { token, id } = await sdk.globalConfig.createEdgeConfigToken({
    ...at,
    requestBody: { label: 'read' },
  });
  expect(await sdk.globalConfig.getEdgeConfigToken({ ...at, token })).toMatchObject({ id, label: 'read' });
  await sdk.globalConfig.deleteEdgeConfigTokens({ ...at, requestBody: { ids: [id] } });
  await sdk.globalConfig.deleteEdgeConfig(at);
  expect(twin.account.globalConfigs).toEqual([]);
});

it('meets two lists that the SDK takes for objects', async () => {
  twin.add({ globalConfigs: [{ slug: 'store' }] });
  const edgeConfigId = twin.account.globalConfigs[0]!.id;
  await expect(sdk.globalConfig.getEdgeConfigs({ slug })).rejects.toThrow();
  await expect(sdk.globalConfig.getEdgeConfigTokens({ slug, edgeConfigId })).rejects.toThrow();
  expect(twin.requests.map((one) => one.status)).toEqual([200, 200]);
});

it('lists and deletes rules of the gateway', async () => {
  twin.add({ aiGatewayRules: [{ id: 'rule_1', type: 'deny', match: { model: 'a/b' }, enabled: false }] });
  expect(await sdk.aiGateway.listAiGatewayRules({ slug })).toMatchObject({ rules: [] });
  const { rules } = await sdk.aiGateway.listAiGatewayRules({ slug, includeDisabled: 'true' });
  expect(rules).toMatchObject([{ ruleId: 'rule_1', enabled: false }]);
  // The SDK looks for JSON in the 204, which cannot have a body.
  await expect(sdk.aiGateway.deleteAiGatewayRule({ slug, ruleId: 'rule_1' })).rejects.toThrow('Status 204');
  expect(twin.account.aiGatewayRules).toMatchObject([{ deleted: true }]);
});

story('creates, lists, reads, changes, unlinks and deletes shared variables', async () => {
  const created = await sdk.environment.createSharedEnvVariable({
    slug,
    requestBody: { evs: [{ key: 'A', value: '1' }], target: ['production'], projectId: [projectId()] },
  });
  const id = created.created[0]!.id!;
  expect(await sdk.environment.listSharedEnvVariable({ slug })).toMatchObject({ data: [{ id, key: 'A' }] });
  expect(await sdk.environment.getSharedEnvVar({ slug, id })).toMatchObject({ value: '1', decrypted: true });
  const updates = { [id]: { comment: 'c' } };
  const changed = await sdk.environment.updateSharedEnvVariable({ slug, requestBody: { updates } });
  expect(changed).toMatchObject({ updated: [{ comment: 'c' }], failed: [] });
  await sdk.environment.unlinkSharedEnvVariable({ slug, id, projectId: projectId() });
  const removed = await sdk.environment.deleteSharedEnvVariable({ slug, requestBody: { ids: [id] } });
  expect(removed).toMatchObject({ deleted: [id], failed: [] });
});
