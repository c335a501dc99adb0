import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Twin } from '../../providers/hosting/twin/index.ts';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

/* A verified domain whose DNS does not point to the platform is named with the record that it needs. */

const apply = ['apply', '--auto-approve', '--settle', '0'];
const elsewhere = (name: string) => ({ type: 'A' as const, name, value: '192.0.2.1' });
const seed = {
  team: { id: 'team_acme', slug: 'acme' },
  projects: [
    {
      name: 'web',
      domains: ['example.com', 'a.example.com', 'b.example.com', '*.example.com'].map((name) => ({ name })),
    },
  ],
  domains: [{ name: 'example.com', records: ['', 'a', 'b', 'new'].map(elsewhere) }],
  authTokens: [{ name: 'web', projectId: 'web', bearer: 'of-web', owner: 'acme' }],
};
const existing = ['example.com', 'a.example.com', 'b.example.com', '"*.example.com"', 'web.vercel.app'];
const yaml = (domains: string[], records = '') => `stack: demo
platform: { team: team_acme }
projects: { web: { $existing: true, domains: { ${domains.map((domain) => `${domain}: {}`).join(', ')} } } }
${records}`;

/** A folder with these domains of a project and these records, and a twin whose zone answers for `example.com`. */
async function start(domains: string[], records?: string) {
  const shell = await new Shell().write({ 'trueup.yaml': yaml(domains, records) });
  return { shell, twin: await shell.withTwin(seed, { switches: { outsideDnsConfigured: false } }) };
}

const configReads = ({ requests }: Twin) =>
  requests
    .flatMap(({ path }) => /^\/v6\/domains\/([^/]+)\/config\?projectIdOrName=prj_/.exec(path)?.[1] ?? [])
    .sort();

const warningsIn = (text: string) =>
  [...text.matchAll(/Warning: (.*) \[plan\/not-ready\]|(-> it needs .*)/g)].map(
    ([, message, hint]) => message ?? hint,
  );

const subdomains =
  'its DNS does not point to the platform, so it serves nothing (2 times, for projects/web/domains/a.example.com and projects/web/domains/b.example.com)';
const apex = 'projects/web/domains/example.com: its DNS does not point to the platform, so it serves nothing';
const needsA = '-> it needs the DNS record A with "76.76.21.21"';
const needsCname = '-> it needs the DNS record CNAME with "cname.vercel-dns.com."';

story('a plan names the existing domains, once for each record that they need, in every format', async () => {
  const { shell, twin } = await start([...existing, 'new.example.com']);
  const plan = await shell.run(['plan']);
  expect(plan.status, plan.all).toBe(0);
  expect(warningsIn(plan.stderr)).toEqual([apex, needsA, subdomains, needsCname]);
  // Neither the platform's own domain, nor a wildcard, nor one that the apply creates.
  expect(configReads(twin)).toEqual(['a.example.com', 'b.example.com', 'example.com']);
  twin.clearRequests();
  const { stdout } = await shell.run(['plan', '--format', 'json']);
  const { diagnostics, forecast } = JSON.parse(stdout);
  expect(diagnostics).toMatchObject([
    { code: 'plan/not-ready', severity: 'warning', count: 2 },
    { code: 'plan/not-ready', severity: 'warning', address: 'projects/web/domains/example.com' },
  ]);
  // Two plans, the list before the creation, and the new domain after it.
  expect(forecast.reads).toBe(2 * twin.requests.length + 2);
  for (const format of ['markdown', 'html', 'sarif'])
    expect((await shell.run(['plan', '--format', format])).stdout, format).toMatch(
      /serves nothing[\s\S]*76\.76\.21\.21/,
    );
});

test('a secret is hidden in words of the platform, and the name of the domain stays readable', async () => {
  const { shell } = await start(['example.com']);
  const text = yaml(['example.com']).replace('domains:', 'env: { DB: "${secret.db}" }, domains:');
  await shell.write({ 'trueup.yaml': `${text}secrets: { db: {} }\n` });
  shell.env = { ...shell.env, TRUEUP_SECRET_db: 'web:76.76.21.21@db.example.com/web' };
  const { stderr } = await shell.run(['plan']);
  expect(warningsIn(stderr)).toEqual([apex, '-> it needs the DNS record A with "(secret)"']);
});

