import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Seed, SeedError, startTwin } from '../../providers/hosting/twin/index.ts';
import { send } from './client.ts';

it('names every problem of meaning with its place', async () => {
  const http = {
    type: 'http' as const,
    endpoint: 'https://example.com',
    encoding: 'json' as const,
    headers: {},
  };
  const seed: Seed = {
    webhooks: [{ url: 'example.com', events: ['deployment.created'] }],
    drains: [{ name: 'logs', delivery: http, projects: ['none'] }],
    globalConfigs: [
      { slug: 'a' },
      { slug: 'a' },
      { slug: 'b', items: { n: 'text' }, schema: { required: ['m'] } },
    ],
    aiGatewayRules: [{ type: 'rewrite' }],
    aiGatewayBudgets: [{ limitAmount: 1, project: 'none' }],
    aiGatewayBudgetDefaults: [
      { owner: 'nobody', scopeType: 'project', limitAmount: 1, refreshPeriod: 'none' },
    ],
    sharedEnv: [
      { key: 'A', value: '1' },
      { key: 'A', value: '2', target: ['preview'] },
    ],
  };
  const failure = await startTwin({ seed }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SeedError);
  expect((failure as SeedError).problems).toEqual([
    'aiGatewayBudgets[0]: There is no project "none".',
    'aiGatewayBudgetDefaults[0]: There is no team "nobody".',
    expect.stringMatching(/^aiGatewayRules\[0\]: .*rewriteModel/),
    expect.stringMatching(/^globalConfigs\[1\]: .*already exists/),
    expect.stringMatching(/^globalConfigs\[2\]: .*should have the property m/),
    'drains[0]: There is no project "none".',
    expect.stringMatching(/^webhooks\[0\]: .*http or https/),
    expect.stringMatching(/^sharedEnv\[1\]: .*already exists/),
  ]);
});

it("does not hold old variables against the team's policy", async () => {
  const team = { slug: 'acme', sensitiveEnvironmentVariablePolicy: 'on' as const };
  const twin = await startTwin({ seed: { team, sharedEnv: [{ key: 'A', value: '1' }] } });
  expect(twin.account.sharedEnv).toMatchObject([{ key: 'A', type: 'encrypted' }]);
  await twin.close();
});

it('loads an account that was saved before it had these lists', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'twin-'));
  const statePath = join(folder, 'account.json');
  const first = await startTwin({ statePath });
  await send(first, 'POST', '/v11/projects', { name: 'web' });
  await first.close();
  const { user, teams, projects, domains, made, lastTime } = JSON.parse(readFileSync(statePath, 'utf8'));
  writeFileSync(statePath, JSON.stringify({ user, teams, projects, domains, made, lastTime }));
  const second = await startTwin({ statePath });
  for (const path of ['/v1/webhooks', '/v1/drains', '/v1/global-config', '/v1/env', '/ai-gateway/rules']) {
    expect((await send(second, 'GET', path)).status, path).toBe(200);
  }
  expect((await send(second, 'DELETE', '/v9/projects/web')).status).toBe(204);
  await second.close();
  rmSync(folder, { recursive: true });
});
