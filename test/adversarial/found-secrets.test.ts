import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Seed } from '../../providers/hosting/twin/index.ts';
import { Shell } from '../support/cli.ts';

/** A secret key of the account, another one of the configuration, and those of further places of the same variable. */
const keys = ['old', 'new', 'preview', 'moved', 'gone'].map(
  (name) => `sk_${'live'}_${name}a1B2c3D4e5F6g7H8i9`,
);
const [old, declared, preview, moved, gone] = keys as [string, string, string, string, string];

const variable = (key: string, value: string, target = 'production') => ({
  key,
  value,
  type: 'plain' as const,
  target: [target],
});

const seed = {
  team: { slug: 'acme' },
  projects: [
    {
      name: 'web',
      env: [
        variable('NEXT_PUBLIC_OLD', old),
        variable('NEXT_PUBLIC_NEW', 'harmless'),
        variable('NEXT_PUBLIC_SAME', old),
        variable('NEXT_PUBLIC_GONE', gone),
      ],
    },
  ],
} as unknown as Seed;

const yaml = `stack: shop
platform: { team: acme }
projects:
  web:
    $exclusive: [env]
    env:
      NEXT_PUBLIC_OLD: { value: harmless, type: plain, target: [production] }
      NEXT_PUBLIC_NEW: { value: ${declared}, type: plain, target: [production] }
      NEXT_PUBLIC_SAME: { value: ${old}, type: plain, target: [production], comment: kept }
      NEXT_PUBLIC_ADDED:
        - { value: ${moved}, type: plain, target: [production] }
        - { value: ${preview}, type: plain, target: [preview] }
      STRIPE_KEY: { value: ${moved}, type: plain, target: [production] }
`;

it('No report of a plan shows a value that a finding calls a secret, whether it is declared or live.', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  const twin = await shell.withTwin(seed);
  const outputs: string[] = [];
  const run = async (...args: string[]) => {
    const ran = await shell.run(args);
    expect([0, 2], ran.all).toContain(ran.status);
    outputs.push(`${args.join(' ')}\n${ran.all}`);
    return ran.all;
  };
  expect(await run('plan', '--verbose')).toMatch(/NEXT_PUBLIC_OLD.*value: \(secret\)/s);
  for (const format of ['markdown', 'html', 'json', 'terraform', 'terraform-text', 'sarif'])
    await run('plan', '--format', format);
  await run('plan', '--out', 'saved.plan');
  outputs.push(readFileSync(join(shell.folder, 'saved.plan'), 'utf8'));
  await run('show', 'saved.plan');
  await run('validate');
  await run('apply', 'saved.plan', '--auto-approve');
  await run('plan');
  await run('log', '--json');
  await run('log', 'last');
  for (const output of outputs) for (const key of keys) expect(output).not.toContain(key);
  const stored = JSON.stringify(twin.account);
  for (const key of [declared, preview, moved]) expect(stored).toContain(key);
});

it('No verdict of guards quotes the line of a value that a finding calls a secret.', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': yaml,
    'guards.yaml': 'deny: [{ finding: "env/*", message: no }, { at: "projects/**", message: no }]\n',
  });
  await shell.withTwin(seed);
  const ran = await shell.run(['plan', '--guards', 'guards.yaml']);
  expect(ran.all).toContain('[guards/denied]');
  for (const key of keys) expect(ran.all).not.toContain(key);
});

it('A key that was applied in clear, as an encrypted variable, is hidden when it is replaced or removed', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': `stack: shop
platform: { team: acme }
projects:
  web:
    env: { NEXT_PUBLIC_OLD: ${old}, NEXT_PUBLIC_GONE: ${gone} }
`,
  });
  await shell.withTwin({ team: { slug: 'acme' } });
  expect((await shell.run(['apply', '--auto-approve', '--no-canary'])).status).toBe(0);
  await shell.write({
    'trueup.yaml': `stack: shop
platform: { team: acme }
projects:
  web:
    env: { NEXT_PUBLIC_OLD: harmless }
`,
  });
  for (const args of [
    ['plan'],
    ['plan', '--format', 'json'],
    ['plan', '--requests'],
    ['apply', '--auto-approve'],
    ['log', 'last'],
  ]) {
    const { all, status } = await shell.run(args);
    expect(status, all).toBe(0);
    for (const key of [old, gone]) expect(all).not.toContain(key);
  }
});