story(
  'a record of the configuration is not missing: before, during and after the apply that sets it',
  async () => {
    const set = (name: string, value: string) => `{ type: A, name: ${name}, value: ${value} }`;
    const records = `domains: { example.com: { $exclusive: [records], records: [${set('a', '76.76.21.21')}, ${set('new', '192.0.2.1')}] } }`;
    const { shell, twin } = await start(['a.example.com', 'new.example.com'], records);
    const plan = await shell.run(['plan']);
    expect([warningsIn(plan.stderr), configReads(twin)]).toEqual([[], ['a.example.com']]);
    expect(plan.stdout).toContain(`Not ready yet (not a change):
  projects/web/domains/a.example.com: its DNS does not point to the platform, so it serves nothing; this plan sets domains/example.com/records/a/A for it
`);
    const applied = await shell.run([...apply, '--report', 'report.md']);
    expect(applied.status, applied.all).toBe(0);
    const created =
      'projects/web/domains/new.example.com: its DNS does not point to the platform, so it serves nothing';
    expect(warningsIn(applied.stderr)).toEqual([created, needsCname]);
    expect(applied.stdout).toContain('Verified: the account matches the configuration.');
    expect(readFileSync(join(shell.folder, 'report.md'), 'utf8')).toMatch(
      /Not ready yet[\s\S]*serves nothing/,
    );

    // The account has the record, and the nameservers are somebody else's.
    twin.account.domains[0]!.zone = false;
    const { status, stderr } = await shell.run(['plan', '--detailed-exitcode']);
    expect(status).toBe(0);
    expect(stderr).toContain(
      '-> the account has domains/example.com/records/a/A for it: DNS changes take time; if this stays, look whether',
    );
  },
);

test('a failed read is counted and changes nothing else', async () => {
  const { shell, twin } = await start(existing);
  const config = { operation: 'getDomainConfig' };
  for (const status of [403, 500] as const) {
    twin.setFaults({ faults: [{ at: config, do: { type: 'status', status } }] });
    const plan = await shell.run(['plan', '--max-wait', '0']);
    expect([plan.status, warningsIn(plan.stderr)], plan.all).toEqual([0, []]);
    expect(plan.stdout).toContain(`3 objects exist, but whether they work was not read (answered ${status}`);
    expect(plan.stdout).toContain(
      '5 to adopt, 0 to update, 0 to delete. 0 requests. Not compared: 3 objects.',
    );
  }
});

test('a token of one project plans without these reads, and an approved plan may be applied with another state', async () => {
  const { shell, twin } = await start(existing);
  const full = shell.env;
  shell.env = { ...full, TRUEUP_TOKEN: 'of-web' };
  const saved = await shell.run(['plan', '--out', 'plan.json']);
  expect(saved.status, saved.all).toBe(0);
  expect(saved.stdout).toContain('3 objects exist, but whether they work was not read');
  expect(configReads(twin)).toEqual([]);
  shell.env = full;
  const applied = await shell.run(['apply', 'plan.json', '--settle', '0']);
  expect(applied.status, applied.all).toBe(0);
  expect(warningsIn(applied.stderr)).toContain(apex);
});

test('a plan with --target reads this for the targets alone', async () => {
  const { shell, twin } = await start(existing);
  const plan = await shell.run(['plan', '--target', 'projects/web/domains/a.example.com']);
  expect(plan.status, plan.all).toBe(0);
  expect(configReads(twin)).toEqual(['a.example.com']);
});

story('a plan reads this for 100 domains and those with a `$wait`, and names the others', async () => {
  const names = Array.from({ length: 102 }, (_, index) => `d${String(index).padStart(3, '0')}.example.com`);
  const shell = await new Shell().write({
    'trueup.yaml': yaml(names).replace('d101.example.com: {}', 'd101.example.com: { $wait: { minutes: 1 } }'),
  });
  const projects = [{ name: 'web', domains: names.map((name) => ({ name })) }];
  const twin = await shell.withTwin({ ...seed, projects, authTokens: [] });
  const plan = await shell.run(['plan']);
  expect(plan.status, plan.all).toBe(0);
  expect(configReads(twin)).toEqual(names.filter((name) => name !== 'd100.example.com'));
  expect(plan.stdout).toContain(
    '1 object exists, but whether it works was not read (a plan reads this for 100 objects; see the others with `--target`): projects/web/domains/d100.example.com\n',
  );
});
