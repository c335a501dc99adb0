import { describe, expect, it } from 'vitest';
import { catalog } from '../../providers/hosting/catalog.ts';
import {
  defaultSwitches,
  otherSwitches,
  servedOperations,
  startTwin,
  type Twin,
} from '../../providers/hosting/twin/index.ts';
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
      firewall: { rules: [], crs: { xss: { active: true, action: 'deny' as const } } },
    },
  ],
  domains: [{ name: 'example.com', records: [{ type: 'A' as const, name: '@', value: '192.0.2.1' }] }],
};

/** The catalog's path with names that the seed has. */
function concrete(twin: Twin, path: string): string {
  const [project] = twin.account.projects;
  const [domain] = twin.account.domains;
  const known: Record<string, string | undefined> = {
    idOrName: project?.name,
    projectId: project?.id,
    id: project?.env[0]?.id,
    domain: path.startsWith('/v9/projects') || path.includes('/move') ? 'www.example.com' : domain?.name,
    recordId: domain?.records[0]?.id,
    environmentSlugOrId: 'staging',
    teamId: 'acme',
    configVersion: 'active',
  };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? 'x');
  return `${filled}?slug=acme&projectId=${project?.id}`;
}

describe.each([
  ['default', defaultSwitches],
  ['other', otherSwitches],
])('with the %s switches', (_name, switches) => {
  it('serves every read of the seed', async () => {
    const twin = await startTwin({ seed, switches });
    for (const { method, path, group } of catalog) {
      if (method !== 'GET') continue;
      const { status, body } = await send(twin, method, concrete(twin, path));
      expect([200, 501], `${group} ${path} ${JSON.stringify(body)}`).toContain(status);
    }
    await twin.close();
  });

  it('has no fault of its own for any served operation and body', async () => {
    const twin = await startTwin({ seed, switches });
    for (const { method, path, operationId } of catalog) {
      if (method === 'HEAD' || !servedOperations.includes(operationId ?? '')) continue;
      for (const body of [
        undefined,
        null,
        'text',
        [],
        [null],
        {},
        { action: 'rules.insert' },
        { name: 'x' },
      ]) {
        const answer = await send(twin, method, concrete(twin, path), body);
        expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).not.toBe(500);
      }
    }
    await twin.close();
  });
});
