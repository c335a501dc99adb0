import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Seed, startTwin } from '../../providers/hosting/twin/index.ts';
import { send } from './client.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'twin-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('saves after each write and goes on from there, whatever the seed says', async () => {
  const statePath = join(folder, 'account.json');
  const first = await startTwin({ statePath });
  await send(first, 'GET', '/v10/projects');
  expect(readdirSync(folder)).toEqual([]);
  const { body } = await send(first, 'POST', '/v11/projects', { name: 'web' });
  expect(JSON.parse(readFileSync(statePath, 'utf8'))).toEqual(first.account);
  expect(statSync(statePath).mode & 0o777).toBe(0o600);
  await first.close();

  const second = await startTwin({ statePath, seed: { projects: [{ name: 'seeded' }] } });
  const { projects } = (await send(second, 'GET', '/v10/projects')).body;
  expect(projects.map((one: { id: string }) => one.id)).toEqual([body.id]);
  const next = (await send(second, 'POST', '/v11/projects', { name: 'two' })).body;
  expect(next.id).not.toBe(body.id);
  expect(next.createdAt).toBeGreaterThan(body.createdAt);
  await second.close();
  expect(readdirSync(folder)).toEqual(['account.json']);
});

it('fills up an account that was saved before it had all of its lists', async () => {
  const statePath = join(folder, 'account.json');
  const first = await startTwin({ statePath });
  await send(first, 'POST', '/v11/projects', { name: 'web' });
  const whole = structuredClone(first.account);
  await first.close();
  const { user, teams, projects, domains, made, lastTime } = whole;
  const old = projects.map(({ featureFlags: _later, ...project }) => project);
  writeFileSync(statePath, JSON.stringify({ user, teams, projects: old, domains, made, lastTime }));
  const second = await startTwin({ statePath });
  expect(second.account).toEqual(whole);
  await second.close();
});

it('keeps the deploy hooks of an account that was saved with them in the Git link', async () => {
  const statePath = join(folder, 'account.json');
  const first = await startTwin({ statePath });
  const gitRepository = { type: 'github', repo: 'acme/web' };
  const { id } = (await send(first, 'POST', '/v11/projects', { name: 'web', gitRepository })).body;
  await send(first, 'POST', `/v2/projects/${id}/deploy-hooks`, { name: 'nightly', ref: 'main' });
  const { body: project } = await send(first, 'GET', `/v9/projects/${id}`);
  const account = structuredClone(first.account);
  await first.close();
  expect(project.link.deployHooks).toMatchObject([{ name: 'nightly', ref: 'main' }]);
  const projects = account.projects.map(({ deployHooks, ...saved }) => ({
    ...saved,
    link: { ...(saved.link as object), deployHooks },
  }));
  writeFileSync(statePath, JSON.stringify({ ...account, projects }));
  const second = await startTwin({ statePath });
  expect((await send(second, 'GET', `/v9/projects/${id}`)).body).toEqual(project);
  await second.close();
});

it('says which file it cannot read', async () => {
  const statePath = join(folder, 'account.json');
  writeFileSync(statePath, '{');
  await expect(startTwin({ statePath })).rejects.toThrow(/account\.json cannot be read/);
});

it('refuses an account that nobody has saved, as a state and as a seed', async () => {
  const statePath = join(folder, 'account.json');
  const first = await startTwin({ statePath });
  await send(first, 'POST', '/v11/projects', { name: 'web' });
  const saved = structuredClone(first.account) as object;
  await first.close();
  const changes: [object, problem: RegExp][] = [
    [{ user: null }, /`user` should be/],
    [{ teams: [null] }, /`teams\[0\]` should be/],
    [{ projects: [null] }, /`projects\[0\]` should be/],
    [{ projects: [{ id: 'a', name: 'web', accountId: 'b', env: 5 }] }, /`projects\[0\]\.env` should be/],
    [{ webhooks: {} }, /`webhooks` should be/],
    [{ made: 'x' }, /`made` should be/],
    [{ lastTime: 1e300 }, /`lastTime` should NOT be more/],
  ];
  for (const [change, problem] of changes) {
    const content = { ...saved, ...change };
    await expect(startTwin({ seed: content as Seed }), String(problem)).rejects.toThrow(problem);
    writeFileSync(statePath, JSON.stringify(content));
    await expect(startTwin({ statePath }), String(problem)).rejects.toThrow(problem);
  }
});
