import type { Twin } from '../../providers/hosting/twin/index.ts';
import { send } from './client.ts';

type Method = Parameters<typeof send>[1];

/**
 * Requests for the operations that no kind uses, or that end what kinds make. None may be refused. The team has a member
 * `user_1`.
 */
export async function sendTheRest(twin: Twin): Promise<void> {
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const go = async (method: Method, path: string, body?: unknown): Promise<any> => {
    const answer = await send(twin, method, path, body);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const all = async (...requests: [Method, string, unknown?][]) => {
    for (const request of requests) await go(...request);
  };
  const { id } = await go('POST', '/v11/projects', { name: 'shop' });
  const { id: otherId } = await go('POST', '/v11/projects', { name: 'other' });
  const stored = twin.account.projects.find((project) => project.id === id)!;
  const ofProject = `projectId=${id}`;

  await all(
    ['GET', '/v2/user'],
    ['GET', '/v2/teams'],
    ['GET', '/v2/teams/acme'],
    ['GET', '/v3/teams/acme/members'],
    ['GET', '/v10/projects'],
    ['GET', '/v9/projects/shop'],
  );

  const variable = { value: 'v', type: 'plain', target: ['production'] };
  const { created } = await go('POST', '/v10/projects/shop/env', [
    { key: 'A', ...variable },
    { key: 'B', ...variable },
  ]);
  await all(
    ['GET', '/v10/projects/shop/env?limit=20'],
    ['GET', `/v1/projects/shop/env/${created[0].id}`],
    ['PATCH', `/v9/projects/shop/env/${created[0].id}`, { value: 'w' }],
    ['DELETE', `/v9/projects/shop/env/${created[0].id}`],
    ['DELETE', '/v1/projects/shop/env', { ids: [created[1].id] }],
  );

  const environments = '/v9/projects/shop/custom-environments';
  await all(
    ['POST', environments, { slug: 'qa' }],
    ['GET', `${environments}/qa`],
    ['DELETE', `${environments}/qa`],
  );

  const checks = '/v2/projects/shop/checks';
  const { id: checkId } = await go('POST', checks, { name: 'e2e' });
  await all(
    ['GET', `${checks}?blocks=deployment-alias`],
    ['GET', `${checks}/${checkId}`],
    ['PATCH', `${checks}/${checkId}`, { timeout: 60 }],
    ['DELETE', `${checks}/${checkId}`],
  );

  const name = 'www.rest.example';
  await all(
    ['POST', '/v10/projects/shop/domains', { name }],
    ['GET', '/v9/projects/shop/domains'],
    ['GET', `/v9/projects/shop/domains/${name}`],
    ['POST', `/v9/projects/shop/domains/${name}/verify`],
    ['POST', `/v1/projects/shop/domains/${name}/move`, { projectId: otherId }],
    ['GET', '/v1/domains/rest.example/project-domains'],
    ['DELETE', `/v9/projects/other/domains/${name}`],
  );

  await go('POST', '/v7/domains', { name: 'rest.example' });
  twin.account.domains.find((domain) => domain.name === 'rest.example')!.boughtAt = 1;
  const { uid } = await go('POST', '/v2/domains/rest.example/records', {
    name: 'a',
    type: 'A',
    value: '192.0.2.1',
  });
  await all(
    ['GET', '/v5/domains'],
    ['GET', '/v5/domains/rest.example'],
    ['GET', '/v6/domains/rest.example/config'],
    ['GET', '/v5/domains/rest.example/records'],
    ['GET', `/domains/records/${uid}`],
    ['PATCH', '/v1/registrar/domains/rest.example/auto-renew', { autoRenew: true }],
    ['PATCH', '/v1/registrar/domains/rest.example/nameservers', { nameservers: ['ns.example.net'] }],
    ['DELETE', `/v2/domains/rest.example/records/${uid}`],
    ['DELETE', '/v6/domains/rest.example'],
  );

  const firewall = '/v1/security/firewall/config';
  await go('PUT', `${firewall}?${ofProject}`, { firewallEnabled: true });
  const { active } = stored.firewall;
  stored.firewall.draft = structuredClone(active);
  await all(
    ['GET', `${firewall}?${ofProject}`],
    ['GET', `${firewall}/active?${ofProject}`],
    ['POST', `${firewall}/draft/activate?${ofProject}`],
  );
  stored.firewall.draft = structuredClone(active);
  await go('DELETE', `${firewall}/draft?${ofProject}`);
  await go('DELETE', '/v1/projects/shop/rolling-release/config');

  const flags = '/v1/projects/shop/feature-flags';
  const { hashKey } = await go('PUT', `${flags}/sdk-keys`, {
    sdkKeyType: 'server',
    environment: 'production',
  });
  const off = { type: 'variant', variantId: 'off' };
  await all(
    ['PUT', `${flags}/segments`, { slug: 'staff', label: 'Staff', hint: '', data: {} }],
    ['GET', `${flags}/segments`],
    ['DELETE', `${flags}/segments/staff`],
    [
      'PUT',
      `${flags}/flags`,
      {
        slug: 'dark',
        kind: 'boolean',
        variants: [{ id: 'off', value: false }],
        environments: { production: { active: false, rules: [], pausedOutcome: off, fallthrough: off } },
      },
    ],
    ['GET', `${flags}/flags`],
    ['GET', '/v2/projects/shop/feature-flags/flags'],
    ['GET', '/v1/teams/acme/feature-flags/flags'],
    ['GET', '/v2/teams/acme/feature-flags/flags'],
    ['GET', '/v1/teams/acme/feature-flags/settings'],
    ['GET', `${flags}/flags/dark`],
    ['GET', `${flags}/flags/dark?ifMatch=*`],
    ['PATCH', `${flags}/flags/dark`, { state: 'archived' }],
    ['DELETE', `${flags}/flags/dark?ifMatch=*`],
    ['GET', `${flags}/sdk-keys`],
    ['DELETE', `${flags}/sdk-keys/${hashKey}`],
  );

  const { teamId } = { teamId: twin.account.teams[0]!.id };
  const redirects = '/v1/bulk-redirects';
  const staged = await go('PUT', `${redirects}`, {
    projectId: id,
    teamId,
    redirects: [{ source: '/a', destination: '/b' }],
  });
  await all(
    ['POST', `${redirects}/versions?${ofProject}`, { id: staged.version.id, action: 'promote' }],
    ['GET', `${redirects}?${ofProject}`],
    ['PATCH', `${redirects}?${ofProject}`, { redirect: { source: '/a', destination: '/c' } }],
    ['DELETE', `${redirects}?${ofProject}`, { redirects: ['/a'] }],
    ['POST', `${redirects}/restore?${ofProject}`, { redirects: ['/a'] }],
    ['GET', `${redirects}/versions?${ofProject}`],
  );
  const routes = `/v1/projects/${id}/routes`;
  await all(
    ['PUT', routes, { routes: [{ id: 'one', name: 'one', route: { src: '/a', status: 404 } }] }],
    ['GET', routes],
    ['GET', `${routes}/versions`],
    ['DELETE', routes, { routeIds: ['one'] }],
  );

  const budgets = '/ai-gateway/budgets';
  const limit = { limitAmount: 1, refreshPeriod: 'monthly' };
  const { ruleId } = await go('POST', '/v1/ai-gateway/rules', { type: 'deny', match: { model: 'm' } });
  await all(
    ['GET', '/v1/ai-gateway/rules'],
    ['PATCH', '/v1/ai-gateway/rules', { ruleId, enabled: false }],
    ['DELETE', `/v1/ai-gateway/rules?ruleId=${ruleId}`],
    ['PUT', `${budgets}`, { scopeType: 'project', projectId: id, ...limit }],
    ['GET', `${budgets}/list`],
    ['DELETE', `${budgets}?scopeType=project&${ofProject}`],
    ['PUT', `${budgets}/defaults`, { scopeType: 'project', ...limit }],
    ['GET', `${budgets}/defaults/list`],
    ['DELETE', `${budgets}/defaults?scopeType=project`],
  );

  const delivery = { type: 'http', endpoint: 'https://example.com', encoding: 'json', headers: {} };
  const schemas = { log: { version: 'v1' } };
  const drain = await go('POST', '/v1/drains', { name: 'd', projects: 'all', schemas, delivery });
  const webhook = await go('POST', '/v1/webhooks', {
    url: 'https://example.com',
    events: ['deployment.created'],
  });
  await all(
    ['POST', '/v1/drains/test', { schemas, delivery }],
    ['GET', `/v1/drains/${drain.id}`],
    ['GET', '/v1/drains'],
    ['DELETE', `/v1/drains/${drain.id}`],
    ['GET', `/v1/webhooks/${webhook.id}`],
    ['GET', '/v1/webhooks'],
    ['DELETE', `/v1/webhooks/${webhook.id}`],
  );

  const group = '/v1/access-groups/Guests';
  await all(
    ['POST', '/v1/access-groups', { name: 'Guests' }],
    ['GET', '/v1/access-groups'],
    ['POST', group, { membersToAdd: ['user_1'] }],
    ['GET', group],
    ['POST', `${group}/projects`, { projectId: id, role: 'ADMIN' }],
    ['GET', `${group}/projects`],
    ['GET', `${group}/projects/${id}`],
    ['PATCH', `${group}/projects/${id}`, { role: 'PROJECT_VIEWER' }],
    ['GET', `${group}/members`],
    ['DELETE', `${group}/projects/${id}`],
    ['DELETE', group],
  );

  const config = await go('POST', '/v1/global-config', { slug: 'c', items: { one: 1 } });
  const store = `/v1/global-config/${config.id}`;
  const token = await go('POST', `${store}/token`, { label: 'l' });
  await all(
    ['GET', store],
    ['PUT', store, { slug: 'd' }],
    ['GET', `${store}/items`],
    ['GET', `${store}/item/one`],
    ['GET', `${store}/item/two`],
    ['GET', `${store}/tokens`],
    ['GET', `${store}/token/${token.token}`],
    ['DELETE', `${store}/tokens`, { ids: [token.id] }],
    ['GET', `${store}/schema`],
    ['POST', `${store}/schema`, { definition: true }],
    ['GET', `${store}/schema`],
    ['DELETE', `${store}/schema`],
    ['DELETE', store],
  );

  const shared = await go('POST', '/v1/env', {
    evs: [{ key: 'SHARED', value: 'v' }],
    target: ['production'],
    projectId: [id],
  });
  const { id: sharedId } = shared.created[0];
  await all(
    ['GET', '/v1/env?limit=20'],
    ['GET', `/v1/env/${sharedId}`],
    ['PATCH', '/v1/env', { updates: { [sharedId]: { comment: 'c' } } }],
    ['PATCH', `/v1/env/${sharedId}/unlink/${id}`],
    ['DELETE', '/v1/env', { ids: [sharedId] }],
    ['DELETE', '/v9/projects/shop'],
  );
}
