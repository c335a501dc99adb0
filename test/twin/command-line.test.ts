import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { Shell } from '../support/cli.ts';
import { noteCounts } from '../support/cost.ts';

/*
 * The platform's own command line, as npm has it, against the twin: what it does day by day it can do there, and what it asks for is in the
 * public catalog, or stands in the list below. It is large, so the project does not depend on it: TRUEUP_VERCEL says where it is installed
 * (`npm install vercel` in a folder of its own, and `TRUEUP_VERCEL=FOLDER/node_modules/vercel`).
 */

const place = process.env.TRUEUP_VERCEL ?? path.resolve(import.meta.dirname, '../../node_modules/vercel');
const program = path.join(place, 'dist/vc.js');
const isThere = existsSync(program);
if (!isThere)
  console.log(
    `the command line of the platform is not tried: it is not installed (${program}); set TRUEUP_VERCEL`,
  );

const counts = { commands: 0, requests: 0 };
if (isThere) noteCounts("the platform's command line", () => counts);

/** What it asks for, and the public catalog does not have. */
const outside = [
  'POST /now/deployments/{id}/aliases',
  'GET /v3/now/aliases',
  'GET /now/aliases/{idOrAlias}',
  'DELETE /now/aliases/{aliasId}',
  'PATCH /v3/certs',
  'GET /v3/env/pull/{idOrName}/{target}',
  'GET /project-domains/{domain}',
  'POST /v2/billing/costs',
  'POST /v1/observability/events',
  'GET /alerts/v3/groups',
  'POST /projects/{idOrName}/alias',
  'PATCH /v1/security/firewall/config/draft',
  'GET /v1/projects/{idOrName}/members/summary',
  'POST /teams/{teamId}/members',
  'GET /v1/storage/stores',
  'POST /v1/storage/stores/{id}/connections',
  'PATCH /v1/storage/stores/{id}/connections/{connectionId}',
  'POST /v1/storage/stores/{id}/connections/{connectionId}/upgrade-to-oidc',
  'PATCH /v1/vcr/repository/{idOrName}',
  'GET /now/deployments/{id}/aliases',
  'DELETE /now/deployments/{id}',
  'GET /v1/api-keys',
  'GET /v1/api-keys/{id}',
  'PATCH /v1/api-keys/{id}/quota',
  'DELETE /v1/api-keys/{id}',
  'POST /v1/edge-cache/purge-all',
  'DELETE /v1/data-cache/purge-all',
];

