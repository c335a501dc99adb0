import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Seed, SeedError, startTwin } from '../../providers/hosting/twin/index.ts';
import { send } from './client.ts';

const stages = [{ targetPercentage: 10 }, { targetPercentage: 100 }];

it('makes redirects, routes, bypasses, the attack mode and the rolling release of a project', async () => {
  const seed: Seed = {
    projects: [
      {
        name: 'web',
        attackMode: { activeUntil: Date.UTC(2100, 0) },
        rollingRelease: { advancementType: 'manual-approval', stages },
        protectionBypasses: [{ note: 'CI' }, { note: 'tests', isEnvVar: true }],
        bulkRedirects: [{ source: '/a', destination: '/b' }],
        stagedBulkRedirects: [],
        routes: [{ name: 'api', route: { src: '/api/:path*', dest: 'https://example.com/:path*' } }],
        stagedRoutes: [
          { name: 'api', route: { src: '/api', dest: 'https://example.com' } },
          { name: 'gone', route: { src: '/gone', status: 410 } },
        ],
      },
    ],
  };
  const twin = await startTwin({ seed });
  const [project] = twin.account.projects;
  expect(project).toMatchObject({
    attackMode: { enabled: true },
    rollingRelease: { target: 'production' },
    bulkRedirects: [
      { isStaging: true, items: [] },
      { isLive: true, items: [{ source: '/a' }] },
    ],
    routes: [
      {
        isStaging: true,
        items: [
          { name: 'api', staged: false },
          { name: 'gone', staged: true },
        ],
      },
      { isLive: true, items: [{ name: 'api', staged: false }] },
    ],
  });
  const [staged, live] = project!.routes;
  expect(staged!.items[0]!.id).toBe(live!.items[0]!.id);
  const bypasses = Object.values(project!.protectionBypass ?? {});
  expect(bypasses).toMatchObject([
    { note: 'CI', isEnvVar: false },
    { note: 'tests', isEnvVar: true },
  ]);
  await twin.close();
});

it('names what cannot be made, with its place', async () => {
  const project = {
    name: 'web',
    rollingRelease: { advancementType: 'manual-approval', stages: stages.slice(1) },
    protectionBypasses: [{ secret: 'a'.repeat(32) }, { secret: 'a'.repeat(32) }],
    routes: [
      { name: 'a', route: { src: '/a' } },
      { name: 'a', route: { src: '^/(' } },
    ],
  } as const;
  const failure = await startTwin({ seed: { projects: [structuredClone(project) as never] } }).catch(
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(SeedError);
  expect((failure as SeedError).problems).toEqual([
    expect.stringMatching(/^projects\[0\]\.protectionBypasses\[1\]: .*in use/),
    expect.stringMatching(/^projects\[0\]\.rollingRelease: .*2 to 10 stages/),
    expect.stringMatching(/^projects\[0\]\.routes: .*not a valid pattern/),
  ]);
});

it('goes with its project, and loads from a state that was saved without it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'twin-'));
  const statePath = join(folder, 'account.json');
  const first = await startTwin({ statePath });
  await send(first, 'POST', '/v11/projects', { name: 'web' });
  await first.close();
  const saved = JSON.parse(readFileSync(statePath, 'utf8'));
  for (const part of ['attackMode', 'bulkRedirects', 'routes']) delete saved.projects[0][part];
  writeFileSync(statePath, JSON.stringify(saved));

  const second = await startTwin({ statePath });
  const { id } = second.account.projects[0]!;
  const routes = `/v1/projects/${id}/routes`;
  expect((await send(second, 'GET', '/v9/projects/web')).status).toBe(200);
  expect((await send(second, 'GET', routes)).body.routes).toEqual([]);
  const redirects = await send(second, 'GET', `/v1/bulk-redirects?slug=acme&projectId=${id}`);
  expect(redirects.body.redirects).toEqual([]);
  await send(second, 'DELETE', '/v9/projects/web');
  expect((await send(second, 'GET', routes)).status).toBe(404);
  await second.close();
  rmSync(folder, { recursive: true });
});
