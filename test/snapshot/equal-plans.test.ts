import { describe, expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { planAndReplay } from './plan-and-replay.ts';

const secrets = {
  TRUEUP_SECRET_member: 'first',
  TRUEUP_SECRET_flag: 'true',
  TRUEUP_SECRET_key: 'canary-of-key',
  TRUEUP_SECRET_db: 'web:76.76.21.21@db.example.com/web',
};

const configuration = (action: string) => `stack: shop
platform: { team: acme }
secrets: { member: {}, flag: {}, key: {}, db: {} }
lookups: { use: { domainConfig: { domain: shop.example } } }
projects:
  web:
    env:
      MEMBER: { value: "\${secret.member}", type: encrypted }
      FLAG: { value: "\${secret.flag}", type: encrypted }
      JOINED: { value: "\${secret.key} \${lookup.use.misconfigured}", type: encrypted }
      DB: { value: "\${secret.db}", type: encrypted }
    domains: { example.com: {} }
    firewall:
      rules:
        - name: bypass
          active: true
          conditionGroup: [{ conditions: [{ type: header, op: eq, key: x-pass, value: "\${secret.key}" }] }]
          action: { mitigate: { action: ${action} } }
`;

const seed = {
  team: { slug: 'acme' },
  domains: [
    { name: 'shop.example' },
    { name: 'example.com', records: [{ type: 'A' as const, name: '', value: '192.0.2.1' }] },
  ],
};

describe('a plan from a snapshot is equal', () => {
  it('with secrets that are words of snapshots and endpoints, or parts of texts in the account', async () => {
    const shell = await new Shell().write({ 'trueup.yaml': configuration('bypass') });
    await shell.withTwin(seed, { switches: { outsideDnsConfigured: false } });
    shell.env = { ...shell.env, ...secrets };
    const applied = await shell.run(['apply', '--auto-approve', '--settle', '0']);
    expect(applied.status, applied.all).toBe(0);
    await shell.write({ 'trueup.yaml': configuration('deny') });
    const text = await planAndReplay(shell, [], Object.keys(secrets));
    expect(text).not.toContain('canary');
    // The plan shows this address as `(secret)`, because it is a part of one.
    expect(text).not.toContain('76.76.21.21');
    // The configuration shows this name beside its secret value.
    expect(text).toContain('"key":"x-pass"');
  });

  it('with the time of the plan on the page of several stacks, and with ids that are secrets in a deleted project', async () => {
    const stack = (name: string, projects: string) =>
      `stack: ${name}\nplatform: { team: acme }\nprojects: ${projects}\n`;
    const shell = await new Shell().write({
      'trueup.workspace.yaml': 'stacks: [one, two]\n',
      'one/trueup.yaml': stack('one', '{ web: {}, old: { crons: { enabled: true } } }'),
      'two/trueup.yaml': stack('two', '{ docs: {} }'),
    });
    const bypass = 'canaryOfBypass0123456789abcdefgh';
    await shell.withTwin({
      team: { slug: 'acme' },
      projects: [{ name: 'old', protectionBypasses: [{ secret: bypass, note: 'tests' }] }],
    } as never);
    const applied = await shell.run(['apply', '--all', '--auto-approve', '--settle', '0']);
    expect(applied.status, applied.all).toBe(0);
    await shell.write({ 'one/trueup.yaml': stack('one', '{ web: {} }') });
    const text = await planAndReplay(shell, ['--all']);
    expect(text).not.toContain(bypass);
    // Its settings and its contents are in the answer to the same request.
    expect(text).toMatch(/"protectionBypass":\{"snapshot-secret-/);
    const pages = [];
    for (const flags of [[], ['--from', 'account.snapshot'], ['--from', 'account.snapshot']])
      pages.push((await shell.run(['plan', '--all', '--format', 'html', ...flags])).stdout);
    const timeOf = (page = '') => /<time datetime="([^"]*)"/.exec(page)?.[1];
    expect(timeOf(pages[0])).toBeDefined();
    expect(pages[1]).toBe(pages[2]);
  });
});