const condition = '{"type":"path","op":"pre","value":"/admin"}';
/** What people do day by day, in this order. */
const days: Record<string, string[][]> = {
  variables: [
    ['env', 'add', 'FOO', 'production', '--value', 'bar', '--yes'],
    ['env', 'update', 'FOO', 'production', '--value', 'other', '--yes'],
    ['env', 'ls'],
    ['env', 'pull', '.env.local', '--yes'],
    ['env', 'rm', 'FOO', 'production', '--yes'],
  ],
  'domains and DNS': [
    ['domains', 'add', 'shop.example.com', 'web'],
    ['domains', 'inspect', 'example.com'],
    ['domains', 'verify', 'example.com'],
    ['domains', 'move', 'other.com', 'acme', '--yes'],
    ['dns', 'add', 'example.com', 'api', 'A', '192.0.2.1'],
    ['dns', 'ls', 'example.com'],
  ],
  'the firewall': [
    ['firewall', 'ip-blocks', 'block', '192.0.2.1', '--yes'],
    ['firewall', 'rules', 'add', 'admin', '--condition', condition, '--action', 'deny', '--yes'],
    ['firewall', 'publish', '--yes'],
    ['firewall', 'rules', 'list'],
  ],
  'routes and redirects': [
    [
      'routes',
      'add',
      'api',
      '--src',
      '/a/:path*',
      '--src-syntax',
      'path-to-regexp',
      '--action',
      'set-status',
      '--status',
      '403',
      '--yes',
    ],
    ['routes', 'disable', 'api'],
    ['routes', 'publish', '--yes'],
    ['redirects', 'add', '/old', '/new', '--status', '301', '--yes'],
  ],
  projects: [
    ['project', 'add', 'made'],
    ['project', 'update', 'made', '--framework', 'nextjs', '--yes'],
    ['project', 'access-summary', 'web'],
    ['project', 'ls'],
    ['cache', 'purge', '--yes'],
  ],
  'what a team has': [
    ['teams', 'invite', 'alan@example.com'],
    ['ai-gateway', 'budgets', 'set', 'user', 'grace@example.com', '--limit', '20'],
    ['ai-gateway', 'budgets', 'set', 'user', '--default', '--limit', '20'],
    ['ai-gateway', 'api-keys', 'create', '--name', 'ci', '--budget', '10'],
    ['ai-gateway', 'api-keys', 'create', '--name', 'old'],
    ['ai-gateway', 'api-keys', 'list'],
    ['ai-gateway', 'budgets', 'set', 'api-key', 'ci', '--limit', '25'],
    ['contract'],
    ['usage'],
    ['logs'],
    ['alerts', 'ls'],
  ],
  'stores and images': [
    ['storage', 'create', 'uploads', '--type', 'blob', '--access', 'private'],
    ['storage', 'connect', 'uploads', '--yes', '--environment', 'production'],
    ['storage', 'update', 'uploads', '--environment', 'preview', '--yes'],
    ['vcr', 'create', 'app'],
    ['vcr', 'config', 'app', '--public', 'true'],
  ],
};

