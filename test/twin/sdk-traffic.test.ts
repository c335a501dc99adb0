import type { Vercel } from '@vercel/sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { sdkOf } from '../support/sdk.ts';

let twin: Twin;
let sdk: Vercel;
let projectId: string;
const slug = 'acme';
const idOrName = 'web';
beforeEach(async () => {
  twin = await startTwin({ token: 'test', seed: { projects: [{ name: 'web' }] } });
  sdk = sdkOf(twin.url);
  projectId = twin.account.projects[0]!.id;
});
afterEach(() => twin.close());

it('enables the attack mode and reads it in the project', async () => {
  const attackModeActiveUntil = Date.now() + 3_600_000;
  const requestBody = { projectId, attackModeEnabled: true, attackModeActiveUntil };
  const answer = await sdk.security.updateAttackChallengeMode({ slug, requestBody });
  expect(answer.attackModeEnabled).toBe(true);
  const { security } = await sdk.projects.getProject({ slug, idOrName });
  expect(security).toMatchObject({ attackModeEnabled: true, attackModeActiveUntil });
});

it('reads and deletes a rolling release', async () => {
  // The SDK sends no body with the PATCH, so the seed makes the configuration.
  const stages = [{ targetPercentage: 10, duration: 5 }, { targetPercentage: 100 }];
  twin.add({ projects: [{ name: 'shop', rollingRelease: { advancementType: 'automatic', stages } }] });
  const path = { slug, idOrName: 'shop' };
  const { rollingRelease } = await sdk.rollingRelease.getRollingReleaseConfig(path);
  expect(rollingRelease).toEqual({ target: 'production', stages });
  expect((await sdk.projects.getProject(path)).rollingRelease).toMatchObject({ stages });
  await sdk.rollingRelease.deleteRollingReleaseConfig(path);
  expect((await sdk.rollingRelease.getRollingReleaseConfig(path)).rollingRelease).toBeNull();
});

it('generates, changes and revokes protection bypasses', async () => {
  const secret = 'a'.repeat(32);
  const path = { slug, idOrName };
  const change = (
    requestBody: Parameters<typeof sdk.projects.updateProjectProtectionBypass>[0]['requestBody'],
  ) => sdk.projects.updateProjectProtectionBypass({ ...path, requestBody });
  expect(await change({ generate: { secret, note: 'CI' } })).toMatchObject({
    protectionBypass: { [secret]: { scope: 'automation-bypass', isEnvVar: true, note: 'CI' } },
  });
  await change({ update: { secret, note: 'tests' } });
  const { protectionBypass } = await sdk.projects.getProject(path);
  expect(protectionBypass).toMatchObject({ [secret]: { note: 'tests' } });
  expect(await change({ revoke: { secret, regenerate: false } })).toEqual({ protectionBypass: {} });
});

it('stages, promotes and reads redirects', async () => {
  const teamId = twin.account.teams[0]!.id;
  const query = { slug, projectId };
  const redirects = [{ source: '/a', destination: '/b', statusCode: 308 }];
  const { version } = await sdk.bulkRedirects.stageRedirects({
    slug,
    requestBody: { projectId, teamId, overwrite: true, redirects },
  });
  await sdk.bulkRedirects.editRedirect({
    ...query,
    requestBody: { redirect: { source: '/a', query: true } },
  });
  await sdk.bulkRedirects.updateVersion({ ...query, requestBody: { id: version.id, action: 'promote' } });
  const { versions } = await sdk.bulkRedirects.getVersions(query);
  expect(versions).toMatchObject([{ id: version.id, isLive: true, redirectCount: 1 }]);
  expect(await sdk.bulkRedirects.getRedirects({ ...query, versionId: version.id })).toMatchObject({
    redirects: [{ source: '/a', query: true }],
    pagination: { page: 1, numPages: 1 },
  });
  const requestBody = { redirects: ['/a'] };
  expect(await sdk.bulkRedirects.deleteRedirects({ ...query, requestBody })).toMatchObject({
    version: { redirectCount: 0 },
  });
  expect(await sdk.bulkRedirects.restoreRedirects({ ...query, requestBody })).toMatchObject({
    restored: ['/a'],
    version: { redirectCount: 1 },
  });
});

it('adds, edits, stages, promotes and deletes routes', async () => {
  const path = { slug, projectId };
  const route = { name: 'a', route: { src: '/a/:id', dest: '/b/:id' } };
  const added = await sdk.projectRoutes.addRoute({ ...path, requestBody: { route } });
  const { id } = added.route;
  expect(added.route).toMatchObject({ srcSyntax: 'path-to-regexp', routeType: 'rewrite', staged: true });
  await sdk.projectRoutes.editRoute({
    ...path,
    routeId: id,
    requestBody: { route: { ...route, description: 'd' } },
  });
  const { version } = await sdk.projectRoutes.stageRoutes({
    ...path,
    requestBody: { routes: [{ id: 'mine', name: 'b', route: { src: '/b', status: 404 } }] },
  });
  await sdk.projectRoutes.updateRouteVersions({
    ...path,
    requestBody: { id: version.id, action: 'promote' },
  });
  expect(await sdk.projectRoutes.getRoutes({ ...path, versionId: version.id })).toMatchObject({
    routes: [
      { id, description: 'd', staged: false },
      { id: 'mine', routeType: 'set_status' },
    ],
    version: { isLive: true, ruleCount: 2 },
  });
  const removed = await sdk.projectRoutes.deleteRoutes({ ...path, requestBody: { routeIds: [id] } });
  expect(removed.deletedCount).toBe(1);
  const { versions } = await sdk.projectRoutes.getRouteVersions(path);
  expect(versions).toMatchObject([{ isStaging: true, ruleCount: 1 }, { isLive: true }]);
});
