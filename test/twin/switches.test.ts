import { describe, expect, it } from 'vitest';
import { catalog } from '../../providers/hosting/catalog.ts';
import {
  defaultSwitches,
  otherSwitches,
  servedOperations,
  startTwin,
  type Twin,
} from '../../providers/hosting/twin/index.ts';
import { nameOf } from '../../providers/hosting/twin/tables.ts';
import { inTurn } from '../support/sweep.ts';
import { send } from './client.ts';

const seed = {
  projects: [
    {
      name: 'web',
      env: [
        { key: 'A', value: '1' },
        { key: 'S', value: '1', type: 'sensitive' as const },
      ],
      domains: [{ name: 'www.example.com' }],
      customEnvironments: [{ slug: 'staging' }],
      checks: [{ name: 'e2e' }],
      firewall: { rules: [], crs: { xss: { active: true, action: 'deny' as const } } },
      featureFlags: { settings: {}, flags: [{ slug: 'beta' }], segments: [{ slug: 'staff' }] },
    },
  ],
  domains: [{ name: 'example.com', records: [{ type: 'A' as const, name: '@', value: '192.0.2.1' }] }],
  // Named like the project, because the paths of both call it idOrName.
  accessGroups: [{ name: 'web', projects: [{ project: 'web', role: 'ADMIN' as const }] }],
  webhooks: [{ url: 'https://example.com', events: ['deployment.created'], projects: ['web'] }],
  drains: [
    {
      name: 'logs',
      delivery: {
        type: 'http' as const,
        endpoint: 'https://example.com',
        encoding: 'json' as const,
        headers: {},
      },
    },
  ],
  globalConfigs: [
    { slug: 'store', items: { greeting: 'hello' }, schema: { type: 'object' }, tokens: ['read'] },
  ],
  aiGatewayRules: [{ type: 'deny' as const, match: { model: 'a/b' } }],
  aiGatewayBudgets: [{ project: 'web', limitAmount: 10 }],
  aiGatewayBudgetDefaults: [
    { scopeType: 'project' as const, limitAmount: 5, refreshPeriod: 'monthly' as const },
  ],
  sharedEnv: [{ key: 'SHARED', value: '1', projects: ['web'] }],
};

/** What a path's `{id}` stands for. */
function idFor({ account }: Twin, path: string): string | undefined {
  if (path.startsWith('/v1/webhooks')) return account.webhooks[0]?.id;
  if (path.startsWith('/v1/drains')) return account.drains[0]?.id;
  if (path.startsWith('/v1/env')) return account.sharedEnv[0]?.id;
  return account.projects[0]?.env[0]?.id;
}

/** The catalog's path with names that the seed has. */
function concrete(twin: Twin, path: string): string {
  const [project] = twin.account.projects;
  const [domain] = twin.account.domains;
  const known: Record<string, string | undefined> = {
    idOrName: project?.name,
    projectIdOrName: project?.name,
    accessGroupIdOrName: 'web',
    flagIdOrSlug: 'beta',
    segmentIdOrSlug: 'staff',
    projectId: project?.id,
    id: idFor(twin, path),
    edgeConfigId: twin.account.globalConfigs[0]?.id,
    edgeConfigItemKey: 'greeting',
    token: twin.account.globalConfigs[0]?.tokens[0]?.token,
    domain: path.startsWith('/v9/projects') || path.includes('/move') ? 'www.example.com' : domain?.name,
    recordId: domain?.records[0]?.id,
    environmentSlugOrId: 'staging',
    checkId: project?.checks[0]?.id,
    teamId: 'acme',
    configVersion: 'active',
  };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? 'x');
  return `${filled}?slug=acme&projectId=${project?.id}`;
}

const bodies = [undefined, null, 'text', [], [null], {}, { action: 'rules.insert' }, { name: 'x' }];

describe.each([
  ['default', defaultSwitches],
  ['other', otherSwitches],
])('with the %s switches', (_name, switches) => {
  it('serves every read of the seed', async () => {
    const twin = await startTwin({ strict: true, seed, switches });
    for (const { method, path, group } of catalog) {
      if (method !== 'GET') continue;
      const { status, body } = await send(twin, method, concrete(twin, path));
      expect([200, 501], `${group} ${path} ${JSON.stringify(body)}`).toContain(status);
    }
    await twin.close();
  });

  it('has no fault of its own for any served operation and body', async () => {
    const twin = await startTwin({ strict: true, seed, switches });
    for (const [at, operation] of catalog.entries()) {
      const { method, path } = operation;
      if (method === 'HEAD' || !servedOperations.includes(nameOf(operation))) continue;
      // Three of them here, others for each operation; all of them with `npm run sweep`.
      for (const body of inTurn<unknown>(bodies, at, 3)) {
        const answer = await send(twin, method, concrete(twin, path), body);
        expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).not.toBe(500);
      }
    }
    await twin.close();
  });
});
