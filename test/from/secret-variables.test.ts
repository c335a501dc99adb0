import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { accountWith, textIn } from './account.ts';
import { resourceOf, stateOf } from './state.ts';

it('converts variables with a connection string or a token to `$secretTo`, and says which it cannot', async () => {
  const account = await accountWith(`stack: acme
platform: { team: acme }
projects:
  web:
    env:
      OLD: { value: canary-old, target: [production] }
      URL: { value: canary-url, target: [preview], type: sensitive }
    customEnvironments: { qa: {} }
    featureFlagSdkKeys:
      - environment: production
        type: server
        label: web
        $secretTo: { variable: projects/web/env/FLAGS, value: "\${connectionString}", target: [production] }
globalConfigs:
  shop:
    tokens:
      web: { $secretTo: { variable: projects/web/env/EDGE_CONFIG, value: "https://edge-config.example/\${id}?token=\${secret}" } }
      qa: { $secretTo: { variable: projects/web/env/QA_TOKEN, customEnvironmentIds: [qa] } }
      old: { $secretTo: discard }
webhooks:
  deploys: { url: https://hooks.example.com/d, events: [deployment.error], $secretTo: { variable: sharedEnv/HOOK, projectId: [web] } }
`);
  const [web, store] = [account.id('projects/web'), account.id('globalConfigs/shop')];
  const token = (label: string) =>
    resourceOf(
      'edge_config_token',
      {
        id: account.id(`globalConfigs/shop/tokens/${label}`),
        edge_config_id: store,
        label,
        token: `canary-token-${label}`,
        connection_string: `https://edge-config.example/${store}?token=canary-token-${label}`,
      },
      label,
    );
  const variable = (key: string, target: string[], value: string, more: object = {}) =>
    resourceOf(
      'project_environment_variable',
      {
        id: account.id(`projects/web/env/${key}@${target[0] ?? 'custom:qa'}`),
        project_id: web,
        key,
        value,
        target,
        sensitive: true,
        ...more,
      },
      key.toLowerCase(),
    );
  const state = stateOf([
    resourceOf('project', { id: web, name: 'web' }, 'web'),
    resourceOf('custom_environment', {
      id: account.id('projects/web/customEnvironments/qa'),
      project_id: web,
      name: 'qa',
    }),
    resourceOf('edge_config', { id: store, name: 'shop' }),
    ...['web', 'qa', 'old'].map(token),
    variable(
      'EDGE_CONFIG',
      ['production', 'preview'],
      `https://edge-config.example/${store}?token=canary-token-web`,
    ),
    variable('QA_TOKEN', [], 'canary-token-qa', {
      custom_environment_ids: [account.id('projects/web/customEnvironments/qa')],
    }),
    variable('OLD', ['production'], 'canary-token-old', { sensitive: false }),
    variable('URL', ['preview'], 'https://canary-password@example.com?token=canary-token-old'),
    resourceOf('feature_flag_sdk_key', {
      id: account.id('projects/web/featureFlagSdkKeys/production/server/web'),
      project_id: web,
      environment: 'production',
      type: 'server',
      label: 'web',
      sdk_key: 'canary-flags',
      connection_string: 'flags:sdkKey=canary-flags',
    }),
    variable('FLAGS', ['production'], 'flags:sdkKey=canary-flags'),
    resourceOf(
      'webhook',
      {
        id: account.id('webhooks/deploys'),
        endpoint: 'https://hooks.example.com/d',
        events: ['deployment.error'],
        secret: 'canary-of-the-webhook',
      },
      'deploys',
    ),
    resourceOf('shared_environment_variable', {
      id: account.id('sharedEnv/HOOK@production'),
      key: 'HOOK',
      value: 'canary-of-the-webhook',
      target: ['production', 'preview'],
      sensitive: true,
      project_ids: [web],
    }),
  ]);
  const shell = await account.beside().write({ 'state.json': state });
  const ran = await shell.run(['from', 'terraform', 'state.json', '--team', 'acme', '--out-dir', 'out']);
  expect(ran.status, ran.all).toBe(0);
  const all = `${textIn(join(shell.folder, 'out'))}\n--- told\n${ran.all}`;
  await expect(all.replaceAll(/\b(prj|ecfg|hook|env|tok)_\w+/g, '$1_ID')).toMatchFileSnapshot(
    'golden/secret-variables.txt',
  );
  expect(all).not.toContain('canary');
  expect(ran.all).toContain('Verified: its plan sends nothing.');
  expect(readFileSync(join(shell.folder, 'state.json'), 'utf8')).toContain('canary');
});