describe.skipIf(!isThere)('the command line of the platform', () => {
  let twin: Twin;
  let folder: string;
  beforeAll(async () => {
    twin = await startTwin({
      seed: {
        team: { id: 'team_1', slug: 'acme', members: [{ uid: 'user_grace', email: 'grace@example.com' }] },
        domains: [{ name: 'example.com' }, { name: 'other.com' }],
        projects: [
          {
            name: 'web',
            deployments: [
              { id: 'dpl_old', target: 'production' },
              { id: 'dpl_new', target: 'production' },
            ],
          },
        ],
      },
    });
    folder = mkdtempSync(path.join(tmpdir(), 'trueup-vercel-'));
    mkdirSync(path.join(folder, '.vercel'));
    const link = { projectId: project().id, orgId: 'team_1' };
    writeFileSync(path.join(folder, '.vercel/project.json'), JSON.stringify(link));
  });
  afterAll(async () => {
    await twin.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const project = () => twin.account.projects[0]!;
  const serving = () => project().serving?.production?.id;

  /** Runs it; all that it said. */
  async function ran(...args: string[]): Promise<string> {
    const account = ['--api', twin.url, '--token', 'token', '--scope', 'acme'];
    const before = twin.requests.length;
    const said = await new Promise<{ code: unknown; all: string }>((done) => {
      const { stdin } = execFile(
        process.execPath,
        [program, ...args, ...account, '--non-interactive', '--cwd', folder],
        {
          env: {
            PATH: process.env.PATH,
            HOME: folder,
            CI: '1',
            NO_UPDATE_NOTIFIER: '1',
            VERCEL_TELEMETRY_DISABLED: '1',
          },
          timeout: 60_000,
        },
        (error, stdout, stderr) =>
          done({ code: error ? (error.code ?? error.signal) : 0, all: stdout + stderr }),
      );
      // Who asks would wait for an answer.
      stdin?.end();
    });
    const requests = twin.requests.slice(before);
    counts.commands += 1;
    counts.requests += requests.length;
    const words = requests.map(({ method, path, status }) => `${method} ${path} ${status}`);
    expect(said.code, `vercel ${args.join(' ')}\n${said.all}\n${words.join('\n')}`).toBe(0);
    expect(requests.filter(({ status }) => status >= 500)).toEqual([]);
    return said.all;
  }

  it('lists and inspects deployments', async () => {
    expect(await ran('ls')).toMatch(/web-dpl_new\.vercel\.app\s+● Ready/);
    expect(await ran('inspect', 'dpl_new')).toMatch(/id\s+dpl_new[\s\S]*● Ready/);
  });

  it('promotes, rolls back, and redeploys', async () => {
    await ran('promote', 'dpl_old', '--yes', '--timeout', '0');
    expect(serving()).toBe('dpl_old');
    await ran('rollback', 'dpl_new', '--yes', '--timeout', '0');
    expect(serving()).toBe('dpl_new');
    await ran('redeploy', 'dpl_old', '--no-wait');
    expect(project().deployments).toHaveLength(3);
  });

  it('sets, lists and removes an alias', async () => {
    await ran('alias', 'set', 'web-dpl_new.vercel.app', 'example.com');
    expect(twin.account.aliases).toMatchObject([{ alias: 'example.com', deploymentId: 'dpl_new' }]);
    expect(await ran('alias', 'ls')).toContain('aliases found');
    await ran('alias', 'rm', 'example.com', '--yes');
    expect(twin.account.aliases).toEqual([]);
  });

  it('issues and lists a certificate', async () => {
    await ran('certs', 'issue', 'www.example.com');
    expect(twin.account.certificates).toMatchObject([{ cns: ['www.example.com'] }]);
    expect(await ran('certs', 'ls')).toContain('www.example.com');
  });

  it('removes a deployment', async () => {
    await ran('rm', 'dpl_old', '--yes');
    expect(project().deployments.map(({ id }) => id)).not.toContain('dpl_old');
  });

  it.each(Object.entries(days))('does what there is to do with %s', async (_, commands) => {
    for (const command of commands) await ran(...command);
  });

  it('inspects and removes an API key, by its id', async () => {
    const [kept, old] = twin.account.apiKeys;
    expect(await ran('ai-gateway', 'api-keys', 'inspect', kept!.id)).toMatch(/ci[\s\S]*25/);
    await ran('ai-gateway', 'api-keys', 'remove', old!.id, '--yes');
  });

  it('finds what it has done', () => {
    const { account } = twin;
    expect(account.stores).toMatchObject([{ name: 'uploads', connections: [{ environments: ['preview'] }] }]);
    expect(account.teamInvites).toMatchObject([{ email: 'alan@example.com', role: 'VIEWER' }]);
    expect(account.apiKeys).toMatchObject([{ name: 'ci', quota: { limitAmount: 25 } }]);
    expect(account.aiGatewayBudgets).toMatchObject([{ scopeType: 'user', scopeId: 'user_grace' }]);
    expect(project().registryRepositories).toMatchObject([{ name: 'app', public: true }]);
    expect(project().routes.flatMap(({ items }) => items)).toMatchObject([
      { rawSrc: '/a/:path*', enabled: false },
    ]);
    expect(project().firewall.active).toMatchObject({
      ips: [{ ip: '192.0.2.1' }],
      rules: [{ name: 'admin' }],
    });
  });

  it('asks for nothing that is neither in the catalog nor known', () => {
    const asked = twin.outside.map(({ method, path, member, was }) =>
      was === 'unknown operation' ? `${method} ${path}` : `${method} ${path} ${member} ${was}`,
    );
    expect(asked.sort()).toEqual([...outside].sort());
  });

  it('has filled an account whose export plans to nothing', async () => {
    const shell = new Shell();
    Object.assign(shell.env, { TRUEUP_BASE_URL: twin.url, TRUEUP_TOKEN: 'token' });
    const account = ['--team', 'acme', '--stack', 'acme', '--values', 'omit'];
    expect(await shell.run(['export', ...account, '--out', 'trueup.yaml'])).toMatchObject({ status: 0 });
    const { stdout } = await shell.run(['plan', '--json']);
    const { changes, operations } = JSON.parse(stdout);
    expect(changes.length).toBeGreaterThan(15);
    expect(operations).toEqual([]);
  }, 60_000);
});
