import { expect } from 'vitest';
import { startTwin } from '../../providers/hosting/twin/index.ts';
import { send } from './client.ts';

type Method = Parameters<typeof send>[1];

/** Requests that are refused for what else is in the account, and those that switches decide about, on a twin of their own. */
export async function sendConflicts(): Promise<void> {
  const twin = await startTwin({
    switches: { envConflictStatus: 409, flagMismatchStatus: 409, flagUnchangedNotModified: true },
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const go = async (status: number, method: Method, path: string, body?: unknown): Promise<any> => {
    const answer = await send(twin, method, path, body);
    if (answer.status !== status) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.body;
  };

  const shop = await go(200, 'POST', '/v11/projects', { name: 'shop' });
  await go(200, 'POST', '/v11/projects', { name: 'other' });
  await go(409, 'PATCH', '/v9/projects/other', { name: 'shop' });

  const its = { enabled: true, microfrontendsGroupId: 'none' };
  const apps = { defaultApp: { projectId: shop.id }, otherApplications: [] };
  await go(200, 'POST', '/v1/microfrontends/group', { groupName: 'one', ...apps });
  await go(404, 'PATCH', `/v1/projects/${shop.id}/microfrontends`, its);
  await go(409, 'PATCH', `/v1/projects/${shop.id}/microfrontends`, { isDefaultApp: false });

  const picture = (status: number, type: string, bytes: number) =>
    send(twin, 'POST', '/v1/projects/shop/avatar', Buffer.alloc(bytes), { 'content-type': type }).then(
      (answer) => expect(answer.status).toBe(status),
    );
  await picture(200, 'image/png', 1);
  await picture(415, 'image/gif', 1);
  await picture(413, 'image/png', 5 * 1024 * 1024 + 1);

  const variables = '/v10/projects/shop/env';
  const variable = { value: 'v', type: 'plain', target: ['production'] };
  await go(201, 'POST', variables, { key: 'A', ...variable });
  await go(409, 'POST', variables, { key: 'A', ...variable });
  const { created } = await go(201, 'POST', variables, { key: 'B', ...variable });
  await go(409, 'PATCH', `/v9/projects/shop/env/${created.id}`, { key: 'A' });

  const model = { virtualModelSlug: 'one' };
  await go(201, 'POST', '/ai-gateway/virtual-model-configs', model);
  await go(409, 'POST', '/ai-gateway/virtual-model-configs', model);
  const sandbox = { projectId: shop.id, name: 'one' };
  await go(200, 'POST', '/v2/sandboxes', sandbox);
  await go(409, 'POST', '/v2/sandboxes', sandbox);
  await go(409, 'POST', '/v3/sandboxes', sandbox);
  const connector = { name: 'One', type: 'discord', data: {} };
  await go(201, 'POST', '/v1/connect/connectors', { ...connector, uid: 'one' });
  await go(409, 'POST', '/v1/connect/connectors', { ...connector, uid: 'one' });
  await go(201, 'POST', '/v1/connect/connectors', { ...connector, uid: 'two' });
  await go(409, 'PATCH', '/v2/connect/connectors/two', { uid: 'one' });

  await go(200, 'POST', '/v7/domains', { name: 'rest.example' });
  await go(200, 'POST', '/v10/projects/shop/domains', { name: 'rest.example' });
  await go(200, 'POST', '/v10/projects/shop/domains', { name: 'www.rest.example', redirect: 'rest.example' });
  await go(409, 'DELETE', '/v9/projects/shop/domains/rest.example');
  await go(409, 'DELETE', '/v6/domains/rest.example');
  await go(409, 'PATCH', '/v3/domains/rest.example', { op: 'move-out', destination: twin.account.user.id });
  const record = (value: string) => ({ name: 'a', type: 'A', value });
  await go(200, 'POST', '/v2/domains/rest.example/records', record('192.0.2.1'));
  const { uid } = await go(200, 'POST', '/v2/domains/rest.example/records', record('192.0.2.2'));
  await go(409, 'PATCH', `/v1/domains/records/${uid}`, { value: '192.0.2.1' });

  const flags = '/v1/projects/shop/feature-flags';
  const off = { type: 'variant', variantId: 'off' };
  const staff = { slug: 'staff', label: 'Staff', hint: '', data: {} };
  const { id: segment } = await go(201, 'PUT', `${flags}/segments`, staff);
  const conditions = [{ lhs: { type: 'segment' }, cmp: 'eq', rhs: segment }];
  const production = {
    active: true,
    rules: [{ id: 'r', conditions, outcome: off }],
    pausedOutcome: off,
    fallthrough: off,
  };
  const variants = [{ id: 'off', value: false }];
  await go(201, 'PUT', `${flags}/flags`, {
    slug: 'dark',
    kind: 'boolean',
    variants,
    environments: { production },
  });
  await go(304, 'PATCH', `${flags}/flags/dark`, {});
  await go(409, 'PATCH', `${flags}/flags/dark?ifMatch=another`, { permanent: true });
  await go(409, 'DELETE', `${flags}/flags/dark`);
  await go(409, 'DELETE', `${flags}/segments/staff`);

  await go(201, 'POST', '/v1/global-config', { slug: 'one' });
  const { id } = await go(201, 'POST', '/v1/global-config', { slug: 'two' });
  const store = `/v1/global-config/${id}`;
  await go(409, 'PUT', store, { slug: 'one' });
  // The platform's own.
  twin.account.globalConfigs.at(-1)!.purpose = { type: 'flags', projectId: shop.id };
  await go(409, 'POST', `${store}/schema`, { definition: {} });
  await go(409, 'DELETE', `${store}/schema`);
  await go(409, 'POST', `${store}/token`, { label: 'l' });
  await go(409, 'DELETE', `${store}/tokens`, { ids: [] });
  await go(409, 'DELETE', store);

  const release = '/v1/projects/shop/rolling-release';
  const stages = [{ targetPercentage: 5 }, { targetPercentage: 100 }];
  const canary = { canaryDeploymentId: 'dpl_canary' };
  twin.account.projects
    .find(({ name }) => name === 'shop')!
    .deployments.push({ id: 'dpl_canary', target: 'production', meta: {}, createdAt: 1 });
  await go(422, 'POST', `${release}/start`, canary);
  await go(200, 'PATCH', `${release}/config`, { enabled: true, advancementType: 'manual-approval', stages });
  await go(200, 'POST', `${release}/start`, canary);
  await go(409, 'POST', `${release}/start`, canary);

  twin.account.paces = { issuing: { seconds: 60 } };
  await go(449, 'POST', '/v8/certs', { cns: ['www.rest.example'] });

  const networks = '/v1/connect/networks';
  const network = { name: 'one', region: 'iad1', cidr: '10.0.0.0/16' };
  const { id: networkId } = await go(201, 'POST', networks, network);
  await go(409, 'POST', networks, network);
  const connected = { connectConfigurationId: networkId, passive: false, buildsEnabled: true };
  const connectConfigurations = [{ envId: 'production', ...connected }];
  await go(200, 'PATCH', '/v9/projects/shop', { connectConfigurations });
  await go(409, 'DELETE', `${networks}/${networkId}`);

  const links = '/v1/networking/privatelink/endpoints';
  const link = { projectId: shop.id, name: 'one', vercelRegion: 'iad1', awsServiceName: 'a' };
  await go(201, 'POST', links, link);
  await go(409, 'POST', links, link);
  await go(404, 'POST', links, { ...link, projectId: 'prj_none' });

  const drive = '/v2/sandboxes/drives/one';
  await go(201, 'POST', drive, { projectId: shop.id });
  twin.account.projects[0]!.sandboxDrives[0]!.currentSandboxName = 'worker';
  await go(409, 'DELETE', `${drive}?projectId=${shop.id}`);

  const issuer = await go(201, 'POST', '/v1/kms/issuers', { name: 'one' });
  const key = `/v1/kms/issuers/${issuer.id}/keys/${issuer.signingKeys[0].keyId}`;
  await go(409, 'POST', `${key}/activate`, {});
  await go(409, 'POST', `${key}/revoke`);

  const share = (key: string) => ({ evs: [{ key, value: 'v' }], target: ['production'] });
  await go(201, 'POST', '/v1/env', share('A'));
  const shared = await go(201, 'POST', '/v1/env', share('B'));
  await go(409, 'PATCH', '/v1/env', { updates: { [shared.created[0].id]: { key: 'A' } } });
  await twin.close();
}
